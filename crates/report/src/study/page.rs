//! The intrinsic study on one page: figures, tables, config, versions, and the published figures beside ours.

use super::config::Config;
use super::findings::Findings;
use super::frame::{Framed, page, table};
use super::published::Beside;
use super::watch::Timing;
use crate::digest::shown;
use crate::table::Table;
use maud::{Markup, html};

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

pub(super) fn html(contents: &Contents<'_>) -> String {
    let Contents { config, config_text, tables, figures, timings, .. } = contents;
    let opening = html! {
        p { "Does a score stay when nothing changed, fall in proportion when something did, and tell a little disorder from much? "
            "A reproduction of section V-A of the paper “Object Aligner” on data of our own: seed " (config.seed)
            ", objalign " (env!("CARGO_PKG_VERSION")) ", " (config.bootstrap.resamples) " bootstrap resamples of golds." }
        (findings(contents))
        h2 { "Published beside measured" }
        (verdict(contents.beside))
        (table(&tables[0]))
    };
    page(&Framed { title: "The intrinsic study", opening, tables: &tables[1..], figures, timings, config_text })
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
