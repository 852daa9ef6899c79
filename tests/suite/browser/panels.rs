//! The panels around the board, and the preview of a move.

use std::time::{Duration, Instant};

use serde_json::json;

use super::driver::browser;

/// The rows of the moves by result, as text.
const ROWS: &str = "return [...document.querySelectorAll('#values tbody tr')].map(row => \
                    row.textContent.replace(/\\s+/g, ' ').trim())";

#[test]
fn a_ghost_shows_the_move_and_its_value() {
    let Some(page) = browser() else { return };
    page.open("/connect4?moves=4444432");
    page.script("document.querySelector('a[data-move=\"1\"]').focus()", vec![]);
    let ghost = "#board tbody tr:last-child td[data-place=\"1\"] .ghost";
    let value = page.text("a[data-move=\"1\"] .value");
    assert!(!value.is_empty() && page.text(ghost) == value, "{} {value}", page.text(ghost));
    // Under the pointer, anywhere in the column, and only there.
    page.script(
        "document.querySelector('#board tbody tr td[data-place=\"4\"]')\
         .dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))",
        vec![],
    );
    let ghosts = "return [...document.querySelectorAll('.ghost')].map(g => \
                  [g.dataset.landing, g.classList.contains('o')])";
    assert_eq!(page.script(ghosts, vec![]), json!([["4", true]]));
    // A mark shows where a best move would land.
    let marked =
        "return [...document.querySelectorAll('.landing.best')].map(g => g.dataset.landing)";
    let best = "return [...document.querySelectorAll('a.best')].map(a => a.dataset.move)";
    let marked = page.script(marked, vec![]);
    assert!(marked == page.script(best, vec![]) && marked != json!([]), "{marked}");
}

#[test]
fn moves_are_grouped_by_result_with_scores() {
    let Some(page) = browser() else { return };
    page.open("/connect4");
    assert_eq!(
        page.script(ROWS, vec![]),
        json!([
            "win: 1 move",
            "4 ★ bestwin in 41 plies for X+1",
            "draw: 2 moves",
            "3draw in 42 plies0",
            "5draw in 42 plies0",
            "loss: 4 moves",
            "2loss in 42 plies for X-1",
            "6loss in 42 plies for X-1",
            "1loss in 40 plies for X-2",
            "7loss in 40 plies for X-2"
        ])
    );
    page.click("#values tbody a");
    assert_eq!(page.text("#moves"), "4");
    page.open("/ttt?moves=15");
    assert!(page.text("#values").contains("draw in 7 plies"), "{}", page.text("#values"));
}

#[test]
fn the_graph_says_who_erred_and_leads_there() {
    let Some(page) = browser() else { return };
    page.open("/ttt?moves=15247");
    assert_eq!(
        page.script("return document.querySelectorAll('#graph circle.mistake').length", vec![]),
        json!(2)
    );
    assert_eq!(
        page.text("#errors li.mistake"),
        "O's 2nd move, 4: draw in 6 plies \u{2192} loss in 2 plies"
    );
    assert!(page.text("#axis").contains("the sooner the game ends"), "{}", page.text("#axis"));
    page.click("#errors li.mistake a");
    assert_eq!(page.text("#moves"), "1524");
    // Anywhere in the graph, not only on the points.
    page.script(
        "document.querySelectorAll('#graph .hit')[2]\
         .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))",
        vec![],
    );
    page.until("document.querySelector('#moves').textContent === '15'");
    assert!(page.address().ends_with("/ttt?moves=15247&at=2"), "{}", page.address());
}

#[test]
fn a_game_that_is_over_ends_with_its_lesson() {
    let Some(page) = browser() else { return };
    for (moves, lesson) in
        [("14253", "O's 1st move, 4, lost a draw. Play again from there"), ("159287364", "")]
    {
        page.open(&format!("/ttt?moves={moves}"));
        assert_eq!(page.text("#lesson"), lesson);
        // It is shown first.
        let shown = "return document.querySelector('.tab.shown').id";
        assert_eq!(page.script(shown, vec![]), json!("panel-game"));
    }
    page.open("/ttt?moves=14253");
    page.click("#lesson a");
    page.until("document.querySelector('#moves').textContent === '1'");
}

#[test]
fn best_play_is_walked_step_by_step() {
    let Some(page) = browser() else { return };
    page.open("/connect4?moves=44455554221");
    page.click("#on");
    assert_eq!(page.text("#moves").len(), 12);
    page.press("k");
    assert!(page.text("#status").starts_with("The game is over"), "{}", page.text("#status"));
    page.press("j");
    assert_eq!(page.text("#moves").len(), 12);
    page.press("e");
    assert_eq!(page.text("#moves").len(), 13);
    assert_eq!(
        page.text("#record li:last-child a"),
        format!("X {}", page.text("#moves").chars().last().unwrap())
    );
}

#[test]
fn the_first_page_shows_a_board() {
    let Some(page) = browser() else { return };
    page.open("/");
    assert!(
        page.text("#status").contains("win in 41 plies for X; best is 4"),
        "{}",
        page.text("#status")
    );
    page.click("a[data-move=\"4\"]");
    assert!(page.address().ends_with("/connect4?moves=4"), "{}", page.address());
}

#[test]
fn a_long_search_says_something_of_every_move_and_is_stopped_and_continued() {
    let Some(page) = browser() else { return };
    let all = |text: &str| {
        format!(
            "document.querySelector('a[data-move] .value') && \
             [...document.querySelectorAll('a[data-move] .value')].every(value => /{text}/.test(value.textContent))"
        )
    };
    for path in ["/connect4?size=8x8", "/ttt?size=10x4&line=4"] {
        page.open_url(&page.url(path));
        let begun = Instant::now();
        page.until(&all(r"open to \d+"));
        assert!(begun.elapsed() < Duration::from_secs(4), "{path}: {:?}", begun.elapsed());
        let coloured =
            "return document.querySelectorAll('a[data-move]:is(.v-win, .v-draw, .v-loss)').length";
        assert_eq!(page.script(coloured, vec![]), json!(0), "no bound looks like a value");
        page.until(r"/^Stop \(\d+ s\)$/.test(document.querySelector('#search')?.textContent)");
        page.script("document.querySelector('#search').click()", vec![]);
        assert_eq!(page.text("#status"), "Stopped.");
        assert_eq!(page.text("#why"), "Stopped.");
        assert!(page.text("#search").starts_with("Go on ("), "{}", page.text("#search"));
        page.until(&all(r"open to \d+"));
        page.script("document.querySelector('#search').click()", vec![]);
        page.until("/^Stop/.test(document.querySelector('#search').textContent)");
        // Time is up: the panels show what is known, and nothing is searched again.
        page.until("document.querySelector('#state[data-ready]')");
        assert!(page.text("#status").contains("; no win in less than"), "{}", page.text("#status"));
        assert!(page.text("#values").contains("not solved within the time limit"));
        assert!(page.text("#search").starts_with("Go on ("), "{}", page.text("#search"));
        page.script("document.querySelector('a[data-move=\"1\"]').click()", vec![]);
        page.until("document.querySelector('#moves')?.textContent.startsWith('1')");
        assert_eq!(page.text("#search"), "", "another position, another search");
    }
}

#[test]
fn a_move_shows_what_it_leads_to_before_it_is_made() {
    let Some(page) = browser() else { return };
    page.open("/game/pong");
    let stones = || page.script("return document.querySelectorAll('#board .stone').length", vec![]);
    page.script("document.querySelector('a[data-move=\"4\"]').focus()", vec![]);
    assert_eq!(page.text("#after"), "After 4: draw by endless play");
    assert_eq!(stones(), json!(4));
    assert_eq!(page.text("#board tr:nth-child(2)"), "X");
    page.script("document.querySelector('#board').focus()", vec![]);
    assert_eq!(page.text("#board tr:nth-child(2)"), "");
}

#[test]
fn a_plan_is_drawn_and_leads_on() {
    let Some(page) = browser() else { return };
    page.open("/connect4?moves=444444");
    assert!(page.text("#why").contains("leads to one in 19 plies"), "{}", page.text("#why"));
    page.click("#why a");
    page.until("document.querySelector('#why').textContent.includes('X has a plan from here on.')");
    assert_eq!(page.text("#moves"), "4444443265555532333226762");
    let marks = "return ['taken', 'gets', 'wins'].map(kind => \
                 document.querySelectorAll(`#why .marks .${kind}`).length)";
    let marks = page.script(marks, vec![]);
    assert!(marks[0] == json!(25) && marks[2] == json!(1), "{marks}");
    // A sentence highlights the cells that it names, and no others.
    let lit = "const named = [...document.querySelectorAll('#why li')].find(li => /[a-g][1-6]/.test(li.textContent));\
               named.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));\
               const names = new Set(named.textContent.match(/\\b[a-g][1-6]\\b/g));\
               return [names.size, document.querySelectorAll('#board .lit').length]";
    let lit = page.script(lit, vec![]);
    assert!(lit[0] == lit[1] && lit[0] != json!(0), "{lit}");
    page.open("/ttt?moves=1259");
    assert!(page.text("#why").contains("is a fork: it threatens"), "{}", page.text("#why"));
}
