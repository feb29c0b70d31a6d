//! Partial credit for order: scores by Kendall distance, and by the number of labels left out or put in twice.

use super::drawing::{Anchor, Drawing, SIZE, SMALL, WIDTH};
use super::palette::{self, INK, QUIET};
use super::panel::{Curve, Panel, ticks};
use objalign_probe::probes::figure::{Figure, Named};
use objalign_probe::probes::order::{Of, Order};

/// Beyond this distance there are too few pairs for a mean to say much.
const FARTHEST: f64 = 12.0;

/// The curves of all scorers.
pub fn curves(name: &str, caption: &str, order: &Order) -> Drawing {
    let mut drawing = Drawing::new(name, caption, WIDTH, 470);
    drawing.text((8.0, 16.0), "mean score (bands: 95 % intervals)", SMALL, QUIET, Anchor::Start);
    let wide = Panel { from: (36.0, 52.0), to: (362.0, 222.0), x: (0.0, FARTHEST), y: (0.0, 1.0) };
    drawing.bold((36.0, 40.0), "adjacent transpositions", SIZE, INK, Anchor::Start);
    wide.axes(&mut drawing, &ticks(0.0, FARTHEST, 2.0), &ticks(0.0, 1.0, 0.2), "Kendall distance from the gold order");
    wide.curves(&mut drawing, &of(order, |of| &of.by_distance), true);
    for (at, title) in ["labels left out", "labels put in twice"].into_iter().enumerate() {
        let left = 36.0 + 180.0 * at as f64;
        let panel = Panel { from: (left, 298.0), to: (left + 146.0, 428.0), x: (0.0, 3.0), y: (0.0, 1.0) };
        drawing.bold((left, 286.0), title, SIZE, INK, Anchor::Start);
        panel.axes(&mut drawing, &ticks(0.0, 3.0, 1.0), &ticks(0.0, 1.0, 0.2), "how many");
        let curves = of(order, |of| if at == 0 { &of.by_deletions } else { &of.by_insertions });
        panel.curves(&mut drawing, &curves, at == 1);
    }
    drawing
}

/// All begin at the perfect copy, which every scorer gives 1.
fn of(order: &Order, which: impl Fn(&Of) -> &Named<Figure>) -> Vec<Curve> {
    let curve = |(at, (scorer, of)): (usize, &(String, Of))| {
        let points = which(of).0.iter().filter_map(|(dose, figure)| {
            let dose = dose.parse::<f64>().ok().filter(|dose| (1.0..=FARTHEST).contains(dose))?;
            Some((dose, figure.value?, figure.ci95))
        });
        Curve {
            label: palette::title(scorer),
            colour: palette::of_scorer(scorer, at),
            // Where two lines run into one, the dashed one lets the other be seen.
            dash: match scorer.as_str() {
                "set" => Some((7.0, 5.0)),
                "exact" => Some((3.0, 4.0)),
                _ => None,
            },
            width: 2.2,
            points: std::iter::once((0.0, 1.0, None)).chain(points).collect(),
        }
    };
    let mut curves: Vec<Curve> = order.0.iter().enumerate().map(curve).collect();
    // Dashed lines over solid ones.
    curves.sort_by_key(|curve| curve.dash.is_some());
    curves
}
