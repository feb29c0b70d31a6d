//! Ablations: value presence and value placement by condition, joined by a bar as long as the gap between them; a panel for each
//! ablation, a colour and a place in each condition for each model.

use super::drawing::{Anchor, Colour, Drawing, SIZE, SMALL, WIDTH};
use super::palette::{BLUE, GREEN, INK, ORANGE, PAPER, PURPLE, QUIET, SKY};
use super::panel::{Panel, ticks};

/// One panel.
#[derive(Debug, Clone, PartialEq)]
pub struct Ablation {
    /// What is turned.
    pub title: String,
    /// Where: trees or tables, whose model.
    pub note: String,
    /// What it is turned to.
    pub conditions: Vec<String>,
    /// By model, in the order of the legend: VPA and VP by condition, none where there are none.
    pub models: Vec<Vec<Option<(f64, f64)>>>,
}

const COLOURS: [Colour; 5] = [BLUE, ORANGE, GREEN, PURPLE, SKY];
const TOP: f64 = 66.0;
const PITCH: f64 = 152.0;

/// The panels, two in a row; `models` are what the models are called, none where there is one in each panel.
pub fn panels(name: &str, caption: &str, models: &[String], panels: &[Ablation]) -> Drawing {
    let rows = panels.len().div_ceil(2).max(1);
    let mut drawing = Drawing::new(name, caption, WIDTH, (TOP + PITCH * rows as f64) as u32 - 8);
    drawing.disc((18.0, 14.0), 3.4, PAPER, INK, 2.0);
    drawing.text((27.0, 18.5), "value is there (VP)", SMALL, INK, Anchor::Start);
    drawing.disc((162.0, 14.0), 3.4, INK, INK, 2.0);
    drawing.text((171.0, 18.5), "in its place (VPA)", SMALL, INK, Anchor::Start);
    drawing.line([(298.0, 14.0), (320.0, 14.0)], INK, 3.0);
    drawing.text((326.0, 18.5), "out of place", SMALL, INK, Anchor::Start);
    let mut left = 14.0;
    for (at, model) in models.iter().enumerate() {
        drawing.bold((left, 38.0), model.as_str(), SIZE, COLOURS[at % COLOURS.len()], Anchor::Start);
        left += 18.0 + 8.6 * model.chars().count() as f64;
    }
    for (at, ablation) in panels.iter().enumerate() {
        let (left, top) = (36.0 + 234.0 * (at % 2) as f64, TOP + 12.0 + PITCH * (at / 2) as f64);
        one(&mut drawing, (left, top), ablation);
    }
    drawing
}

fn one(drawing: &mut Drawing, (left, top): (f64, f64), ablation: &Ablation) {
    let count = ablation.conditions.len().max(1) as f64;
    let panel = Panel { from: (left, top), to: (left + 198.0, top + 98.0), x: (0.0, count), y: (0.0, 1.0) };
    drawing.bold((left, top - 9.0), ablation.title.as_str(), SIZE, INK, Anchor::Start);
    drawing.text((left + 198.0, top - 9.0), ablation.note.as_str(), SMALL, QUIET, Anchor::End);
    panel.axes(drawing, &[], &ticks(0.0, 1.0, 0.5), "");
    let names = ablation.conditions.iter().enumerate().map(|(at, name)| (at as f64 + 0.5, name.as_str()));
    panel.names(drawing, names);
    // As close together as the widest panel lets them be told apart.
    let apart = (0.6 / ablation.models.len().max(1) as f64).min(0.22);
    for (model, values) in ablation.models.iter().enumerate() {
        let colour = COLOURS[model % COLOURS.len()];
        let aside = (model as f64 - (ablation.models.len() as f64 - 1.0) / 2.0) * apart;
        for (at, value) in values.iter().enumerate() {
            let Some((vpa, vp)) = *value else { continue };
            let place = |value: f64| panel.at(at as f64 + 0.5 + aside, value);
            drawing.line([place(vpa), place(vp)], colour, 3.0);
            drawing.disc(place(vp), 3.4, PAPER, colour, 2.0);
            drawing.disc(place(vpa), 3.4, colour, colour, 2.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawing::Mark;
    use super::*;

    #[test]
    fn models_stand_side_by_side() {
        let ablation = Ablation {
            title: "depth".into(),
            note: "trees".into(),
            conditions: vec!["1".into(), "2".into()],
            models: vec![vec![Some((1.0, 1.0)), None], vec![Some((0.5, 1.0)), Some((0.0, 0.5))]],
        };
        let drawing = panels("x", "", &["a".into(), "b".into()], &[ablation]);
        let discs: Vec<(i64, i64, Colour)> = drawing
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Disc { centre, edge, .. } if centre.1 > 60.0 => {
                    Some(((centre.0 - 36.0).round() as i64, (centre.1 - TOP - 12.0) as i64, *edge))
                }
                _ => None,
            })
            .collect();
        let expected =
            [(39, 0, BLUE), (39, 0, BLUE), (60, 0, ORANGE), (60, 49, ORANGE), (159, 49, ORANGE), (159, 98, ORANGE)];
        assert_eq!(discs, expected);
    }
}
