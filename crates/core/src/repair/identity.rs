//! Which record of the candidate stands for which of the gold, and under which identifier.
