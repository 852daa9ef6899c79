# Shorthands; `just` lists them. Everything works without just, too.

default:
    @just --list

# The complete tic-tac-toe tree
ttt *args:
    cargo run --release -- ttt {{args}}

# The tests
test:
    cargo test --release

# The slow suites as well
test-all:
    cargo test --release -- --include-ignored

# The explorer in a browser; needs chromium and chromedriver
test-browser:
    EVERYPLY_BROWSER_TESTS=1 cargo test --release --test suite browser::

# Formatting, lints and documentation, as CI checks them
check:
    cargo fmt --all -- --check
    cargo clippy --all-targets --all-features -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --all-features

# Everything CI does
ci:
    .ci/run

# Node-count signature and rates
bench:
    cargo run --release -- bench

# Statistics for single engines
criterion *args:
    cargo bench {{args}}

# Fuzz one target (moves, picture, database, interchange); needs cargo-fuzz
fuzz target:
    cargo fuzz run {{target}}
