//! A graph and its copy under other identifiers, drawn as graphs: the same shape, other names.
//!
//! People stand on a circle, companies in the middle. Positions follow the gold's order of records, for both: the copy
//! keeps it.

use super::drawing::{Anchor, Colour, Drawing, Point, SIZE, SMALL, WIDTH};
use super::palette::{BLUE, GREEN, INK, ORANGE, PAPER, QUIET, SKY, VERMILION};
use serde_json::Value;

/// `scores` are what the copy scores, by scorer.
pub fn graphs(name: &str, caption: &str, gold: &Value, copy: &Value, scores: &[(String, f64)]) -> Drawing {
    let mut drawing = Drawing::new(name, caption, WIDTH, 620);
    for (document, title, top) in [(gold, "gold", 0.0), (copy, "candidate: a copy under other identifiers", 284.0)] {
        drawing.bold((12.0, top + 18.0), title, SIZE, INK, Anchor::Start);
        graph(&mut drawing, document, (240.0, top + 148.0));
    }
    drawing.text((12.0, 596.0), "The same graph. Score:", SIZE, INK, Anchor::Start);
    let mut left = 170.0;
    for (at, (scorer, score)) in scores.iter().enumerate() {
        let text = format!("{} {score:.3}", super::palette::title(scorer));
        let room = 10.0 + 9.0 * text.chars().count() as f64;
        drawing.bold((left, 596.0), text, SIZE, super::palette::of_scorer(scorer, at), Anchor::Start);
        left += room;
    }
    for (at, (colour, says)) in
        [(QUIET, "employment"), (GREEN, "acquaintance"), (ORANGE, "partnership")].iter().enumerate()
    {
        let left = 150.0 + 112.0 * at as f64;
        drawing.line([(left, 612.0), (left + 16.0, 612.0)], *colour, 1.6);
        drawing.text((left + 20.0, 616.0), *says, SMALL, QUIET, Anchor::Start);
    }
    drawing
}

fn graph(drawing: &mut Drawing, document: &Value, centre: Point) {
    let (people, companies) = (records(document, "people"), records(document, "companies"));
    let mut places: Vec<(&str, Point)> = Vec::new();
    for (at, person) in people.iter().enumerate() {
        let (x, y) = turn(at, people.len());
        places.push((text(person, "id"), (centre.0 + 168.0 * x, centre.1 + 98.0 * y)));
    }
    for (at, company) in companies.iter().enumerate() {
        let (x, y) = if companies.len() == 1 { (0.0, 0.0) } else { turn(at, companies.len()) };
        places.push((text(company, "id"), (centre.0 + 62.0 * x, centre.1 + 34.0 * y)));
    }
    let place = |id: &str| places.iter().find(|(other, _)| *other == id).map(|(_, point)| *point);
    for (list, from, to, colour) in [
        ("employment", "person", "company", QUIET),
        ("acquaintance", "source", "target", GREEN),
        ("partnership", "source", "target", ORANGE),
    ] {
        for link in records(document, list) {
            if let (Some(from), Some(to)) = (place(text(link, from)), place(text(link, to))) {
                arrow(drawing, from, to, colour);
            }
        }
    }
    for (record, (id, (x, y))) in people.iter().chain(&companies).zip(&places) {
        let person = record.get("title").is_some();
        let colour = if person { BLUE } else { VERMILION };
        drawing.disc((*x, *y), 9.0, if person { SKY } else { PAPER }, colour, 2.0);
        let above = *y < centre.1 - 1.0;
        let (first, second) = if above { (y - 28.0, y - 15.0) } else { (y + 23.0, y + 36.0) };
        let what = format!("{}, {}", text(record, "name"), text(record, if person { "title" } else { "industry" }));
        drawing.text((*x, if above { first } else { second }), what, SMALL, INK, Anchor::Middle);
        drawing.bold((*x, if above { second } else { first }), *id, SMALL, colour, Anchor::Middle);
    }
}

fn records<'v>(document: &'v Value, list: &str) -> Vec<&'v Value> {
    document.get(list).and_then(Value::as_array).map(|records| records.iter().collect()).unwrap_or_default()
}

fn text<'v>(record: &'v Value, key: &str) -> &'v str {
    record.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Points of a regular polygon, by halving and rotating: no trigonometry, whose last digits differ between platforms.
fn turn(at: usize, count: usize) -> Point {
    // Cosine and sine of 360 degrees / count to ten digits, for the sizes that are drawn.
    let (cos, sin) = match count {
        1 | 2 => (-1.0, 0.0),
        3 => (-0.5, 0.866_025_403_8),
        4 => (0.0, 1.0),
        5 => (0.309_016_994_4, 0.951_056_516_3),
        6 => (0.5, 0.866_025_403_8),
        7 => (0.623_489_801_9, 0.781_831_482_5),
        8 => (0.707_106_781_2, 0.707_106_781_2),
        9 => (0.766_044_443_1, 0.642_787_609_7),
        _ => (0.809_016_994_4, 0.587_785_252_3),
    };
    // The first is upper left, so that two stand side by side.
    let (mut x, mut y) = if count == 2 { (-1.0, 0.0) } else { (-0.707, -0.707) };
    for _ in 0..at {
        (x, y) = (x * cos - y * sin, x * sin + y * cos);
    }
    (x, y)
}

fn arrow(drawing: &mut Drawing, from: Point, to: Point, colour: Colour) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt().max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let start = (from.0 + 10.0 * ux, from.1 + 10.0 * uy);
    let tip = (to.0 - 11.0 * ux, to.1 - 11.0 * uy);
    let back = (tip.0 - 8.0 * ux, tip.1 - 8.0 * uy);
    drawing.line([start, back], colour, 1.6);
    drawing.area([tip, (back.0 - 4.0 * uy, back.1 + 4.0 * ux), (back.0 + 4.0 * uy, back.1 - 4.0 * ux)], colour, 1.0);
}
