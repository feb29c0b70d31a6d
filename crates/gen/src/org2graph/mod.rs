//! Org2Graph: a small made-up organisation as a graph, and a paragraph that says exactly that (paper section IV-A).
//!
//! People and companies are records with ids; employment, acquaintance and partnership are links that refer to them. How hard it
//! is to tell records apart is a dial: a fraction of them are *twins*, equal in every scored attribute, which only their links
//! tell apart. Values are words, or opaque codes under a legend that the paragraph never shows.
//!
//! An instance is a function of (parameters, seed, index), whatever was made before it. Each knob draws from a stream of its
//! own ([`crate::streams`]), so variants that differ in one knob share all the rest: the coded variant of a seed is the plain
//! one with codes in the place of words.
//!
//! | room | what |
//! |---|---|
//! | [`params`] | the knobs, their limits, the published variants |
//! | [`vocabulary`] | names, codebooks and sentences, and the proof that they can be read back |
//! | [`legend`] | words to values |
//! | [`graph`] | the gold |
//! | [`sample`] | drawing one |
//! | [`text`] | saying it |
//! | [`read`] | and reading it back |
//! | [`schemas`] | the two schemas, and the shape that operators go by |
//!
//! Making an instance is linear in the number of sentences, but for the pairs of records that may be linked.

pub mod graph;
pub mod legend;
pub mod params;
pub mod read;
mod sample;
pub mod schemas;
mod text;
pub mod vocabulary;

use crate::bounds::ParamsError;
use crate::corrupt::Shape;
use graph::Graph;
use legend::Legend;
use params::Params;
use serde::Serialize;
use std::sync::Arc;
use vocabulary::Vocabulary;

/// Makes instances of one set of parameters.
///
/// ```
/// use objalign_gen::org2graph::{Org2Graph, params::Params};
///
/// let generator = Org2Graph::new(Params::PN)?;
/// let instance = generator.instance(7, 0);
/// assert_eq!(generator.instance(7, 0).context, instance.context);
/// assert_eq!(instance.graph.to_value()["people"].as_array().unwrap().len(), instance.drawn.people as usize);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Org2Graph {
    params: Params,
    vocabulary: Arc<Vocabulary>,
    legend: Legend,
}

/// What was drawn for an instance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Drawn {
    /// The number of people.
    pub people: u32,
    /// The number of companies.
    pub companies: u32,
    /// The fraction of twins that was asked for, in [0, 1].
    pub twins: f64,
    /// How many people are twins: none, or two and more.
    pub people_twins: u32,
    /// How many companies are twins.
    pub company_twins: u32,
    /// The chance that two people were linked.
    pub acquaintance_density: f64,
    /// The chance that two companies were linked.
    pub partnership_density: f64,
}

/// One instance.
#[derive(Debug, Clone)]
pub struct Instance<'g> {
    /// The paragraph.
    pub context: String,
    /// What it says.
    pub graph: Graph<'g>,
    /// What was drawn for it.
    pub drawn: Drawn,
    /// What it is about, whatever the ids, the codes and the wording: equal for instances that are the same up to these.
    pub content: String,
}

impl Org2Graph {
    /// A generator with the words that come with the crate.
    ///
    /// # Errors
    ///
    /// A parameter is out of its range, or asks for more records than the words can tell apart.
    pub fn new(params: Params) -> Result<Self, ParamsError> {
        Self::with_vocabulary(params, Arc::clone(&vocabulary::BUILT_IN))
    }

    /// A generator with words of your own.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn with_vocabulary(params: Params, vocabulary: Arc<Vocabulary>) -> Result<Self, ParamsError> {
        params.check(&vocabulary)?;
        let legend = Legend::new(&vocabulary, &params);
        Ok(Self { params, vocabulary, legend })
    }

    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The words.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The values of the words.
    pub fn legend(&self) -> &Legend {
        &self.legend
    }

    /// The shape that operators go by.
    pub fn shape(&self) -> Shape {
        schemas::shape(self)
    }

    /// Instance `index` of the data set of `seed`.
    pub fn instance(&self, seed: u64, index: u64) -> Instance<'_> {
        let sample = sample::draw(self, seed, index);
        let context = text::render(&self.vocabulary, &sample, &self.params, seed, index);
        Instance {
            context,
            graph: sample.graph(&self.vocabulary, &self.legend),
            drawn: sample.drawn,
            content: sample.content(&self.vocabulary),
        }
    }
}
