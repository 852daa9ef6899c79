//! Visits to the explorer.

use serde_json::json;

use super::driver::{Browser, browser};

fn play(page: &Browser, moves: &str) {
    for m in moves.chars() {
        page.click(&format!("a[data-move=\"{m}\"]"));
    }
}

#[test]
fn whole_games_end_as_they_should() {
    let Some(page) = browser() else { return };
    for (path, moves, said) in [
        ("/ttt", "14253", "The game is over: X wins."),
        ("/ttt", "142576", "The game is over: O wins."),
        ("/ttt", "159287364", "The game is over: a draw."),
        ("/connect4?hints=off", "1212121", "The game is over: X wins."),
        ("/connect4?hints=off", "12121232", "The game is over: O wins."),
        ("/connect4?size=3x3&line=3", "121221333", "The game is over: a draw."),
    ] {
        page.open(path);
        play(&page, moves);
        assert_eq!(page.text("#status"), said, "{path} {moves}");
        assert_eq!(page.text("#moves"), moves);
        assert_eq!(
            page.script("return document.querySelectorAll('a[data-move]').length", vec![]),
            0
        );
        let winning = page.script("return document.querySelectorAll('.winning').length", vec![]);
        assert_eq!(winning.as_u64().unwrap() >= 3, said.contains("wins"), "{path} {moves}");
    }
}

#[test]
fn a_registered_game_is_played_move_by_move() {
    let Some(page) = browser() else { return };
    page.open("/");
    page.click("#games a[href$=\"/game/nim\"]");
    page.open("/game/nim?position=1,2");
    page.until("document.querySelector('#status').textContent.includes('best is 2-1')");
    page.click("a[data-move=\"2-1\"]");
    page.click("a[data-move=\"1-1\"]");
    page.press("u");
    page.until("document.querySelectorAll('a[data-move]').length === 2");
    page.press("r");
    page.click("a[data-move=\"2-1\"]");
    page.until("document.querySelector('#status').textContent.includes('the first player wins')");
    assert!(page.address().ends_with("/game/nim?position=1%2C2&moves=2-1%2C1-1%2C2-1"));
    page.back();
    page.until("document.querySelectorAll('a[data-move]').length === 1");
    // A stone is moved by clicks on the board: its square, which shows where it can go, and another.
    page.open("/game/dao?hints=off");
    page.click("#board tr:nth-child(4) td:nth-child(1)");
    page.until("document.querySelectorAll('.chosen').length === 1");
    page.until("document.querySelectorAll('.target').length === 2");
    page.click("#board tr:nth-child(4) td:nth-child(3)");
    page.until("location.href.includes('moves=a1c1')");
    // Moves that are numbers are keys.
    page.open("/game/pong");
    page.until("document.querySelectorAll('.branches .v-draw').length === 2");
    page.press("4");
    page.until("location.href.endsWith('/game/pong?moves=4')");
}

#[test]
fn undo_redo_and_addresses_lead_back() {
    let Some(page) = browser() else { return };
    page.open("/ttt");
    play(&page, "159");
    assert_eq!(page.text("#moves"), "159");
    page.click("#undo");
    page.click("#undo");
    assert_eq!(page.text("#moves"), "1");
    page.click("#redo");
    assert_eq!(page.text("#moves"), "15");
    let board = page.text("#board");
    let address = page.address();
    assert!(address.ends_with("/ttt?moves=159&at=2"), "{address}");
    page.open("/connect4?moves=44444326435");
    page.open_url(&address);
    page.filled();
    assert_eq!(page.text("#board"), board);
    page.click("#redo");
    assert_eq!(page.text("#moves"), "159");
    page.back();
    page.until("document.querySelector('#moves').textContent === '15'");
    page.filled();
    // Another move replaces those that were taken back.
    play(&page, "3");
    assert_eq!(page.text("#moves"), "153");
    page.click("#flip");
    assert!(page.address().contains("side=second"));
    assert!(page.text("#graph h2").ends_with("for O"));
    page.click("#record a");
    assert_eq!(page.text("#moves"), "");
    page.click("#variation li:last-child a");
    assert!(page.text("#status").contains("The game is over: a draw"));
    page.click("#new");
    assert!(page.address().ends_with("/ttt?side=second"), "{}", page.address());
}

#[test]
fn keys_alone_play_a_game() {
    let Some(page) = browser() else { return };
    page.open("/ttt");
    for key in ["5", "1", "u", "r", "9"] {
        page.press(key);
    }
    assert_eq!(page.text("#moves"), "519");
    // From the cell that the first arrow focuses, along the free cells.
    page.press("\u{e015}");
    page.press("\u{e014}");
    page.press("\u{e007}");
    assert_eq!(page.text("#moves").len(), 4, "{}", page.text("#moves"));
    page.press("n");
    assert_eq!(page.text("#moves"), "");
    page.open("/connect4?hints=off");
    page.press("4");
    page.press("4");
    assert_eq!(page.text("#moves"), "44");
    page.press("\u{e014}");
    page.press("\u{e014}");
    page.press("\u{e007}");
    assert_eq!(page.text("#moves"), "442");
    // The focus stays on the column that was played.
    let focused = page.script("return document.activeElement.dataset.move", vec![]);
    assert_eq!(focused, json!("2"));
}

#[test]
fn positions_are_set_up_by_text() {
    let Some(page) = browser() else { return };
    page.open("/ttt");
    let paste = |text: &str| {
        page.script(
            "document.querySelector('#paste textarea').value = arguments[0]",
            vec![json!(text)],
        );
        page.click("#paste button");
    };
    paste("1524");
    assert_eq!(page.text("#moves"), "1524");
    paste("X.O/.X./..O");
    assert!(page.text("#status").starts_with("X to move"), "{}", page.text("#status"));
    assert_eq!(page.text("#moves").len(), 4);
    paste("112");
    assert!(
        page.text("#error").contains("move 2 ('1', character 2): cell 1 is taken"),
        "{}",
        page.text("#error")
    );
    paste("XX./.../...");
    assert!(page.text("#error").contains("X has 2 stones and O 0"), "{}", page.text("#error"));
    paste("<script>alert(1)</script>");
    assert!(!page.text("#error").is_empty());
    page.open("/connect4?hints=off");
    paste("4444444");
    assert!(page.text("#error").contains("column 4 is full"), "{}", page.text("#error"));
    paste("......./......./......./......./...O.../..OXX..");
    assert!(page.text("#status").starts_with("X to move"), "{}", page.text("#status"));
}

#[test]
fn positions_are_set_up_on_the_board() {
    let Some(page) = browser() else { return };
    page.open("/ttt?moves=5");
    page.click("#tab-setup");
    page.click("#edit");
    let cell = |n: u32| {
        format!("#board tr:nth-child({}) td:nth-child({}) button", n.div_ceil(3), (n + 2) % 3 + 1)
    };
    // A click puts X, another O, a third nothing.
    page.click(&cell(1));
    page.click(&cell(1));
    page.click(&cell(9));
    assert_eq!(
        page.script("return document.querySelector('#paste textarea').value", vec![]),
        json!("O../.X./..X")
    );
    page.click("#paste button[type=submit]");
    page.filled();
    assert!(page.text("#status").starts_with("O to move"), "{}", page.text("#status"));
    assert!(page.address().contains("moves="), "{}", page.address());
    // By the keyboard; an unreachable board is refused like a typed one, and can be edited
    // further.
    page.click("#tab-setup");
    page.click("#edit");
    page.press("\u{e014}");
    page.press("x");
    page.click("#paste button[type=submit]");
    page.until("document.querySelector('#error')");
    assert!(page.text("#error").contains("X has 3 stones and O 1"), "{}", page.text("#error"));
    page.until("document.querySelector('.editing')");
    page.press("\u{e014}");
    page.press("\u{e017}");
    page.click("#paste button[type=submit]");
    page.until("!document.querySelector('.editing')");
    page.filled();
    assert!(page.text("#status").starts_with("O to move"), "{}", page.text("#status"));
    // Stones fall: a floating one is refused.
    page.open("/connect4?hints=off");
    page.click("#tab-setup");
    page.click("#edit");
    page.click("#board tbody tr:nth-child(6) td:nth-child(4) button");
    page.click("#paste button[type=submit]");
    page.filled();
    assert_eq!(page.text("#moves"), "4");
    page.click("#tab-setup");
    page.click("#edit");
    page.click("#board tbody tr:nth-child(2) td:nth-child(4) button");
    page.click("#edit");
    assert_eq!(page.text("#moves"), "4");
    // Six lines, as other programs print a board.
    page.script(
        "document.querySelector('#paste textarea').value = arguments[0]",
        vec![json!(". . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . O . . .\n. . . X . . .")],
    );
    page.click("#paste button");
    page.until("document.querySelector('#moves')?.textContent === '44'");
}

#[test]
fn values_can_be_hidden() {
    let Some(page) = browser() else { return };
    page.open("/ttt?moves=1524");
    page.script(
        "const hints = document.querySelector('select[name=hints]'); hints.value = 'off';\
         hints.dispatchEvent(new Event('change', { bubbles: true }))",
        vec![],
    );
    page.until("!document.querySelector('#graph')");
    page.filled();
    assert_eq!(page.text("a[data-move] .value"), "");
    assert_eq!(page.text("#status"), "X to move.");
}
