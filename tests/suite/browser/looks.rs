//! The look of pages, and their accessibility.

use serde_json::{Value, json};

use super::driver::{Browser, browser};

const PAGES: [(&str, &str); 11] = [
    ("home", "/"),
    ("ttt", "/ttt?moves=1524"),
    ("connect4", "/connect4?moves=44444326435"),
    ("over", "/connect4?moves=1212121"),
    ("large", "/ttt?size=10x4&line=4&hints=off&moves=1,2"),
    ("error", "/ttt?moves=11"),
    ("machine", "/ttt?level=casual&moves=1524"),
    ("edges", "/game/dots?size=2x2&moves=1,2"),
    ("endless", "/game/pong"),
    ("nowhere", "/foo"),
    ("wide", "/connect4?size=10x8&line=4&moves=4,5&hints=off"),
];

fn no_overflow(page: &Browser, what: &str) {
    let sizes = page.script(
        "const root = document.documentElement; return [root.scrollWidth, root.clientWidth]",
        vec![],
    );
    assert_eq!(sizes[0], sizes[1], "{what} is wider than the screen");
}

#[test]
fn pages_fit_phones_and_desks_by_day_and_night() {
    let Some(page) = browser() else { return };
    for dark in [false, true] {
        page.dark(dark);
        for (name, width, height) in [("narrow", 360, 740), ("wide", 1200, 1000)] {
            page.size(width, height);
            for (title, path) in PAGES {
                page.open(path);
                let name = format!("{title}-{name}-{}", if dark { "dark" } else { "light" });
                no_overflow(&page, &name);
            }
        }
    }
    let colour = "return getComputedStyle(document.body).backgroundColor";
    let night = page.script(colour, vec![]);
    page.dark(false);
    assert_ne!(page.script(colour, vec![]), night);
}

#[test]
fn the_first_load_is_small_and_comes_from_here_alone() {
    let Some(page) = browser() else { return };
    for (_, path) in PAGES {
        page.open(path);
        let loaded = page.script(
            "const all = [...performance.getEntriesByType('navigation'), \
             ...performance.getEntriesByType('resource')];\
             return [all.map(entry => entry.name), all.reduce((sum, entry) => \
             sum + entry.encodedBodySize + 300, 0)]",
            vec![],
        );
        let here = page.server.url("/");
        for name in loaded[0].as_array().unwrap() {
            assert!(name.as_str().unwrap().starts_with(&here), "{path} loads {name}");
        }
        let bytes = loaded[1].as_u64().unwrap();
        assert!((1_000..200_000).contains(&bytes), "{path}: {bytes} bytes");
    }
}

/// The accessibility engine as `.ci/run` installs it; without it the check is skipped.
fn engine() -> Option<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let usual = root.join("target/axe/node_modules/axe-core/axe.min.js");
    let path = std::env::var_os("EVERYPLY_AXE").map_or(usual, Into::into);
    match std::fs::read_to_string(&path) {
        Ok(engine) => Some(engine),
        Err(_) => {
            use std::io::Write;
            let path = path.display();
            let _ = writeln!(
                std::io::stderr(),
                "skipped: the accessibility check; {path} is missing (npm install axe-core)"
            );
            None
        }
    }
}

/// Serious findings on the page that is open.
pub fn findings(page: &Browser, engine: &str) -> Vec<Value> {
    page.script(&format!("{engine}; window.axe = axe;"), vec![]);
    let told = page.script_until_done(
        "const done = arguments[0]; axe.run(document, { resultTypes: ['violations'] })\
         .then(result => done(result.violations.map(v => [v.impact, v.id, v.nodes.map(n => n.html)])))\
         .catch(error => done([['critical', String(error), []]]))",
        vec![],
    );
    let serious = |finding: &Value| finding[0] == "serious" || finding[0] == "critical";
    told.as_array().unwrap().iter().filter(|finding| serious(finding)).cloned().collect()
}

#[test]
fn an_accessibility_check_finds_nothing_serious() {
    let Some(page) = browser() else { return };
    let Some(engine) = engine() else { return };
    for dark in [false, true] {
        page.dark(dark);
        for (name, path) in PAGES {
            page.open(path);
            assert_eq!(json!(findings(&page, &engine)), json!([]), "{name}, dark: {dark}");
        }
    }
}

#[test]
fn reports_open_from_disk_on_any_screen_and_print() {
    let Some(page) = browser() else { return };
    let place = crate::support::Place::new();
    crate::report::written(&place);
    page.open_url(&format!("file://{}", place.path("report.html").display()));
    let engine = engine();
    for dark in [false, true] {
        page.dark(dark);
        for (name, width) in [("narrow", 360), ("wide", 1280)] {
            page.size(width, 2400);
            let name = format!("report-{name}-{}", if dark { "dark" } else { "light" });
            no_overflow(&page, &name);
            assert_eq!(page.script(CUT, vec![]), json!([]), "{name}: what is cut");
        }
        if let Some(engine) = &engine {
            assert_eq!(json!(findings(&page, engine)), json!([]), "report, dark: {dark}");
        }
    }
    page.dark(false);
    assert!(page.printed().as_str().unwrap().starts_with("JVBER"), "base64 of %PDF");

    let place = crate::support::Place::new();
    place.run("ttt").success();
    place.run("report everyply.db").success();
    page.open_url(&format!("file://{}", place.path("report.html").display()));
    let pages = page.script(
        "return atob(arguments[0]).match(/\\/Type\\s*\\/Page[^s]/g).length",
        vec![page.printed()],
    );
    let pages = pages.as_u64().unwrap();
    assert!((1..4).contains(&pages), "{pages} printed pages");
}

/// Pictures that a wide screen does not show whole (on a phone, charts scroll so that their letters
/// can be read), and pictures and tables that end outside of a scrolling box. All tables are opened
/// first.
const CUT: &str = "document.querySelectorAll('details').forEach(table => table.open = true);\
    const width = document.documentElement.clientWidth;\
    const outside = node => node.getBoundingClientRect().right > width + 1;\
    const pictures = width < 640 ? [] : [...document.querySelectorAll('svg')].filter(svg => outside(svg) ||\
        svg.getBoundingClientRect().right > svg.parentElement.getBoundingClientRect().right + 1);\
    const boxes = [...document.querySelectorAll('.scroll')].filter(outside);\
    return [...pictures, ...boxes].map(node => node.closest('figure').id)";
