//! From edits to operations: their order, and their paths at the moment of application.
