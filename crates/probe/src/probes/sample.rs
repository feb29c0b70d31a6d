//! Rows in their golds, and the estimates that are wanted of them.
//!
//! Estimates over the same golds are made from the same resamples, in one go; so questions are collected first and
//! answered together.

use super::figure::Figure;
use crate::statistics::Weighted;
use crate::statistics::auroc::{self, Auroc};
use crate::statistics::bca::Bootstrap;
use crate::statistics::kendall::{self, TauB};
use crate::statistics::mean::{Mean, Spread};
use crate::statistics::spearman::{self, Spearman};
use crate::statistics::{Lanes, Undefined};
use std::collections::BTreeMap;

const CONSTANT: &str = "one of the columns has a single value: 0 by convention";

/// Rows of some golds: only golds that have rows are resampled.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    golds: Vec<u32>,
    /// For each row the place of its gold in `golds`.
    groups: Vec<u32>,
}

impl Sample {
    /// `rows` are the golds of the rows.
    pub(super) fn new(rows: impl IntoIterator<Item = u32>) -> Self {
        let rows: Vec<u32> = rows.into_iter().collect();
        let mut golds = rows.clone();
        golds.sort_unstable();
        golds.dedup();
        let groups = rows.iter().filter_map(|gold| golds.binary_search(gold).ok()).map(|at| at as u32).collect();
        Self { golds, groups }
    }
}

/// Which question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ticket(usize);

/// Questions that wait for their answers.
#[derive(Default)]
pub(super) struct Questions {
    asked: Vec<Asked>,
}

enum Asked {
    /// What is known without resampling.
    Answered(Figure),
    Open {
        golds: Vec<u32>,
        statistic: Box<dyn Weighted>,
        note: Option<&'static str>,
    },
}

impl Questions {
    pub(super) fn mean(&mut self, sample: &Sample, values: &[f64]) -> Ticket {
        if values.is_empty() {
            return self.answered(Figure::none(Undefined::Empty));
        }
        self.open(sample, Mean::new(values, &sample.groups, sample.golds.len()), None)
    }

    pub(super) fn spread(&mut self, sample: &Sample, values: &[f64]) -> Ticket {
        if values.len() < 2 {
            return self.answered(Figure::none("a spread takes two rows or more"));
        }
        self.open(sample, Spread::new(values, &sample.groups, sample.golds.len()), None)
    }

    pub(super) fn auroc(&mut self, sample: &Sample, scores: &[f64], clean: &[bool]) -> Ticket {
        match auroc::auroc(scores, clean) {
            Err(why) => self.answered(Figure::none(why)),
            Ok(_) => self.open(sample, Auroc::new(scores, clean, &sample.groups), None),
        }
    }

    pub(super) fn spearman(&mut self, sample: &Sample, scores: &[f64], doses: &[f64]) -> Ticket {
        self.correlation(sample, spearman::spearman(scores, doses), || Spearman::new(scores, doses, &sample.groups))
    }

    pub(super) fn tau_b(&mut self, sample: &Sample, scores: &[f64], doses: &[f64]) -> Ticket {
        self.correlation(sample, kendall::tau_b(scores, doses), || TauB::new(scores, doses, &sample.groups))
    }

    /// One scorer's area less another's, over the same rows.
    pub(super) fn auroc_difference(&mut self, sample: &Sample, scores: [&[f64]; 2], clean: &[bool]) -> Ticket {
        match auroc::auroc(scores[0], clean) {
            Err(why) => self.answered(Figure::none(why)),
            Ok(_) => {
                let of = |scores| Auroc::new(scores, clean, &sample.groups);
                self.open(sample, Difference(of(scores[0]), of(scores[1])), None)
            }
        }
    }

    /// One scorer's correlation with the dose less another's, over the same rows.
    pub(super) fn spearman_difference(&mut self, sample: &Sample, scores: [&[f64]; 2], doses: &[f64]) -> Ticket {
        let of = |scores| Spearman::new(scores, doses, &sample.groups);
        self.open(sample, Difference(of(scores[0]), of(scores[1])), None)
    }

    fn correlation<S: Weighted + 'static>(
        &mut self,
        sample: &Sample,
        value: Result<f64, Undefined>,
        statistic: impl FnOnce() -> S,
    ) -> Ticket {
        match value {
            Ok(_) => self.open(sample, statistic(), None),
            Err(Undefined::Constant) => self.open(sample, statistic(), Some(CONSTANT)),
            Err(why) => self.answered(Figure::none(why)),
        }
    }

    pub(super) fn answered(&mut self, figure: Figure) -> Ticket {
        self.asked.push(Asked::Answered(figure));
        Ticket(self.asked.len() - 1)
    }

    fn open(&mut self, sample: &Sample, statistic: impl Weighted + 'static, note: Option<&'static str>) -> Ticket {
        self.asked.push(Asked::Open { golds: sample.golds.clone(), statistic: Box::new(statistic), note });
        Ticket(self.asked.len() - 1)
    }

    pub(super) fn answer(self, bootstrap: Bootstrap) -> Answers {
        let mut by_golds: BTreeMap<&[u32], Vec<usize>> = BTreeMap::new();
        for (at, asked) in self.asked.iter().enumerate() {
            if let Asked::Open { golds, .. } = asked {
                by_golds.entry(golds).or_default().push(at);
            }
        }
        let mut figures: Vec<Figure> = Vec::with_capacity(self.asked.len());
        for asked in &self.asked {
            figures.push(match asked {
                Asked::Answered(figure) => figure.clone(),
                Asked::Open { .. } => Figure::none(Undefined::Empty),
            });
        }
        for (golds, questions) in by_golds {
            let statistics: Vec<(usize, &dyn Weighted, Option<&str>)> = questions
                .iter()
                .filter_map(|&at| match &self.asked[at] {
                    Asked::Open { statistic, note, .. } => Some((at, &**statistic, *note)),
                    Asked::Answered(_) => None,
                })
                .collect();
            let asked: Vec<&dyn Weighted> = statistics.iter().map(|question| question.1).collect();
            for ((at, _, note), estimate) in statistics.into_iter().zip(bootstrap.estimates(golds.len(), &asked)) {
                let figure = Figure::from(estimate);
                figures[at] = match note {
                    Some(note) => figure.noted(note),
                    None => figure,
                };
            }
        }
        Answers { figures }
    }
}

/// The answers.
pub(super) struct Answers {
    figures: Vec<Figure>,
}

impl Answers {
    pub(super) fn get(&self, ticket: Ticket) -> Figure {
        self.figures[ticket.0].clone()
    }
}

/// Of two statistics of the same rows, the first less the second.
struct Difference<S>(S, S);

impl<S: Weighted> Weighted for Difference<S> {
    fn evaluate(&self, times: &[Lanes]) -> Lanes {
        let (first, second) = (self.0.evaluate(times), self.1.evaluate(times));
        std::array::from_fn(|lane| first[lane] - second[lane])
    }
}
