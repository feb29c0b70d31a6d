//! A pair of axes, curves with their bands, and their labels: each beside the end of its line, so that there is no legend to
//! look things up in, nor one to cover data.

use super::drawing::{Anchor, Colour, Drawing, Point, SIZE, SMALL};
use super::palette::{GRID, INK, QUIET};

/// Where values are on paper.
#[derive(Debug, Clone, Copy)]
pub(super) struct Panel {
    /// The upper left corner of the field, and the lower right one.
    pub(super) from: Point,
    pub(super) to: Point,
    pub(super) x: (f64, f64),
    pub(super) y: (f64, f64),
}

/// A line of means with the band of its intervals.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    pub(super) label: String,
    pub(super) colour: Colour,
    /// Lengths of dashes and gaps; none for a solid line.
    pub(super) dash: Option<(f64, f64)>,
    pub(super) width: f64,
    /// `(x, y, interval)`.
    pub(super) points: Vec<(f64, f64, Option<[f64; 2]>)>,
}

impl Panel {
    pub(super) fn at(&self, x: f64, y: f64) -> Point {
        let along = |value: f64, (low, high): (f64, f64)| (value - low) / (high - low);
        (
            self.from.0 + (self.to.0 - self.from.0) * along(x, self.x),
            self.to.1 - (self.to.1 - self.from.1) * along(y, self.y),
        )
    }

    /// Ticks with their numbers, and lines to read values by.
    pub(super) fn axes(&self, drawing: &mut Drawing, x_ticks: &[f64], y_ticks: &[f64], x_title: &str) {
        for &y in y_ticks {
            let (_, height) = self.at(self.x.0, y);
            drawing.line([(self.from.0, height), (self.to.0, height)], GRID, 1.0);
            drawing.text((self.from.0 - 5.0, height + 4.5), number(y), SMALL, QUIET, Anchor::End);
        }
        drawing.line([(self.from.0, self.to.1), (self.to.0, self.to.1)], INK, 1.0);
        for &x in x_ticks {
            let (left, _) = self.at(x, self.y.0);
            drawing.line([(left, self.to.1), (left, self.to.1 + 4.0)], INK, 1.0);
            drawing.text((left, self.to.1 + 16.0), number(x), SMALL, QUIET, Anchor::Middle);
        }
        if !x_title.is_empty() {
            let middle = f64::midpoint(self.from.0, self.to.0);
            drawing.text((middle, self.to.1 + 31.0), x_title, SMALL, QUIET, Anchor::Middle);
        }
    }

    /// What stands at some places of the lower axis.
    pub(super) fn names<'n>(&self, drawing: &mut Drawing, names: impl IntoIterator<Item = (f64, &'n str)>) {
        for (x, name) in names {
            let (left, _) = self.at(x, self.y.0);
            drawing.line([(left, self.to.1), (left, self.to.1 + 4.0)], INK, 1.0);
            drawing.text((left, self.to.1 + 16.0), name, SMALL, QUIET, Anchor::Middle);
        }
    }

    /// The curves, bands first. Labels stand to the right of their last points where `labelled`.
    pub(super) fn curves(&self, drawing: &mut Drawing, curves: &[Curve], labelled: bool) {
        for curve in curves {
            let with: Vec<(f64, [f64; 2])> = curve.points.iter().filter_map(|&(x, _, ci)| Some((x, ci?))).collect();
            if with.len() >= 2 {
                let upper = with.iter().map(|&(x, [_, high])| self.at(x, high));
                let lower = with.iter().rev().map(|&(x, [low, _])| self.at(x, low));
                drawing.area(upper.chain(lower).collect::<Vec<_>>(), curve.colour, 0.18);
            }
        }
        for curve in curves {
            let points: Vec<Point> = curve.points.iter().map(|&(x, y, _)| self.at(x, y)).collect();
            if let Some(dash) = curve.dash {
                drawing.dashed(points, curve.colour, curve.width, dash);
            } else {
                drawing.line(points.clone(), curve.colour, curve.width);
                for point in points {
                    drawing.disc(point, curve.width * 0.9, curve.colour, curve.colour, 1.0);
                }
            }
        }
        if labelled {
            let ends: Vec<(f64, &Curve)> =
                curves.iter().filter_map(|curve| Some((self.at(0.0, curve.points.last()?.1).1, curve))).collect();
            for (height, curve) in spread(ends, 14.0) {
                drawing.bold((self.to.0 + 6.0, height + 4.5), curve.label.as_str(), SIZE, curve.colour, Anchor::Start);
            }
        }
    }
}

/// Moves labels apart so that none covers another, keeping their order.
fn spread<T>(mut ends: Vec<(f64, T)>, room: f64) -> Vec<(f64, T)> {
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    // What is pushed down by the one above is then pulled up as far as the one below lets it.
    for _ in 0..50 {
        for at in 1..ends.len() {
            let short = room - (ends[at].0 - ends[at - 1].0);
            if short > 0.0 {
                ends[at - 1].0 -= short / 2.0;
                ends[at].0 += short / 2.0;
            }
        }
    }
    ends
}

/// As few digits as it takes, with a minus that is one.
pub(super) fn number(value: f64) -> String {
    let text = format!("{:.2}", value.abs());
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if value < 0.0 { format!("−{text}") } else { text.to_owned() }
}

/// Every `step` from `low` to `high`.
pub(super) fn ticks(low: f64, high: f64, step: f64) -> Vec<f64> {
    let count = ((high - low) / step + 1e-9) as usize;
    (0..=count).map(|at| low + step * at as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_make_room() {
        let heights: Vec<f64> =
            spread(vec![(10.0, ()), (10.0, ()), (90.0, ())], 14.0).into_iter().map(|end| end.0).collect();
        assert_eq!(heights, [3.0, 17.0, 90.0]);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.5, 1.0, -0.25, 0.0, 8.0].map(number), ["0.5", "1", "−0.25", "0", "8"]);
    }
}
