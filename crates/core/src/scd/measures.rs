//! `FmtOK`, SCR, VPA, VP, and what follows from them (*Where vs What*, section 3.1).
//!
//! Counts are kept, not quotients: sums over many completions are exact, and equal damage gives equal bits.

use super::recovery::{Level, Refusal};

/// What a completion is worth, structure and content apart.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Measures {
    /// How the completion was read, or why it could not be.
    pub format: Result<Level, Refusal>,
    /// How many leaf paths are required (rows of the original shape, in tables), and how many of them are there.
    pub required: usize,
    /// See [`Measures::required`].
    pub required_found: usize,
    /// How many values are planted.
    pub planted: usize,
    /// How many of them stand at their paths.
    pub placed: usize,
    /// How many of them stand anywhere, each leaf counted at most once.
    pub present: usize,
    /// How many members were replaced by a later one of the same key: the last wins.
    pub duplicate_keys: usize,
}

impl Measures {
    /// Whether the completion could be read, `FmtOK`. If not, SCR, VPA and VP are 0.
    pub fn fmt_ok(&self) -> bool {
        self.format.is_ok()
    }

    /// Schema Compliance Rate, in [0, 1]: the share of required leaf paths that are there; 1 if none is required.
    pub fn scr(&self) -> f64 {
        self.share(self.required_found, self.required)
    }

    /// Value Placement Accuracy, in [0, 1]: the share of planted values that stand at their paths; 1 if none is planted.
    pub fn vpa(&self) -> f64 {
        self.share(self.placed, self.planted)
    }

    /// Value Presence, in [0, 1]: the share of planted values that stand anywhere.
    pub fn vp(&self) -> f64 {
        self.share(self.present, self.planted)
    }

    /// Structural Compliance Gap, VP - VPA, in [0, 1]: values that are there and misplaced.
    pub fn scg(&self) -> f64 {
        if self.planted == 0 { 0.0 } else { self.share(self.present - self.placed, self.planted) }
    }

    /// Displacement Rate, 1 - VPA / VP, in [0, 1]: of the values that are there, the share that is misplaced. `None` if
    /// none is there.
    pub fn dr(&self) -> Option<f64> {
        (self.fmt_ok() && self.present > 0).then(|| (self.present - self.placed) as f64 / self.present as f64)
    }

    fn share(&self, part: usize, whole: usize) -> f64 {
        if !self.fmt_ok() {
            0.0
        } else if whole == 0 {
            1.0
        } else {
            part as f64 / whole as f64
        }
    }
}
