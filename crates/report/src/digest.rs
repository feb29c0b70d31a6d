//! The summaries of the probes as tables to read in a terminal.

use crate::table::Table;
use objalign_probe::probes::figure::Figure;
use objalign_probe::probes::invariance::Invariance;
use objalign_probe::probes::order::Order;
use objalign_probe::probes::sensitivity::Sensitivity;
use std::fmt::Write;

/// A figure with three decimals and its interval: `−0.589 [−0.62, −0.55]`. Without a value: why.
pub fn shown(figure: &Figure) -> String {
    match (figure.value, figure.ci95) {
        (Some(value), Some([low, high])) => format!("{} [{}, {}]", fixed(value), fixed(low), fixed(high)),
        (Some(value), None) => fixed(value),
        (None, _) => figure.note.clone().unwrap_or_default(),
    }
}

/// Three decimals, or three digits where that would be nothing, with a minus that is one.
pub fn fixed(value: f64) -> String {
    let text = if value != 0.0 && value.abs() < 0.001 { format!("{value:.1e}") } else { format!("{value:.3}") };
    text.replace('-', "−")
}

/// What copies score.
pub fn invariance(summary: &Invariance) -> String {
    let mut table =
        Table::new("invariance", "", &["scorer", "pairs", "mean", "sd", "min", "max", "gold variance", "at most"]);
    for (name, of) in &summary.0 {
        table.push([
            name.clone(),
            of.pairs.to_string(),
            shown(&of.mean),
            shown(&of.sd),
            shown(&of.min),
            shown(&of.max),
            shown(&of.mean_gold_variance),
            shown(&of.max_gold_variance),
        ]);
    }
    table.markdown()
}

/// How scores fall.
pub fn sensitivity(summary: &Sensitivity) -> String {
    let names: Vec<&str> = summary.scorers.0.iter().map(|(name, _)| name.as_str()).collect();
    let mut text = String::new();
    for sweep in std::iter::once(summary).chain(summary.without_relabel.as_deref()) {
        text += if sweep.relabel {
            "candidates with other identifiers\n\n"
        } else {
            "candidates that kept their identifiers\n\n"
        };
        let mut table = Table::new("sensitivity", "", &[&["figure"], &names[..]].concat());
        let mut row = |label: String, of: &dyn Fn(&objalign_probe::probes::sensitivity::Of) -> Option<Figure>| {
            let cells = sweep.scorers.0.iter().map(|(_, scorer)| of(scorer).as_ref().map_or(String::new(), shown));
            table.push(std::iter::once(label).chain(cells));
        };
        row("AUROC".to_owned(), &|of| Some(of.auroc.clone()));
        row("Spearman".to_owned(), &|of| Some(of.spearman.clone()));
        row("Kendall tau-b".to_owned(), &|of| Some(of.kendall_tau_b.clone()));
        for (op, _) in sweep.scorers.0.iter().take(1).flat_map(|(_, of)| &of.per_op.0) {
            row(format!("Spearman, {}", op.replace('_', " ")), &|of| of.per_op.get(op).cloned());
        }
        text += &table.markdown();
        match sweep.isomorphic_edits {
            Some(count) => {
                let edits = sweep.edits;
                let _ = write!(text, "\n{count} of {edits} edited candidates say exactly what their gold says.\n\n");
            }
            None => {
                text += "\nWithout the scorer `ra` nobody knows which edited candidates say what their gold says.\n\n";
            }
        }
    }
    text
}

/// How scores tell order.
pub fn order(summary: &Order) -> String {
    let names: Vec<&str> = summary.0.iter().map(|(name, _)| name.as_str()).collect();
    let mut table = Table::new("order", "", &[&["figure"], &names[..]].concat());
    let mut row = |label: String, of: &dyn Fn(&objalign_probe::probes::order::Of) -> Option<Figure>| {
        let cells = summary.0.iter().map(|(_, scorer)| of(scorer).as_ref().map_or(String::new(), shown));
        table.push(std::iter::once(label).chain(cells));
    };
    row("AUROC".to_owned(), &|of| Some(of.auroc.clone()));
    row("Spearman".to_owned(), &|of| Some(of.spearman.clone()));
    row("Kendall tau-b".to_owned(), &|of| Some(of.kendall_tau_b.clone()));
    if let Some((_, first)) = summary.0.first() {
        for (distance, _) in first.by_distance.0.iter().take(12) {
            row(format!("mean at distance {distance}"), &|of| of.by_distance.get(distance).cloned());
        }
        for (count, _) in &first.by_deletions.0 {
            row(format!("mean, {count} left out"), &|of| of.by_deletions.get(count).cloned());
        }
        for (count, _) in &first.by_insertions.0 {
            row(format!("mean, {count} put in twice"), &|of| of.by_insertions.get(count).cloned());
        }
    }
    table.markdown()
}
