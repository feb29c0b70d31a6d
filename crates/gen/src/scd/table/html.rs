//! Tables as HTML, one row a line.

use objalign_core::scd::{Cell, Row};
use std::fmt::Write as _;

pub(super) fn table(title: &str, rows: &[Row]) -> String {
    let mut html = String::from("<table>\n<caption>");
    escape(title, &mut html);
    html.push_str("</caption>\n");
    for of in rows {
        html.push_str(&row(of));
        html.push('\n');
    }
    html.push_str("</table>");
    html
}

pub(in crate::scd) fn row(row: &Row) -> String {
    let mut html = String::from("<tr>");
    for cell in &row.cells {
        let tag = if cell.header { "th" } else { "td" };
        html.push('<');
        html.push_str(tag);
        for (name, span) in [("colspan", cell.colspan), ("rowspan", cell.rowspan)] {
            if span != 1 {
                let _ = write!(html, " {name}=\"{span}\"");
            }
        }
        html.push('>');
        escape(&cell.text, &mut html);
        let _ = write!(html, "</{tag}>");
    }
    html.push_str("</tr>");
    html
}

/// A cell that spans no rows.
pub(in crate::scd) fn cell(header: bool, colspan: u32, text: impl Into<String>) -> Cell {
    Cell { header, colspan, rowspan: 1, text: text.into() }
}

fn escape(text: &str, html: &mut String) {
    html.push_str(&text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_read_back(
            cells in proptest::collection::vec((any::<bool>(), 1_u32..9, "[a-z&<>\"';#]{0,6}( [a-z&<>]{1,6}){0,2}"), 1..6)
        ) {
            let cells = cells.into_iter().map(|(header, colspan, text)| cell(header, colspan, text.trim())).collect();
            let written = Row { cells };
            prop_assert_eq!(row(&written).parse::<Row>(), Ok(written));
        }
    }
}
