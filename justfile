# Shorthands; every recipe is one command that can be typed without just (`cargo install just`).

# List the recipes.
default:
    @just --list

# Reproduce the intrinsic study of the paper, from nothing to figures: results/intrinsic/report.html
reproduce-intrinsic *FLAGS:
    cargo run --release -- reproduce intrinsic {{ FLAGS }}

# Reproduce the study of Structure-Content Decomposition: results/scd/report.html
reproduce-scd *FLAGS:
    cargo run --release -- reproduce scd {{ FLAGS }}

# Score a file of pairs: just score examples/pairs.jsonl
score FILE *FLAGS:
    cargo run --release -- score --pairs {{ FILE }} {{ FLAGS }}

# Say what to change: just feedback examples/invoice.jsonc examples/invoice.gold.json examples/invoice.pred.json
feedback SCHEMA GOLD PRED *FLAGS:
    cargo run --release -- feedback --schema {{ SCHEMA }} {{ GOLD }} {{ PRED }} {{ FLAGS }}

# Make a data set: just generate org2graph --config configs/org2graph-pn.toml --out data/pn
generate KIND *FLAGS:
    cargo run --release -- generate {{ KIND }} {{ FLAGS }}

# Run all tests.
test:
    cargo test --workspace

# What has to pass before a change goes in: formatting, lints, tests.
ci:
    .ci/run

# Compare the scores of a file of conformance rows with the expected ones.
conformance FILE:
    cargo run --release -p objalign-core --example conformance -- {{ FILE }}

# Measure what one row costs.
bench:
    cargo bench -p objalign-gen
