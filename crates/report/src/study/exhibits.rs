//! Tables and figures of a study as files, and read back for its page.

use super::StudyError;
use super::cache::Cache;
use crate::figures::drawing::Drawing;
use crate::table::Table;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

const CAPTIONS: &str = "figures/captions.json";

/// Writes tables as Markdown, LaTeX and CSV; the files that were made.
pub(crate) fn tables(cache: &mut Cache, tables: &[Table]) -> Result<Vec<String>, StudyError> {
    let mut made = Vec::new();
    for table in tables {
        for (extension, text) in [("md", table.markdown()), ("tex", table.latex()), ("csv", table.csv())] {
            let file = format!("tables/{}.{extension}", table.name);
            cache.write(&file, text.as_bytes())?;
            made.push(file);
        }
    }
    Ok(made)
}

/// Writes figures as SVG and PNG, and their captions; the files that were made.
pub(crate) fn drawings(cache: &mut Cache, drawings: &[Drawing]) -> Result<Vec<String>, StudyError> {
    let drawn: Vec<Result<(String, Vec<u8>), StudyError>> =
        drawings.par_iter().map(|drawing| Ok((drawing.svg()?, drawing.png()?))).collect();
    let (mut made, mut captions) = (Vec::new(), Vec::new());
    for (drawing, drawn) in drawings.iter().zip(drawn) {
        let (svg, png) = drawn?;
        for (extension, bytes) in [("svg", svg.as_bytes()), ("png", &png)] {
            let file = format!("figures/{}.{extension}", drawing.name);
            cache.write(&file, bytes)?;
            made.push(file);
        }
        captions.push((&drawing.name, &drawing.caption));
    }
    let text =
        serde_json::to_string_pretty(&captions).map_err(|error| StudyError::spoilt(&cache.path(CAPTIONS), error))?;
    cache.write(CAPTIONS, (text + "\n").as_bytes())?;
    made.push(CAPTIONS.to_owned());
    Ok(made)
}

/// The figures that were written: name, caption, SVG.
pub(crate) fn read(cache: &Cache) -> Result<Vec<(String, String, String)>, StudyError> {
    let captions: Vec<(String, String)> = serde_json::from_slice(&cache.read(CAPTIONS)?)
        .map_err(|error| StudyError::spoilt(&cache.path(CAPTIONS), error))?;
    let figure = |(name, caption): (String, String)| {
        let file = format!("figures/{name}.svg");
        let svg =
            String::from_utf8(cache.read(&file)?).map_err(|error| StudyError::spoilt(&cache.path(&file), error))?;
        Ok((name, caption, svg))
    };
    captions.into_iter().map(figure).collect()
}
