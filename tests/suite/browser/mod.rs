//! The explorer in a real browser. These tests need Chromium and its driver, so `cargo test`
//! skips them; `.ci/run` sets EVERYPLY_BROWSER_TESTS=1 and runs them.

mod driver;
mod explorer;
mod keys;
mod looks;
mod machine;
mod panels;
mod web_driver;
