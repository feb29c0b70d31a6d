//! The page of a study: one file, no scripts, nothing fetched; light or dark as the reader's machine is.
//!
//! How long the steps took is the one thing that differs between two runs; it stands between two comments of its own, so that a
//! comparison can leave it out.

use super::watch::Timing;
use crate::table::Table;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// What every study has to show.
pub(crate) struct Framed<'a> {
    pub(crate) title: &'a str,
    /// What it asks, and what it found.
    pub(crate) opening: Markup,
    pub(crate) tables: &'a [Table],
    /// Name, caption, SVG.
    pub(crate) figures: &'a [(String, String, String)],
    pub(crate) timings: &'a [Timing],
    pub(crate) config_text: &'a str,
}

/// Where the seconds begin and end.
const SECONDS: [&str; 2] = ["<!-- seconds: these differ from run to run -->", "<!-- end of seconds -->"];

const STYLE: &str = "
:root { --ink: #1a1a1a; --quiet: #595959; --grid: #dddddd; --paper: #ffffff; --blue: #0072b2; color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececec; --quiet: #b0b0b0; --grid: #444444; --paper: #161616; --blue: #56b4e9; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(28rem, 100%), 1fr)); gap: 2rem; align-items: start; }
figure { margin: 0; } figure svg { width: 100%; height: auto; } figcaption { color: var(--quiet); font-size: .9rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; margin: .5rem 0 1.5rem; }
caption { text-align: left; color: var(--quiet); padding: .3rem 0; } caption span { display: block; position: sticky; left: 0; width: min(100%, 66rem, 90vw); white-space: normal; }
th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap; } th:first-child, td:first-child { text-align: left; }
thead { border-top: 2px solid var(--ink); border-bottom: 1px solid var(--ink); } tbody { border-bottom: 2px solid var(--ink); }
pre { background: color-mix(in srgb, var(--ink) 7%, var(--paper)); padding: 1rem; overflow-x: auto; font-size: .85rem; }
";

pub(crate) fn page(framed: &Framed<'_>) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (framed.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (framed.title) }
                (framed.opening)
                h2 { "Figures" }
                div class="figures" {
                    @for (name, caption, svg) in framed.figures {
                        figure id=(name) { (PreEscaped(inline(svg))) figcaption { (caption) } }
                    }
                }
                h2 { "Tables" }
                @for one in framed.tables { (table(one)) }
                h2 { "Seconds" }
                (PreEscaped(SECONDS[0])) (table(&seconds(framed.timings))) (PreEscaped(SECONDS[1]))
                h2 { "Config" }
                pre { (framed.config_text) }
            }
        }
    };
    page.into_string() + "\n"
}

/// How long the steps took.
pub(crate) fn seconds(timings: &[Timing]) -> Table {
    let mut table = Table::new(
        "seconds",
        "Seconds by step, on the machine that wrote this page.",
        &["step", "seconds", "files", "unchanged"],
    );
    for timing in timings {
        table.push([
            timing.step.clone(),
            format!("{:.2}", timing.seconds),
            timing.units.to_string(),
            timing.fresh.to_string(),
        ]);
    }
    let (seconds, units, fresh) = timings.iter().fold((0.0, 0, 0), |(seconds, units, fresh), timing| {
        (seconds + timing.seconds, units + timing.units, fresh + timing.fresh)
    });
    table.push(["all".to_owned(), format!("{seconds:.2}"), units.to_string(), fresh.to_string()]);
    table
}

pub(crate) fn table(table: &Table) -> Markup {
    html! {
        div class="wide" {
            table id=(format!("table-{}", table.name)) {
                caption { span { (table.caption) } }
                thead { tr { @for head in &table.heads { th { (head) } } } }
                tbody { @for row in &table.rows { tr { @for cell in row { td { (cell) } } } } }
            }
        }
    }
}

/// In the colours of the page.
fn inline(svg: &str) -> String {
    let from_tag = svg.find("<svg").map_or(svg, |at| &svg[at..]);
    [
        ("#1A1A1A", "var(--ink)"),
        ("#595959", "var(--quiet)"),
        ("#DDDDDD", "var(--grid)"),
        ("#FFFFFF", "var(--paper)"),
        ("#0072B2", "var(--blue)"),
    ]
    .into_iter()
    .fold(from_tag.to_owned(), |svg, (colour, variable)| svg.replace(colour, variable))
}
