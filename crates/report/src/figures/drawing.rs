//! Marks in logical pixels: what a figure shows, before it is SVG or PNG.

pub use super::render::RenderError;

/// Red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// Where a text stands to its point, which lies on its base line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// A point, in logical pixels from the upper left corner.
pub type Point = (f64, f64);

/// One thing to be seen.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line {
        /// At least two.
        points: Vec<Point>,
        /// Its colour.
        colour: Colour,
        /// How thick it is.
        width: f64,
        /// Lengths of dashes and gaps; none for a solid line.
        dash: Option<(f64, f64)>,
    },
    /// A filled shape.
    Area {
        /// Its corners.
        points: Vec<Point>,
        /// Its colour.
        colour: Colour,
        /// From 0, unseen, to 1.
        opacity: f64,
    },
    /// A disc with an edge.
    Disc {
        /// Its centre.
        centre: Point,
        /// Its radius, to the middle of the edge.
        radius: f64,
        /// What fills it.
        fill: Colour,
        /// The edge.
        edge: Colour,
        /// How thick the edge is.
        width: f64,
    },
    /// A line of text.
    Text {
        /// On its base line.
        at: Point,
        /// What it says.
        text: String,
        /// The size of the font.
        size: f64,
        /// Its colour.
        colour: Colour,
        /// Which end of it is at the point.
        anchor: Anchor,
        /// Whether it is bold.
        bold: bool,
    },
}

/// A figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// What its files are called, without an extension.
    pub name: String,
    /// What it shows and what is to be seen in it.
    pub caption: String,
    /// In logical pixels.
    pub width: u32,
    /// In logical pixels.
    pub height: u32,
    /// Later ones cover earlier ones.
    pub marks: Vec<Mark>,
}

/// How wide a figure is: as a column, at 138 logical pixels to the inch.
pub(super) const WIDTH: u32 = 480;
/// The size of most letters: 7 points.
pub(super) const SIZE: f64 = 13.0;
/// The size of the least important letters: 6.3 points.
pub(super) const SMALL: f64 = 12.0;

impl Drawing {
    pub(super) fn new(name: &str, caption: &str, width: u32, height: u32) -> Self {
        Self { name: name.to_owned(), caption: caption.to_owned(), width, height, marks: Vec::new() }
    }

    pub(super) fn line(&mut self, points: impl Into<Vec<Point>>, colour: Colour, width: f64) {
        self.marks.push(Mark::Line { points: points.into(), colour, width, dash: None });
    }

    pub(super) fn dashed(&mut self, points: impl Into<Vec<Point>>, colour: Colour, width: f64, dash: (f64, f64)) {
        self.marks.push(Mark::Line { points: points.into(), colour, width, dash: Some(dash) });
    }

    pub(super) fn area(&mut self, points: impl Into<Vec<Point>>, colour: Colour, opacity: f64) {
        self.marks.push(Mark::Area { points: points.into(), colour, opacity });
    }

    pub(super) fn rectangle(&mut self, (x0, y0): Point, (x1, y1): Point, colour: Colour, opacity: f64) {
        self.area([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], colour, opacity);
    }

    pub(super) fn disc(&mut self, centre: Point, radius: f64, fill: Colour, edge: Colour, width: f64) {
        self.marks.push(Mark::Disc { centre, radius, fill, edge, width });
    }

    pub(super) fn text(&mut self, at: Point, text: impl Into<String>, size: f64, colour: Colour, anchor: Anchor) {
        self.marks.push(Mark::Text { at, text: text.into(), size, colour, anchor, bold: false });
    }

    pub(super) fn bold(&mut self, at: Point, text: impl Into<String>, size: f64, colour: Colour, anchor: Anchor) {
        self.marks.push(Mark::Text { at, text: text.into(), size, colour, anchor, bold: true });
    }
}
