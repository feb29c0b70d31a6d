//! The colours: Okabe and Ito's for what is told apart, greys for the rest.

use super::drawing::Colour;

/// Lettering and axes.
pub(super) const INK: Colour = Colour(0x1a, 0x1a, 0x1a);
/// What explains, but is not read first.
pub(super) const QUIET: Colour = Colour(0x59, 0x59, 0x59);
/// Lines to read values by.
pub(super) const GRID: Colour = Colour(0xdd, 0xdd, 0xdd);
/// The ground.
pub(super) const PAPER: Colour = Colour(0xff, 0xff, 0xff);

pub(super) const BLUE: Colour = Colour(0x00, 0x72, 0xb2);
pub(super) const VERMILION: Colour = Colour(0xd5, 0x5e, 0x00);
pub(super) const GREEN: Colour = Colour(0x00, 0x9e, 0x73);
pub(super) const PURPLE: Colour = Colour(0xcc, 0x79, 0xa7);
pub(super) const SKY: Colour = Colour(0x56, 0xb4, 0xe9);
pub(super) const ORANGE: Colour = Colour(0xe6, 0x9f, 0x00);

/// The colour of a scorer, the same in every figure.
pub(super) fn of_scorer(name: &str, at: usize) -> Colour {
    match name {
        "ra" | "sequence" => BLUE,
        "plain" | "set" => VERMILION,
        "exact" => GREEN,
        "tau" => PURPLE,
        _ => [GREEN, PURPLE, ORANGE, SKY][at % 4],
    }
}

/// What a reader calls it.
pub(super) fn title(scorer: &str) -> String {
    match scorer {
        "ra" => "referential".to_owned(),
        "tau" => "Kendall τ".to_owned(),
        "exact" => "exact match".to_owned(),
        other => other.to_owned(),
    }
}
