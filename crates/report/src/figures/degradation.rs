//! Scores by dose: operation by operation, and by the size of the graph.

use super::drawing::{Anchor, Drawing, SIZE, SMALL, WIDTH};
use super::palette::{self, BLUE, INK, ORANGE, QUIET, SKY};
use super::panel::{Curve, Panel, ticks};
use objalign_probe::probes::figure::{Figure, Named};

/// Mean scores by scorer, operation and, from 0, dose.
pub type Means = Named<Named<Vec<Figure>>>;

/// A panel for each operation: every scorer's curve on relabelled candidates, solid with its band, and on candidates that kept
/// their identifiers, dashed.
pub fn by_operation(name: &str, caption: &str, relabelled: &Means, kept: &Means) -> Drawing {
    let ops: Vec<String> =
        relabelled.0.first().map(|(_, ops)| ops.0.iter().map(|(op, _)| op.clone()).collect()).unwrap_or_default();
    let rows = ops.len().div_ceil(2).max(1);
    let low = floor(relabelled);
    let mut drawing = Drawing::new(name, caption, WIDTH, 66 + 170 * rows as u32);
    legend(&mut drawing, relabelled, !kept.0.is_empty());
    for (at, op) in ops.iter().enumerate() {
        let (column, row) = ((at % 2) as f64, (at / 2) as f64);
        let (left, top) = (36.0 + 234.0 * column, 74.0 + 170.0 * row);
        let panel =
            Panel { from: (left, top), to: (left + 190.0, top + 106.0), x: (0.0, last(relabelled)), y: (low, 1.0) };
        drawing.bold((left, top - 9.0), op.replace('_', " "), SIZE, INK, Anchor::Start);
        let title = if at + 2 >= ops.len() { "number of edits" } else { "" };
        panel.axes(&mut drawing, &ticks(0.0, last(relabelled), 2.0), &y_ticks(low), title);
        let mut all = curves(relabelled, op, false);
        // Over the solid lines: where both are the same, both are to be seen.
        all.extend(curves(kept, op, true));
        panel.curves(&mut drawing, &all, false);
    }
    drawing
}

/// Pooled over operations, a curve for each size of graph: a column for each scorer, the upper row on relabelled candidates, the
/// lower one on candidates that kept their identifiers. `sizes` are `(label, relabelled, kept)`, the last one all together.
pub fn by_size(name: &str, caption: &str, sizes: &[(String, Means, Means)]) -> Drawing {
    let mut drawing = Drawing::new(name, caption, WIDTH, 458);
    let colours = [SKY, BLUE, ORANGE, INK];
    let low = sizes.iter().map(|(_, relabelled, _)| floor(relabelled)).fold(1.0, f64::min);
    let scorers: Vec<String> =
        sizes.first().map(|(_, means, _)| means.0.iter().map(|(name, _)| name.clone()).collect()).unwrap_or_default();
    drawing.text((8.0, 16.0), "mean score over all operations (bands: 95 % intervals)", SMALL, QUIET, Anchor::Start);
    for (row, title) in
        ["candidates with other identifiers", "candidates that kept their identifiers"].into_iter().enumerate()
    {
        drawing.text((36.0, 46.0 + 206.0 * row as f64), title, SIZE, INK, Anchor::Start);
        for (column, scorer) in scorers.iter().take(2).enumerate() {
            let (left, top) = (36.0 + 194.0 * column as f64, 80.0 + 206.0 * row as f64);
            let end = sizes.first().map_or(8.0, |(_, means, _)| last(means));
            let panel = Panel { from: (left, top), to: (left + 156.0, top + 126.0), x: (0.0, end), y: (low, 1.0) };
            let colour = palette::of_scorer(scorer, column);
            drawing.bold((left, top - 10.0), palette::title(scorer), SIZE, colour, Anchor::Start);
            panel.axes(
                &mut drawing,
                &ticks(0.0, end, 2.0),
                &y_ticks(low),
                if row == 1 { "number of edits" } else { "" },
            );
            let curves: Vec<Curve> = sizes
                .iter()
                .enumerate()
                .map(|(at, (label, relabelled, kept))| Curve {
                    label: label.clone(),
                    colour: colours[at % colours.len()],
                    dash: None,
                    width: if at + 1 == sizes.len() { 2.6 } else { 1.6 },
                    points: pooled(if row == 0 { relabelled } else { kept }, scorer),
                })
                .collect();
            panel.curves(&mut drawing, &curves, column == 1);
        }
    }
    drawing.bold((392.0, 70.0), "people", SMALL, QUIET, Anchor::Start);
    drawing
}

fn legend(drawing: &mut Drawing, means: &Means, kept: bool) {
    let mut left = 36.0;
    for (at, (scorer, _)) in means.0.iter().enumerate() {
        let colour = palette::of_scorer(scorer, at);
        drawing.line([(left, 16.0), (left + 26.0, 16.0)], colour, 2.4);
        let title = palette::title(scorer);
        drawing.bold((left + 32.0, 20.5), title.as_str(), SIZE, colour, Anchor::Start);
        left += 50.0 + 9.0 * title.chars().count() as f64;
    }
    if kept {
        drawing.dashed([(left, 16.0), (left + 26.0, 16.0)], QUIET, 1.6, DASH);
        drawing.text((left + 32.0, 20.5), "identifiers kept", SIZE, QUIET, Anchor::Start);
    }
    drawing.text((36.0, 40.0), "mean score (bands: 95 % intervals)", SMALL, QUIET, Anchor::Start);
}

const DASH: (f64, f64) = (5.0, 3.0);

fn curves(means: &Means, op: &str, kept: bool) -> Vec<Curve> {
    let curve = |(at, (scorer, ops)): (usize, &(String, Named<Vec<Figure>>))| {
        let points = points(ops.get(op)?);
        Some(Curve {
            label: palette::title(scorer),
            colour: palette::of_scorer(scorer, at),
            dash: kept.then_some(DASH),
            width: if kept { 1.6 } else { 2.2 },
            points: if kept { points.into_iter().map(|(x, y, _)| (x, y, None)).collect() } else { points },
        })
    };
    means.0.iter().enumerate().filter_map(curve).collect()
}

fn points(figures: &[Figure]) -> Vec<(f64, f64, Option<[f64; 2]>)> {
    figures.iter().enumerate().filter_map(|(k, figure)| Some((k as f64, figure.value?, figure.ci95))).collect()
}

/// The only operation, where the means were pooled.
fn pooled(means: &Means, scorer: &str) -> Vec<(f64, f64, Option<[f64; 2]>)> {
    means.get(scorer).and_then(|ops| ops.0.first()).map(|(_, figures)| points(figures)).unwrap_or_default()
}

fn last(means: &Means) -> f64 {
    let doses = means.0.iter().flat_map(|(_, ops)| ops.0.iter().map(|(_, figures)| figures.len()));
    doses.max().unwrap_or(9).saturating_sub(1).max(1) as f64
}

/// The tick below the least mean.
fn floor(means: &Means) -> f64 {
    let values = means.0.iter().flat_map(|(_, ops)| ops.0.iter().flat_map(|(_, figures)| figures.iter()));
    let low = values.filter_map(|figure| figure.ci95.map_or(figure.value, |ci| Some(ci[0]))).fold(1.0, f64::min);
    ((low * 5.0).floor() / 5.0).clamp(0.0, 0.8)
}

fn y_ticks(low: f64) -> Vec<f64> {
    ticks(low, 1.0, if low < 0.7 { 0.2 } else { 0.1 })
}
