# Shorthands for common commands; `just` lists them. Everything also works without just.

default:
    @just --list

# The complete tic-tac-toe tree
ttt *args:
    cargo run --release -- ttt {{args}}

# The tests
test:
    cargo test --release

# All tests, the slow suites included
test-all:
    cargo test --release -- --include-ignored

# The example of a game of your own: just own treblecross --size 7x1
own *args:
    cargo run --release --example your_game -- {{args}}

# The explorer in a browser; needs chromium and chromedriver
test-browser:
    EVERYPLY_BROWSER_TESTS=1 cargo test --release --test suite browser::

# The explorer as static files in target/site; `just site --fetch` brings what is missing on Debian
site *args:
    tools/site {{args}}

# The static files in a browser: just site, then this; needs chromium and chromedriver
test-site:
    EVERYPLY_SITE=target/site cargo test --release --test suite browser::static_home

# The tests of the Python package, in an environment of its own: just python -k solver
python *args:
    python3 -m venv target/python
    target/python/bin/pip install --quiet './python[test]'
    cd python && ../target/python/bin/python -m pytest {{args}}

# Formatting, lints and documentation, as CI checks them
check:
    cargo fmt --all -- --check
    cargo clippy --all-targets --all-features -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --all-features

# The core and each feature alone, warnings denied
features:
    cargo clippy -p everyply -p everyply-core -p everyply-connect-four -p everyply-results --no-default-features --lib --tests -- -D warnings
    for feature in cli registry page database web report parquet book solutions mcp; do \
        cargo clippy -p everyply --no-default-features --features $feature -- -D warnings || exit 1; done

# Licences, sources and known faults of the crates (deny.toml); needs cargo-deny and a network
deny:
    cargo deny --locked check

# Lists of all crates in CycloneDX format, in target/sbom; needs cargo-cyclonedx
sbom:
    tools/sbom

# Build times of each crate: target/timings/cargo-timings/cargo-timing.html
timings:
    cargo build --release --timings --target-dir target/timings

# Tests of code with manual memory access, under AddressSanitizer; needs a nightly toolchain
asan:
    RUSTFLAGS=-Zsanitizer=address CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0 \
        ASAN_OPTIONS=allocator_may_return_null=1 cargo +nightly test --lib \
        --no-default-features --features database --target x86_64-unknown-linux-gnu \
        --target-dir target/asan -- \
        database:: disk:: reading:: search::table search::huge_pages profiles:: \
        solver::table solver::tests::together exhaustive::layer

# The book of docs/ in target/docs, with the explorer if `just site` was run, and a run of its commands
docs:
    cargo build --release
    python3 -m venv target/python
    target/python/bin/pip install --quiet './python[test]' -r tools/docs/requirements.txt
    target/python/bin/mkdocs build
    target/python/bin/python -m pytest -q tools/docs

# The book and the explorer under one address, in target/docs; `just pages --fetch` on a bare Debian
pages *args:
    tools/site {{args}}
    just docs

# Everything CI does
ci:
    .ci/run

# Node-count signature and rates
bench:
    cargo run --release -- bench

# Instructions of fixed commands and calls of hot functions against those expected; needs valgrind, binutils
instructions *args:
    cargo build --release
    tools/instructions.py {{args}}
    tools/calls.py

# Statistics for single engines
criterion *args:
    cargo bench -p everyply-benches {{args}}

# Fuzz targets of the test suite, some seconds each
fuzz seconds="60":
    EVERYPLY_FUZZ_SECONDS={{seconds}} cargo test --release --test suite fuzz -- --test-threads=16
