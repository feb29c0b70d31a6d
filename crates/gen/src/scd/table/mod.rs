//! Table tasks: a filled form as an HTML table, cells to change, and for each the row with that one change (*Where vs What*, section 4
//! and appendices A.2 and C).
//!
//! Forms are drawn from templates of our own. At level S each label is in the table once. At M columns are merged and repeated blocks
//! stand between the sections. At L three to five sections ask about different parties, with the same labels, so that a cell is found
//! by its section and label, or by its block, record and column, and by nothing less.
//!
//! Each target is in a row of its own, and its answer is that row with its own change only. Addresses are resolved again by the finished
//! HTML alone ([`find`]); [`check`] is that and more, for tasks of any origin.
//!
//! A task is a function of (parameters, seed, set, index); each knob draws from a stream of its own ([`crate::streams`]).
//!
//! | room | what |
//! |---|---|
//! | [`params`] | levels, their knobs and limits |
//! | `forms` | templates, groups of fields, blocks, configurations, checked when loaded |
//! | `values` | what stands in cells, by kind |
//! | `sheet` | drawing a table |
//! | `html` | writing it |
//! | [`targets`] | which cells to change, and where they are |
//! | [`find`] | from an address back to its cell |

pub mod find;
mod forms;
mod html;
mod nato;
pub mod params;
mod sheet;
pub mod targets;
mod values;

use super::task::{Question, Target, TaskRow};
use crate::bounds::ParamsError;
use crate::streams::stream;
use forms::Forms;
use nato::NATO;
use objalign_core::scd::{Row, TableTarget, TableTask};
use params::{Level, Params};
use serde_json::{Map, Value};
use sheet::Streams;
use std::sync::Arc;
use targets::Zone;

const PROMPT: &str = include_str!("../../../data/prompt.scd_table.txt");

/// What a task is to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// How complex its table is.
    pub level: Level,
    /// How many cells to change; by default as many as the level's knobs say.
    pub targets: Option<u32>,
    /// Where in the table they are.
    pub zone: Zone,
}

impl Wish {
    /// A task of a level as its knobs say.
    pub const fn of(level: Level) -> Self {
        Self { level, targets: None, zone: Zone::All }
    }
}

/// One task without its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// The table and the cells to change.
    pub question: Question,
    /// The text for a model.
    pub prompt: String,
    /// The right answer.
    pub reference: String,
    /// What the table is without its values: title, tags, spans, labels.
    pub layout: String,
}

/// Makes table tasks of one set of parameters.
///
/// ```
/// use objalign_gen::scd::table::{Tables, Wish, params::{Level, Params}};
///
/// let tables = Tables::new(Params::paper())?;
/// let task = tables.task(7, "core", 0, Wish::of(Level::S));
/// assert!(task.prompt.contains("<caption>") && task.reference.starts_with(r#"{"T1":"<tr>"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Tables {
    params: Params,
    forms: Arc<Forms>,
}

impl Tables {
    /// A generator with the forms that come with the crate.
    ///
    /// # Errors
    ///
    /// A parameter is out of its range.
    pub fn new(params: Params) -> Result<Self, ParamsError> {
        let forms = Arc::clone(&forms::BUILT_IN);
        params.check(&forms)?;
        Ok(Self { params, forms })
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Task `index` of a set of a seed. Sets of different names have nothing in common.
    pub fn task(&self, seed: u64, set: &str, index: u64, wish: Wish) -> Drawn {
        let of = |name: &str| stream(seed, index, &format!("scd/table/{set}/{name}"));
        let streams = Streams(&of);
        let grid = self.params.grid(wish.level);
        let sheet = sheet::draw(&self.forms, wish.level, grid, &streams);
        let wanted = (wish.zone, wish.targets.unwrap_or(grid.targets));
        let changes = targets::choose(&sheet, wish.level, wanted, &streams);
        let target = |(number, change): (usize, &targets::Change<'_>)| Target {
            id: format!("T{}", number + 1),
            html: html::row(&sheet.rows[change.slot.row]),
            cell: change.slot.cell,
            value: change.word.to_owned(),
            address: change.slot.address.to_string(),
        };
        let answer = |(number, change): (usize, &targets::Change<'_>)| {
            let mut row = sheet.rows[change.slot.row].clone();
            change.word.clone_into(&mut row.cells[change.slot.cell].text);
            (format!("T{}", number + 1), Value::from(html::row(&row)))
        };
        let targets: Vec<Target> = changes.iter().enumerate().map(target).collect();
        let reference = Value::Object(changes.iter().enumerate().map(answer).collect::<Map<_, _>>()).to_string();
        let table = html::table(&sheet.title, &sheet.rows);
        Drawn {
            prompt: prompt(&table, &targets),
            question: Question::Table { table, targets },
            reference,
            layout: sheet.layout(),
        }
    }
}

/// The text for a model.
fn prompt(table: &str, targets: &[Target]) -> String {
    let line = |target: &Target| format!("{}: {} -> {}", target.id, target.address, target.value);
    let lines: Vec<String> = targets.iter().map(line).collect();
    PROMPT.trim_end().replacen("{targets}", &lines.join("\n"), 1).replacen("{table}", table, 1)
}

/// A table task of a row, for measuring.
///
/// # Errors
///
/// It is no task of a table, or a target makes no sense.
pub(super) fn compile(row: &TaskRow) -> Result<TableTask, String> {
    let Question::Table { targets, .. } = &row.question else {
        return Err("the task has no table".to_owned());
    };
    let targets = targets.iter().map(|target| {
        let row = target.html.parse().map_err(|error| format!("target {}: {error}", target.id))?;
        Ok(TableTarget { id: target.id.clone(), row, cell: target.cell, replacement: target.value.clone() })
    });
    TableTask::new(targets.collect::<Result<_, String>>()?).map_err(|error| error.to_string())
}

/// Checks a task by its texts alone: each address leads to exactly the cell of its target, whose row is in the table once and for one
/// target only; the replacements are NATO words that are nowhere in the table, each for one target; the reference scores 1 in everything.
///
/// # Errors
///
/// Says what does not hold.
pub fn check(row: &TaskRow) -> Result<(), String> {
    let Question::Table { table, targets } = &row.question else {
        return Err("the task has no table".to_owned());
    };
    let rows = find::rows(table).map_err(|error| error.to_string())?;
    for (at, target) in targets.iter().enumerate() {
        let told = |message: &str| Err(format!("target {}: {message}", target.id));
        let place = find::find(&rows, &target.address).map_err(|error| format!("target {}: {error}", target.id))?;
        let (html, cells) = &rows[place.row];
        if *html != target.html || place.cell != target.cell {
            return told("the address leads to another cell");
        }
        let alike = |other: &Row| {
            let same = cells.cells.iter().zip(&other.cells).enumerate();
            other.has_shape_of(cells)
                && same.into_iter().all(|(at, (one, other))| at == place.cell || one.text == other.text)
        };
        if rows.iter().filter(|(_, other)| alike(other)).count() != 1 {
            return told("another row is the same but for the cell");
        }
        if !NATO.contains(&target.value.as_str()) {
            return told("the replacement is no NATO word");
        }
        if rows.iter().flat_map(|(_, row)| &row.cells).any(|cell| has_word(&cell.text, &target.value)) {
            return told("the replacement is in the table already");
        }
        let before = &targets[..at];
        if before.iter().any(|other| other.value == target.value || other.html == target.html) {
            return told("another target has its row or its replacement");
        }
    }
    let measures = compile(row)?.measure(&row.reference);
    if (measures.required_found, measures.placed, measures.present) != (targets.len(), targets.len(), targets.len()) {
        return Err("the reference does not score 1 in everything".to_owned());
    }
    Ok(())
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '-').any(|other| other.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scd::task::Domain;
    use rayon::prelude::*;
    use std::collections::{BTreeMap, BTreeSet, HashSet};

    fn tables() -> Tables {
        Tables::new(Params::paper()).expect("parameters")
    }

    fn named(drawn: Drawn) -> TaskRow {
        TaskRow {
            id: "a".to_owned(),
            domain: Domain::Table,
            level: "S".to_owned(),
            ablation: None,
            seed: 1,
            question: drawn.question,
            prompt: drawn.prompt,
            reference: drawn.reference,
        }
    }

    fn question(row: &TaskRow) -> (&str, &[Target]) {
        match &row.question {
            Question::Table { table, targets } => (table, targets),
            Question::Json { .. } => panic!("no table"),
        }
    }

    #[test]
    fn every_address_leads_to_its_cell_and_every_reference_is_right() {
        let tables = tables();
        let zones = [Zone::All, Zone::Near, Zone::Middle, Zone::Far];
        for level in Level::ALL {
            (0..240).into_par_iter().for_each(|index| {
                let zone = zones[index as usize % zones.len()];
                // Ten targets are the ablation of zones; other numbers are the levels' own.
                let targets = if zone == Zone::All { None } else { Some(10) };
                let row = named(tables.task(3, "test", index, Wish { level, targets, zone }));
                assert_eq!(check(&row), Ok(()), "{level:?} {index}");
                let wanted = targets.unwrap_or(tables.params.grid(level).targets);
                let (table, targets) = question(&row);
                assert_eq!(targets.len() as u32, wanted, "{level:?} {index}");
                assert!(
                    row.prompt.contains(table) && targets.iter().all(|target| row.prompt.contains(&target.address))
                );
                let measures = compile(&row).expect("a task").measure(&row.reference);
                assert_eq!((measures.scr(), measures.vpa(), measures.vp()), (1.0, 1.0, 1.0));
                assert_eq!(measures.format, Ok(objalign_core::scd::Level::Strict));
            });
        }
    }

    /// The means of the paper (section 4), within 5 %: (rows, cells) of each level.
    #[test]
    fn tables_have_the_sizes_of_the_paper() {
        let tables = tables();
        let published = [(28.0, 280.0), (33.0, 330.0), (53.0, 700.0)];
        for (level, (rows, cells)) in Level::ALL.into_iter().zip(published) {
            let counts: Vec<(usize, usize)> = (0..200)
                .into_par_iter()
                .map(|index| {
                    let drawn = tables.task(5, "core", index, Wish::of(level));
                    let Question::Table { table, .. } = &drawn.question else { panic!("no table") };
                    (table.matches("<tr>").count(), table.matches("<th").count() + table.matches("<td").count())
                })
                .collect();
            let mean = |of: &dyn Fn(&(usize, usize)) -> usize| counts.iter().map(of).sum::<usize>() as f64 / 200.0;
            let found = (mean(&|count| count.0), mean(&|count| count.1));
            println!("{level:?}: {found:?}");
            assert!(
                (found.0 / rows - 1.0).abs() < 0.05 && (found.1 / cells - 1.0).abs() < 0.05,
                "{level:?}: {found:?}"
            );
        }
    }

    /// The paper has 4,490 tables of 1,030 layouts (section 4).
    #[test]
    fn there_are_as_many_tables_and_layouts_as_in_the_paper() {
        let tables = tables();
        let of: Vec<(Vec<u8>, String, String)> = (0..4490)
            .into_par_iter()
            .map(|index| {
                use sha2::{Digest, Sha256};
                let drawn = tables.task(9, "core", index, Wish::of(Level::ALL[index as usize % 3]));
                let shape: String =
                    drawn.layout.chars().filter(|letter| !letter.is_alphabetic() && *letter != ' ').collect();
                let Question::Table { table, .. } = &drawn.question else { panic!("no table") };
                let short = |text: &str| format!("{:x?}", Sha256::digest(text.as_bytes()));
                (Sha256::digest(table.as_bytes()).to_vec(), short(&drawn.layout), short(&shape))
            })
            .collect();
        let instances: HashSet<_> = of.iter().map(|(table, ..)| table).collect();
        let layouts: HashSet<_> = of.iter().map(|(_, layout, _)| layout).collect();
        let shapes: HashSet<_> = of.iter().map(|(.., shape)| shape).collect();
        println!(
            "{} tables, {} layouts, {} of them different without labels",
            instances.len(),
            layouts.len(),
            shapes.len()
        );
        assert_eq!(instances.len(), 4490);
        assert!(layouts.len() >= 1030, "{}", layouts.len());
    }

    #[test]
    fn each_level_is_what_it_says() {
        let tables = tables();
        let rows_of = |level, index| {
            let row = named(tables.task(4, "test", index, Wish::of(level)));
            let (table, targets) = question(&row);
            let rows: Vec<Row> = find::rows(table).expect("rows").into_iter().map(|(_, row)| row).collect();
            (rows, targets.to_vec())
        };
        let width = |row: &Row| row.cells.iter().map(|cell| cell.colspan).sum::<u32>();
        let mut blocks = BTreeMap::new();
        for level in Level::ALL {
            for index in 0..40 {
                let (rows, targets) = rows_of(level, index);
                let grid = tables.params.grid(level);
                assert!(rows.iter().all(|row| width(row) == 2 * grid.pairs), "{level:?} {index}");
                let headings = rows.iter().filter(|row| row.cells.len() == 1).count();
                let merged = rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.colspan > 1).count();
                match level {
                    Level::S => assert_eq!((headings, merged), (0, 0)),
                    Level::M => assert!(headings >= 3 && merged > headings),
                    Level::L => {
                        assert!(headings >= 6 && merged > headings);
                        for target in targets.iter().filter(|target| target.address.starts_with("section")) {
                            let label = target.address.rsplit('"').nth(1).expect("a label");
                            let cells = rows.iter().flat_map(|row| &row.cells);
                            let alike = cells.filter(|cell| cell.header && cell.text == label).count();
                            assert!(alike >= 2, "{index}: {}", target.address);
                        }
                    }
                }
                for target in targets {
                    *blocks.entry((level.name(), target.address.starts_with("block"))).or_insert(0) += 1;
                }
            }
        }
        // Blocks are asked for, and so are fields.
        let kinds: BTreeSet<(&str, bool)> = blocks.keys().copied().collect();
        assert_eq!(kinds.len(), 5, "{blocks:?}");
    }
}
