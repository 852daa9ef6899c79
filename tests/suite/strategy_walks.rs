//! Strategies in the explorer.

use everyply::connect_four::solver::Solver;
use everyply::connect_four::strategy::{Claim, MakeOptions, Side, Strategy, make, write};
use everyply::control::Control;
use everyply::games::line::Size;

use crate::server::Server;
use crate::support::Place;

/// A strategy of a board, and its file.
fn made(place: &Place, name: &str, boards: &[(u8, u8, Side, &str)]) -> Vec<Strategy> {
    let make = |(width, height, side, moves): &(u8, u8, Side, &str)| {
        let solver = Solver::new(Size::new(*width, *height, 4).unwrap(), 16).unwrap();
        let options = MakeOptions {
            claim: Claim { side: *side, at_least: 0 },
            moves: (*moves).to_owned(),
            improve_for: Some(std::time::Duration::ZERO),
            memory: 1 << 30,
        };
        make(&solver, &options, &Control::default(), |_| ()).unwrap()
    };
    let strategies: Vec<Strategy> = boards.iter().map(make).collect();
    write(&strategies, std::fs::File::create(place.path(name)).unwrap()).unwrap();
    strategies
}

/// The text between the first occurrences of two others.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no {after} in {rest}")).0
}

/// The addresses of the columns that can be played.
fn columns(page: &str) -> Vec<String> {
    let board = between(page, "<thead>", "</thead>");
    let links = board.split("href=\"").skip(1);
    links.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn a_strategy_is_walked_and_played_against() {
    let place = Place::new();
    let strategies = made(&place, "5x5.strategy", &[(5, 5, Side::First, "")]);
    let entries = strategies[0].positions.len();
    let server = Server::of(&[place.path("5x5.strategy")]);
    server.shows("/", &["<a href=\"/strategy\"><b>The first player does not lose on 5x5</b>"]);
    let settled = strategies[0].settled();
    let parts = [
        &format!("{entries} positions, {settled} of them settled by a plan"),
        "X played ",
        ": leads to a position of the strategy with ",
        "<h2>Every move of O</h2>",
        "class=\"place exit\"",
    ];
    let page = server.shows("/strategy", &parts);
    // The visitor plays games to their ends. Every link includes the follower's reply, and every
    // page has its reason.
    let (mut games, mut settled, mut planned) = (0, 0, 0);
    let mut open: Vec<String> = columns(&page);
    while let Some(address) = open.pop() {
        let (status, page) = server.get(&address);
        assert_eq!(status, 200, "{address}");
        assert!(!page.contains("outside the strategy"), "{page}");
        if page.contains("The game is over") {
            assert!(!page.contains("O wins"), "{address}");
            games += 1;
            continue;
        }
        let reasons = ["leads to a position", "blocks a line", "answers ", "completes a line"];
        let said = between(&page, "role=\"status\">", "</p>");
        assert!(reasons.iter().any(|reason| said.contains(reason)), "{said}");
        settled += usize::from(said.contains("settled, the plan answers every move"));
        planned += usize::from(page.contains("class=\"hole plan\""));
        // One move each, another one the longer the game.
        let all = columns(&page);
        open.push(all[address.len() % all.len()].clone());
    }
    assert!(games >= 3 && settled > games && planned >= settled, "{games} {settled} {planned}");
}

#[test]
fn a_game_that_leaves_the_strategy_is_named() {
    let place = Place::new();
    made(&place, "two.strategy", &[(5, 5, Side::First, ""), (5, 4, Side::Second, "33")]);
    let server = Server::of(&[place.path("two.strategy")]);
    // The strategy begins with one of these moves, or its mirror image.
    let pages = ["11", "22", "33"].map(|moves| server.get(&format!("/strategy/{moves}")).1);
    let outside = |page: &&String| page.contains("X to move, outside the strategy: ");
    assert!(pages.iter().any(|page| outside(&page)), "one move is not the strategy's");
    let parts = [
        "<h1>The second player does not lose on 5x4 after 33 ",
        "href=\"/strategy/33",
        "?number=2\"",
    ];
    server.shows("/strategy?number=2", &parts);
    for (target, said) in [
        ("/strategy/9", "no move: a move is a column from 1 to 5"),
        ("/strategy/111111", "column 1 is full"),
        ("/strategy?number=3", "invalid value '3' for 'number': 1 to 2"),
        ("/strategy?line=3", "unexpected parameter 'line'"),
    ] {
        server.refuses(target, said);
    }
    // Without a strategy there is no such page.
    let (status, _) = Server::start(&[]).get("/strategy");
    assert_eq!(status, 404);
}

#[test]
fn files_that_are_no_strategies_are_refused() {
    let place = Place::new();
    made(&place, "good.strategy", &[(4, 4, Side::Second, "")]);
    let good = place.read("good.strategy");
    std::fs::write(place.path("cut.strategy"), &good[..good.len() - 6]).unwrap();
    std::fs::write(place.path("text"), "everyply strategy 1\n").unwrap();
    for command in ["serve --port 0", "verify"] {
        for (file, said) in [
            ("cut.strategy", "cut.strategy"),
            ("text", "text is neither a database nor a solution file nor a strategy"),
            ("none.strategy", "none.strategy: "),
        ] {
            place.refuses(&format!("{command} {file}"), 1, said);
        }
    }
    // Commands that ask for values name those that a strategy has.
    for command in ["export --format csv", "query", "connect4 --book"] {
        place.refuses(
            &format!("{command} good.strategy"),
            1,
            "`analyze verify good.strategy` checks it",
        );
    }
    place.refuses("export none.strategy --format csv", 1, "`analyze strategy` writes strategies");
}
