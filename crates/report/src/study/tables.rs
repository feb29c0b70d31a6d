//! The tables of a study.

use super::findings::Findings;
use super::published::Beside;
use crate::digest::{fixed, shown};
use crate::table::Table;
use objalign_probe::probes::figure::Figure;
use objalign_probe::probes::invariance::Invariance;

/// All of them, in the order of the page.
pub(super) fn all(findings: &Findings, beside: &[Beside]) -> Vec<Table> {
    let mut tables = vec![published(beside), invariance(findings)];
    tables.push(sensitivity(findings));
    tables.push(operations(findings));
    tables.push(order(findings));
    tables.push(partial_credit(findings));
    tables
}

fn published(beside: &[Beside]) -> Table {
    let caption = "Published beside measured. Inside: the published figure, before rounding, may lie in the measured figure's 95 % interval.";
    let mut table = Table::new("published", caption, &["figure", "published", "measured [95 % interval]", "inside"]);
    for row in beside {
        let measured = Figure { value: row.measured, ci95: row.interval, note: Some("not measured".to_owned()) };
        let decimals = row.published.decimals as usize;
        table.push([
            row.published.label.clone(),
            format!("{:.decimals$}", row.published.value).replace('-', "−"),
            if decimals == 0 {
                row.measured.map_or(String::new(), |value| value.to_string())
            } else {
                shown(&measured)
            },
            row.inside.map_or("–", |inside| if inside { "yes" } else { "no" }).to_owned(),
        ]);
    }
    table
}

fn invariance(findings: &Findings) -> Table {
    let heads = ["copies, scorer", "pairs", "mean", "sd", "least", "greatest", "variance in a gold", "largest"];
    let mut table = Table::new(
        "invariance",
        "Scores of perfect copies: a score should be 1, and its variance within a gold 0.",
        &heads,
    );
    let kinds: [(&str, Option<&Invariance>); 3] = [
        ("other identifiers", Some(&findings.invariance)),
        ("other identifiers and order", findings.shuffled.as_ref()),
        ("symmetric graphs", findings.symmetric.as_ref()),
    ];
    for (copies, of) in kinds {
        for (scorer, of) in of.into_iter().flat_map(|of| &of.0) {
            table.push([
                format!("{copies}, {scorer}"),
                of.pairs.to_string(),
                shown(&of.mean),
                shown(&of.sd),
                shown(&of.min),
                shown(&of.max),
                shown(&of.mean_gold_variance),
                shown(&of.max_gold_variance),
            ]);
        }
    }
    table
}

fn sensitivity(findings: &Findings) -> Table {
    let caption =
        "How surely scores tell damage. AUROC: clean against damaged; correlations: score against the number of edits.";
    let mut table = Table::new("sensitivity", caption, &["identifiers, scorer", "AUROC", "Spearman", "Kendall tau-b"]);
    let sweeps = std::iter::once(&findings.sensitivity).chain(findings.sensitivity.without_relabel.as_deref());
    for sweep in sweeps {
        let identifiers = if sweep.relabel { "other" } else { "kept" };
        for (scorer, of) in &sweep.scorers.0 {
            table.push([
                format!("{identifiers}, {scorer}"),
                shown(&of.auroc),
                shown(&of.spearman),
                shown(&of.kendall_tau_b),
            ]);
        }
        if let Some(difference) = &sweep.difference {
            let [first, second] = &difference.of;
            let label = format!("{identifiers}, {first} less {second}");
            table.push([label, shown(&difference.auroc), shown(&difference.spearman), String::new()]);
        }
    }
    table
}

fn operations(findings: &Findings) -> Table {
    let sweep = &findings.sensitivity;
    let scorers: Vec<&str> = sweep.scorers.0.iter().map(|(name, _)| name.as_str()).collect();
    let kept: Vec<String> = scorers.iter().map(|name| format!("{name}, identifiers kept")).collect();
    let mut heads = vec!["operation"];
    heads.extend(&scorers);
    heads.extend(kept.iter().filter(|_| sweep.without_relabel.is_some()).map(String::as_str));
    let caption = "Spearman correlation of score with the number of edits, operation by operation: more negative is more sensitive.";
    let mut table = Table::new("operations", caption, &heads);
    for (op, _) in sweep.scorers.0.iter().take(1).flat_map(|(_, of)| &of.per_op.0) {
        let sweeps = std::iter::once(sweep).chain(sweep.without_relabel.as_deref());
        let cells = sweeps.flat_map(|sweep| {
            sweep.scorers.0.iter().map(|(_, of)| of.per_op.get(op).map_or(String::new(), shown)).collect::<Vec<_>>()
        });
        table.push(std::iter::once(op.replace('_', " ")).chain(cells));
    }
    table
}

fn order(findings: &Findings) -> Table {
    let caption = "How scorers tell order. AUROC: exact copies against all else; correlations: score against Kendall distance, pairs of equal length.";
    let mut table = Table::new("order", caption, &["scorer", "AUROC", "Spearman", "Kendall tau-b"]);
    for (scorer, of) in &findings.order.0 {
        let noted = |figure: &Figure| match &figure.note {
            Some(_) if figure.value == Some(0.0) => "0 (constant)".to_owned(),
            _ => shown(figure),
        };
        table.push([scorer.clone(), noted(&of.auroc), noted(&of.spearman), noted(&of.kendall_tau_b)]);
    }
    table
}

fn partial_credit(findings: &Findings) -> Table {
    let scorers: Vec<&str> = findings.order.0.iter().map(|(name, _)| name.as_str()).collect();
    let caption = "Mean score by what was done to an order.";
    let mut table = Table::new("partial_credit", caption, &[&["corruption"], &scorers[..]].concat());
    let Some((_, first)) = findings.order.0.first() else { return table };
    let mut row = |label: String, of: &dyn Fn(&objalign_probe::probes::order::Of) -> Option<Figure>| {
        let cells = findings
            .order
            .0
            .iter()
            .map(|(_, scorer)| of(scorer).and_then(|figure| figure.value).map_or(String::new(), fixed));
        table.push(std::iter::once(label).chain(cells));
    };
    for (distance, _) in first.by_distance.0.iter().filter(|(distance, _)| distance != "0") {
        row(format!("Kendall distance {distance}"), &|of| of.by_distance.get(distance).cloned());
    }
    for (count, _) in &first.by_deletions.0 {
        row(format!("{count} left out"), &|of| of.by_deletions.get(count).cloned());
    }
    for (count, _) in &first.by_insertions.0 {
        row(format!("{count} put in twice"), &|of| of.by_insertions.get(count).cloned());
    }
    table
}
