//! The `objalign` command: files in, files out. What it does is in the libraries; here are its flags, its files, its words
//! to people, and its exit codes.
//!
//! | room | what |
//! |---|---|
//! | [`args`] | flags and help, a file for each command |
//! | [`pairs`] | `score --pairs`: a file of rows |
//! | [`pair`] | `score GOLD PRED`: one pair, drawn as a tree |
//! | [`probe`] | `probe`: pairs that exist, put to the score |
//! | [`reproduce`] | `reproduce` and `sweep`: studies, step by step |
//! | [`check`] | `check`: what a schema means |
//! | [`diff`] | `diff`: two documents side by side |
//! | [`feedback`] | `feedback`: what to change, in words |
//! | [`apply`] | `apply`: repairs carried out |
//! | [`generate`] | `generate`: data sets from configurations |
//! | [`corrupt`] | `corrupt`: pairs of golds and damaged copies |
//! | [`verify`] | `verify`: whether a data set is what it says |
//! | [`scd`] | `scd`: completions against tasks |
//! | [`files`] | reading schemas and documents |
//! | [`output`] | where results go: standard output, or a file that appears when it is whole |
//! | [`progress`] | the bar of a long run |
//! | [`failure`] | what ends a command early, and with which exit code |

mod apply;
mod args;
mod check;
mod corrupt;
mod diff;
mod failure;
mod feedback;
mod files;
mod generate;
mod output;
mod pair;
mod pairs;
mod probe;
mod progress;
mod reproduce;
mod scd;
mod verify;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Score(score) => match (&score.gold, &score.pred) {
            (Some(gold), Some(pred)) => pair::run(&score, gold, pred),
            _ => pairs::run(&score),
        },
        Command::Probe(probe) => probe::run(&probe),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Sweep(args) => reproduce::sweep(&args),
        Command::Check(check) => check::run(&check),
        Command::Diff(diff) => diff::run(&diff),
        Command::Feedback(feedback) => feedback::run(&feedback),
        Command::Apply(apply) => apply::run(&apply),
        Command::Generate(generate) => generate::run(&generate),
        Command::Corrupt(corrupt) => corrupt::run(&corrupt),
        Command::Verify(verify) => verify::run(&verify),
        Command::Scd(scd) => scd::run(&scd),
    };
    done.unwrap_or_else(Failure::report)
}
