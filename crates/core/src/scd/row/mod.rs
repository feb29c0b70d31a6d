//! Rows of HTML tables, read by the standard's own algorithm (`html5ever`, in the context of a table body).
//!
//! What counts of a row is its sequence of cells: tag, spans, and text with entities decoded and white space collapsed. Linear in the text.
//!
//! | room | what |
//! |---|---|
//! | [`plain`] | rows as tables are written by programs: no parser is needed to know what the standard makes of them |
//! | [`tree`] | all others: what `html5ever` makes of them |

mod plain;
mod tree;

use std::str::FromStr;

/// A cell of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Whether it is a header cell, `<th>`.
    pub header: bool,
    /// How many columns it spans, at least 1.
    pub colspan: u32,
    /// How many rows it spans; 0 means the rest of the table.
    pub rowspan: u32,
    /// Its text: entities decoded, white space collapsed and trimmed.
    pub text: String,
}

/// The cells of one `<tr>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// At least one, from left to right.
    pub cells: Vec<Cell>,
}

/// Why a text is not one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// No `<tr>`.
    #[error("there is no <tr>")]
    NoRow,
    /// More than one `<tr>`.
    #[error("there is more than one <tr>")]
    SeveralRows,
    /// A `<tr>` without cells.
    #[error("the <tr> has no cells")]
    NoCells,
    /// Something beside the row, or between its cells.
    #[error("there is something beside the cells of the row")]
    Surroundings,
    /// The row is longer than 1 MiB.
    #[error("the row is longer than 1 MiB")]
    TooLong,
    /// Elements more than 128 deep, or unclosed formatting that multiplies.
    #[error("elements are nested more than 128 deep, or multiply")]
    TooDeep,
}

const LONGEST: usize = 1 << 20;

impl Row {
    /// Whether two rows have the same tags and column spans, whatever the texts.
    pub fn has_shape_of(&self, other: &Row) -> bool {
        let shape = |cell: &Cell| (cell.header, cell.colspan);
        self.cells.iter().map(shape).eq(other.cells.iter().map(shape))
    }

    /// Whether a text is one row, without what is in it.
    pub(super) fn check(html: &str) -> Result<(), RowError> {
        if html.len() <= LONGEST && plain::read(html, |_| ()).is_some() {
            Ok(())
        } else {
            html.parse::<Self>().map(drop)
        }
    }
}

impl FromStr for Row {
    type Err = RowError;

    /// ```
    /// use objalign_core::scd::Row;
    ///
    /// let row: Row = "<tr><th>Name <td colspan=2>Ada&nbsp;&amp; Bo</tr>".parse()?;
    /// assert_eq!(row.cells[1].text, "Ada & Bo");
    /// assert_eq!((row.cells[0].header, row.cells[1].colspan), (true, 2));
    /// # Ok::<(), objalign_core::scd::RowError>(())
    /// ```
    fn from_str(html: &str) -> Result<Self, RowError> {
        if html.len() > LONGEST {
            return Err(RowError::TooLong);
        }
        plain::row(html).map_or_else(|| tree::row(html), Ok)
    }
}

/// A span by the standard's rules for them: leading digits, else 1; clamped.
struct Span {
    least: u32,
    most: u32,
}

const COLUMNS: Span = Span { least: 1, most: 1000 };
const ROWS: Span = Span { least: 0, most: 65_534 };

impl Span {
    fn read(&self, attribute: Option<&str>) -> u32 {
        let Some(text) = attribute.map(str::trim_start) else { return 1 };
        let digits = &text[..text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len())];
        match digits.parse::<u32>() {
            _ if digits.is_empty() => 1,
            Ok(number) if number < self.least => 1,
            Ok(number) => number.min(self.most),
            Err(_) => self.most,
        }
    }
}

/// A text with its white space collapsed and trimmed.
#[derive(Default)]
struct Collapsed {
    text: String,
    gap: bool,
}

impl Collapsed {
    fn push(&mut self, piece: &str) {
        for word in piece.split_inclusive(char::is_whitespace) {
            let bare = word.trim_end_matches(char::is_whitespace);
            if !bare.is_empty() {
                if self.gap && !self.text.is_empty() {
                    self.text.push(' ');
                }
                self.text.push_str(bare);
                self.gap = false;
            }
            self.gap |= bare.len() < word.len();
        }
    }

    fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cells(html: &str) -> Result<Vec<(bool, u32, String)>, RowError> {
        html.parse::<Row>()
            .map(|row| row.cells.into_iter().map(|cell| (cell.header, cell.colspan, cell.text)).collect())
    }

    #[test]
    fn rows_as_models_write_them() {
        let plain = Ok(vec![(true, 1, "Name".to_owned()), (false, 2, "A & B".to_owned())]);
        for html in [
            "<tr><th>Name</th><td colspan=\"2\">A &amp; B</td></tr>",
            "  <tr class='x'>\n <th> Name </th>\n <td colspan=2>A\n&amp; <b>B</b></td>\n</tr>\n",
            "<TR><TH>Name<TD COLSPAN='2'>A & B",
            "<th>Name</th><td colspan=2>A &#38;<br>B</td>",
            "<!-- a row --><tr><th>Name</th><td colspan=2 rowspan=3>A &amp;&nbsp;B</td></tr>",
        ] {
            assert_eq!(cells(html), plain, "{html}");
        }
    }

    #[test]
    fn what_is_not_one_row_is_refused() {
        assert_eq!(cells(""), Err(RowError::NoRow));
        assert_eq!(cells("ALPHA"), Err(RowError::NoRow));
        assert_eq!(cells("<tr></tr>"), Err(RowError::NoCells));
        assert_eq!(cells("<tr><td>a</td></tr><tr><td>b</td></tr>"), Err(RowError::SeveralRows));
        assert_eq!(cells("Here it is: <tr><td>a</td></tr>"), Err(RowError::Surroundings));
        assert_eq!(cells("<tr><td>a</td></tr> done"), Err(RowError::Surroundings));
        assert_eq!(cells(&"<td>".repeat(300_000)), Err(RowError::TooLong));
        assert_eq!(cells(&format!("<tr><td>{}deep</td></tr>", "<div>".repeat(300))), Err(RowError::TooDeep));
        assert!(cells(&format!("<tr><td>{}deep</td></tr>", "<div>".repeat(100))).is_ok());
    }

    /// Each of these takes the standard's algorithm alone a time that grows with the square of its length.
    #[test]
    fn what_multiplies_is_given_up() {
        let nested = "<td>a</td><th>b <svg>".repeat(20_000);
        let formats = (0..200).map(|at| format!("<b id={at}>")).collect::<Vec<_>>().concat();
        let reopened = format!("<tr><td><p>{formats}{}", "<p>x".repeat(50_000));
        for html in [nested, reopened] {
            assert_eq!(cells(&html), Err(RowError::TooDeep));
        }
        let fostered = format!("<tr><td><table>{}", "<br>".repeat(100_000));
        assert_eq!(cells(&fostered).expect("a row").len(), 1);
    }

    #[test]
    fn spans_follow_the_standard() {
        let span = |text: &str| cells(&format!("<tr><td colspan='{text}'>x</td></tr>")).expect("a row")[0].1;
        let spans: Vec<u32> = ["2", " 3x", "0", "-1", "x", "", "99999999999"].into_iter().map(span).collect();
        assert_eq!(spans, [2, 3, 1, 1, 1, 1, 1000]);
    }

    proptest! {
        #[test]
        fn no_text_is_fatal(html in "(<[/]?(tr|td|th|table|b|a|template|svg|p)[ >]|[a&;<>= ]){0,30}") {
            let _ = html.parse::<Row>();
        }
    }
}
