//! From an address to its cell, by the finished table alone: the check that addresses are not ambiguous.
//!
//! What is read is the HTML, row by row, with the reader that completions are read with. A row of one cell is a heading; one that begins
//! with a number in a header cell is a record, under the columns of the last row of header cells only; any other is labels and values.

use objalign_core::scd::Row;

/// Where a cell is: its row in the table, and its place in the row, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The row.
    pub row: usize,
    /// The cell of it.
    pub cell: usize,
}

/// Why an address leads nowhere, or to more than one cell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FindError(String);

fn refuse<T>(message: String) -> Result<T, FindError> {
    Err(FindError(message))
}

/// The rows of a table as it is written: their text, and their cells.
///
/// # Errors
///
/// A row cannot be read, or there is none.
pub fn rows(table: &str) -> Result<Vec<(&str, Row)>, FindError> {
    let mut rows = Vec::new();
    let mut rest = table;
    let opens =
        |rest: &str, at: &usize| rest[at + 3..].starts_with(|next: char| next == '>' || next.is_ascii_whitespace());
    let start = |rest: &str| rest.match_indices("<tr").map(|(at, _)| at).find(|at| opens(rest, at));
    while let Some(start) = start(rest) {
        let Some(end) = rest[start..].find("</tr>") else {
            return refuse(format!("row {} does not end", rows.len() + 1));
        };
        let (text, after) = rest[start..].split_at(end + "</tr>".len());
        let row = text.parse().map_err(|error| FindError(format!("row {}: {error}", rows.len() + 1)))?;
        rows.push((text, row));
        rest = after;
    }
    if rows.is_empty() { refuse("there are no rows".to_owned()) } else { Ok(rows) }
}

/// The one cell of an address.
///
/// ```
/// use objalign_gen::scd::table::find::{Place, find, rows};
///
/// let table = "<table><tr><th colspan=\"4\">Guest</th></tr><tr><th>Phone</th><td>1</td><th>City</th><td>2</td></tr></table>";
/// let place = find(&rows(table)?, r#"section "Guest", field "City""#)?;
/// assert_eq!(place, Place { row: 1, cell: 3 });
/// # Ok::<(), objalign_gen::scd::table::find::FindError>(())
/// ```
///
/// # Errors
///
/// It is no address, or there is not exactly one such cell.
pub fn find(rows: &[(&str, Row)], address: &str) -> Result<Place, FindError> {
    let steps = steps(address).ok_or_else(|| FindError(format!("{address}: is no address")))?;
    let found = match steps.as_slice() {
        [("field", label)] => fields(rows, 0..rows.len(), label),
        [("section", heading), ("field", label)] => fields(rows, below(rows, heading)?, label),
        [("block", heading), ("record", number), ("column", label)] => {
            records(rows, below(rows, heading)?, number, label)
        }
        _ => return refuse(format!("{address}: is no address")),
    };
    match found.as_slice() {
        [place] => Ok(*place),
        places => refuse(format!("{address}: there are {} such cells", places.len())),
    }
}

/// `section "Guest", field "City"` as pairs.
fn steps(address: &str) -> Option<Vec<(&str, &str)>> {
    let mut steps = Vec::new();
    let mut rest = address;
    loop {
        let (name, after) = rest.split_once(' ')?;
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => after.split_at(after.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len())),
        };
        steps.push((name, value));
        if after.is_empty() {
            return Some(steps);
        }
        rest = after.strip_prefix(", ")?;
    }
}

/// The rows below a heading, up to the next.
fn below(rows: &[(&str, Row)], heading: &str) -> Result<std::ops::Range<usize>, FindError> {
    let is_heading = |row: &Row| row.cells.len() == 1;
    let places: Vec<usize> =
        (0..rows.len()).filter(|&at| is_heading(&rows[at].1) && rows[at].1.cells[0].text == heading).collect();
    let [at] = places.as_slice() else {
        return refuse(format!("there are {} headings \"{heading}\"", places.len()));
    };
    let end = (at + 1..rows.len()).find(|&other| is_heading(&rows[other].1)).unwrap_or(rows.len());
    Ok(at + 1..end)
}

/// The values beside a label, in rows of labels and values. The columns of a block and its records are none.
fn fields(rows: &[(&str, Row)], within: std::ops::Range<usize>, label: &str) -> Vec<Place> {
    let beside = |row: usize| {
        let cells = &rows[row].1.cells;
        let pairs = cells.windows(2).enumerate();
        pairs
            .filter(|(_, pair)| pair[0].header && !pair[1].header && pair[0].text == label)
            .map(move |(at, _)| Place { row, cell: at + 1 })
    };
    within.filter(|&row| !is_record(&rows[row].1)).flat_map(beside).collect()
}

fn is_record(row: &Row) -> bool {
    let first = &row.cells[0];
    first.header && row.cells.len() > 1 && !row.cells[1].header && first.text.parse::<u32>().is_ok()
}

fn records(rows: &[(&str, Row)], within: std::ops::Range<usize>, number: &str, label: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let mut columns: Option<&Row> = None;
    for at in within {
        let row = &rows[at].1;
        if row.cells.iter().all(|cell| cell.header) {
            columns = Some(row);
        } else if let Some(columns) = columns.filter(|_| is_record(row) && row.cells[0].text == number) {
            let of = columns.cells.iter().enumerate().filter(|(_, cell)| cell.text == label);
            places.extend(of.map(|(cell, _)| Place { row: at, cell }));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "<table><caption>Form</caption>\
        <tr><th colspan=\"4\">A. Guest</th></tr>\
        <tr><th>Phone</th><td>1</td><th>City</th><td>2</td></tr>\
        <tr><th>Age</th><td>30</td><th>City</th><td>x</td></tr>\
        <tr><th colspan=\"4\">Trips</th></tr>\
        <tr><th>No.</th><th>City</th><th colspan=\"2\">Cost &amp; fees</th></tr>\
        <tr><th>1</th><td>a</td><td colspan=\"2\">b</td></tr>\
        <tr><th>2</th><td>c</td><td colspan=\"2\">d</td></tr>\
        <tr><th colspan=\"4\">B. Host</th></tr>\
        <tr><th>Phone</th><td>3</td><th>Name</th><td>4</td></tr></table>";

    #[test]
    fn addresses_lead_to_one_cell_or_say_why_not() {
        let rows = rows(TABLE).expect("rows");
        let found = |address: &str| find(&rows, address).map(|place| rows[place.row].1.cells[place.cell].text.as_str());
        assert_eq!(found("field \"Name\""), Ok("4"));
        assert_eq!(found("section \"B. Host\", field \"Phone\""), Ok("3"));
        assert_eq!(found("block \"Trips\", record 2, column \"Cost & fees\""), Ok("d"));
        let told = |address: &str| found(address).expect_err("refused").to_string();
        assert_eq!(told("field \"Phone\""), "field \"Phone\": there are 2 such cells");
        assert!(told("section \"A. Guest\", field \"City\"").ends_with("there are 2 such cells"));
        assert!(told("section \"B. Host\", field \"City\"").ends_with("there are 0 such cells"));
        assert_eq!(told("section \"C\", field \"City\""), "there are 0 headings \"C\"");
        assert!(told("block \"Trips\", record 3, column \"City\"").ends_with("there are 0 such cells"));
        assert!(told("block \"Trips\", field \"1\"").ends_with("is no address"));
        assert!(told("the phone").ends_with("is no address"));
    }

    #[test]
    fn what_is_no_table_is_refused() {
        assert_eq!(rows("<table></table>"), refuse("there are no rows".to_owned()));
        assert_eq!(rows("<tr><td>1</td>"), refuse("row 1 does not end".to_owned()));
        assert_eq!(
            rows("<tr>x</tr>").expect_err("no cells").to_string(),
            "row 1: there is something beside the cells of the row"
        );
    }
}
