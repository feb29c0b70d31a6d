//! How far around two vertices their surroundings look the same.
//!
//! Colour refinement round by round, on two graphs at once: after k rounds two vertices have the same mark when no walk of k
//! steps tells them apart. Stable colours say only whether surroundings agree for ever; in graphs that differ somewhere,
//! the number of rounds says how far away that is.
//!
//! A round that parts no more vertices than the one before is the last that is computed: all later ones would part the same.
//!
//! **Cost.** O(rounds (V + E) log), for the rounds until nothing changes. Marks are 64-bit hashes: a collision makes two vertices look alike for longer than they
//! are, never the other way round. Use them to rank, not to decide.

use super::digraph::Graph;
use super::refine::mix;

/// The marks of every vertex of both graphs after 0, 1, ... rounds.
#[derive(Debug)]
pub(crate) struct Rounds {
    first: Vec<Vec<u64>>,
    second: Vec<Vec<u64>>,
    /// The agreement of what never differs: all rounds that were asked for, and the start.
    always: u32,
}

impl Rounds {
    pub(crate) fn new(first: &Graph, second: &Graph, rounds: usize) -> Self {
        let start = |graph: &Graph| vec![graph.colours().iter().map(|&colour| u64::from(colour)).collect::<Vec<u64>>()];
        let mut all = Self { first: start(first), second: start(second), always: rounds as u32 + 1 };
        let mut parts = distinct(&all.first[0], &all.second[0]);
        for round in 0..rounds {
            let next = (step(first, &all.first[round]), step(second, &all.second[round]));
            let more = distinct(&next.0, &next.1);
            all.first.push(next.0);
            all.second.push(next.1);
            // Marks only ever part: as many as before are the same parts, and will be.
            if more == parts {
                break;
            }
            parts = more;
        }
        all
    }

    /// For how many rounds a vertex of the first graph and one of the second have the same marks.
    pub(crate) fn agreement(&self, first: u32, second: u32) -> u32 {
        let (mut agree, mut differ) = (0, self.first.len());
        while agree < differ {
            let middle = agree.midpoint(differ);
            if self.first[middle][first as usize] == self.second[middle][second as usize] {
                agree = middle + 1;
            } else {
                differ = middle;
            }
        }
        if agree == self.first.len() { self.always } else { agree as u32 }
    }
}

/// How many different marks there are.
fn distinct(first: &[u64], second: &[u64]) -> usize {
    let mut marks = [first, second].concat();
    marks.sort_unstable();
    marks.dedup();
    marks.len()
}

fn step(graph: &Graph, marks: &[u64]) -> Vec<u64> {
    let mut around: Vec<u64> = Vec::new();
    (0..graph.len() as u32)
        .map(|vertex| {
            around.clear();
            for (direction, arcs) in [(1, graph.outgoing(vertex)), (2, graph.incoming(vertex))] {
                around.extend(
                    arcs.iter().map(|&(label, other)| mix(mix(direction, u64::from(label)), marks[other as usize])),
                );
            }
            around.sort_unstable();
            around.iter().fold(mix(0, marks[vertex as usize]), |mark, &next| mix(mark, next))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::digraph::GraphBuilder;
    use super::*;

    #[test]
    fn agreement_is_the_distance_to_the_difference() {
        let path = |n: u32| {
            let mut builder = GraphBuilder::new(vec![0; n as usize]);
            for at in 1..n {
                builder.edge(at - 1, at, 0);
            }
            builder.build()
        };
        let rounds = Rounds::new(&path(5), &path(9), 8);
        // The third of five is two steps from its end; the third of nine six.
        assert_eq!(rounds.agreement(2, 2), 3);
        assert_eq!(rounds.agreement(0, 0), 5);
        assert_eq!(rounds.agreement(0, 1), 1);
    }

    #[test]
    fn what_never_differs_agrees_for_all_rounds() {
        let cycle = |n: u32| {
            let mut builder = GraphBuilder::new(vec![0; n as usize]);
            for at in 0..n {
                builder.edge(at, (at + 1) % n, 0);
            }
            builder.build()
        };
        // Stable from the start: one round is computed, and stands for all.
        let rounds = Rounds::new(&cycle(4), &cycle(7), 50);
        assert_eq!((rounds.first.len(), rounds.agreement(3, 6)), (2, 51));
    }
}
