//! The flags that say which repairs are told, and how: of `feedback`, and of `score --feedback`.

use clap::{Arg, Args, ValueEnum};
use objalign_core::{Granularity, Rank, References, RepairOptions, Style};
use std::path::PathBuf;
use std::str::FromStr;

const HEADING: &str = "Which fixes, and how they are told";

#[derive(Args)]
#[command(next_help_heading = HEADING)]
pub(crate) struct Wording {
    /// Sentences, one short line a fix, or one JSON object
    #[arg(long, default_value = "prose")]
    pub(crate) style: StyleName,
    /// Speak of records by the candidate's identifiers, or by what tells them apart
    #[arg(long, default_value = "literal")]
    pub(crate) references: ReferencesName,
    /// Fix the least that is wrong, or list items as a whole
    #[arg(long, default_value = "leaf")]
    granularity: GranularityName,
    /// Leave out what recovers less than this share of 1
    #[arg(long, value_name = "D", default_value_t = 0.0, value_parser = share)]
    min_delta: f64,
    /// What comes first: what recovers most, what is surest, or both
    #[arg(long, default_value = "delta")]
    rank: RankName,
    /// Measure what each fix recovers by applying it and scoring again
    #[arg(long)]
    exact: bool,
    /// Words of your own: TOML, key by key over crates/core/src/feedback/templates.toml
    #[arg(long, value_name = "FILE")]
    pub(crate) templates: Option<PathBuf>,
    /// How many characters of a value are shown
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u32).range(8..))]
    pub(crate) value_length: u32,
}

impl Wording {
    pub(crate) fn repairs(&self) -> RepairOptions {
        RepairOptions::new()
            .granularity(match self.granularity {
                GranularityName::Leaf => Granularity::Leaf,
                GranularityName::Subtree => Granularity::Subtree,
            })
            .min_delta(self.min_delta)
            .rank(match self.rank {
                RankName::Delta => Rank::Delta,
                RankName::Confidence => Rank::Confidence,
                RankName::DeltaConfidence => Rank::DeltaConfidence,
            })
            .exact(self.exact)
    }

    /// Whether the order asks for a confidence.
    pub(crate) fn needs_confidence(&self) -> bool {
        !matches!(self.rank, RankName::Delta)
    }
}

/// Takes these flags, which work all the same, out of a help that has no room for them.
pub(super) fn out_of_help(arg: Arg) -> Arg {
    let is_here = arg.get_help_heading() == Some(HEADING);
    arg.hide(is_here)
}

/// How many: a number from 1, or all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Top(pub(crate) Option<usize>);

impl FromStr for Top {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse()) {
            ("all", _) => Ok(Self(None)),
            (_, Ok(count)) if count > 0 => Ok(Self(Some(count))),
            _ => Err("allowed: a number from 1, or all".to_owned()),
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "allowed: 0 to 1".to_owned())
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum StyleName {
    Prose,
    Compact,
    Json,
}

impl From<StyleName> for Style {
    fn from(name: StyleName) -> Self {
        match name {
            StyleName::Prose => Self::Prose,
            StyleName::Compact => Self::Compact,
            StyleName::Json => Self::Json,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ReferencesName {
    Literal,
    Semantic,
}

impl From<ReferencesName> for References {
    fn from(name: ReferencesName) -> Self {
        match name {
            ReferencesName::Literal => Self::Literal,
            ReferencesName::Semantic => Self::Semantic,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum GranularityName {
    Leaf,
    Subtree,
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum RankName {
    Delta,
    Confidence,
    DeltaConfidence,
}
