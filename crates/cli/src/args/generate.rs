//! The flags of `generate`.

use clap::{Args, Subcommand, ValueEnum};
use objalign_gen::dataset::rows::{Form, JSONL};
use objalign_probe::dataset_tables::PARQUET;
use std::path::PathBuf;

const GENERATE_HELP: &str = "\
Examples:
  objalign generate org2graph --config configs/org2graph-cn.toml --out data/cn
  objalign generate facts2order --config configs/facts2order-hidden.toml --print 2
  objalign generate scd-json --config configs/scd-json.toml --out data/scd-json
  objalign generate scd-table --config configs/scd-table.toml --out data/scd-table";

const KIND_HELP: &str = "\
Exit code: 0 made, 2 the call is wrong or the data could not be made.

Examples:
  objalign generate org2graph --config configs/org2graph-cn.toml --out data/cn
  objalign generate org2graph --config configs/org2graph-pn.toml --set params.people.max=6 --print 2";

const SCD_JSON_HELP: &str = "\
Exit code: 0 made, 2 the call is wrong or the data could not be made. Schemas that are passed over are told, with the reason.

Examples:
  objalign generate scd-json --config configs/scd-json.toml --out data/scd-json
  objalign generate scd-json --config configs/scd-json.toml --set core.tasks=10 --schemas my-schemas --out data/mine";

const SCD_TABLE_HELP: &str = "\
Exit code: 0 made, 2 the call is wrong or the data could not be made.

Examples:
  objalign generate scd-table --config configs/scd-table.toml --out data/scd-table
  objalign generate scd-table --config configs/scd-table.toml --set core.l.rows.max=60 --print 1";

/// Make a data set whose right answers are known
#[derive(Args)]
#[command(after_help = GENERATE_HELP)]
pub(crate) struct Generate {
    #[command(subcommand)]
    pub(crate) kind: Kind,
}

#[derive(Subcommand)]
pub(crate) enum Kind {
    /// People and companies, and a paragraph that says who and what they are to each other
    #[command(name = "org2graph", after_help = KIND_HELP)]
    Org2Graph(Making),
    /// Items, and sentences that say in which order they belong
    #[command(name = "facts2order", after_help = KIND_HELP)]
    Facts2Order(Making),
    /// Schemas, and values to be put at paths of their objects
    #[command(name = "scd-json", after_help = SCD_JSON_HELP)]
    ScdJson(JsonTasks),
    /// HTML tables, and words to be put into cells of their rows
    #[command(name = "scd-table", after_help = SCD_TABLE_HELP)]
    ScdTable(TaskMaking),
}

/// Where a configuration comes from, and where the data goes.
#[derive(Args)]
pub(crate) struct TaskMaking {
    /// The parameters, TOML
    #[arg(short, long, value_name = "FILE")]
    pub(crate) config: PathBuf,
    /// The directory to make
    #[arg(short, long, value_name = "DIR", required_unless_present = "print")]
    pub(crate) out: Option<PathBuf>,
    /// Show the first N tasks of each condition of the first set, and make nothing unless there is --out
    #[arg(short, long, value_name = "N")]
    pub(crate) print: Option<u64>,
    /// Another seed than the configuration's
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Another value for any key of the configuration, such as core.tasks=10
    #[arg(long, value_name = "KEY=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
    /// Replace a data set that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: Option<u16>,
}

impl TaskMaking {
    /// What the flags change in the configuration.
    pub(crate) fn overrides(&self) -> Vec<(String, String)> {
        let seed = self.seed.map(|seed| ("seed".to_owned(), seed.to_string()));
        seed.into_iter().chain(self.set.iter().cloned()).collect()
    }
}

#[derive(Args)]
pub(crate) struct JsonTasks {
    #[command(flatten)]
    pub(crate) making: TaskMaking,
    /// A folder of JSON Schemas (*.json, or *.jsonl with a `json_schema`), for a set of tasks of their own
    #[arg(long, value_name = "DIR")]
    pub(crate) schemas: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct Making {
    /// The parameters, TOML
    #[arg(short, long, value_name = "FILE")]
    pub(crate) config: PathBuf,
    /// The directory to make
    #[arg(short, long, value_name = "DIR", required_unless_present = "print")]
    pub(crate) out: Option<PathBuf>,
    /// Show the first N instances, and make nothing unless there is --out
    #[arg(short, long, value_name = "N")]
    pub(crate) print: Option<u64>,
    /// Another seed than the configuration's
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Another number of training rows
    #[arg(long, value_name = "ROWS")]
    pub(crate) train: Option<u64>,
    /// Another number of validation rows
    #[arg(long, value_name = "ROWS")]
    pub(crate) val: Option<u64>,
    /// Another number of test rows
    #[arg(long, value_name = "ROWS")]
    pub(crate) test: Option<u64>,
    /// Another value for any key of the configuration, such as params.people.max=6
    #[arg(long, value_name = "KEY=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
    /// How rows are written
    #[arg(short, long, default_value = "jsonl")]
    pub(crate) format: RowFormat,
    /// Replace a data set that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: Option<u16>,
}

impl Making {
    /// What the flags change in the configuration.
    pub(crate) fn overrides(&self) -> Vec<(String, String)> {
        let given =
            [("seed", self.seed), ("splits.train", self.train), ("splits.val", self.val), ("splits.test", self.test)];
        let given = given.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?.to_string())));
        given.chain(self.set.iter().cloned()).collect()
    }
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("allowed: KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum RowFormat {
    Jsonl,
    Parquet,
}

impl From<RowFormat> for Form {
    fn from(format: RowFormat) -> Self {
        match format {
            RowFormat::Jsonl => JSONL,
            RowFormat::Parquet => PARQUET,
        }
    }
}
