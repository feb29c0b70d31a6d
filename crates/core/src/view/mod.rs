//! Views of a match tree: the same tree, written for a program or for a person. Nothing here aligns anything.

mod explain;
mod terminal;

pub use terminal::Palette;
