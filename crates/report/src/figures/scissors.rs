//! Scissors: value presence (VP) and value placement (VPA) by level, the gap between them filled. Where presence stays and placement
//! falls, the blades open: what was asked for is there, in the wrong place.

use super::drawing::{Anchor, Drawing, SIZE, SMALL, WIDTH};
use super::palette::{BLUE, INK, PAPER, QUIET, VERMILION};
use super::panel::{Panel, ticks};

/// One panel.
#[derive(Debug, Clone, PartialEq)]
pub struct Scissors {
    /// Whose.
    pub title: String,
    /// In the order of the levels.
    pub levels: Vec<Level>,
}

/// The means of one level.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// S, M or L.
    pub name: String,
    /// Mean VPA.
    pub vpa: f64,
    /// Its interval.
    pub vpa_ci95: Option<[f64; 2]>,
    /// Mean VP.
    pub vp: f64,
    /// Its interval.
    pub vp_ci95: Option<[f64; 2]>,
}

const TOP: f64 = 62.0;
const PITCH: f64 = 150.0;

/// The panels, two in a row. `note` stands beside the legend, to say what a mark in a title means.
pub fn panels(name: &str, caption: &str, note: &str, panels: &[Scissors]) -> Drawing {
    let rows = panels.len().div_ceil(2).max(1);
    let mut drawing = Drawing::new(name, caption, WIDTH, (TOP + PITCH * rows as f64) as u32 - 12);
    drawing.line([(14.0, 14.0), (36.0, 14.0)], BLUE, 2.2);
    drawing.disc((25.0, 14.0), 3.4, PAPER, BLUE, 2.0);
    drawing.text((42.0, 18.5), "value is there (VP)", SMALL, INK, Anchor::Start);
    drawing.line([(176.0, 14.0), (198.0, 14.0)], VERMILION, 2.2);
    drawing.disc((187.0, 14.0), 3.4, VERMILION, VERMILION, 2.0);
    drawing.text((204.0, 18.5), "in its place (VPA)", SMALL, INK, Anchor::Start);
    drawing.rectangle((332.0, 7.0), (350.0, 21.0), VERMILION, 0.22);
    drawing.text((356.0, 18.5), "out of place", SMALL, INK, Anchor::Start);
    let note = ["mean over tasks; DR at the last level", note].join(if note.is_empty() { "" } else { "; " });
    drawing.text((14.0, 38.0), note, SMALL, QUIET, Anchor::Start);
    for (at, scissors) in panels.iter().enumerate() {
        let (left, top) = (36.0 + 234.0 * (at % 2) as f64, TOP + 10.0 + PITCH * (at / 2) as f64);
        one(&mut drawing, (left, top), scissors);
    }
    drawing
}

fn one(drawing: &mut Drawing, (left, top): (f64, f64), scissors: &Scissors) {
    let levels = &scissors.levels;
    let last = levels.len().saturating_sub(1) as f64;
    let panel =
        Panel { from: (left, top), to: (left + 164.0, top + 100.0), x: (-0.2, last.max(0.5) + 0.2), y: (0.0, 1.0) };
    drawing.bold((left, top - 9.0), scissors.title.as_str(), SIZE, INK, Anchor::Start);
    panel.axes(drawing, &[], &ticks(0.0, 1.0, 0.5), "");
    panel.names(drawing, levels.iter().enumerate().map(|(at, level)| (at as f64, level.name.as_str())));
    let of = |value: fn(&Level) -> f64| -> Vec<(f64, f64)> {
        levels.iter().enumerate().map(|(at, level)| panel.at(at as f64, value(level))).collect()
    };
    let (vp, vpa) = (of(|level| level.vp), of(|level| level.vpa));
    if levels.len() > 1 {
        drawing.area(vp.iter().chain(vpa.iter().rev()).copied().collect::<Vec<_>>(), VERMILION, 0.22);
    }
    for (points, colour, fill, interval) in [
        (&vp, BLUE, PAPER, (|level| level.vp_ci95) as fn(&Level) -> Option<[f64; 2]>),
        (&vpa, VERMILION, VERMILION, |level| level.vpa_ci95),
    ] {
        if points.len() > 1 {
            drawing.line(points.clone(), colour, 2.2);
        }
        for (at, level) in levels.iter().enumerate() {
            if let Some([low, high]) = interval(level) {
                drawing.line([panel.at(at as f64, low), panel.at(at as f64, high)], colour, 1.2);
            }
        }
        for point in points {
            drawing.disc(*point, 3.4, fill, colour, 2.0);
        }
    }
    if let Some(level) = levels.last().filter(|level| level.vp > 0.0) {
        let rate = 100.0 * (1.0 - level.vpa / level.vp);
        let (_, middle) = panel.at(last, f64::midpoint(level.vp, level.vpa));
        let height = middle.clamp(top + 8.0, top + 92.0);
        drawing.bold((panel.to.0 + 3.0, height + 4.5), format!("{rate:.0} %"), SIZE, VERMILION, Anchor::Start);
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawing::Mark;
    use super::*;

    #[test]
    fn the_gap_is_as_wide_as_the_displacement() {
        let level = |name: &str, vpa: f64, vp: f64| Level {
            name: name.into(),
            vpa,
            vpa_ci95: None,
            vp,
            vp_ci95: Some([vp - 0.1, vp]),
        };
        let one = Scissors { title: "one".into(), levels: vec![level("S", 1.0, 1.0), level("L", 0.25, 0.75)] };
        let none = Scissors { title: "none".into(), levels: Vec::new() };
        let drawing = panels("x", "", "", &[one, none]);
        let gap = drawing.marks.iter().find_map(|mark| match mark {
            Mark::Area { points, .. } if points[0].1 > 60.0 => Some(points.clone()),
            _ => None,
        });
        let heights: Vec<f64> = gap.expect("a gap").iter().map(|point| point.1 - TOP - 10.0).collect();
        assert_eq!(heights, [0.0, 25.0, 75.0, 0.0]);
        assert!(drawing.marks.iter().any(|mark| matches!(mark, Mark::Text { text, .. } if text == "67 %")));
    }
}
