//! Data sets as directories: three splits of instances, the schemas, the legend, the prompt and a manifest.
//!
//! ```text
//! DIR/
//!   train.jsonl val.jsonl test.jsonl     id, context, gold, parameters; or .parquet
//!   schema.ra.json schema.plain.json     Facts2Order: schema.sequence.json schema.set.json
//!   prompt.txt                           the output format and nothing else
//!   legend.json                          what values mean; never part of a context
//!   manifest.json                        every parameter, the seed, sizes, SHA-256 of each file
//!   README.md                            a card that the Hugging Face loader reads
//! ```
//!
//! The bytes are a function of the configuration alone, whatever the number of threads. A directory appears under its name when it is whole.
//!
//! | room | what |
//! |---|---|
//! | [`config`] | TOML to parameters, with errors that a person can find the place of |
//! | [`source`] | what a data set is made of |
//! | [`split`] | which instance goes where: disjoint by content, stratified by difficulty |
//! | [`rows`] | rows to files and back |
//! | [`write`] | rows and files |
//! | `directory` | a directory that appears when it is whole |
//! | [`layout`] | where things are in a directory, ours or another's |
//! | [`manifest`] | what was made, exactly |
//! | [`verify`] | whether a directory is what its manifest says, and its texts say its golds |

mod card;
pub mod config;
pub(crate) mod directory;
pub mod layout;
pub mod manifest;
pub mod rows;
pub mod source;
pub mod split;
pub mod verify;
pub mod write;
