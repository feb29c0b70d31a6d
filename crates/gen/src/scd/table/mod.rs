//! Table tasks: a filled form as an HTML table, cells to change, and for each the row with that one change (*Where vs What*, section 4
//! and appendices A.2 and C).
//!
//! Forms are drawn from templates of our own. At level S each label is in the table once. At M columns are merged and repeated blocks
//! stand between the sections. At L three to five sections ask about different parties, with the same labels, so that a cell is found
//! by its section and label, or by its block, record and column, and by nothing less.
//!
//! Each target is in a row of its own, and its answer is that row with its own change only. Addresses are resolved again by the finished
//! HTML alone ([`find`]), which [`check`] holds each task to.
//!
//! A task is a function of (parameters, set, condition, index); each knob draws from a stream of its own ([`crate::streams`]).
//!
//! | room | what |
//! |---|---|
//! | [`params`] | levels, their knobs and limits |
//! | `forms` | templates, groups of fields, blocks, configurations, checked when loaded |
//! | `values` | what stands in cells, by kind |
//! | `sheet` | drawing a table |
//! | `html` | writing it |
//! | `targets` | which cells to change, and where they are |
//! | [`find`] | from an address back to its cell |

pub mod find;
mod forms;
pub(super) mod html;
mod nato;
pub mod params;
mod sheet;
mod targets;
mod values;

use super::sets::{self, Condition, Set, TaskSource};
use super::task::{Domain, Question, Target, TaskRow};
use crate::bounds::ParamsError;
use crate::streams::stream;
use forms::Forms;
use nato::NATO;
use objalign_core::scd::Row;
use params::{Level, Params};
use serde_json::{Map, Value, json};
use sheet::{Slot, Streams};
use std::collections::HashSet;
use std::sync::Arc;
use targets::Zone;

const PROMPT: &str = include_str!("../../../data/prompt.scd_table.txt");

/// Makes table tasks.
///
/// ```
/// use objalign_gen::scd::sets::TaskSource;
/// use objalign_gen::scd::table::{Tables, params::Params};
///
/// let task = Tables::new(Params::published())?.task(0, 0, 0);
/// assert_eq!(task.id, "table/core/S/0000");
/// assert!(task.prompt.contains("<caption>") && task.reference.starts_with(r#"{"T1":"<tr>"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Tables {
    params: Params,
    forms: Arc<Forms>,
}

/// What a task is to be like.
#[derive(Debug, Clone, Copy)]
struct Wish {
    level: Level,
    targets: u32,
    zone: Zone,
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

    /// A task of a level as its knobs say.
    fn plain(&self, level: Level) -> Wish {
        Wish { level, targets: self.params.grid(level).targets, zone: Zone::All }
    }

    /// The sets with what each of their conditions wishes. Sets that would be empty are left out.
    fn wishes(&self) -> Vec<(Set, Vec<Wish>)> {
        let params = &self.params;
        let large = self.plain(Level::L);
        let levels = || Level::ALL.map(|level| (level.name().to_owned(), self.plain(level))).to_vec();
        let zones = [("near", Zone::Near), ("middle", Zone::Middle), ("far", Zone::Far)];
        let zones =
            zones.map(|(name, zone)| (format!("rows={name}"), Wish { zone, targets: params.rows.targets, ..large }));
        let counts =
            params.count.targets.iter().map(|&targets| (format!("targets={targets}"), Wish { targets, ..large }));
        let sets = [
            (CORE, "levels S, M and L", params.core.tasks, levels()),
            ("rows", "where the rows to change are, at level L", params.rows.tasks, zones.to_vec()),
            ("count", "how many cells to change, at level L", params.count.tasks, counts.collect()),
            (TRAIN, "to learn from, all levels", params.train.tasks, levels()),
        ];
        let sets = sets.into_iter().filter(|(_, _, tasks, _)| *tasks > 0);
        sets.map(|(name, about, tasks, conditions)| {
            let (names, wishes): (Vec<String>, Vec<Wish>) = conditions.into_iter().unzip();
            let conditions = names.into_iter().map(|name| Condition { name, tasks }).collect();
            (Set { name: name.to_owned(), about: about.to_owned(), conditions }, wishes)
        })
        .collect()
    }

    /// The conditions of an ablation share the tables of an index: only what it turns is different.
    fn draw(&self, set: &str, index: u64, wish: Wish) -> (Question, String) {
        let of = |name: &str| stream(self.params.seed, index, &format!("scd/table/{set}/{name}"));
        let streams = Streams(&of);
        let sheet = sheet::draw(&self.forms, wish.level, self.params.grid(wish.level), &streams);
        let changes = targets::choose(&sheet, wish.level, (wish.zone, wish.targets), &streams);
        let mut targets = Vec::with_capacity(changes.len());
        let mut answers = Map::new();
        for (change, number) in changes.iter().zip(1..) {
            let Slot { row, cell, address, .. } = change.slot;
            let id = format!("T{number}");
            let mut changed = sheet.rows[*row].clone();
            change.word.clone_into(&mut changed.cells[*cell].text);
            answers.insert(id.clone(), html::row(&changed).into());
            let (html, value, address) = (html::row(&sheet.rows[*row]), change.word.to_owned(), address.to_string());
            targets.push(Target { id, html, cell: *cell, value, address });
        }
        let question = Question::Table { table: html::table(&sheet.title, &sheet.rows), targets };
        (question, Value::Object(answers).to_string())
    }
}

const CORE: &str = "core";
const TRAIN: &str = "train";

impl TaskSource for Tables {
    fn domain(&self) -> Domain {
        Domain::Table
    }

    fn config(&self) -> Value {
        json!(self.params)
    }

    fn sets(&self) -> Vec<Set> {
        self.wishes().into_iter().map(|(set, _)| set).collect()
    }

    fn task(&self, set: usize, condition: usize, index: u64) -> TaskRow {
        let (set, wishes) = self.wishes().swap_remove(set);
        let (wish, name) = (wishes[condition], &set.conditions[condition].name);
        let (question, reference) = self.draw(&set.name, index, wish);
        let is_level = [CORE, TRAIN].contains(&set.name.as_str());
        TaskRow {
            id: sets::id(Domain::Table, &set.name, name, index),
            domain: Domain::Table,
            level: if set.name == TRAIN { TRAIN } else { wish.level.name() }.to_owned(),
            ablation: if is_level { None } else { Some(name.clone()) },
            seed: self.params.seed,
            prompt: prompt(&question),
            question,
            reference,
        }
    }
}

/// The text for a model.
fn prompt(question: &Question) -> String {
    let Question::Table { table, targets } = question else { return String::new() };
    let line = |target: &Target| format!("{}: {} -> {}", target.id, target.address, target.value);
    let lines: Vec<String> = targets.iter().map(line).collect();
    PROMPT.replacen("{targets}", &lines.join("\n"), 1).replacen("{table}", table, 1)
}

/// Checks the targets of a table by its text alone: each address leads to exactly the cell of its target, whose row is in the table
/// once and for one target only; the replacements are NATO words that are nowhere in the table, each for one target.
///
/// # Errors
///
/// Says what does not hold.
pub fn check(table: &str, targets: &[Target]) -> Result<(), String> {
    let rows = find::rows(table).map_err(|error| error.to_string())?;
    let there = nato_words(&rows);
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
        if there.contains(target.value.as_str()) {
            return told("the replacement is in the table already");
        }
        let before = &targets[..at];
        if before.iter().any(|other| other.value == target.value || other.html == target.html) {
            return told("another target has its row or its replacement");
        }
    }
    Ok(())
}

/// The words of a table that could be taken for replacements.
fn nato_words(rows: &[(&str, Row)]) -> HashSet<&'static str> {
    let cells = rows.iter().flat_map(|(_, row)| &row.cells);
    let words = cells.flat_map(|cell| cell.text.split(|letter: char| !letter.is_alphanumeric() && letter != '-'));
    words.filter_map(|word| NATO.iter().copied().find(|nato| nato.eq_ignore_ascii_case(word))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::collections::BTreeMap;
    use std::hash::{DefaultHasher, Hash, Hasher};

    fn tables() -> Tables {
        Tables::new(Params::published()).expect("parameters")
    }

    fn rows_of(question: &Question) -> (Vec<Row>, &[Target]) {
        let Question::Table { table, targets } = question else { panic!("no table") };
        (find::rows(table).expect("rows").into_iter().map(|(_, row)| row).collect(), targets)
    }

    #[test]
    fn every_address_leads_to_its_cell_and_every_reference_is_right() {
        let tables = tables();
        let sets = tables.sets();
        let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names, ["core", "rows", "count", "train"]);
        let places = sets
            .iter()
            .enumerate()
            .flat_map(|(set, of)| (0..of.conditions.len()).map(move |condition| (set, condition)));
        // Of each level 200 tasks or more.
        let count = |name: &str| if ["S", "M"].contains(&name) { 100 } else { 25 };
        let tasks: Vec<_> = places
            .flat_map(|(set, condition)| {
                let name = &sets[set].conditions[condition].name;
                (0..count(name)).map(move |index| ((set, condition), index))
            })
            .collect();
        tasks.into_par_iter().for_each(|((set, condition), index)| {
            let row = tables.task(set, condition, index);
            let Question::Table { table, targets } = &row.question else { panic!("no table") };
            assert_eq!(check(table, targets), Ok(()), "{}", row.id);
            assert_eq!(crate::scd::check::check(&row), Ok(()), "{}", row.id);
            let wanted = match (row.ablation.as_deref(), sets[set].conditions[condition].name.as_str()) {
                (Some("targets=5"), _) | (None, "S") => 5,
                (Some("targets=15"), _) | (None, "L") => 15,
                _ => 10,
            };
            assert_eq!(targets.len(), wanted, "{}", row.id);
            assert!(row.prompt.contains(table), "{}", row.id);
            let told = |target: &Target| format!("\n{}: {} -> {}\n", target.id, target.address, target.value);
            assert!(targets.iter().all(|target| row.prompt.contains(&told(target))), "{}", row.id);
        });
    }

    #[test]
    fn an_ablation_turns_one_thing() {
        let tables = tables();
        let [near, middle, far] = [0, 1, 2].map(|condition| tables.task(1, condition, 7));
        let place = |row: &TaskRow| {
            let (rows, targets) = rows_of(&row.question);
            let found = targets.iter().map(|target| {
                let html: Row = target.html.parse().expect("a row");
                rows.iter().position(|row| *row == html).expect("a row of the table")
            });
            let first = found.min().expect("a target");
            (rows, first)
        };
        let ([near, middle, far], level) = ([place(&near), place(&middle), place(&far)], far.level);
        assert!(near.0 == middle.0 && middle.0 == far.0);
        assert!(near.1 < middle.1 && middle.1 < far.1 && level == "L");
        let [few, more, most] = [0, 1, 2].map(|condition| tables.task(2, condition, 7));
        let [few, more, most] = [&few, &more, &most].map(|row| rows_of(&row.question));
        assert!(few.0 == most.0 && most.1.starts_with(more.1) && more.1.starts_with(few.1));
    }

    /// The means of the paper (section 4), within 5 %.
    #[test]
    fn tables_have_the_sizes_of_the_paper() {
        let tables = tables();
        for (level, rows, cells) in [(Level::S, 28.0, 280.0), (Level::M, 33.0, 330.0), (Level::L, 53.0, 700.0)] {
            let counts: Vec<[usize; 2]> = (0..200)
                .into_par_iter()
                .map(|index| {
                    let (question, _) = tables.draw(CORE, index, tables.plain(level));
                    let Question::Table { table, .. } = &question else { panic!("no table") };
                    let count = |tag: &str| table.matches(tag).count();
                    [count("<tr>"), count("<th>") + count("<th ") + count("<td>") + count("<td ")]
                })
                .collect();
            let mean = |of: usize| counts.iter().map(|count| count[of]).sum::<usize>() as f64 / counts.len() as f64;
            let found = (mean(0), mean(1));
            println!("{level:?}: {found:?}");
            assert!(
                (found.0 / rows - 1.0).abs() < 0.05 && (found.1 / cells - 1.0).abs() < 0.05,
                "{level:?}: {found:?}"
            );
        }
    }

    /// The paper has 4,490 tables of 1,030 layouts (section 4).
    #[test]
    fn there_are_more_tables_and_layouts_than_in_the_paper() {
        let tables = tables();
        let found: Vec<(u64, u64)> = (0..4490)
            .into_par_iter()
            .map(|index| {
                let of = |name: &str| stream(1, index, name);
                let level = Level::ALL[index as usize % 3];
                let sheet = sheet::draw(&tables.forms, level, tables.params.grid(level), &Streams(&of));
                let hash = |text: &str| {
                    let mut hash = DefaultHasher::new();
                    text.hash(&mut hash);
                    hash.finish()
                };
                (hash(&html::table(&sheet.title, &sheet.rows)), hash(&sheet.layout()))
            })
            .collect();
        let instances: HashSet<u64> = found.iter().map(|(instance, _)| *instance).collect();
        let layouts: HashSet<u64> = found.iter().map(|(_, layout)| *layout).collect();
        println!("{} tables of {} layouts", instances.len(), layouts.len());
        assert_eq!(instances.len(), 4490);
        assert!(layouts.len() >= 1030, "{}", layouts.len());
    }

    #[test]
    fn tables_are_read_back_as_they_were_drawn() {
        let tables = tables();
        for (level, index) in Level::ALL.into_iter().flat_map(|level| (0..15).map(move |index| (level, index))) {
            let of = |name: &str| stream(2, index, name);
            let sheet = sheet::draw(&tables.forms, level, tables.params.grid(level), &Streams(&of));
            let html = html::table(&sheet.title, &sheet.rows);
            let read: Vec<Row> = find::rows(&html).expect("rows").into_iter().map(|(_, row)| row).collect();
            assert!(read == sheet.rows, "{html}");
        }
    }

    #[test]
    fn each_level_is_what_it_says() {
        let tables = tables();
        let mut asked = BTreeMap::new();
        for (level, index) in Level::ALL.into_iter().flat_map(|level| (0..40).map(move |index| (level, index))) {
            let (question, _) = tables.draw("test", index, tables.plain(level));
            let (rows, targets) = rows_of(&question);
            let width = |row: &Row| row.cells.iter().map(|cell| cell.colspan).sum::<u32>();
            assert!(rows.iter().all(|row| width(row) == 2 * tables.params.grid(level).pairs), "{level:?} {index}");
            let headings = rows.iter().filter(|row| row.cells.len() == 1).count();
            let merged = rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.colspan > 1).count();
            match level {
                Level::S => assert_eq!((headings, merged), (0, 0)),
                Level::M => assert!(headings >= 3 && merged > headings),
                Level::L => assert!(headings >= 6 && merged > headings),
            }
            for target in targets {
                let mut parts = target.address.split('"');
                let kind = parts.next().expect("a kind");
                *asked.entry((level.name(), kind.to_owned())).or_insert(0) += 1;
                if kind == "section " {
                    // What makes a section's field hard to find: another section has its label.
                    let label = target.address.rsplit('"').nth(1).expect("a label");
                    let cells = rows.iter().flat_map(|row| &row.cells);
                    assert!(cells.filter(|cell| cell.header && cell.text == label).count() >= 2, "{}", target.address);
                }
            }
        }
        let kinds: Vec<_> = asked.keys().map(|(level, kind)| (*level, kind.as_str())).collect();
        assert_eq!(
            kinds,
            [("L", "block "), ("L", "section "), ("M", "block "), ("M", "field "), ("S", "field ")],
            "{asked:?}"
        );
    }

    #[test]
    fn what_is_wrong_with_targets_is_said() {
        let (question, _) = tables().draw("test", 0, tables().plain(Level::L));
        let Question::Table { table, targets } = question else { panic!("no table") };
        let told = |change: &dyn Fn(&mut Vec<Target>)| {
            let mut changed = targets.clone();
            change(&mut changed);
            check(&table, &changed).expect_err("refused")
        };
        let other = targets[1].address.clone();
        assert_eq!(told(&|targets| targets[0].address = other.clone()), "target T1: the address leads to another cell");
        assert_eq!(told(&|targets| targets[0].value = "ZETA".into()), "target T1: the replacement is no NATO word");
        let twice = "target T2: another target has its row or its replacement";
        assert_eq!(told(&|targets| targets[1].value = targets[0].value.clone()), twice);
        let word = targets[0].value.clone();
        let there = table.replacen("</td>", &format!(" {}</td>", word.to_lowercase()), 1);
        assert!(check(&there, &targets).is_err());
    }
}
