//! The tables of the study.

use super::findings::{Findings, is_level, rank};
use super::published::{BOUNDS, CHANGE, DISPLACEMENT, GAP, Published, SAME};
use crate::digest::{fixed, shown};
use crate::table::Table;
use objalign_probe::probes::figure::{Figure, Named};
use objalign_probe::scd::metrology::{FaultReadings, MEASURES};
use objalign_probe::scd::summary::Of;

/// All of them, in the order of the page.
pub(super) fn all(findings: &Findings, published: &Published) -> Vec<Table> {
    let mut tables = vec![levels(findings, "json"), levels(findings, "table"), ablations(findings)];
    tables.push(identities(published));
    tables.push(disagreements(published));
    tables.extend(["json", "table"].map(|domain| selectivity(findings, domain)));
    tables.push(faults(findings));
    tables.push(loss(findings));
    tables.push(telling_apart(findings));
    tables
}

/// What people call a domain.
pub(super) fn domain_title(domain: &str) -> &'static str {
    if domain == "json" { "JSON" } else { "tables" }
}

/// What a condition is called in a cell: `rows=near` needs no `=` there.
fn said(name: &str) -> String {
    name.replace(['_', '='], " ")
}

fn levels(findings: &Findings, domain: &str) -> Table {
    let caption = format!(
        "Simulated models on {} by level. DR is 1 − mean VPA / mean VP, as published; beside it the mean of single completions' DR, where \
         there is one.",
        domain_title(domain)
    );
    let heads = ["model, level", "tasks", "FmtOK", "SCR", "VPA", "VP", "SCG", "DR", "mean DR", "without DR"];
    let mut table = Table::new(&format!("levels_{domain}"), &caption, &heads);
    for (model, level, of) in rows(findings, domain).filter(|(_, condition, _)| is_level(condition)) {
        table.push([
            format!("{model}, {level}"),
            of.tasks.to_string(),
            shown(&of.fmt_ok),
            shown(&of.scr),
            shown(&of.vpa),
            shown(&of.vp),
            shown(&of.scg),
            shown(&of.dr),
            shown(&of.mean_dr),
            of.dr_undefined.to_string(),
        ]);
    }
    table
}

fn ablations(findings: &Findings) -> Table {
    let caption = "Simulated models by condition of an ablation. They know nothing of names: with cues and names turned they have to come out level.";
    let mut table = Table::new("ablations", caption, &["condition, model", "tasks", "FmtOK", "SCR", "VPA", "VP", "DR"]);
    for domain in ["json", "table"] {
        let mut all: Vec<_> = rows(findings, domain).filter(|(_, condition, _)| !is_level(condition)).collect();
        // By condition first, so that models stand below each other.
        all.sort_by_key(|(_, condition, _)| condition.split_once('=').map(|(key, value)| (key, rank(value))));
        for (model, condition, of) in all {
            table.push([
                format!("{} {}, {model}", domain_title(domain), said(condition)),
                of.tasks.to_string(),
                shown(&of.fmt_ok),
                shown(&of.scr),
                shown(&of.vpa),
                shown(&of.vp),
                shown(&of.dr),
            ]);
        }
    }
    table
}

/// Model, level or condition, means.
pub(super) fn rows<'f>(findings: &'f Findings, domain: &'f str) -> impl Iterator<Item = (&'f str, &'f str, &'f Of)> {
    findings.models.0.iter().flat_map(move |(model, domains)| {
        let of = domains.get(domain).map(|of| of.0.as_slice()).unwrap_or_default();
        of.iter().map(move |(condition, of)| (model.as_str(), condition.as_str(), of))
    })
}

fn identities(published: &Published) -> Table {
    let caption = "The published tables against themselves: what the printed figures are tied by, and how often that holds within the rounding of their digits.";
    let mut table = Table::new("identities", caption, &["tie", "table", "checked", "hold"]);
    for identity in [DISPLACEMENT, GAP, CHANGE, BOUNDS, SAME] {
        let mut numbers: Vec<&str> = Vec::new();
        for tie in published.ties.iter().filter(|tie| tie.identity == identity) {
            if !numbers.contains(&tie.table.as_str()) {
                numbers.push(&tie.table);
            }
        }
        for number in numbers {
            let ties = || published.ties.iter().filter(|tie| tie.identity == identity && tie.table == number);
            let holds = ties().filter(|tie| tie.holds).count();
            table.push([identity.to_owned(), number.to_owned(), ties().count().to_string(), holds.to_string()]);
        }
    }
    table
}

fn disagreements(published: &Published) -> Table {
    let caption = "What does not hold: printed, and what the other printed figures leave room for. A DR that is the mean of single tasks' DR, and not that of the means, differs in this way.";
    let mut table = Table::new("disagreements", caption, &["of", "table", "tie", "printed", "should be"]);
    for tie in published.broken() {
        table.push([
            tie.of.clone(),
            tie.table.clone(),
            tie.identity.to_owned(),
            tie.printed.clone(),
            tie.implied.clone(),
        ]);
    }
    table
}

fn selectivity(findings: &Findings, domain: &str) -> Table {
    let caption = format!(
        "Change of each measure per share of damaged values, {}: measured / by the closed form. Agree: cases in which every count is that of \
         the closed form; less room: cases that could not have the whole dose.",
        domain_title(domain)
    );
    let heads = ["operator", "SCR", "VPA", "VP", "SCG", "DR", "cases", "agree", "less room"];
    let mut table = Table::new(&format!("selectivity_{domain}"), &caption, &heads);
    let operators = findings.metrology.operators.get(domain).map(|of| of.0.as_slice()).unwrap_or_default();
    for (operator, of) in operators {
        let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), fixed);
        let slopes = MEASURES.map(|measure| {
            of.slopes
                .get(measure)
                .map_or(String::new(), |slope| format!("{} / {}", number(slope.measured), number(slope.closed_form)))
        });
        let counts = [of.cases, of.agree, of.unreached].map(|count| count.to_string());
        table.push(std::iter::once(said(operator)).chain(slopes).chain(counts));
    }
    table
}

fn faults(findings: &Findings) -> Table {
    let caption = "Faults of format: the level at which the text has to be read, and in how many cases it was, with all its content where the fault leaves all.";
    let mut table = Table::new("faults", caption, &["fault", "level", "JSON", "tables"]);
    let of = |domain: &str| findings.metrology.faults.get(domain);
    let Some(faults) = of("json").or_else(|| of("table")) else { return table };
    for (fault, readings) in &faults.0 {
        let counts = ["json", "table"].map(|domain| {
            let of = of(domain).and_then(|faults| faults.get(fault));
            of.map_or(String::new(), |FaultReadings { agree, cases, .. }| format!("{agree} of {cases}"))
        });
        table.push([said(fault), readings.level.clone()].into_iter().chain(counts));
    }
    table
}

fn loss(findings: &Findings) -> Table {
    let caption = "What damage costs: mean of 1 − the measure, and of 1 − the aligner's score under the task's schema.";
    let mut table = Table::new("cross_loss", caption, &["operator", "SCR", "VPA", "VP", "aligner"]);
    for (domain, of) in &findings.cross.domains.0 {
        for (operator, means) in &of.loss.0 {
            let cells = ["scr", "vpa", "vp", "aligner"]
                .map(|measure| means.get(measure).map_or(String::new(), |mean| fixed(*mean)));
            table.push(std::iter::once(format!("{}, {}", said(operator), domain_title(domain))).chain(cells));
        }
    }
    table
}

fn telling_apart(findings: &Findings) -> Table {
    let caption = "AUROC: how well one number tells displaced values from wrong ones (0.5: not at all; 0 or 1: always); Spearman: its rank correlation with the aligner's score over all damage. Both: VP less the aligner's score.";
    let heads = ["measure", "AUROC, JSON", "AUROC, tables", "Spearman, JSON", "Spearman, tables"];
    let mut table = Table::new("cross", caption, &heads);
    for measure in ["scr", "vpa", "vp", "dr", "aligner", "both"] {
        let of = |domain: &str, which: fn(&objalign_probe::scd::cross::CrossOf) -> &Named<Figure>| {
            let figure = findings.cross.domains.get(domain).and_then(|of| which(of).get(measure));
            figure.map_or("–".to_owned(), shown)
        };
        table.push([
            if ["aligner", "both"].contains(&measure) { measure.to_owned() } else { measure.to_uppercase() },
            of("json", |of| &of.auroc),
            of("table", |of| &of.auroc),
            of("json", |of| &of.spearman),
            of("table", |of| &of.spearman),
        ]);
    }
    table
}
