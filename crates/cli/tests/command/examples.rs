//! The walk-through in `examples/org_chart`: every block of commands in its text gives what stands below.
