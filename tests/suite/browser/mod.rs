//! The explorer in a real browser. These tests need Chromium and its driver, so `cargo test`
//! skips them; `.ci/run` sets EVERYPLY_BROWSER_TESTS=1 and runs them: with pages of `analyze serve`,
//! and where EVERYPLY_SITE names what `tools/site` wrote, with those of a plain file server.

mod driver;
mod explorer;
mod keys;
mod looks;
mod machine;
mod panels;
mod site;
mod static_home;
mod times;
mod web_driver;
