//! A graph and its copy under other identifiers, drawn as graphs: the same shape, other names.
//!
//! People stand to the left, companies to the right, both in the order of the gold's records, which the copy keeps. Links of one
//! side bend towards the middle, so that no line crosses a text.

use super::drawing::{Anchor, Colour, Drawing, Point, SIZE, SMALL, WIDTH};
use super::palette::{BLUE, GREEN, INK, ORANGE, PAPER, PURPLE, QUIET, VERMILION};
use serde_json::Value;

/// How far apart records stand.
const STEP: f64 = 52.0;
/// Where the columns are.
const PEOPLE: f64 = 176.0;
const COMPANIES: f64 = 318.0;

/// `scores` are what the copy scores, by scorer.
pub fn graphs(name: &str, caption: &str, gold: &Value, copy: &Value, scores: &[(String, f64)]) -> Drawing {
    let rows = ["people", "companies"].map(|list| records(gold, list).len()).into_iter().max().unwrap_or_default();
    let height = 44.0 + STEP * rows as f64;
    let mut drawing = Drawing::new(name, caption, WIDTH, (2.0 * height + 60.0) as u32);
    for (document, title, top) in [(gold, "gold", 0.0), (copy, "candidate: a copy under other identifiers", height)] {
        drawing.bold((12.0, top + 18.0), title, SIZE, INK, Anchor::Start);
        graph(&mut drawing, document, (top + 52.0, rows));
    }
    let bottom = 2.0 * height + 16.0;
    drawing.text((12.0, bottom), "The copy scores", SIZE, INK, Anchor::Start);
    let mut left = 128.0;
    for (at, (scorer, score)) in scores.iter().enumerate() {
        let text = format!("{} {score:.3}", super::palette::title(scorer));
        let room = 14.0 + 9.0 * text.chars().count() as f64;
        drawing.bold((left, bottom), text, SIZE, super::palette::of_scorer(scorer, at), Anchor::Start);
        left += room;
    }
    let mut left = 12.0;
    for (colour, says) in [(QUIET, "employment"), (GREEN, "acquaintance"), (PURPLE, "partnership")] {
        drawing.line([(left, bottom + 20.0), (left + 16.0, bottom + 20.0)], colour, 1.6);
        drawing.text((left + 20.0, bottom + 24.5), says, SMALL, QUIET, Anchor::Start);
        left += 34.0 + 6.9 * says.chars().count() as f64;
    }
    drawing.disc((left + 6.0, bottom + 20.0), 5.0, ORANGE, INK, 1.2);
    drawing.text((left + 16.0, bottom + 24.5), "equal attributes", SMALL, QUIET, Anchor::Start);
    drawing
}

fn graph(drawing: &mut Drawing, document: &Value, (top, rows): (f64, usize)) {
    let lists = [("people", "title", PEOPLE, BLUE), ("companies", "industry", COMPANIES, VERMILION)];
    let mut places: Vec<(&str, Point)> = Vec::new();
    for (list, _, x, _) in lists {
        let records = records(document, list);
        let first = top + STEP * (rows - records.len()) as f64 / 2.0;
        places
            .extend(records.iter().enumerate().map(|(at, record)| (text(record, "id"), (x, first + STEP * at as f64))));
    }
    let place = |id: &str| places.iter().find(|(other, _)| *other == id).map(|(_, point)| *point);
    for (list, from, to, colour, bend) in [
        ("employment", "person", "company", QUIET, 0.0),
        ("acquaintance", "source", "target", GREEN, 1.0),
        ("partnership", "source", "target", PURPLE, -1.0),
    ] {
        for link in records(document, list) {
            if let (Some(from), Some(to)) = (place(text(link, from)), place(text(link, to))) {
                arrow(drawing, from, to, bend, colour);
            }
        }
    }
    for (list, category, x, colour) in lists {
        let records = records(document, list);
        let (side, anchor) = if x < 240.0 { (x - 16.0, Anchor::End) } else { (x + 16.0, Anchor::Start) };
        for record in &records {
            let Some((x, y)) = place(text(record, "id")) else { continue };
            let same = |other: &&&Value| ["name", category].iter().all(|key| other.get(key) == record.get(key));
            let twin = records.iter().filter(same).count() > 1;
            drawing.disc((x, y), 9.0, if twin { ORANGE } else { PAPER }, colour, 2.0);
            drawing.bold((side, y - 9.0), text(record, "id"), SMALL, colour, anchor);
            drawing.text((side, y + 5.0), text(record, "name"), SMALL, INK, anchor);
            drawing.text((side, y + 19.0), text(record, category), SMALL, QUIET, anchor);
        }
    }
}

fn records<'v>(document: &'v Value, list: &str) -> Vec<&'v Value> {
    document.get(list).and_then(Value::as_array).map(|records| records.iter().collect()).unwrap_or_default()
}

fn text<'v>(record: &'v Value, key: &str) -> &'v str {
    record.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A line that bends to the right (1), to the left (-1) or not at all (0), the more the longer it is.
fn arrow(drawing: &mut Drawing, from: Point, to: Point, bend: f64, colour: Colour) {
    let length = |(x, y): Point| (x * x + y * y).sqrt().max(1e-9);
    let apart = length((to.0 - from.0, to.1 - from.1));
    let control = (f64::midpoint(from.0, to.0) + bend * (16.0 + 0.32 * apart), f64::midpoint(from.1, to.1));
    let along = |t: f64| {
        let [a, b, c] = [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t];
        (a * from.0 + b * control.0 + c * to.0, a * from.1 + b * control.1 + c * to.1)
    };
    // The tip touches the disc; the line ends where the head begins.
    let unit = |(x, y): Point| (x / length((x, y)), y / length((x, y)));
    let (ux, uy) = unit((to.0 - control.0, to.1 - control.1));
    let tip = (to.0 - 11.0 * ux, to.1 - 11.0 * uy);
    let back = (tip.0 - 8.0 * ux, tip.1 - 8.0 * uy);
    let outside = |point: &Point| {
        length((point.0 - from.0, point.1 - from.1)) > 10.0 && length((point.0 - to.0, point.1 - to.1)) > 19.0
    };
    let mut points: Vec<Point> = (0..=24).map(|at| along(f64::from(at) / 24.0)).filter(outside).collect();
    points.push(back);
    if points.len() > 1 {
        drawing.line(points, colour, 1.6);
    }
    drawing.area([tip, (back.0 - 4.0 * uy, back.1 + 4.0 * ux), (back.0 + 4.0 * uy, back.1 - 4.0 * ux)], colour, 1.0);
}
