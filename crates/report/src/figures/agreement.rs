//! Published beside measured: each figure's interval, with the published value on it or off it.

use super::drawing::{Anchor, Drawing, SMALL, WIDTH};
use super::palette::{BLUE, GRID, INK, PAPER, QUIET, VERMILION};
use super::panel::Panel;

/// A figure that was published.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// What it is.
    pub label: String,
    /// As it was published.
    pub published: f64,
    /// As it was measured.
    pub measured: f64,
    /// How sure that is.
    pub interval: Option<[f64; 2]>,
    /// Whether the published value lies inside.
    pub inside: bool,
}

/// One line for each figure, all moved so that the measured value is in the middle.
pub fn intervals(name: &str, caption: &str, rows: &[Compared]) -> Drawing {
    let height = 64 + 17 * rows.len() as u32 + 30;
    let mut drawing = Drawing::new(name, caption, WIDTH, height);
    let furthest = rows
        .iter()
        .flat_map(|row| {
            let ends = row.interval.unwrap_or([row.measured; 2]);
            [ends[0] - row.measured, ends[1] - row.measured, row.published - row.measured]
        })
        .fold(0.0, |far: f64, distance| far.max(distance.abs()));
    let reach = (furthest * 20.0).ceil().max(1.0) / 20.0;
    let bottom = 62.0 + 17.0 * rows.len() as f64;
    let panel = Panel { from: (236.0, 54.0), to: (412.0, bottom), x: (-reach, reach), y: (0.0, 1.0) };
    drawing.line([(12.0, 15.0), (34.0, 15.0)], BLUE, 3.0);
    drawing.disc((23.0, 15.0), 3.0, BLUE, BLUE, 1.0);
    drawing.text((40.0, 19.5), "measured, 95 % interval", SMALL, INK, Anchor::Start);
    drawing.disc((222.0, 15.0), 4.0, PAPER, INK, 1.6);
    drawing.text((232.0, 19.5), "published, inside", SMALL, INK, Anchor::Start);
    drawing.disc((352.0, 15.0), 4.0, VERMILION, VERMILION, 1.6);
    drawing.text((362.0, 19.5), "published, outside", SMALL, INK, Anchor::Start);
    drawing.text((panel.from.0 - 8.0, 44.0), "figure", SMALL, QUIET, Anchor::End);
    drawing.text((324.0, 44.0), "published − measured", SMALL, QUIET, Anchor::Middle);
    drawing.text((472.0, 44.0), "measured", SMALL, QUIET, Anchor::End);
    panel.axes(&mut drawing, &[-reach, 0.0, reach], &[], "");
    for (at, row) in rows.iter().enumerate() {
        let y = 62.0 + 17.0 * at as f64;
        let x = |value: f64| panel.at(value - row.measured, 0.0).0;
        drawing.line([(panel.from.0, y), (panel.to.0, y)], GRID, 0.75);
        drawing.text((panel.from.0 - 8.0, y + 4.5), row.label.as_str(), SMALL, INK, Anchor::End);
        drawing.text((472.0, y + 4.5), format!("{:.3}", row.measured).replace('-', "−"), SMALL, INK, Anchor::End);
        if let Some([low, high]) = row.interval {
            drawing.line([(x(low), y), (x(high), y)], BLUE, 3.0);
        }
        drawing.disc((x(row.measured), y), 3.0, BLUE, BLUE, 1.0);
        let (fill, edge) = if row.inside { (PAPER, INK) } else { (VERMILION, VERMILION) };
        drawing.disc((x(row.published), y), 4.0, fill, edge, 1.6);
    }
    let (zero, _) = panel.at(0.0, 0.0);
    drawing.dashed([(zero, panel.from.1), (zero, bottom)], QUIET, 0.75, (2.0, 3.0));
    drawing
}
