//! How a study goes on, told to whoever runs it: libraries have no clock and say nothing.

/// Is told how a study goes on.
pub trait Watch {
    /// A step begins, of so many units.
    fn begin(&mut self, step: &'static str, units: usize);
    /// A unit is done; `fresh` if it was up to date and not done again.
    fn unit(&mut self, name: &str, fresh: bool);
    /// The step is done.
    fn end(&mut self);
}

/// How long a step took; measured by whoever runs the study.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// The step.
    pub step: String,
    /// How many units it has.
    pub units: usize,
    /// How many of them were up to date.
    pub fresh: usize,
    /// Seconds.
    pub seconds: f64,
}
