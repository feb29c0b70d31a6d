//! Selectivity: which measure answers to which damage, and by how much. A cell is a slope, the change of the measure when all values are
//! damaged; a measure that answers to one kind of damage alone has a column of zeros but for that.

use super::drawing::{Anchor, Drawing, SIZE, SMALL, WIDTH};
use super::palette::{BLUE, GRID, INK, PAPER, QUIET, VERMILION};
use super::panel::number;

/// The rows of one domain.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// Which domain.
    pub title: String,
    /// By kind of damage.
    pub rows: Vec<Row>,
}

/// What the measures say of one kind of damage.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The operator.
    pub operator: String,
    /// How many cases there are.
    pub cases: u64,
    /// In how many all counts are those of the closed form.
    pub agree: u64,
    /// A slope for each measure.
    pub slopes: Vec<Slope>,
}

/// A cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    /// As measured; none where nothing was damaged.
    pub measured: Option<f64>,
    /// Whether it is that of the closed form, to the bit.
    pub is_exact: bool,
}

const HIGH: f64 = 23.0;
const WIDE: f64 = 48.0;
const LEFT: f64 = 142.0;

/// The matrices, one below the other.
pub fn matrices(name: &str, caption: &str, measures: &[String], matrices: &[Matrix]) -> Drawing {
    let rows: usize = matrices.iter().map(|matrix| matrix.rows.len()).sum();
    let height = 40.0 + 50.0 * matrices.len() as f64 + HIGH * rows as f64;
    let mut drawing = Drawing::new(name, caption, WIDTH, height as u32);
    drawing.text((10.0, 16.0), "change of the measure per share of values damaged", SMALL, QUIET, Anchor::Start);
    drawing.text((10.0, 34.5), "ringed where it is not the closed form, to the bit", SMALL, QUIET, Anchor::Start);
    let mut top = 66.0;
    let right = LEFT + WIDE * measures.len() as f64;
    for matrix in matrices {
        drawing.bold((10.0, top), matrix.title.as_str(), SIZE, INK, Anchor::Start);
        for (at, measure) in measures.iter().enumerate() {
            let middle = LEFT + WIDE * (at as f64 + 0.5);
            drawing.bold((middle, top), measure.to_uppercase(), SIZE, INK, Anchor::Middle);
        }
        drawing.text((472.0, top), "cases exact", SMALL, QUIET, Anchor::End);
        top += 8.0;
        for row in &matrix.rows {
            let base = top + HIGH / 2.0 + 4.5;
            drawing.text((10.0, base), row.operator.replace('_', " "), SMALL, INK, Anchor::Start);
            for (at, slope) in row.slopes.iter().enumerate() {
                cell(&mut drawing, (LEFT + WIDE * at as f64, top), slope);
            }
            let exact = if row.agree == row.cases {
                format!("all {}", row.cases)
            } else {
                format!("{} of {}", row.agree, row.cases)
            };
            let colour = if row.agree == row.cases { INK } else { VERMILION };
            drawing.text((472.0, base), exact, SMALL, colour, Anchor::End);
            top += HIGH;
            drawing.line([(10.0, top), (right, top)], GRID, 0.75);
        }
        top += 42.0;
    }
    drawing
}

fn cell(drawing: &mut Drawing, (left, top): (f64, f64), slope: &Slope) {
    let Some(value) = slope.measured else { return };
    let shown = number(value);
    let middle = (left + WIDE / 2.0, top + HIGH / 2.0 + 4.5);
    if value == 0.0 {
        drawing.text(middle, shown, SMALL, QUIET, Anchor::Middle);
    } else {
        let colour = if value < 0.0 { VERMILION } else { BLUE };
        let opacity = 0.15 + 0.4 * (value.abs() / 2.0).min(1.0);
        drawing.rectangle((left + 1.0, top + 1.0), (left + WIDE - 1.0, top + HIGH - 1.0), colour, opacity);
        drawing.bold(middle, shown, SMALL, INK, Anchor::Middle);
    }
    if !slope.is_exact {
        drawing.disc((left + WIDE - 6.0, top + 6.5), 3.0, PAPER, VERMILION, 1.6);
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawing::Mark;
    use super::*;

    #[test]
    fn cells_say_their_slope_and_whether_it_is_exact() {
        let slope = |measured, is_exact| Slope { measured, is_exact };
        let row = Row {
            operator: "sibling_swap".into(),
            cases: 12,
            agree: 11,
            slopes: vec![slope(Some(-2.0), true), slope(Some(0.0), true), slope(Some(0.5), false), slope(None, true)],
        };
        let measures = ["vpa", "vp", "scg", "dr"].map(String::from);
        let drawing = matrices("x", "", &measures, &[Matrix { title: "trees".into(), rows: vec![row] }]);
        let texts: Vec<&str> = drawing
            .marks
            .iter()
            .filter_map(|mark| if let Mark::Text { text, .. } = mark { Some(text.as_str()) } else { None })
            .collect();
        assert_eq!(texts[texts.len() - 5..], ["sibling swap", "−2", "0", "0.5", "11 of 12"]);
        let rings = drawing.marks.iter().filter(|mark| matches!(mark, Mark::Disc { .. })).count();
        assert_eq!(rings, 1);
        let coloured = drawing.marks.iter().filter(|mark| matches!(mark, Mark::Area { .. })).count();
        assert_eq!(coloured, 2);
    }
}
