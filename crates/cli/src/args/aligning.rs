//! The flags that say how a pair is aligned, of every command that does.

use clap::{Arg, Args, ValueEnum};
use objalign_core::{Confidence, Invalid, Options, Structure};

#[derive(Args)]
pub(crate) struct Aligning {
    /// What a candidate that does not fit the schema scores: zero, or what it is worth
    #[arg(long, default_value = "zero")]
    pub(crate) invalid: InvalidName,
    /// Measure how clear each pairing was
    #[arg(long)]
    pub(crate) confidence: Option<ConfidenceName>,
    /// How references help to pair records: `tie_break`, `none`, or `blend=SHARE` with a share from 0 to 1
    #[arg(long, default_value = "tie_break", value_parser = structure)]
    pub(crate) structure: Structure,
    /// How many expansions the search for the best bijection may make
    #[arg(long, value_name = "N", default_value_t = Options::new().budget)]
    pub(crate) budget: u64,
}

/// Takes these flags, which work all the same, out of a help that has no room for them.
pub(super) fn out_of_help(arg: Arg) -> Arg {
    let is_here = ["invalid", "confidence", "structure", "budget"].contains(&arg.get_id().as_str());
    arg.hide(is_here)
}

impl Aligning {
    /// `measured`: confidence is needed whether or not it was asked for.
    pub(crate) fn options(&self, measured: bool) -> Options {
        let options = Options::new().invalid(match self.invalid {
            InvalidName::Zero => Invalid::Zero,
            InvalidName::Score => Invalid::Score,
        });
        let options = options.structure(self.structure).budget(self.budget);
        match self.confidence {
            None if !measured => options,
            None | Some(ConfidenceName::Margin) => options.confidence(Confidence::Margin),
            Some(ConfidenceName::Entropy) => options.confidence(Confidence::Entropy),
        }
    }
}

pub(super) fn structure(text: &str) -> Result<Structure, String> {
    match (text, text.strip_prefix("blend=")) {
        ("tie_break", _) => Ok(Structure::TieBreak),
        ("none", _) => Ok(Structure::None),
        (_, Some(share)) => match share.parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Structure::Blend(share)),
            _ => Err("the share must be a number from 0 to 1".to_owned()),
        },
        _ => Err("allowed: tie_break, none, blend=SHARE".to_owned()),
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum InvalidName {
    Zero,
    Score,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ConfidenceName {
    Margin,
    Entropy,
}
