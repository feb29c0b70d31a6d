//! Where results go: standard output, or a file that appears under its name when it is whole.
//!
//! A file is written beside its final place, as `NAME.xxxxxx.partial`, and renamed at the end; a run that is cut short leaves
//! the partial file rather than a file that looks finished. What is no regular file (`/dev/null`, a pipe) is written directly.

use crate::failure::{Failure, written};
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tempfile::NamedTempFile;

pub(crate) struct Output {
    writer: BufWriter<Target>,
    path: PathBuf,
}

enum Target {
    Stdout(Stdout),
    Direct(File),
    Partial(NamedTempFile),
}

impl Output {
    /// `-` is standard output.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::cannot_write(path, &error);
        let (target, path) = if path == Path::new("-") {
            (Target::Stdout(io::stdout()), PathBuf::from("standard output"))
        } else {
            match fs::metadata(path) {
                Ok(found) if !found.is_file() => (Target::Direct(File::create(path).map_err(failed)?), path.to_owned()),
                // The file that a link leads to is to be replaced, not the link.
                Ok(_) => {
                    let path = path.canonicalize().map_err(failed)?;
                    (Target::Partial(partial(&path).map_err(failed)?), path)
                }
                Err(_) => (Target::Partial(partial(path).map_err(failed)?), path.to_owned()),
            }
        };
        Ok(Self { writer: BufWriter::with_capacity(1 << 16, target), path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self.writer.get_ref(), Target::Stdout(_))
    }

    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self.writer.get_ref(), Target::Stdout(stdout) if stdout.is_terminal())
    }

    /// Writes all there is in one go.
    pub(crate) fn whole(path: &Path, bytes: &[u8]) -> Result<ExitCode, Failure> {
        let mut output = Self::open(path)?;
        let (name, is_stdout) = (output.path().to_owned(), output.is_stdout());
        let done = output.write_all(bytes).and_then(|()| output.commit().map_err(|(error, _)| error));
        match done {
            Err(error) if !is_stdout => Err(Failure::cannot_write(&name, &error)),
            done => written(done, ExitCode::SUCCESS),
        }
    }

    /// Everything is written: the file takes its name.
    pub(crate) fn commit(mut self) -> Result<(), (io::Error, Option<PathBuf>)> {
        if let Err(error) = self.writer.flush() {
            return Err((error, self.rescue()));
        }
        match self.writer.into_inner() {
            Ok(Target::Partial(file)) => match file.persist(&self.path) {
                Ok(_) => Ok(()),
                Err(error) => Err((error.error, error.file.keep().ok().map(|(_, path)| path))),
            },
            _ => Ok(()),
        }
    }

    /// The run was cut short: keeps what is written, and says where, if it is a file of its own.
    pub(crate) fn rescue(mut self) -> Option<PathBuf> {
        // As much as still can be.
        let _ = self.writer.flush();
        match self.writer.into_parts().0 {
            Target::Partial(file) => file.keep().ok().map(|(_, path)| path),
            _ => None,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::Direct(file) => file.write(bytes),
            Self::Partial(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::Direct(file) => file.flush(),
            Self::Partial(file) => file.flush(),
        }
    }
}

fn partial(path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let mut prefix = name.to_owned();
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".partial");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Those of an ordinary new file; the umask takes its part of them.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory)
}
