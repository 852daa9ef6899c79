//! The explorer without a server: its answers equal those of the server, and no search blocks it.

use serde_json::{Value, json};

use super::driver::browser_of_site;
use super::site::TRAP;

/// Asks the page for an address as its script does. The second argument is called with the status
/// and the text.
const ASK: &str = "const [address, done] = arguments; fetch('#' + address)\
                   .then(async answer => done([answer.status, await answer.text()]));";

/// Requests the first address, aborts the request after a fifth of a second without an answer, and
/// requests the second. Returns whether the first was aborted, the status of the second, and the
/// milliseconds from the end of the first to the answer of the second.
const ABORT: &str = "const [long, short, done] = arguments; (async () => {\
    const stop = new AbortController(), waits = new AbortController();\
    const names = [];\
    const read = async (reader) => { while (!(await reader.read()).done); };\
    const ask = (signal) => fetch('#' + long, { signal })\
        .then(answer => read(answer.body.getReader())).catch(error => names.push(error.name));\
    const running = ask(stop.signal), waiting = ask(waits.signal);\
    waits.abort(); await waiting;\
    let stopped;\
    setTimeout(() => { stopped = performance.now(); stop.abort(); }, 200); await running;\
    const answer = await fetch('#' + short);\
    done([names, answer.status, performance.now() - stopped]);\
    })();";

/// Addresses of all kinds of pages and documents.
fn addresses() -> Vec<String> {
    let mut all: Vec<String> = [
        "/",
        "/nothing",
        "/api/v1/nothing",
        "/api/v1/games",
        "/strategy",
        "/connect4?moves=9",
        "/connect4?size=9x7&hints=off",
        "/ttt?paste=1524",
        "/ttt?paste=11",
        "/part/values?game=connect4&size=6x5&moves=3",
        "/part/nothing",
        "/api/v1/position?game=connect4&board=XX",
        "/solve?pos=44",
    ]
    .map(str::to_owned)
    .to_vec();
    for game in ["nim", "hexapawn", "dots", "pong", "notakto"] {
        all.push(format!("/game/{game}"));
        all.push(format!("/api/v1/position?game={game}"));
        for part in ["values", "line", "graph", "why"] {
            all.push(format!("/part/{part}?game={game}"));
        }
    }
    for moves in ["", "15", "1524", "15247"] {
        for part in ["values", "line", "graph", "why"] {
            all.push(format!("/part/{part}?game=ttt&moves={moves}"));
        }
        all.push(format!("/api/v1/game?game=ttt&moves={moves}"));
    }
    for moves in ["4444", "444444", "44455554221", "1122334455", "4444443265555532333226762"] {
        all.push(format!("/connect4?moves={moves}"));
        for part in ["values", "line", "graph"] {
            all.push(format!("/part/{part}?game=connect4&moves={moves}"));
        }
        for document in ["position", "watch", "reply"] {
            all.push(format!("/api/v1/{document}?game=connect4&moves={moves}"));
        }
    }
    all
}

/// A text without the parts that depend on the speed of the machine: times, nodes, threads, and
/// bounds of unfinished searches.
fn settled(text: &str) -> String {
    let mut lines = Vec::new();
    let documents = match serde_json::from_str(text) {
        Ok(document) => Some(vec![document]),
        Err(_) => text.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>().ok(),
    };
    let Some(documents) = documents else { return text.to_owned() };
    for mut document in documents {
        without_speed(&mut document);
        if document.get("bounds").is_none() {
            lines.push(document.to_string());
        }
    }
    lines.sort();
    lines.join("\n")
}

fn without_speed(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| {
                !["elapsed_s", "threads", "nodes", "table_fill"]
                    .iter()
                    .any(|part| name.contains(part))
            });
            fields.values_mut().for_each(without_speed);
        }
        Value::Array(values) => values.iter_mut().for_each(without_speed),
        _ => {}
    }
}

#[test]
fn answers_are_those_of_the_server() {
    let Some(page) = browser_of_site() else { return };
    page.open("/");
    let addresses = addresses();
    assert!(addresses.len() > 90, "{}", addresses.len());
    for address in addresses {
        let (mut status, mut body) = page.server.get(&address);
        if status == 303 {
            (status, body) = page.server.get("/ttt?moves=1524");
        }
        let told = page.script_until_done(ASK, vec![json!(address)]);
        assert_eq!(told[0], json!(status), "{address}: {told}");
        // Links lead to fragments.
        let text = told[1].as_str().unwrap().replace("=\"#/", "=\"/");
        assert_eq!(settled(&text), settled(&body), "{address}");
    }
}

#[test]
fn a_strategy_is_walked() {
    let Some(page) = browser_of_site() else { return };
    page.open("/strategy");
    if page.text("h1").contains("no such page") {
        // The site was made without strategies.
        return;
    }
    let first = page.address();
    page.click("a[data-move]");
    assert!(page.address().contains("#/strategy/"), "{}", page.address());
    assert!(page.text("#status").contains(" played "), "{}", page.text("#status"));
    page.click("#new");
    assert_eq!(page.address(), first);
    // A link to a position of the walk opens there.
    page.open("/strategy/1");
    assert!(page.text("#record").contains('1'), "{}", page.text("#record"));
}

#[test]
fn a_search_is_ended_and_one_that_waits_never_begins() {
    let Some(page) = browser_of_site() else { return };
    page.open("/ttt");
    let long = "/api/v1/watch?game=connect4&size=10x8&timeout=600";
    let told = page.script_until_done(ABORT, vec![json!(long), json!("/ttt?moves=5")]);
    assert_eq!((&told[0], &told[1]), (&json!(["AbortError", "AbortError"]), &json!(200)));
    // A fifth of a second on a quiet machine.
    let waited = told[2].as_f64().unwrap();
    assert!(waited < 1_000.0, "{waited} ms until the next answer");
    // A move does the same.
    page.open_url(&page.url("/connect4?size=9x7&line=4"));
    page.until("document.querySelector('a[data-move]')");
    page.script("location.hash = '#/ttt?moves=1'", vec![]);
    page.until("document.querySelector('#moves')?.textContent === '1'");
    page.filled();
}

/// From the second visit on the page and its worker share memory.
#[test]
fn a_stopped_search_keeps_its_worker() {
    let Some(page) = browser_of_site() else { return };
    let ready = "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done(true))";
    page.open("/");
    page.script_until_done(ready, vec![]);
    let count = "self.made = 0; const Real = Worker; self.Worker = class extends Real { \
                 constructor(...all) { super(...all); self.made += 1; } };";
    page.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": count }));
    page.open_url(&page.url("/connect4?size=8x8"));
    assert_eq!(page.script("return crossOriginIsolated", vec![]), json!(true));
    // The spare worker too is there.
    page.until(
        "self.made === 2 && document.querySelector('#search') && document.querySelector('.bound')",
    );
    page.script("self.from = performance.now(); document.querySelector('#search').click()", vec![]);
    let waited = page.script_until_done(
        "const done = arguments[0]; fetch('#/ttt').then(() => done(performance.now() - self.from))",
        vec![],
    );
    assert!(waited.as_f64().unwrap() < 1_000.0, "{waited} ms until the next answer");
    page.until("document.querySelector('#search').textContent.startsWith('Go on')");
    page.script("document.querySelector('#search').click()", vec![]);
    page.until("document.querySelector('#search').textContent.startsWith('Stop')");
    assert_eq!(page.script("return self.made", vec![]), json!(2));
}

#[test]
fn a_module_that_fails_is_started_again() {
    let Some(page) = browser_of_site() else { return };
    page.open("/ttt");
    let told = page.script_until_done(ASK, vec![json!(TRAP)]);
    assert_eq!(told[0], json!(500));
    assert!(told[1].as_str().unwrap().contains("report this"), "{told}");
    let told = page.script_until_done(ASK, vec![json!("/api/v1/games")]);
    assert_eq!(told[0], json!(200));
}

#[test]
fn the_page_works_without_a_network_after_the_first_visit() {
    let Some(page) = browser_of_site() else { return };
    page.open("/");
    page.script_until_done(
        "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done(true))",
        vec![],
    );
    page.site.as_ref().unwrap().cut();
    page.open("/connect4?moves=44");
    assert!(page.text("#status").contains("X to move: "), "{}", page.text("#status"));
    page.click("a[data-move=\"4\"]");
    assert_eq!(page.text("#moves"), "444");
}
