//! Times of the page, as `benches/page.md` holds them: printed, not asserted.

#![expect(clippy::print_stdout, reason = "the times are what these are for")]

use serde_json::{Value, json};

use super::driver::{Browser, browser};

/// Notes on every page when all values stand on the board, and when all panels are filled.
const WATCH: &str = "self.times = {};\
    const watch = () => {\
        const { valued, ready } = document.querySelector('#state')?.dataset || {};\
        if (valued) times.valued ??= performance.now();\
        if (ready) times.ready ??= performance.now();\
        setTimeout(watch, 1);\
    };\
    watch();";

/// Clicks on a move; the milliseconds until all values of the next position stand on the board.
const CLICK: &str = "const [column, done] = arguments, from = performance.now();\
    document.querySelector(`a[data-move='${column}']`).click();\
    self.times = {};\
    const told = () => times.valued ? done(times.valued - from) : setTimeout(told, 1);\
    setTimeout(told, 1);";

/// Presses Stop; the milliseconds until the page has the answer of another question.
const STOP: &str = "const [done] = arguments, from = performance.now();\
    document.querySelector('#search').click();\
    fetch('#/ttt').then(() => done(performance.now() - from));";

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn number(told: &Value) -> f64 {
    told.as_f64().unwrap_or_else(|| panic!("{told}"))
}

/// Loads an address some times, and prints when its values and panels were there.
fn loads(page: &Browser, name: &str, address: &str) {
    let (mut valued, mut ready) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        page.open_url(&page.url(address));
        page.until("self.times.ready");
        let times = page.script("return self.times", vec![]);
        valued.push(number(&times["valued"]));
        ready.push(number(&times["ready"]));
    }
    println!("{name}: values {:.0} ms, panels {:.0} ms", median(valued), median(ready));
}

/// Clicks through a game, and prints the median of the times and the longest.
fn clicks(page: &Browser, name: &str, start: &str, columns: &str) {
    page.open(start);
    let click = |column: char| page.script_until_done(CLICK, vec![json!(column.to_string())]);
    let times: Vec<f64> = columns
        .chars()
        .map(|column| {
            let time = number(&click(column));
            page.filled();
            time
        })
        .collect();
    let longest = times.iter().copied().fold(0.0, f64::max);
    println!(
        "{name}: {} clicks, median {:.0} ms, longest {longest:.0} ms",
        times.len(),
        median(times)
    );
}

#[test]
#[ignore = "prints times; two minutes"]
fn times_of_the_page() {
    let page = browser().expect("EVERYPLY_BROWSER_TESTS=1");
    page.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": WATCH }));
    page.open_url(&page.url("/connect4"));
    page.until("self.times.ready");
    let first = page.script("return self.times", vec![]);
    println!("first visit of 7x6: {first}");
    loads(&page, "7x6 again", "/connect4");
    loads(&page, "tic-tac-toe", "/ttt");
    loads(&page, "14 stones", "/connect4?moves=44444226221561");
    clicks(&page, "opening", "/connect4", "444444225226");
    clicks(&page, "from 14 stones", "/connect4?moves=44444226221561", "115332");
    let stops = (0..5).map(|_| {
        page.open_url(&page.url("/connect4?size=8x8"));
        page.until("document.querySelector('#search') && document.querySelector('.bound')");
        number(&page.script_until_done(STOP, vec![]))
    });
    println!("stop: {:.0} ms", median(stops.collect()));
}
