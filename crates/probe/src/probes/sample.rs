//! Rows in their golds, and the estimates that are wanted of them.
//!
//! Estimates over the same golds are made from the same resamples, in one go; so questions are collected first and
//! answered together.

use super::figure::Figure;
use crate::statistics::Undefined;
use crate::statistics::Weighted;
use crate::statistics::auroc::{self, Auroc};
use crate::statistics::bca::Bootstrap;
use crate::statistics::kendall::{self, TauB};
use crate::statistics::mean::{Mean, Spread};
use crate::statistics::spearman::{self, Spearman};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::{BTreeMap, HashMap};

const CONSTANT: &str = "one of the columns has a single value: 0 by convention";

/// Rows of some golds: only golds that have rows are resampled.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    golds: Vec<u32>,
    /// For each row the place of its gold in `golds`.
    groups: Vec<u32>,
}

impl Sample {
    /// `rows` are the golds of the rows.
    pub(crate) fn new(rows: impl IntoIterator<Item = u32>) -> Self {
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
pub(crate) struct Ticket(usize);

/// Questions that wait for their answers.
#[derive(Default)]
pub(crate) struct Questions {
    asked: Vec<Asked>,
    /// The same of the same rows is asked more than once where a scorer makes no difference between two sweeps: a score that
    /// renaming cannot change has one column with and without.
    known: HashMap<Question, Ticket>,
}

/// What is asked of which columns, to the last bit.
#[derive(PartialEq, Eq, Hash)]
struct Question {
    statistic: &'static str,
    golds: Vec<u32>,
    groups: Vec<u32>,
    columns: [Vec<u64>; 2],
}

impl Question {
    fn new(statistic: &'static str, sample: &Sample, x: &[f64], y: &[f64]) -> Self {
        let bits = |column: &[f64]| column.iter().copied().map(f64::to_bits).collect();
        let (golds, groups) = (sample.golds.clone(), sample.groups.clone());
        Self { statistic, golds, groups, columns: [bits(x), bits(y)] }
    }
}

enum Asked {
    /// What is known without resampling.
    Answered(Figure),
    Open {
        golds: Vec<u32>,
        statistic: Box<dyn Weighted>,
        note: Option<&'static str>,
    },
    /// Of two questions, which are open.
    Difference {
        golds: Vec<u32>,
        first: usize,
        second: usize,
    },
}

impl Questions {
    pub(crate) fn mean(&mut self, sample: &Sample, values: &[f64]) -> Ticket {
        if values.is_empty() {
            return self.answered(Figure::none(Undefined::Empty));
        }
        self.once(Question::new("mean", sample, values, &[]), |questions| {
            questions.open(sample, Mean::new(values, &sample.groups, sample.golds.len()), None)
        })
    }

    pub(crate) fn spread(&mut self, sample: &Sample, values: &[f64]) -> Ticket {
        if values.len() < 2 {
            return self.answered(Figure::none("a spread takes two rows or more"));
        }
        self.open(sample, Spread::new(values, &sample.groups, sample.golds.len()), None)
    }

    pub(crate) fn auroc(&mut self, sample: &Sample, scores: &[f64], clean: &[bool]) -> Ticket {
        let classes: Vec<f64> = clean.iter().map(|&clean| f64::from(clean)).collect();
        self.once(Question::new("auroc", sample, scores, &classes), |questions| match auroc::auroc(scores, clean) {
            Err(why) => questions.answered(Figure::none(why)),
            Ok(_) => questions.open(sample, Auroc::new(scores, clean, &sample.groups), None),
        })
    }

    pub(crate) fn spearman(&mut self, sample: &Sample, scores: &[f64], doses: &[f64]) -> Ticket {
        self.once(Question::new("spearman", sample, scores, doses), |questions| {
            let statistic = || Spearman::new(scores, doses, &sample.groups);
            questions.correlation(sample, spearman::spearman(scores, doses), statistic)
        })
    }

    pub(crate) fn tau_b(&mut self, sample: &Sample, scores: &[f64], doses: &[f64]) -> Ticket {
        self.once(Question::new("tau_b", sample, scores, doses), |questions| {
            let statistic = || TauB::new(scores, doses, &sample.groups);
            questions.correlation(sample, kendall::tau_b(scores, doses), statistic)
        })
    }

    fn once(&mut self, question: Question, ask: impl FnOnce(&mut Self) -> Ticket) -> Ticket {
        if let Some(&ticket) = self.known.get(&question) {
            return ticket;
        }
        let ticket = ask(self);
        self.known.insert(question, ticket);
        ticket
    }

    /// The first answer less the second, on the same resamples.
    pub(crate) fn difference(&mut self, first: Ticket, second: Ticket) -> Ticket {
        let golds = |ticket: Ticket| match &self.asked[ticket.0] {
            Asked::Open { golds, .. } => Some(golds),
            _ => None,
        };
        let asked = match (golds(first), golds(second)) {
            (Some(these), Some(those)) if these == those => {
                Asked::Difference { golds: these.clone(), first: first.0, second: second.0 }
            }
            _ => Asked::Answered(Figure::none("one of the two has no value")),
        };
        self.asked.push(asked);
        Ticket(self.asked.len() - 1)
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

    pub(crate) fn answered(&mut self, figure: Figure) -> Ticket {
        self.asked.push(Asked::Answered(figure));
        Ticket(self.asked.len() - 1)
    }

    fn open(&mut self, sample: &Sample, statistic: impl Weighted + 'static, note: Option<&'static str>) -> Ticket {
        self.asked.push(Asked::Open { golds: sample.golds.clone(), statistic: Box::new(statistic), note });
        Ticket(self.asked.len() - 1)
    }

    pub(crate) fn answer(self, bootstrap: Bootstrap) -> Answers {
        let mut by_golds: BTreeMap<&[u32], Vec<usize>> = BTreeMap::new();
        for (at, asked) in self.asked.iter().enumerate() {
            if let Asked::Open { golds, .. } | Asked::Difference { golds, .. } = asked {
                by_golds.entry(golds).or_default().push(at);
            }
        }
        let mut figures: Vec<Figure> = Vec::with_capacity(self.asked.len());
        for asked in &self.asked {
            figures.push(match asked {
                Asked::Answered(figure) => figure.clone(),
                _ => Figure::none(Undefined::Empty),
            });
        }
        let answers: Vec<Vec<(usize, Figure)>> = by_golds
            .into_par_iter()
            .map(|(golds, questions)| self.answer_together(bootstrap, golds.len(), &questions))
            .collect();
        for (at, figure) in answers.into_iter().flatten() {
            figures[at] = figure;
        }
        Answers { figures }
    }

    /// Answers the questions at some places, all of the same golds: each with its place.
    fn answer_together(&self, bootstrap: Bootstrap, golds: usize, questions: &[usize]) -> Vec<(usize, Figure)> {
        let (mut places, mut statistics): (Vec<usize>, Vec<&dyn Weighted>) = (Vec::new(), Vec::new());
        for &at in questions {
            if let Asked::Open { statistic, .. } = &self.asked[at] {
                places.push(at);
                statistics.push(&**statistic);
            }
        }
        let mut differences = Vec::new();
        for &at in questions {
            if let Asked::Difference { first, second, .. } = &self.asked[at]
                && let (Ok(one), Ok(other)) = (places.binary_search(first), places.binary_search(second))
            {
                differences.push((at, (one, other)));
            }
        }
        places.extend(differences.iter().map(|(at, _)| *at));
        let pairs: Vec<(usize, usize)> = differences.iter().map(|(_, pair)| *pair).collect();
        let estimates = bootstrap.with_differences(golds, &statistics, &pairs);
        let figure = |(at, estimate)| match &self.asked[at] {
            Asked::Open { note: Some(note), .. } => (at, Figure::from(estimate).noted(note)),
            _ => (at, Figure::from(estimate)),
        };
        places.into_iter().zip(estimates).map(figure).collect()
    }
}

/// The answers.
pub(crate) struct Answers {
    figures: Vec<Figure>,
}

impl Answers {
    pub(crate) fn get(&self, ticket: Ticket) -> Figure {
        self.figures[ticket.0].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_question_is_answered_once() {
        let sample = Sample::new([0, 0, 1, 1]);
        let mut questions = Questions::default();
        let (scores, doses) = ([0.1, 0.2, 0.3, 0.5], [3.0, 2.0, 1.0, 0.0]);
        let first = questions.spearman(&sample, &scores, &doses);
        assert_eq!(questions.spearman(&sample, &scores, &doses), first);
        // Another statistic, another column, other golds: other questions.
        let others = [
            questions.tau_b(&sample, &scores, &doses),
            questions.spearman(&sample, &doses, &scores),
            questions.spearman(&Sample::new([0, 1, 0, 1]), &scores, &doses),
        ];
        assert!(others.iter().all(|other| *other != first));
    }
}
