//! Visitors against the perfect machine.

use serde_json::json;

use super::driver::{Browser, browser};

/// Plays a game at random by clicking, and tells how it ended and how it went.
const GAME: &str = r"
const [seed, done] = arguments;
let state = seed;
const random = (n) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % n; };
const over = () => document.querySelector('#status').textContent.startsWith('The game is over');
const mine = () => document.querySelector('a[data-move]') !== null;
const until = (test) => new Promise((resolve) => {
  const look = () => test() ? resolve() : setTimeout(look, 2);
  look();
});
(async () => {
  await until(() => over() || mine());
  while (!over()) {
    const places = [...document.querySelectorAll('a[data-move]')];
    const before = location.href;
    places[random(places.length)].click();
    await until(() => location.href !== before && (over() || mine()));
  }
  done([document.querySelector('#status').textContent, document.querySelector('#moves').textContent]);
})();";

fn visitor_never_wins(page: &Browser, path: &str, games: u64) {
    for game in 0..games {
        let (side, machine) = if game % 2 == 0 { ("first", 'O') } else { ("second", 'X') };
        page.open_url(&page.server.url(&format!("{path}?hints=off&level=perfect&side={side}")));
        let told = page.script_until_done(GAME, vec![json!(game * 7919 + 1)]);
        let result = told[0].as_str().unwrap();
        let expected =
            [format!("The game is over: {machine} wins."), "The game is over: a draw.".into()];
        assert!(expected.iter().any(|e| e == result), "{result} after {}", told[1]);
    }
}

#[test]
fn nobody_wins_at_tic_tac_toe() {
    let Some(page) = browser() else { return };
    visitor_never_wins(&page, "/ttt", 200);
}

#[test]
fn nobody_wins_at_connect_four() {
    let Some(page) = browser() else { return };
    visitor_never_wins(&page, "/connect4", 20);
}
