//! All of a study on one page: figures, tables, config, versions, and the published figures beside ours. One file, no scripts,
//! nothing fetched; light or dark as the reader's machine is.
//!
//! How long the steps took is the one thing that differs between two runs; it stands between two comments of its own, so that a
//! comparison can leave it out.

use super::config::Config;
use super::findings::Findings;
use super::published::Beside;
use super::run::Timing;
use crate::digest::shown;
use crate::table::Table;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// What is on the page.
pub(super) struct Contents<'a> {
    pub(super) config: &'a Config,
    pub(super) config_text: &'a str,
    pub(super) findings: &'a Findings,
    pub(super) beside: &'a [Beside],
    pub(super) tables: &'a [Table],
    /// Name, caption, SVG.
    pub(super) figures: &'a [(String, String, String)],
    pub(super) timings: &'a [Timing],
}

/// Where the seconds begin and end.
pub(super) const SECONDS: [&str; 2] = ["<!-- seconds: these differ from run to run -->", "<!-- end of seconds -->"];

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
caption { text-align: left; color: var(--quiet); padding: .3rem 0; }
th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap; } th:first-child, td:first-child { text-align: left; }
thead { border-top: 2px solid var(--ink); border-bottom: 1px solid var(--ink); } tbody { border-bottom: 2px solid var(--ink); }
pre { background: color-mix(in srgb, var(--ink) 7%, var(--paper)); padding: 1rem; overflow-x: auto; font-size: .85rem; }
";

pub(super) fn html(contents: &Contents<'_>) -> String {
    let Contents { config, config_text, tables, figures, timings, .. } = contents;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "The intrinsic study" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "The intrinsic study" }
                p { "Does a score stay when nothing changed, fall in proportion when something did, and tell a little disorder from much? "
                    "A reproduction of section V-A of the paper “Object Aligner” on data of our own: seed " (config.seed)
                    ", objalign " (env!("CARGO_PKG_VERSION")) ", " (config.bootstrap.resamples) " bootstrap resamples of golds." }
                (findings(contents))
                h2 { "Published beside measured" }
                (verdict(contents.beside))
                (table(&tables[0]))
                h2 { "Figures" }
                div class="figures" {
                    @for (name, caption, svg) in *figures {
                        figure id=(name) { (PreEscaped(inline(svg))) figcaption { (caption) } }
                    }
                }
                h2 { "Tables" }
                @for one in &tables[1..] { (table(one)) }
                h2 { "Seconds" }
                (PreEscaped(SECONDS[0])) (table(&seconds(timings))) (PreEscaped(SECONDS[1]))
                h2 { "Config" }
                pre { (config_text) }
            }
        }
    };
    page.into_string() + "\n"
}

/// The claims, with the figures that bear them.
fn findings(contents: &Contents<'_>) -> Markup {
    let Findings { invariance, shuffled, symmetric, sensitivity, order } = contents.findings;
    let copies = [Some(invariance), shuffled.as_ref(), symmetric.as_ref()];
    let referential = || copies.into_iter().flatten().filter_map(|of| of.get("ra"));
    let pairs: usize = referential().map(|of| of.pairs).sum();
    let perfect = referential().all(|of| of.min.value == Some(1.0) && of.max_gold_variance.value == Some(0.0));
    html! {
        ul {
            @if pairs > 0 {
                li { b { "Invariance. " }
                    @if perfect { "All " (pairs) " perfect copies score exactly 1 when references are followed, variance exactly 0; " }
                    @else { "Not all of the " (pairs) " perfect copies score 1 when references are followed: that is a fault. " }
                    @if let Some(plain) = invariance.get("plain") { "with identifiers as plain strings the mean is " (shown(&plain.mean)) "." } }
            }
            @if let (Some(ra), Some(plain)) = (sensitivity.scorers.get("ra"), sensitivity.scorers.get("plain")) {
                li { b { "Sensitivity. " } "Clean against damaged, AUROC: " (shown(&ra.auroc)) " with references, " (shown(&plain.auroc)) " plain. "
                    @if let Some(count) = sensitivity.isomorphic_edits {
                        (count) " of the " (sensitivity.edits) " edited candidates say exactly what their gold says, and rightly score 1." } }
            }
            @if let (Some(sequence), Some(set)) = (order.get("sequence"), order.get("set")) {
                li { b { "Order. " } "Spearman with Kendall distance: " (shown(&sequence.spearman)) " for the sequence score; "
                    "the set score is " @if set.spearman.value == Some(0.0) { "constant." } @else { (shown(&set.spearman)) "." } }
            }
        }
    }
}

fn verdict(beside: &[Beside]) -> Markup {
    let judged = beside.iter().filter(|row| row.inside.is_some()).count();
    let inside = beside.iter().filter(|row| row.inside == Some(true)).count();
    let missing = beside.iter().filter(|row| row.measured.is_none()).count();
    html! {
        p { (inside) " of " (judged) " published figures lie inside the measured 95 % interval. Both are figures of samples of golds from one "
            "population, so about 17 in 100 are expected outside even where everything agrees: the difference of two such figures spreads "
            "1.4 times as wide as one. Figures of one sample are not independent: where the published sample happens to "
            "hold larger graphs than ours, all figures that depend on size move together. Extremes and counts have no interval."
            @if missing > 0 { " Not measured under this config: " (missing) "." } }
    }
}

/// How long the steps took.
pub(super) fn seconds(timings: &[Timing]) -> Table {
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

fn table(table: &Table) -> Markup {
    html! {
        div class="wide" {
            table id=(format!("table-{}", table.name)) {
                caption { (table.caption) }
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
