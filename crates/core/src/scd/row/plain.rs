//! Rows as programs write them, read without a parser.
//!
//! **Contract.** Gives a row only where the standard's algorithm gives the same one, and none of what it is not sure of: `<tr>` and then
//! cells, each closed by its own end tag; names in lower case; attributes in double quotes, no name twice; no entities but `&lt;`,
//! `&gt;`, `&quot;` and `&amp;`, no tags within cells, no carriage returns or NULs. That both agree is tested on texts of all kinds.
//!
//! **Cost.** One pass, and no allocation but for the cells that are kept.

use super::{COLUMNS, Cell, Collapsed, ROWS, Row};

/// What programs escape, the ampersand last: what it stands before is no entity any more.
const ENTITIES: [(&str, &str); 4] = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];

/// A cell as it stands in the text.
pub(super) struct Plain<'a> {
    header: bool,
    colspan: Option<&'a str>,
    rowspan: Option<&'a str>,
    text: &'a str,
    /// Whether it is what it says: no white space to collapse, no entities.
    is_literal: bool,
}

impl Plain<'_> {
    fn text(&self) -> String {
        if self.is_literal {
            return self.text.to_owned();
        }
        let mut collapsed = Collapsed::default();
        if self.text.contains('&') {
            collapsed
                .push(&ENTITIES.iter().fold(self.text.to_owned(), |text, (name, letter)| text.replace(name, letter)));
        } else {
            collapsed.push(self.text);
        }
        collapsed.finish()
    }
}

/// The one row of a text, if it is plain.
pub(super) fn row(html: &str) -> Option<Row> {
    let mut cells = Vec::with_capacity(8);
    read(html, |cell| {
        let (colspan, rowspan) = (COLUMNS.read(cell.colspan), ROWS.read(cell.rowspan));
        cells.push(Cell { header: cell.header, colspan, rowspan, text: cell.text() });
    })?;
    Some(Row { cells })
}

/// Gives the cells of the one row of a text to `take`; none if it is not plain, whatever was given before.
pub(super) fn read<'a>(html: &'a str, mut take: impl FnMut(Plain<'a>)) -> Option<()> {
    let mut rest = Rest(html);
    rest.space();
    rest.open("tr")?;
    let mut is_empty = true;
    loop {
        rest.space();
        if rest.take("</tr>") {
            break;
        }
        let header = rest.0.starts_with("<th");
        let [colspan, rowspan] = rest.open(if header { "th" } else { "td" })?;
        let (text, is_literal) = rest.text()?;
        if !rest.take(if header { "</th>" } else { "</td>" }) {
            return None;
        }
        is_empty = false;
        take(Plain { header, colspan, rowspan, text, is_literal });
    }
    rest.space();
    (rest.0.is_empty() && !is_empty).then_some(())
}

/// What was not read yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn space(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\n', '\t']);
    }

    fn take(&mut self, text: &str) -> bool {
        let rest = self.0.strip_prefix(text);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// What stands before an ASCII letter, which stays. None if there is something that a parser has to look at.
    fn until(&mut self, letter: u8) -> Option<&'a str> {
        let length = self.0.bytes().position(|byte| byte == letter || matches!(byte, b'&' | b'\r' | b'\0'))?;
        let (before, after) = self.0.split_at(length);
        self.0 = after;
        after.starts_with(char::from(letter)).then_some(before)
    }

    /// What stands before the next tag, and whether it is what it says.
    fn text(&mut self) -> Option<(&'a str, bool)> {
        let (mut is_literal, mut after_space) = (true, true);
        for (at, byte) in self.0.bytes().enumerate() {
            match byte {
                b'<' => {
                    let (text, after) = self.0.split_at(at);
                    self.0 = after;
                    return Some((text, text.is_empty() || (is_literal && !after_space)));
                }
                b'&' if ENTITIES.iter().any(|(name, _)| self.0[at..].starts_with(name)) => {
                    is_literal = false;
                    after_space = false;
                }
                b'&' | b'\r' | b'\0' => return None,
                b' ' => {
                    is_literal &= !after_space;
                    after_space = true;
                }
                // Other white space is among these.
                ..0x20 | 0x80.. => {
                    is_literal = false;
                    after_space = false;
                }
                _ => after_space = false,
            }
        }
        None
    }

    /// A start tag: its `colspan` and its `rowspan`.
    fn open(&mut self, name: &str) -> Option<[Option<&'a str>; 2]> {
        if !self.take("<") || !self.take(name) {
            return None;
        }
        let mut spans = [None; 2];
        let mut names: Vec<&str> = Vec::new();
        loop {
            if self.take(">") {
                return Some(spans);
            }
            let before = self.0.len();
            self.space();
            if self.0.len() == before {
                return None;
            }
            if self.take(">") {
                return Some(spans);
            }
            let name = self.until(b'=')?;
            let is_name =
                |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            if !is_name(name) || names.contains(&name) || !self.take("=\"") {
                return None;
            }
            let value = self.until(b'"')?;
            self.take("\"");
            names.push(name);
            match name {
                "colspan" => spans[0] = Some(value),
                "rowspan" => spans[1] = Some(value),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rows_of_tables_are_plain() {
        let row = row("<tr class=\"x\">\n <th>Name</th>\t<td colspan=\"2\" rowspan=\"0\"> A\n > B </td></tr>\n")
            .expect("a row");
        let texts: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!((texts, row.cells[1].colspan, row.cells[1].rowspan), (vec!["Name", "A > B"], 2, 0));
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_parser() {
        for html in [
            "",
            "<tr></tr>",
            "<td>a</td>",
            "<tr><td>a</tr>",
            "<tr><td>a</th></tr>",
            "<tr><td>a&nbsp;b</td></tr>",
            "<tr><td><b>a</b></td></tr>",
            "<tr><td colspan=2>a</td></tr>",
            "<tr><td x=\"1\" x=\"2\">a</td></tr>",
            "<tr><td>a</td></tr><tr><td>b</td></tr>",
            "<tr><tdx>a</td></tr>",
            "<tr>a<td>b</td></tr>",
        ] {
            assert_eq!(row(html), None, "{html}");
        }
    }

    proptest! {
        /// What is read here is what the parser reads: of texts that are nearly plain, and of any others.
        #[test]
        fn both_readers_agree(
            html in prop_oneof![
                "[ \n]?<tr( class=\"[a-z <>\u{a0}]{0,3}\")?>([ \n]?<t[dh]( (colspan|rowspan|x)=\"[ +0-9a-z\u{2003}]{0,6}\"){0,2} ?>([a >\n\u{a0}\u{2003}\u{85}\u{c}é/;]|&(amp|lt|gt|quot);){0,6}</t[dh]>){0,4}</tr>[ \n]?",
                "(<[/]?(tr|td|th|td colspan=\"2\"|b)[ >]|[a&;<>= \"\n\u{c}]){0,24}",
            ],
        ) {
            if let Some(row) = row(&html) {
                prop_assert_eq!(Ok(row), tree::row(&html), "{}", html);
            }
        }

        /// Most of the first kind are read here.
        #[test]
        fn plain_rows_are_read(texts in prop::collection::vec("[a-zé ,.0-9]{0,8}", 1..5)) {
            let html = format!("<tr>{}</tr>", texts.iter().map(|text| format!("<td>{text}</td>")).collect::<Vec<_>>().concat());
            prop_assert_eq!(row(&html).map(|row| row.cells.len()), Some(texts.len()));
        }
    }
}
