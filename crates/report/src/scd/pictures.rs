//! The figures of the study, from its findings and from the published tables.

use super::findings::{Findings, rank};
use super::published::{Published, Row};
use super::tables::{domain_title, rows};
use crate::figures::ablation::{self, Ablation};
use crate::figures::drawing::Drawing;
use crate::figures::scissors::{self, Level, Scissors};
use crate::figures::selectivity::{self, Matrix, Slope};
use objalign_probe::scd::metrology::MEASURES;
use objalign_probe::scd::summary::Of;

const LEVELS: [&str; 3] = ["S", "M", "L"];

/// What an ablation turns: domain, key of its conditions, title.
const ABLATIONS: [(&str, &str, &str); 6] = [
    ("json", "depth", "depth of the tree"),
    ("json", "planted", "values planted"),
    ("json", "cues", "names of children"),
    ("json", "names", "names of fields"),
    ("table", "rows", "rows to change"),
    ("table", "targets", "cells to change"),
];

/// All of them, in the order of the page.
pub(super) fn all(findings: &Findings, published: &Published) -> Vec<Drawing> {
    vec![
        simulated(findings),
        matrix(findings),
        of_paper(published, "scissors_published_json", "1", "Published: JSON (table 1 of the paper)."),
        of_paper(published, "scissors_published_table", "8", "Published: tables (table 8 of the paper)."),
        ablations(findings),
        published_ablations(published),
    ]
}

fn simulated(findings: &Findings) -> Drawing {
    let mut all = Vec::new();
    for (model, domains) in &findings.models.0 {
        for domain in ["json", "table"] {
            let Some(of) = domains.get(domain) else { continue };
            let level = |name: &str| {
                let Of { vpa, vp, .. } = of.get(name)?;
                Some(Level {
                    name: name.to_owned(),
                    vpa: vpa.value?,
                    vpa_ci95: vpa.ci95,
                    vp: vp.value?,
                    vp_ci95: vp.ci95,
                })
            };
            all.push(Scissors {
                title: format!("{model}, {}", domain_title(domain)),
                levels: LEVELS.into_iter().filter_map(level).collect(),
            });
        }
    }
    let caption = "Scissors of simulated models: what they were asked for stays in the text while less and less of it is where it belongs.";
    scissors::panels("scissors", caption, "lines: 95 % intervals", &all)
}

fn of_paper(published: &Published, name: &str, number: &str, caption: &str) -> Drawing {
    let mut all: Vec<Scissors> = Vec::new();
    for row in published.of_table(number) {
        let title = if row.is_reasoning { format!("{} *", row.model) } else { row.model.clone() };
        let (Some(vpa), Some(vp)) = (row.value("vpa"), row.value("vp")) else { continue };
        let level = Level { name: row.condition.clone(), vpa, vpa_ci95: None, vp, vp_ci95: None };
        match all.last_mut().filter(|scissors| scissors.title == title) {
            Some(scissors) => scissors.levels.push(level),
            None => all.push(Scissors { title, levels: vec![level] }),
        }
    }
    let caption = format!("{caption} The gap between what is there and what is in its place opens with the level.");
    scissors::panels(name, &caption, "* reasoning", &all)
}

fn matrix(findings: &Findings) -> Drawing {
    let measures = MEASURES.map(String::from);
    let matrices = findings.metrology.operators.0.iter().map(|(domain, operators)| Matrix {
        title: domain_title(domain).to_owned(),
        rows: operators
            .0
            .iter()
            .map(|(operator, of)| selectivity::Row {
                operator: operator.clone(),
                cases: of.cases,
                agree: of.agree,
                slopes: MEASURES
                    .map(|measure| {
                        let slope = of.slopes.get(measure);
                        Slope {
                            measured: slope.and_then(|slope| slope.measured),
                            is_exact: slope.is_some_and(|slope| slope.measured == slope.closed_form),
                        }
                    })
                    .to_vec(),
            })
            .collect(),
    });
    let caption =
        "Which measure answers to which damage, and by how much: measured slopes, each beside its closed form.";
    selectivity::matrices("selectivity", caption, &measures, &matrices.collect::<Vec<_>>())
}

/// The conditions of an ablation: `near` of `rows=near`.
fn condition<'c>(name: &'c str, key: &str) -> Option<&'c str> {
    name.strip_prefix(key)?.strip_prefix('=')
}

fn ordered(mut names: Vec<String>) -> Vec<String> {
    names.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.cmp(b)));
    names.dedup();
    names
}

fn ablations(findings: &Findings) -> Drawing {
    let models: Vec<String> = findings.models.0.iter().map(|(model, _)| model.clone()).collect();
    let panel = |(domain, key, title): (&str, &str, &str)| {
        let found = rows(findings, domain).filter_map(|(_, name, _)| condition(name, key).map(str::to_owned));
        let conditions = ordered(found.collect());
        let of = |model: &String| {
            let value = |name: &String| {
                let Of { vpa, vp, .. } = findings.models.get(model)?.get(domain)?.get(&format!("{key}={name}"))?;
                Some((vpa.value?, vp.value?))
            };
            conditions.iter().map(value).collect()
        };
        let models = models.iter().map(of).collect();
        Ablation {
            title: title.to_owned(),
            note: domain_title(domain).to_owned(),
            conditions: conditions.clone(),
            models,
        }
    };
    let panels: Vec<Ablation> =
        ABLATIONS.into_iter().map(panel).filter(|ablation| !ablation.conditions.is_empty()).collect();
    let caption = "What opens the gap, one thing turned at a time: depth and distance do; names do not, since simulated models know nothing of them.";
    ablation::panels("ablations", caption, &models, &panels)
}

fn published_ablations(published: &Published) -> Drawing {
    let of_key = |row: &&Row, domain: &str, key: &str| {
        row.domain == domain && condition(&row.condition, key).is_some() && ["9", "10"].contains(&row.table.as_str())
    };
    let panel = |(domain, key, title): (&str, &str, &str)| {
        let rows: Vec<&Row> = published.rows.iter().filter(|row| of_key(row, domain, key)).collect();
        Ablation {
            title: title.to_owned(),
            note: domain_title(domain).to_owned(),
            conditions: rows.iter().filter_map(|row| condition(&row.condition, key)).map(str::to_owned).collect(),
            models: vec![rows.iter().map(|row| Some((row.value("vpa")?, row.value("vp")?))).collect()],
        }
    };
    let panels: Vec<Ablation> = ABLATIONS.into_iter().map(panel).collect();
    let caption = "Published: JSON with Qwen2.5-7B (table 9 of the paper), tables with DeepSeek-V3 (table 10).";
    let models = ["JSON: Qwen2.5-7B; tables: DeepSeek-V3".to_owned()];
    ablation::panels("ablations_published", caption, &models, &panels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_stand_in_an_order_that_means_something() {
        let names = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(ordered(names(&["10", "15", "5", "10"])), ["5", "10", "15"]);
        assert_eq!(ordered(names(&["far", "middle", "near"])), ["near", "middle", "far"]);
        assert_eq!(condition("rows=near", "rows"), Some("near"));
        assert_eq!((condition("S", "rows"), condition("rowset=near", "rows")), (None, None));
    }

    #[test]
    fn every_published_ablation_has_its_panel() {
        let drawing = published_ablations(&Published::read().expect("the published tables"));
        let scissors = of_paper(&Published::read().expect("the published tables"), "x", "8", "");
        // Two discs for each of 17 conditions and for the legend; the same for 18 rows.
        let discs = |drawing: &Drawing| {
            let is_disc =
                |mark: &&crate::figures::drawing::Mark| matches!(mark, crate::figures::drawing::Mark::Disc { .. });
            drawing.marks.iter().filter(is_disc).count()
        };
        assert_eq!((discs(&drawing), discs(&scissors)), (36, 38));
    }
}
