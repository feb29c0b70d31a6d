//! Table tasks: a completion maps each target to its row, with one cell changed (*Where vs What*, section 3.2).
//!
//! `FmtOK` asks for an object whose values are all rows. SCR is the share of targets whose row has the tags and column spans
//! of the original; VPA the share whose cell holds the replacement; VP the share whose row holds it anywhere. A target
//! without a row has none of the three.

use super::document::Content;
use super::document::Link;
use super::measures::Measures;
use super::path::{Path, Step};
use super::recovery::{Limits, Refusal, with_reader};
use super::row::Row;
use super::task::{Fate, TaskError};

/// One cell to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableTarget {
    /// The key of the completion's row.
    pub id: String,
    /// The original row.
    pub row: Row,
    /// Which of its cells, counted from 0.
    pub cell: usize,
    /// The text that belongs there.
    pub replacement: String,
}

/// A table task: its targets.
///
/// ```
/// use objalign_core::scd::{TableTarget, TableTask};
///
/// let row = "<tr><th>Name</th><td>Ada</td><th>Status</th><td>Pending</td></tr>".parse()?;
/// let target = TableTarget { id: "T1".into(), row, cell: 3, replacement: "ALPHA".into() };
/// let completion = r#"{"T1": "<tr><th>Name</th><td>ALPHA</td><th>Status</th><td>Pending</td></tr>"}"#;
///
/// let measures = TableTask::new(vec![target])?.measure(completion);
/// assert_eq!((measures.scr(), measures.vp(), measures.vpa()), (1.0, 1.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct TableTask {
    targets: Vec<TableTarget>,
    limits: Limits,
}

impl TableTask {
    /// A task with these targets.
    ///
    /// # Errors
    ///
    /// Two targets of one id, or a cell that its row does not have.
    pub fn new(targets: Vec<TableTarget>) -> Result<Self, TaskError> {
        for (index, target) in targets.iter().enumerate() {
            let reason = if targets[..index].iter().any(|other| other.id == target.id) {
                Some("there is another target of this id".to_owned())
            } else if target.cell >= target.row.cells.len() {
                Some(format!("cell {} of a row of {} cells", target.cell, target.row.cells.len()))
            } else {
                None
            };
            if let Some(reason) = reason {
                return Err(TaskError::Target { id: target.id.clone(), reason });
            }
        }
        Ok(Self { targets, limits: Limits::default() })
    }

    /// Sets the limits on completions.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The targets, in the order in which they were given.
    pub fn targets(&self) -> &[TableTarget] {
        &self.targets
    }

    /// Measures a completion.
    pub fn measure(&self, completion: &str) -> Measures {
        let mut measures = self.unread();
        match self.rows(completion, &mut measures) {
            Ok(rows) => {
                for (target, row) in self.targets.iter().zip(rows) {
                    let Some(row) = row else { continue };
                    let holds = |cell: &super::Cell| cell.text == target.replacement;
                    measures.required_found += usize::from(row.has_shape_of(&target.row));
                    measures.placed += usize::from(row.cells.get(target.cell).is_some_and(holds));
                    measures.present += usize::from(row.cells.iter().any(holds));
                }
            }
            Err(refusal) => measures.format = Err(refusal),
        }
        measures
    }

    /// Where each target's replacement ended up, by the target's id: in its cell; in another cell of its row, named by the
    /// index `$[cell]`; nowhere, its cell holding another text; or nowhere, without such a cell.
    ///
    /// # Errors
    ///
    /// The completion cannot be read.
    pub fn fates(&self, completion: &str) -> Result<Vec<(String, Fate)>, Refusal> {
        let rows = self.rows(completion, &mut self.unread())?;
        let fates = self.targets.iter().zip(rows).map(|(target, row)| {
            let cells = row.map(|row| row.cells).unwrap_or_default();
            let holds = |cell: &super::Cell| cell.text == target.replacement;
            let fate = match (cells.get(target.cell), cells.iter().position(holds)) {
                (Some(cell), _) if holds(cell) => Fate::Placed,
                (_, Some(other)) => Fate::Displaced { to: Path::new(vec![Step::Index(other)]) },
                (Some(cell), None) => Fate::Altered { to: cell.text.as_str().into() },
                (None, None) => Fate::Absent,
            };
            (target.id.clone(), fate)
        });
        Ok(fates.collect())
    }

    /// The measures before anything is read.
    fn unread(&self) -> Measures {
        let count = self.targets.len();
        Measures {
            format: Ok(super::Level::Strict),
            required: count,
            required_found: 0,
            planted: count,
            placed: 0,
            present: 0,
            duplicate_keys: 0,
        }
    }

    /// The rows of the targets, where the completion has them.
    fn rows(&self, completion: &str, measures: &mut Measures) -> Result<Vec<Option<Row>>, Refusal> {
        with_reader(|reader| {
            let reading = reader.read(completion, &self.limits)?;
            let document = &reader.document;
            measures.format = Ok(reading.level);
            measures.duplicate_keys = document.duplicates as usize;
            let mut rows: Vec<Option<Row>> = vec![None; self.targets.len()];
            for node in document.nodes.iter().filter(|node| node.parent == 0 && !node.replaced) {
                let Link::Key(key) = node.link else { continue };
                let id = document.text(completion, key);
                let Content::String(html) = node.content else {
                    return Err(Refusal { at: 0, reason: format!("{id:?} is no string with a row") });
                };
                let html = document.text(completion, html);
                let refused = |error| Refusal { at: 0, reason: format!("the row of {id:?}: {error}") };
                match self.targets.iter().position(|target| target.id == id) {
                    Some(index) => rows[index] = Some(html.parse().map_err(refused)?),
                    None => Row::check(html).map_err(refused)?,
                }
            }
            Ok(rows)
        })
    }
}
