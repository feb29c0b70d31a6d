//! Structure-Content Decomposition: is a value wrong, or right in the wrong place? (*Where vs What*, section 3 and
//! appendix B.)
//!
//! A task plants values at paths; a completion is text that a model wrote. [`Task::measure`] recovers what the text says
//! and tells apart its format, its structure and its content; [`Task::fates`] says where each planted value ended up;
//! a [`Reward`] makes one number of it. [`TableTask`] does the same for rows of HTML tables.
//!
//! ```
//! use objalign_core::scd::{Fate, Reward, Task};
//! use serde_json::json;
//!
//! let left = "$.root.left.value".parse()?;
//! let right = "$.root.right.value".parse()?;
//! let task = Task::new(vec![], vec![(left, json!("ALPHA")), (right, json!("BRAVO"))])?;
//! let completion = r#"{"root": {"left": {"value": "BRAVO"}, "right": {"value": "ALPHA"}}}"#;
//!
//! let measures = task.measure(completion);
//! assert_eq!((measures.vp(), measures.vpa(), measures.dr()), (1.0, 0.0, Some(1.0)));
//! assert_eq!(Reward::COMPOSITE.of(&measures), 0.3);
//! let fates = task.fates(completion).expect("an object");
//! assert_eq!(fates[0], Fate::Displaced { to: "$.root.right.value".parse()? });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | room | what |
//! |---|---|
//! | [`scan`] | text to document, in one pass, strictly or with conservative repairs |
//! | [`recovery`] | which of three readings of a completion is the first that works |
//! | [`document`] | what was read: values in the order of the text, by parent |
//! | [`path`] | paths of leaves: `$.a.b[0].c` |
//! | [`required`] | the leaf paths that a schema requires |
//! | [`signs`] | which leaves cannot be planted values, at a glance |
//! | [`task`] | a task compiled for measuring, and where each value ended up |
//! | [`measures`] | `FmtOK`, SCR, VPA, VP, SCG, DR |
//! | [`reward`] | one number for a learner |
//! | [`row`] | HTML table rows, by the standard's own parser |
//! | [`table`] | the same measures for table rows |

mod document;
mod measures;
mod path;
mod recovery;
mod required;
mod reward;
mod row;
mod scan;
mod signs;
mod table;
mod task;

pub use measures::Measures;
pub use path::{Path, PathError, Step};
pub use recovery::{Level, Limits, Recovered, Refusal, Repair, recover};
pub use required::{RequiredError, required_paths};
pub use reward::Reward;
pub use row::{Cell, Row, RowError};
pub use table::{TableTarget, TableTask};
pub use task::{Fate, Task, TaskError};
