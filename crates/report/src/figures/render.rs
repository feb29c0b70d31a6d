//! Marks to SVG and PNG, by `plotters`.
//!
//! Its coordinates are whole numbers, so both are drawn four times as large: the SVG is then shown at its logical size, the pixels are
//! averaged two by two, which leaves a PNG of twice the logical size with smooth edges.

use super::drawing::{Anchor, Colour, Drawing, Mark, Point};
use super::palette::PAPER;
use plotters::coord::Shift;
use plotters::prelude::{
    BitMapBackend, Circle, Color, DrawingArea, DrawingAreaErrorKind, DrawingBackend, FontFamily, FontStyle,
    IntoDrawingArea, IntoFont, PathElement, Polygon, RGBColor, SVGBackend, ShapeStyle, TextStyle,
};
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::sync::OnceLock;

/// How many drawn pixels a logical one is wide.
const SCALE: u32 = 4;
/// How many drawn pixels are averaged to one of the PNG, each way.
const AVERAGED: u32 = 2;

/// As an SVG names them: the first that the reader's machine has.
const FAMILY: &str = "DejaVu Sans, Verdana, Geneva, sans-serif";
const REGULAR: &[u8] = include_bytes!("../../fonts/DejaVuSans.ttf");
const BOLD: &[u8] = include_bytes!("../../fonts/DejaVuSans-Bold.ttf");

/// `plotters` takes the size of a font to be this much more than its em.
const EM: f64 = 1.24;
/// How far below the top of its box it puts the base line of a text, in sizes: in SVG, and in pixels.
const SVG_BASE: f64 = 0.76 / EM;
const PIXEL_BASE: f64 = 0.5;

/// A figure that could not be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the figure cannot be drawn: {0}")]
pub struct RenderError(String);

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for RenderError {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        Self(error.to_string())
    }
}

impl Drawing {
    /// As SVG.
    ///
    /// # Errors
    ///
    /// A fault of the drawing library.
    pub fn svg(&self) -> Result<String, RenderError> {
        let mut text = String::new();
        let (width, height) = (self.width * SCALE, self.height * SCALE);
        {
            let area = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
            self.draw(&area, SVG_BASE)?;
        }
        let large = format!("width=\"{width}\" height=\"{height}\"");
        Ok(text.replacen(&large, &format!("width=\"{}\" height=\"{}\"", self.width, self.height), 1))
    }

    /// As PNG, 2 pixels to a logical one.
    ///
    /// # Errors
    ///
    /// A fault of the drawing library.
    pub fn png(&self) -> Result<Vec<u8>, RenderError> {
        let (width, height) = (self.width * SCALE, self.height * SCALE);
        let mut pixels = vec![0; (width * height * 3) as usize];
        {
            let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
            self.draw(&area, PIXEL_BASE)?;
        }
        let pixels = averaged(&pixels, width as usize, height as usize);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width / AVERAGED, height / AVERAGED);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels));
        written.map_err(|error| RenderError(error.to_string()))?;
        Ok(bytes)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, base: f64) -> Result<(), RenderError> {
        register()?;
        area.fill(&rgb(PAPER))?;
        for mark in &self.marks {
            draw(area, mark, base)?;
        }
        area.present()?;
        Ok(())
    }
}

fn register() -> Result<(), RenderError> {
    static DONE: OnceLock<bool> = OnceLock::new();
    let done = *DONE.get_or_init(|| {
        register_font(FAMILY, FontStyle::Normal, REGULAR).is_ok()
            && register_font(FAMILY, FontStyle::Bold, BOLD).is_ok()
    });
    if done { Ok(()) } else { Err(RenderError("its font cannot be read".to_owned())) }
}

fn rgb(Colour(red, green, blue): Colour) -> RGBColor {
    RGBColor(red, green, blue)
}

fn pixel((x, y): Point) -> (i32, i32) {
    let scaled = |value: f64| (value * f64::from(SCALE)).round() as i32;
    (scaled(x), scaled(y))
}

fn stroke(colour: Colour, width: f64) -> ShapeStyle {
    rgb(colour).stroke_width((width * f64::from(SCALE)).round().max(1.0) as u32)
}

fn draw<B: DrawingBackend>(area: &DrawingArea<B, Shift>, mark: &Mark, base: f64) -> Result<(), RenderError> {
    match mark {
        Mark::Line { points, colour, width, dash: None } => {
            let points: Vec<(i32, i32)> = points.iter().copied().map(pixel).collect();
            area.draw(&PathElement::new(points, stroke(*colour, *width)))?;
        }
        Mark::Line { points, colour, width, dash: Some(dash) } => {
            for piece in dashes(points, *dash) {
                area.draw(&PathElement::new(piece.map(pixel).to_vec(), stroke(*colour, *width)))?;
            }
        }
        Mark::Area { points, colour, opacity } => {
            let points: Vec<(i32, i32)> = points.iter().copied().map(pixel).collect();
            area.draw(&Polygon::new(points, rgb(*colour).mix(*opacity).filled()))?;
        }
        Mark::Disc { centre, radius, fill, edge, width } => {
            let scaled = |value: f64| (value * f64::from(SCALE)).round() as i32;
            area.draw(&Circle::new(pixel(*centre), scaled(radius + width / 2.0), rgb(*edge).filled()))?;
            area.draw(&Circle::new(pixel(*centre), scaled(radius - width / 2.0), rgb(*fill).filled()))?;
        }
        Mark::Text { at, text, size, colour, anchor, bold } => {
            let size = size * EM;
            let style = if *bold { FontStyle::Bold } else { FontStyle::Normal };
            let horizontal = match anchor {
                Anchor::Start => HPos::Left,
                Anchor::Middle => HPos::Center,
                Anchor::End => HPos::Right,
            };
            let font = (FontFamily::Name(FAMILY), size * f64::from(SCALE), style).into_font();
            let colour = rgb(*colour);
            let style = TextStyle::from(font).color(&colour).pos(Pos::new(horizontal, VPos::Top));
            area.draw_text(text, &style, pixel((at.0, at.1 - base * size)))?;
        }
    }
    Ok(())
}

/// The dashes of a line, which go on around its corners.
fn dashes(points: &[Point], (on, off): (f64, f64)) -> Vec<[Point; 2]> {
    let mut pieces = Vec::new();
    let mut phase = 0.0;
    for two in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (two[0], two[1]);
        let length = ((x1 - x0).powi(2) + (y1 - y0).powi(2)).sqrt();
        let at = |distance: f64| (x0 + (x1 - x0) * distance / length, y0 + (y1 - y0) * distance / length);
        let mut start = 0.0;
        while start < length {
            let (left, drawn) = if phase < on { (on - phase, true) } else { (on + off - phase, false) };
            let end = (start + left).min(length);
            if drawn {
                pieces.push([at(start), at(end)]);
            }
            phase = (phase + end - start) % (on + off);
            // Rounding must not leave a dash of no length to go on with for ever.
            if on + off - phase < 1e-9 {
                phase = 0.0;
            } else if (phase - on).abs() < 1e-9 {
                phase = on;
            }
            start = end;
        }
    }
    pieces
}

fn averaged(pixels: &[u8], width: usize, height: usize) -> Vec<u8> {
    let step = AVERAGED as usize;
    let mut small = Vec::with_capacity(pixels.len() / (step * step));
    for y in (0..height).step_by(step) {
        for x in (0..width).step_by(step) {
            for channel in 0..3 {
                let square = (0..step).flat_map(|dy| (0..step).map(move |dx| (dx, dy)));
                let sum: u32 =
                    square.map(|(dx, dy)| u32::from(pixels[((y + dy) * width + x + dx) * 3 + channel])).sum();
                small.push((sum / (AVERAGED * AVERAGED)) as u8);
            }
        }
    }
    small
}

#[cfg(test)]
mod tests {
    use super::super::palette::{BLUE, INK};
    use super::*;

    fn drawing() -> Drawing {
        let mut drawing = Drawing::new("test", "", 60, 30);
        drawing.line([(5.0, 25.0), (55.0, 25.0)], INK, 1.0);
        drawing.rectangle((0.0, 0.0), (10.0, 10.0), BLUE, 1.0);
        drawing.text((30.0, 20.0), "Aρ", 13.0, INK, Anchor::Middle);
        drawing
    }

    #[test]
    fn an_svg_is_shown_at_its_logical_size() {
        let svg = drawing().svg().expect("drawn");
        assert!(svg.starts_with("<svg width=\"60\" height=\"30\" viewBox=\"0 0 240 120\""), "{svg}");
        assert!(svg.contains("Aρ") && svg.contains("#0072B2"), "{svg}");
    }

    #[test]
    fn a_png_has_two_pixels_to_a_logical_one() {
        let png = drawing().png().expect("drawn");
        assert_eq!(png, drawing().png().expect("drawn"));
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        assert_eq!((info.width, info.height), (120, 60));
        let at = |x: usize, y: usize| &pixels[(y * 120 + x) * 3..][..3];
        assert_eq!(at(5, 5), [0x00, 0x72, 0xb2]);
        assert_eq!(at(100, 10), [255, 255, 255]);
        // There are letters where the text is.
        let dark = (45..75).flat_map(|x| (20..42).map(move |y| (x, y))).filter(|&(x, y)| at(x, y)[0] < 100).count();
        assert!(dark > 20, "{dark}");
    }

    #[test]
    fn dashes_go_around_corners() {
        let pieces = dashes(&[(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)], (4.0, 2.0));
        assert_eq!(pieces, [[(0.0, 0.0), (4.0, 0.0)], [(5.0, 1.0), (5.0, 5.0)]]);
    }
}
