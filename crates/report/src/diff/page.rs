//! The rows as one self-contained HTML page: no scripts, no network, light and dark.

use super::rows::{Cell, Row, State};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = "
:root { color-scheme: light dark; --line: #d0d7de; --changed: #fff3cd; --missing: #fde2e1; --excess: #dff3e3; --moved: #ddeeff; }
@media (prefers-color-scheme: dark) {
  :root { --line: #30363d; --changed: #4a3d10; --missing: #4d2220; --excess: #173b20; --moved: #17324f; }
}
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; font: 13px/1.5 ui-monospace, monospace; }
td, th { text-align: left; vertical-align: top; padding: .15rem .5rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th.mark, td.mark { width: 5.5rem; text-align: center; }
tr.changed td { background: var(--changed); } tr.missing td { background: var(--missing); }
tr.excess td { background: var(--excess); } tr.moved td { background: var(--moved); }
.name { opacity: .7; } .moved a { text-decoration: none; }
";

/// The page. `score` is that of the pair, in [0, 1].
pub fn page(rows: &[Row], score: f64) -> String {
    let page: Markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Gold and candidate, " (format!("{score:.3}")) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "Score " (format!("{score:.3}")) }
                p {
                    "Each row is a part of the gold and the part of the candidate it was compared with. Yellow differs, red is \
                     missing, green is in excess, blue has moved; the number is the score of the pair."
                }
                table {
                    thead { tr { th { "gold" } th class="mark" { } th { "candidate" } } }
                    tbody { @for (index, row) in rows.iter().enumerate() { (line(rows, index, row)) } }
                }
            }
        }
    };
    page.into_string() + "\n"
}

fn line(rows: &[Row], index: usize, row: &Row) -> Markup {
    html! {
        tr id={ "row" (index) } class=(row.state.name()) {
            td { (cell(row, row.gold.as_ref())) }
            td class="mark" { (mark(rows, index, row)) }
            td { (cell(row, row.candidate.as_ref())) }
        }
    }
}

fn cell(row: &Row, cell: Option<&Cell>) -> Markup {
    html! {
        @if let Some(cell) = cell {
            span style={ "padding-left:" (row.depth) "em" } {
                @if !cell.name.is_empty() { span class="name" { (cell.name) ": " } }
                (cell.value)
            }
        }
    }
}

/// The score, or the way to the other half of a moved item.
fn mark(rows: &[Row], index: usize, row: &Row) -> Markup {
    if row.state != State::Moved {
        return html! { @if row.state != State::Same { (format!("{:.3}", row.score)) } };
    }
    let other = rows.iter().enumerate().position(|(other, candidate)| {
        other != index
            && candidate.state == State::Moved
            && candidate.depth == row.depth
            && candidate.elsewhere == name(row)
            && name(candidate) == row.elsewhere
    });
    let arrow = match other {
        Some(other) if other < index => "\u{2191} moved",
        _ => "moved \u{2193}",
    };
    html! { @if let Some(other) = other { a href={ "#row" (other) } { (arrow) } } @else { (arrow) } }
}

fn name(row: &Row) -> Option<String> {
    row.gold.as_ref().or(row.candidate.as_ref()).map(|cell| cell.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_stands_alone_and_what_it_shows_is_data() {
        let page = page(&super::super::rows::tests::example(), 0.5);
        assert!(page.contains("Q3 &lt;plan&gt;"), "{page}");
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("<script"), "{page}");
        assert_eq!(page.matches("class=\"moved\"").count(), 2, "{page}");
        assert!(page.contains("moved \u{2193}") && page.contains("\u{2191} moved"), "{page}");
    }
}
