//! Strategies in the explorer and as posters.

use everyply::connect_four::solver::Solver;
use everyply::connect_four::strategy::{Claim, MakeOptions, Side, Strategy, make, write};
use everyply::control::Control;
use everyply::games::line::Size;
use roxmltree::Document;

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

/// The text between two others, the first time they come up.
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
    let server = Server::start(&[place.path("5x5.strategy").to_str().unwrap()]);
    let (_, home) = server.get("/");
    assert!(home.contains("<a href=\"/strategy\"><b>The first player does not lose on 5x5</b>"));
    let (status, page) = server.get("/strategy");
    assert_eq!(status, 200, "{page}");
    let settled = strategies[0].settled();
    for said in [
        &format!("{entries} positions, {settled} of them settled by a plan"),
        "X played ",
        ": leads to a position of the strategy with ",
        &format!("; {} positions below it.", entries - 1),
        "<h2>Every move of O</h2>",
        "<h2>Positions below</h2>",
        "<details>",
        "class=\"place exit\"",
    ] {
        assert!(page.contains(said), "{said}\n{page}");
    }
    for format in ["anki", "csv"] {
        let address = format!("/cards?number=1&amp;format={format}");
        assert!(page.contains(&address), "{page}");
        let (status, cards) = server.get(&address.replace("amp;", ""));
        assert_eq!(status, 200, "{cards}");
        assert!(cards.lines().count() > entries, "{cards}");
    }
    assert_eq!(server.get("/cards?number=2&format=csv").0, 400);
    assert!(server.get("/cards").1.contains("'format' is missing: anki or csv"));
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
fn a_walk_says_what_other_moves_lead_to() {
    let place = Place::new();
    made(&place, "7x6.strategy", &[(7, 6, Side::First, "444422")]);
    let server = Server::start(&[place.path("7x6.strategy").to_str().unwrap()]);
    let (_, page) = server.get("/strategy");
    let said = between(&page, "id=\"otherwise\">", "</p>");
    assert!(said.starts_with("Otherwise: "), "{said}");
}

#[test]
fn a_game_that_leaves_the_strategy_is_named() {
    let place = Place::new();
    made(&place, "two.strategy", &[(5, 5, Side::First, ""), (5, 4, Side::Second, "33")]);
    let server = Server::start(&[place.path("two.strategy").to_str().unwrap()]);
    // The strategy begins with one of these moves, or its mirror image.
    let pages = ["11", "22", "33"].map(|moves| server.get(&format!("/strategy/{moves}")).1);
    let outside = |page: &&String| page.contains("X to move, outside the strategy: ");
    let page = pages.iter().find(outside).expect("one move is not the strategy's");
    assert!(page.contains("Strategies</h2>") && page.contains("href=\"/strategy?number=2\""));
    let (_, page) = server.get("/strategy?number=2");
    assert!(page.contains("<h1>The second player does not lose on 5x4 after 33 "), "{page}");
    assert!(page.contains("href=\"/strategy/33") && page.contains("?number=2\""), "{page}");
    for (target, said) in [
        ("/strategy/9", "no move: a move is a column from 1 to 5"),
        ("/strategy/111111", "column 1 is full"),
        ("/strategy?number=3", "invalid value '3' for 'number': 1 to 2"),
        ("/strategy?line=3", "unexpected parameter 'line'"),
    ] {
        let (status, page) = server.get(target);
        assert!(status == 400 && page.contains(said), "{target}: {page}");
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
    for command in ["serve --port 0", "report", "verify"] {
        for (file, said) in [
            ("cut.strategy", "cut.strategy"),
            ("text", "text is neither a database nor a solution file nor a strategy"),
            ("none.strategy", "none.strategy: "),
        ] {
            let run = place.run(&format!("{command} {file}")).code(1);
            let error = String::from_utf8(run.get_output().stderr.clone()).unwrap();
            assert!(error.contains(said), "{command}: {error}");
        }
    }
}

/// The poster shows every position once, and says how many there are.
#[test]
fn posters_show_every_position() {
    let place = Place::new();
    let boards = [(5, 5, Side::First, ""), (6, 5, Side::Second, ""), (4, 4, Side::Second, "")];
    for board in boards {
        let strategy = &made(&place, "some.strategy", &[board])[0];
        place.run("report some.strategy -o poster.svg").success().stderr("");
        let text = String::from_utf8(place.read("poster.svg")).unwrap();
        let picture = Document::parse(&text).unwrap();
        let root = picture.root_element();
        assert_eq!(root.tag_name().name(), "svg");
        let drawn = |kind: &str| {
            let classes = picture.descendants().filter_map(|node| node.attribute("class"));
            classes.filter(|class| class.split(' ').any(|word| word == kind)).count()
        };
        let (all, settled) = (strategy.positions.len(), strategy.settled());
        assert_eq!((drawn("exits"), drawn("settled")), (all - settled, settled));
        assert_eq!(drawn("board"), all);
        let texts: Vec<String> = picture
            .descendants()
            .filter(|node| node.tag_name().name() == "text")
            .filter_map(|node| node.text().map(|text| text.replace(',', "")))
            .collect();
        let bytes = place.read("some.strategy").len();
        for words in [
            format!("{all} position"),
            format!("{bytes} bytes"),
            format!("{settled} that their plan settles"),
            strategy.title()[1..].to_owned(),
        ] {
            assert!(texts.iter().any(|text| text.contains(&words)), "{words}: {texts:?}");
        }
        // Nothing is outside.
        let view: Vec<f64> =
            root.attribute("viewBox").unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
        let moved = picture.descendants().filter_map(|node| {
            let inside =
                node.attribute("transform")?.strip_prefix("translate(")?.strip_suffix(')')?;
            inside.split_once(' ').map(|(x, y)| [x, y].map(|n| n.parse::<f64>().unwrap()))
        });
        for [x, y] in moved {
            assert!((0.0..view[2]).contains(&x) && (0.0..view[3]).contains(&y), "{x} {y} {view:?}");
        }
    }
}

#[test]
fn reports_have_strategies_beside_other_files() {
    let place = Place::new();
    made(&place, "two.strategy", &[(5, 5, Side::First, ""), (5, 4, Side::Second, "33")]);
    place.run("report two.strategy -o report.html --svg pictures").success().stderr("");
    let page = String::from_utf8(place.read("report.html")).unwrap();
    assert!(
        page.contains("Connect Four 5x5, 4 in a row: the first player does not lose on 5x5"),
        "{page}"
    );
    assert!(page.contains("<td>stones</td>") || page.contains(">stones</th>"));
    for name in ["two-strategy.svg", "two-strategy-2.svg"] {
        assert!(place.path("pictures").join(name).exists(), "{name}");
    }
    let refused = place.run("report two.strategy -o poster.svg").code(2);
    let said = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
    assert!(said.contains("there are 2 pictures, and such a file holds one"), "{said}");
    assert!(!place.path("poster.svg").exists());
}

/// A strategy that leaves positions out of play is drawn as far as it goes, and says so.
#[test]
fn posters_name_what_is_never_reached() {
    let place = Place::new();
    let mut strategies = made(&place, "some.strategy", &[(5, 5, Side::First, "")]);
    let entries = &mut strategies[0].positions;
    let others = entries.len() - 1;
    let root = entries.iter_mut().min_by_key(|entry| entry.position.occupied().count_ones());
    root.unwrap().plan.exits = 0;
    write(&strategies, std::fs::File::create(place.path("some.strategy")).unwrap()).unwrap();
    place.run("report some.strategy -o poster.svg").success().stderr("");
    let text = String::from_utf8(place.read("poster.svg")).unwrap();
    assert!(text.contains(&format!("; {others} never reached and not drawn")), "{text}");
}
