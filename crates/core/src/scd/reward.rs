//! Rewards: one number a completion, for a learner (*Where vs What*, section 6.1).

use super::measures::Measures;

/// How measures become a reward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reward {
    /// 1 if every planted value is placed, else 0.
    Exact,
    /// `vpa * VPA + scr * SCR`.
    Weighted {
        /// The weight of VPA.
        vpa: f64,
        /// The weight of SCR.
        scr: f64,
    },
}

impl Reward {
    /// VPA alone.
    pub const VPA: Self = Self::Weighted { vpa: 1.0, scr: 0.0 };

    /// VPA + 0.3 SCR, the paper's.
    pub const COMPOSITE: Self = Self::Weighted { vpa: 1.0, scr: 0.3 };

    /// The reward of a completion; 0 if it could not be read. In [0, 1] for [`Reward::Exact`], in [0, `vpa` + `scr`] for
    /// weights that are not negative.
    pub fn of(self, measures: &Measures) -> f64 {
        match self {
            _ if !measures.fmt_ok() => 0.0,
            Self::Exact => f64::from(u8::from(measures.placed == measures.planted)),
            Self::Weighted { vpa, scr } => vpa * measures.vpa() + scr * measures.scr(),
        }
    }
}
