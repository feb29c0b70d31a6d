//! The study on one page: what it claims with the figures that bear it, then figures, tables, seconds, config.

use super::config::Config;
use super::findings::Findings;
use super::published::Published;
use super::tables::{domain_title, rows};
use crate::digest::{fixed, shown};
use crate::study::frame::{Framed, page};
use crate::study::watch::Timing;
use crate::table::Table;
use maud::{Markup, html};
use objalign_probe::scd::metrology::{FaultReadings, Readings};
use objalign_probe::scd::summary::Of;

/// What is on the page.
pub(super) struct Contents<'a> {
    pub(super) config: &'a Config,
    pub(super) config_text: &'a str,
    pub(super) findings: &'a Findings,
    pub(super) published: &'a Published,
    pub(super) tables: &'a [Table],
    /// Name, caption, SVG.
    pub(super) figures: &'a [(String, String, String)],
    pub(super) timings: &'a [Timing],
}

pub(super) fn html(contents: &Contents<'_>) -> String {
    let Contents { config, config_text, findings, published, tables, figures, timings } = contents;
    let opening = html! {
        p { "Is it wrong, or is it right and in the wrong place? The measures of the paper “Where vs What” on tasks of our own, put to the "
            "test: completions are of simulated models and of operators whose damage is known, no language model was asked. Seed "
            (config.seed) ", objalign " (env!("CARGO_PKG_VERSION")) ", " (config.bootstrap.resamples) " bootstrap resamples of tasks." }
        ul {
            (metrology(findings))
            (scissors(findings))
            (ablations(findings))
            (cross(findings))
            (ties(published))
        }
    };
    page(&Framed { title: "Structure-Content Decomposition", opening, tables, figures, timings, config_text })
}

fn metrology(findings: &Findings) -> Markup {
    let operators = findings.metrology.operators.0.iter().flat_map(|(_, of)| of.0.iter().map(|(_, of)| of));
    let (cases, agree) = operators.fold((0, 0), |(cases, agree), of: &Readings| (cases + of.cases, agree + of.agree));
    let faults = findings.metrology.faults.0.iter().flat_map(|(_, of)| of.0.iter().map(|(_, of)| of));
    let (texts, read) = faults.fold((0, 0), |(cases, agree), of: &FaultReadings| (cases + of.cases, agree + of.agree));
    html! {
        li { b { "The measures read back known damage. " }
            @if cases == agree { "In all " (cases) " cases every count is that of the closed form" }
            @else { "In " (agree) " of " (cases) " cases every count is that of the closed form: that is a fault" }
            "; " @if texts == read { "all " (texts) } @else { (read) " of " (texts) }
            " texts with a fault of format are read at the level where they have to be, or refused." }
    }
}

fn scissors(findings: &Findings) -> Markup {
    let rate = |of: &Of| of.dr.value.map_or("–".to_owned(), |rate| format!("{:.0} %", 100.0 * rate));
    let of = |domain: &str| -> Vec<String> {
        let models = findings.models.0.iter().filter_map(|(model, domains)| {
            let of = domains.get(domain)?;
            Some(format!("{} {} to {}", model, rate(of.get("S")?), rate(of.get("L")?)))
        });
        models.collect()
    };
    html! {
        li { b { "The scissors open. " } "Values that are there and out of place (DR), from level S to L: JSON " (of("json").join(", "))
            "; tables " (of("table").join(", ")) "." }
    }
}

/// The widest change of VPA between two conditions that only turn names.
fn ablations(findings: &Findings) -> Markup {
    let pairs = [("cues=opaque", "cues=descriptive"), ("names=repeated", "names=unique")];
    let mut widest: Option<f64> = None;
    for (_, domains) in &findings.models.0 {
        for (one, other) in pairs {
            let vpa = |name: &str| domains.get("json")?.get(name)?.vpa.value;
            if let (Some(one), Some(other)) = (vpa(one), vpa(other)) {
                widest = Some(widest.unwrap_or_default().max((one - other).abs()));
            }
        }
    }
    let undefined: usize = ["json", "table"]
        .iter()
        .flat_map(|domain| rows(findings, domain).collect::<Vec<_>>())
        .map(|(_, _, of)| of.dr_undefined)
        .sum();
    html! {
        @if let Some(widest) = widest {
            li { b { "What turns nothing changes nothing. " } "The simulated models go by depth and distance and know no names: turning "
                "names alone, VPA changes by at most " (fixed(widest)) ", other draws of other completions; what the paper finds of language "
                "models there (7.5 and 8.2 points of DR) is not made by the measures." }
        }
        @if undefined > 0 {
            li { b { "Without a rate. " } (undefined) " completions have none of their values, and so no DR: they count in the DR of the means, "
                "and not in the mean of DRs." }
        }
    }
}

fn cross(findings: &Findings) -> Markup {
    html! {
        @for (domain, of) in &findings.cross.domains.0 {
            @if let (Some(dr), Some(aligner)) = (of.auroc.get("dr"), of.auroc.get("aligner")) {
                li { b { "Beside the aligner, " (domain_title(domain)) ". " } "Displaced values told from wrong ones, AUROC: DR " (shown(dr))
                    ", the aligner's score " (shown(aligner)) "."
                    @if let Some(lost) = of.loss.get("undeclared_paths").and_then(|of| of.get("aligner")) {
                        " What nobody asked for is seen by the aligner alone (it takes " (fixed(*lost)) " off its score)." }
                }
            }
        }
    }
}

fn ties(published: &Published) -> Markup {
    let broken = published.broken().count();
    html! {
        li { b { "The published tables against themselves. " } (published.ties.len() - broken) " of " (published.ties.len())
            " ties between printed figures hold within their rounding"
            @if broken > 0 { "; " (broken) " do not, see “disagreements” below" } "." }
    }
}
