//! Visitors against the perfect machine.

use serde_json::json;

use super::driver::{Browser, browser};

/// Plays games at random by clicking, and tells of each how it ended and how it went.
const GAMES: &str = r"
const [seed, games, done] = arguments;
let state = seed;
const random = (n) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % n; };
const over = () => document.querySelector('#status').textContent.startsWith('The game is over');
// Not the address: a browser ignores changes of it that follow each other too quickly.
const page = () => document.querySelector('#state');
const mine = () => document.querySelector('a[data-move]') !== null;
const until = (test) => new Promise((resolve) => {
  const look = () => test() ? resolve() : setTimeout(look, 2);
  look();
});
(async () => {
  const played = [];
  while (played.length < games) {
    await until(() => over() || mine());
    while (!over()) {
      const places = [...document.querySelectorAll('a[data-move]')];
      const before = page();
      places[random(places.length)].click();
      await until(() => page() !== before && (over() || mine()));
    }
    const moves = document.querySelector('#moves').textContent;
    played.push([document.querySelector('#status').textContent, moves]);
    const before = page();
    document.querySelector('#new').click();
    await until(() => page() !== before && !over());
  }
  done(played);
})();";

fn visitor_never_wins(page: &Browser, path: &str, games: usize) {
    for (side, machine) in [("first", 'O'), ("second", 'X')] {
        page.open_url(&page.url(&format!("{path}?hints=off&level=perfect&side={side}")));
        let told = page.script_until_done(GAMES, vec![json!(machine as u32), json!(games / 2)]);
        let told = told.as_array().unwrap();
        assert_eq!(told.len(), games / 2);
        for game in told {
            let result = game[0].as_str().unwrap();
            let fair = result == format!("The game is over: {machine} wins.")
                || result == "The game is over: a draw.";
            assert!(fair, "{result} after {}", game[1]);
        }
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
