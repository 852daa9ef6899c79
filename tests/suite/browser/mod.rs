//! The explorer in a real browser. These tests need Chromium and its driver, so `cargo test`
//! skips them; `.ci/run` sets EVERYPLY_BROWSER_TESTS=1 and runs them with pages of `analyze
//! serve`, and `static_home` with a plain file server if EVERYPLY_SITE names the folder of
//! `tools/site`.

mod driver;
mod explorer;
mod keys;
mod looks;
mod panels;
mod site;
mod static_home;
mod web_driver;
