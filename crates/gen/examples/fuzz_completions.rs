//! Completions that nobody would write, for so many seconds: each must be measured without a panic, in time that is linear in its length.
//!
//! `cargo run --release -p objalign-gen --example fuzz_completions -- 600`
//!
//! Answers of both domains are cut, spliced, doubled and strewn with brackets, quotes, escapes and tags; one in eight has a piece of it
//! repeated until it is a megabyte. A second argument is the seed to begin with. A text that takes more than 1 microsecond a byte is measured twice more, and told if that was no accident.
//! A panic says the seed of its text. Exits with 1 if any text took too long.

use objalign_gen::scd::check::Compiled;
use objalign_gen::scd::damage::format::Fault;
use objalign_gen::scd::json::{ScdJson, params::Params as JsonParams};
use objalign_gen::scd::sets::TaskSource;
use objalign_gen::scd::table::{Tables, params::Params as TableParams};
use objalign_gen::streams::stream;
use rand::{Rng, RngExt};
use rayon::prelude::*;
use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const PIECES: [&str; 46] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    "\\\"",
    "\\u",
    "\\ud800",
    "\\udc00",
    ",",
    ":",
    "'",
    "`",
    "```",
    "```json\n",
    "/*",
    "*/",
    "//",
    "\n",
    "\t",
    "\u{feff}",
    "\u{0}",
    "\u{1f600}",
    "<tr>",
    "</tr>",
    "<td>",
    "<td colspan=\"99999999\">",
    "<th>",
    "<table>",
    "<template>",
    "<svg>",
    "<b id=1>",
    "</b>",
    "<p>",
    "<br>",
    "<div>",
    "<a href=x>",
    "&amp;",
    "&#x110000;",
    "1e400",
    "-0.0",
    "NaN",
    "null",
    "{\"a\":",
    "[[",
];
const LONG: usize = 1 << 20;
/// Nanoseconds for each byte, with a microsecond's worth of fixed cost for short texts.
const PER_BYTE: f64 = 1000.0;
const FIXED: f64 = 2e6;

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn range(text: &str, random: &mut impl Rng) -> (usize, usize) {
    let ends = [random.random_range(0..=text.len()), random.random_range(0..=text.len())].map(|at| boundary(text, at));
    (ends[0].min(ends[1]), ends[0].max(ends[1]))
}

fn text(answer: &str, random: &mut impl Rng) -> String {
    let mut text = answer.to_owned();
    if random.random_range(0..3) == 0 {
        text = Fault::ALL[random.random_range(0..Fault::ALL.len())].apply(&text, random);
    }
    for _ in 0..random.random_range(0..12) {
        let (start, end) = range(&text, random);
        match random.random_range(0..5) {
            0 => text.replace_range(start..end.min(boundary(&text, start + (end - start).min(40))), ""),
            1 => text.truncate(end),
            2 => {
                let piece = text[start..end.min(boundary(&text, start + (end - start).min(200)))].to_owned();
                text.insert_str(end, &piece);
            }
            _ => {
                for _ in 0..random.random_range(1..4) {
                    text.insert_str(end, PIECES[random.random_range(0..PIECES.len())]);
                }
            }
        }
    }
    if random.random_range(0..8) == 0 {
        let (start, end) = range(&text, random);
        let piece = match random.random_range(0..2) {
            0 => PIECES[random.random_range(0..PIECES.len())].to_owned(),
            _ => text[start..end.min(boundary(&text, start + (end - start).min(100)))].to_owned(),
        };
        if !piece.is_empty() {
            text.insert_str(end, &piece.repeat(LONG / piece.len()));
        }
    }
    text
}

/// The least time of some, in nanoseconds.
fn time(task: &Compiled, text: &str, times: u32) -> f64 {
    (0..times).fold(f64::INFINITY, |least, _| {
        let begun = Instant::now();
        std::hint::black_box(task.measure(text));
        least.min(begun.elapsed().as_nanos() as f64)
    })
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let seconds = Duration::from_secs(std::env::args().nth(1).map_or(Ok(60), |seconds| seconds.parse())?);
    let first: u64 = std::env::args().nth(2).map_or(Ok(0), |seed| seed.parse())?;
    let (trees, tables) = (ScdJson::new(JsonParams::published())?, Tables::new(TableParams::published())?);
    let rows = (0..60).map(|at| {
        let source: &dyn TaskSource = if at % 2 == 0 { &trees } else { &tables };
        source.task(0, at / 2 % 3, at as u64)
    });
    let tasks: Vec<(Compiled, String)> =
        rows.map(|row| Ok((Compiled::new(&row)?, row.reference))).collect::<Result<_, String>>()?;
    std::panic::set_hook(Box::new(|what| eprintln!("{what}")));
    let begun = Instant::now();
    let (mut texts, mut bytes, mut slowest, mut failed) = (0_u64, 0_u64, 0.0_f64, 0_u64);
    while begun.elapsed() < seconds {
        let found: Vec<(u64, f64, bool)> = (first + texts..first + texts + 2000)
            .into_par_iter()
            .map(|seed| {
                let mut random = stream(seed, 0, "fuzz completions");
                let (task, answer) = &tasks[random.random_range(0..tasks.len())];
                let text = text(answer, &mut random);
                let allowed = text.len() as f64 * PER_BYTE + FIXED;
                let measured = std::panic::catch_unwind(|| {
                    let once = time(task, &text, 1);
                    if once > allowed { time(task, &text, 2) } else { once }
                });
                let taken = measured.unwrap_or_else(|_| {
                    eprintln!("seed {seed}: a panic");
                    f64::INFINITY
                });
                if taken.is_finite() && taken > allowed {
                    eprintln!("seed {seed}: {:.0} ns a byte, {} bytes", taken / text.len() as f64, text.len());
                }
                (text.len() as u64, taken / text.len().max(10_000) as f64, taken > allowed)
            })
            .collect();
        for (length, per_byte, is_failed) in found {
            texts += 1;
            bytes += length;
            slowest = slowest.max(per_byte);
            failed += u64::from(is_failed);
        }
    }
    println!(
        "{texts} texts, {} MB in {:.0} s: {failed} panics or superlinear; the slowest took {slowest:.0} ns a byte (of 10 kB or more)",
        bytes / 1_000_000,
        begun.elapsed().as_secs_f64()
    );
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
