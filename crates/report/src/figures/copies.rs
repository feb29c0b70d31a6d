//! What copies score: one strip for each kind of copies and scorer, every pair a tick, so that a score that hangs on nothing is seen
//! as one line, and one that hangs on arbitrary identifiers as a smear.

use super::drawing::{Anchor, Drawing, SIZE, SMALL, WIDTH};
use super::palette::{self, INK, QUIET};
use super::panel::{Panel, ticks};

/// The scores of one scorer on one kind of copies.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    /// Which copies.
    pub copies: String,
    /// Which scorer.
    pub scorer: String,
    /// One for each pair.
    pub scores: Vec<f64>,
}

const BINS: usize = 60;

/// The strips, one below the other.
pub fn strips(name: &str, caption: &str, strips: &[Strip]) -> Drawing {
    let mut drawing = Drawing::new(name, caption, WIDTH, 40 + 62 * strips.len() as u32 + 38);
    let low = strips.iter().flat_map(|strip| &strip.scores).fold(1.0, |low: f64, score| low.min(*score));
    let low = ((low * 10.0).floor() / 10.0).min(0.8);
    let bottom = 36.0 + 62.0 * strips.len() as f64;
    let panel = Panel { from: (20.0, 30.0), to: (452.0, bottom), x: (low, 1.0), y: (0.0, 1.0) };
    panel.axes(&mut drawing, &ticks(low, 1.0, 0.1), &[], "score of a perfect copy");
    drawing.text((20.0, 16.0), "share of pairs by score; a perfect copy should score 1", SMALL, QUIET, Anchor::Start);
    for (at, strip) in strips.iter().enumerate() {
        let base = 36.0 + 62.0 * (at + 1) as f64 - 8.0;
        let colour = palette::of_scorer(&strip.scorer, at);
        let mut bins = [0_usize; BINS + 1];
        for score in &strip.scores {
            bins[((score - low) / (1.0 - low) * BINS as f64) as usize] += 1;
        }
        let most = bins.iter().copied().max().unwrap_or(1).max(1) as f64;
        let step = (1.0 - low) / BINS as f64;
        for (bin, count) in bins.iter().enumerate().filter(|(_, count)| **count > 0) {
            let left = panel.at(low + step * bin as f64, 0.0).0;
            // The last bin is exactly 1: it stands on its tick.
            let left = if bin == BINS { left - 2.5 } else { left };
            drawing.rectangle((left, base - 26.0 * *count as f64 / most), (left + 5.0, base), colour, 1.0);
        }
        drawing.line([(20.0, base), (452.0, base)], QUIET, 0.75);
        let (least, greatest) =
            strip.scores.iter().fold((1.0_f64, 0.0_f64), |(low, high), score| (low.min(*score), high.max(*score)));
        let says = if least == 1.0 && greatest == 1.0 {
            format!("{}: all {} score exactly 1", palette::title(&strip.scorer), strip.scores.len())
        } else {
            let mean = strip.scores.iter().sum::<f64>() / strip.scores.len() as f64;
            format!("{}: {least:.2} to {greatest:.2}, mean {mean:.2}", palette::title(&strip.scorer))
        };
        drawing.bold((20.0, base - 36.0), says, SIZE, colour, Anchor::Start);
        drawing.text((452.0, base - 36.0), strip.copies.as_str(), SMALL, INK, Anchor::End);
    }
    drawing
}
