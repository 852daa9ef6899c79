//! Keys, clicks and choices, and the notices for those without effect.

use serde_json::json;

use super::driver::browser;

#[test]
fn the_focus_stays_on_the_board() {
    let Some(page) = browser() else { return };
    let focus = |selector: &str| {
        page.script("document.querySelector(arguments[0]).focus()", vec![json!(selector)]);
    };
    let on_board = || {
        let script = "const at = document.activeElement; return !!at.closest('#board')";
        page.script(script, vec![]) == json!(true)
    };
    // While the machine moves nothing can be played; a second Enter plays after that.
    for (path, place) in [("/ttt?level=perfect", "5"), ("/connect4?level=beginner", "4")] {
        page.open(path);
        focus(&format!("a[data-move=\"{place}\"]"));
        for played in [2, 4] {
            page.press("\u{e007}");
            page.until(&format!("document.querySelector('#moves').textContent.length >= {played}"));
            page.filled();
            assert!(on_board(), "{path} after {}", page.text("#moves"));
        }
    }
    // The game ends; Enter does nothing to it.
    page.open("/ttt?moves=1425");
    focus("a[data-move=\"3\"]");
    page.press("\u{e007}");
    assert!(page.text("#status").contains("X wins") && on_board(), "{}", page.text("#status"));
    page.press("\u{e007}");
    assert_eq!(page.text("#moves"), "14253");
}

#[test]
fn what_cannot_be_played_is_said_aloud() {
    let Some(page) = browser() else { return };
    let said = |text: &str| {
        let expression = format!("document.querySelector('#notice').textContent === '{text}'");
        page.until(&expression);
    };
    page.open("/ttt?moves=15");
    page.press("5");
    said("cell 5 is taken");
    page.click("td[data-place=\"1\"]");
    said("cell 1 is taken");
    assert_eq!(page.text("#moves"), "15");
    page.press("2");
    assert_eq!(page.text("#notice"), "", "it was played");
    page.open("/connect4?size=4x4&moves=2222");
    page.press("2");
    said("column 2 is full");
    page.press("7");
    said("there is no column 7 on the board");
    page.click("tbody tr:last-child td[data-place=\"2\"]");
    said("column 2 is full");
    page.open("/ttt?moves=14253");
    page.press("9");
    said("cell 9: the game is over");
    page.open("/game/pong");
    page.press("9");
    said("there is no move 9 here: choose one of those below");
}

#[test]
fn undo_against_the_machine_gives_the_visitor_the_move() {
    let Some(page) = browser() else { return };
    page.open("/ttt?level=perfect");
    for m in ["1", "9"] {
        page.click(&format!("a[data-move=\"{m}\"]"));
        page.until("document.querySelector('a[data-move]')");
        page.filled();
    }
    assert_eq!(page.text("#moves").len(), 4);
    page.click("#undo");
    assert_eq!(page.text("#moves").len(), 2);
    assert!(page.text("#status").starts_with("X to move"), "{}", page.text("#status"));
    page.click("#undo");
    assert_eq!(page.text("#moves"), "");
    page.click("a[data-move=\"5\"]");
    page.until("document.querySelector('#moves')?.textContent.length === 2");
    // Choices apply as they are made.
    page.open("/ttt");
    page.script(
        "const level = document.querySelector('select[name=level]'); level.value = 'casual';\
         level.dispatchEvent(new Event('change', { bubbles: true }))",
        vec![],
    );
    page.until("location.href.includes('level=casual')");
    assert_eq!(page.text("#options button"), "");
}
