//! Figures: what is to be seen as a list of marks, and the marks as SVG and PNG.
//!
//! A figure is as wide as a column of a paper; its letters are then 6.5 to 7 points high. Colours are Okabe and Ito's, which are told
//! apart by nearly everybody; lines that carry different things also differ in more than colour. The font is in the program:
//! the bytes are the same on every machine.
//!
//! | room | what |
//! |---|---|
//! | [`drawing`] | marks in logical pixels |
//! | [`render`] | marks to SVG and PNG, by `plotters` |
//! | [`palette`] | the colours |
//! | [`panel`] | a pair of axes, curves and their labels |
//! | [`copies`] | what copies score |
//! | [`degradation`] | scores by dose, operation by operation and by size |
//! | [`order`] | scores by Kendall distance, deletions and insertions |
//! | [`agreement`] | published beside measured |
//! | [`scissors`] | presence and placement by level, with the gap between them |
//! | [`ablation`] | presence and placement by condition |
//! | [`selectivity`] | which measure answers to which damage |
//! | [`instance`] | a graph and its copy, drawn as graphs |

pub mod ablation;
pub mod agreement;
pub mod copies;
pub mod degradation;
pub mod drawing;
pub mod instance;
pub mod order;
mod palette;
mod panel;
mod render;
pub mod scissors;
pub mod selectivity;
