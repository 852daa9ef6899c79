//! The page of `analyze report`: well-formed, alone in the world, and true to its files.

use everyply::database::Database;
use everyply::game::Outcome;
use everyply::games::line::{LineGame, Standard, TicTacToe};
use predicates::str::contains;
use roxmltree::{Document, Node, ParsingOptions};

use crate::support::{Place, positions};

/// Files of every kind, and the report of them.
pub fn written(place: &Place) {
    place.run("ttt --db all.db").success();
    place.run("connect4 4455 --all-moves --db all.db --threads 1").success();
    place.run("compare connect4 --depth 5 --threads 2 --csv tables").success();
    place.run("solve connect4 --size 4x4 --out 4x4.solution").success();
    place.run("report all.db 4x4.solution tables/compare.csv -o report.html").success().stderr("");
}

/// The cells of a figure's table.
fn table(page: &Document<'_>, id: &str) -> Vec<Vec<String>> {
    let figure = page.descendants().find(|node| node.attribute("id") == Some(id));
    let figure = figure.unwrap_or_else(|| panic!("no figure {id}"));
    let text = |cell: Node<'_, '_>| {
        cell.descendants()
            .filter(Node::is_text)
            .filter_map(|t| t.text().map(String::from))
            .collect()
    };
    let cells = |row: Node<'_, '_>| row.children().filter(Node::is_element).map(text).collect();
    figure.descendants().filter(|node| node.has_tag_name("tr")).skip(1).map(cells).collect()
}

fn parsed(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_page_is_well_formed_and_needs_nothing_else() {
    let place = Place::new();
    written(&place);
    // The same file twice has figures of its own.
    place.run("report all.db all.db 4x4.solution tables/compare.csv -o report.html").success();
    let text = place.text("report.html");
    let page = parsed(&text);
    for node in page.descendants() {
        for attribute in node.attributes() {
            let local =
                attribute.value().starts_with('#') || attribute.value().starts_with("data:");
            let refers = ["href", "src", "action", "srcset", "data"].contains(&attribute.name());
            assert!(!refers || local, "{} refers to {}", node.tag_name().name(), attribute.value());
        }
        let alien = ["link", "img", "iframe", "object", "image", "use"];
        assert!(!alien.contains(&node.tag_name().name()), "{}", node.tag_name().name());
    }
    assert!(!text.contains("url(") && !text.contains("@import"));
    let mut ids: Vec<_> = page.descendants().filter_map(|node| node.attribute("id")).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "every id once");

    // Every chart names its game in letters that can be read, and every figure has its numbers as CSV.
    let mut charts = 0;
    for figure in page.descendants().filter(|node| node.has_tag_name("figure")) {
        let texts: Vec<_> =
            figure.descendants().filter(|n| n.tag_name().name() == "text").collect();
        if let Some(first) = texts.first() {
            charts += 1;
            let game = figure.descendants().find(|n| n.attribute("class") == Some("game")).unwrap();
            assert_eq!(first.text(), game.text());
            let size = |node: &Node<'_, '_>| node.attribute("font-size").unwrap().parse::<u32>();
            assert!(texts.iter().map(size).all(|size| size.unwrap() >= 14));
        }
        let link = figure.descendants().find_map(|node| node.attribute("href")).unwrap();
        let csv = link.strip_prefix("data:text/csv;charset=utf-8,").unwrap();
        let csv = decoded(csv);
        let rows: Vec<Vec<String>> = csv::Reader::from_reader(&csv[..])
            .records()
            .map(|row| row.unwrap().iter().map(String::from).collect())
            .collect();
        let id = figure.attribute("id").unwrap();
        assert_eq!(rows, table(&page, id), "{id}");
    }
    assert!(charts >= 12, "{charts} charts");
}

fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    bytes
}

#[test]
fn the_numbers_are_those_of_the_database() {
    let place = Place::new();
    written(&place);
    let text = place.text("report.html");
    let page = parsed(&text);
    let database = Database::open(&place.path("all.db")).unwrap();
    let runs = database.runs().unwrap();
    let cell = |number: Option<u64>| number.map_or_else(String::new, |n| n.to_string());

    let counts = database.ply_counts(runs[0].id).unwrap();
    let expected: Vec<Vec<String>> = counts
        .iter()
        .map(|c| {
            let all =
                [c.nodes, c.games, c.positions, c.canonical, c.terminal, c.wins, c.draws, c.losses];
            std::iter::once(c.ply.to_string()).chain(all.map(cell)).collect()
        })
        .collect();
    assert_eq!(table(&page, "all-ttt-3x3-3-positions"), expected);
    assert_eq!(expected[9][1], "127872");

    for (game, stem) in [
        (TicTacToe::fixed().game_id(), "all-ttt-3x3-3"),
        (Standard::fixed().game_id(), "all-connect4-7x6-4"),
    ] {
        let mut by_remoteness = std::collections::BTreeMap::<Option<u8>, [u64; 3]>::new();
        for row in positions(&database, &game).unwrap() {
            let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss];
            let at = outcomes.iter().position(|outcome| *outcome == row.value.outcome).unwrap();
            by_remoteness.entry(row.value.remoteness.map(|r| r.0)).or_default()[at] += 1;
        }
        let expected: Vec<Vec<String>> = by_remoteness
            .iter()
            .map(|(r, n)| {
                std::iter::once(cell(r.map(u64::from))).chain(n.map(|n| n.to_string())).collect()
            })
            .collect();
        assert_eq!(table(&page, &format!("{stem}-remoteness")), expected);
    }
    // Of a search that counts no positions, those that are stored.
    let stored: u64 = table(&page, "all-connect4-7x6-4-stored")
        .iter()
        .map(|row| row[4].parse::<u64>().unwrap())
        .sum();
    assert!(stored > 0);
    // Every command is named as it was given.
    assert_eq!(table(&page, "all-ttt-3x3-3-runs")[0][1], "analyze ttt --db all.db");
    // A solution file's board is counted: 161,029 positions of 4x4.
    for (figure, first) in [("4x4-positions", 3..4), ("4x4-remoteness", 1..4)] {
        let rows = table(&page, figure);
        let numbers = rows.iter().flat_map(|row| &row[first.clone()]);
        let sum: u64 = numbers.map(|n| n.parse::<u64>().unwrap()).sum();
        assert_eq!(sum, 161_029, "{figure}");
    }
}

/// The text of the first element with this name, or of the definition of a term.
fn text_of(page: &Document<'_>, name: &str, term: Option<&str>) -> String {
    let mut named = page.descendants().filter(|node| node.has_tag_name(name));
    let found = named.find(|node| term.is_none() || node.text() == term).unwrap();
    let found = if term.is_some() { found.next_sibling_element().unwrap() } else { found };
    found.text().unwrap().to_owned()
}

#[test]
fn every_game_has_a_report_of_its_solution_and_of_its_database() {
    for (game, result, positions) in [
        ("ttt", "Tic-tac-toe (3x3, 3 in a row) is a draw in 9 plies", 765),
        (
            "nim",
            "Nim, the last stone wins, from 3,5,7, is a win in 15 plies for the side to move",
            192,
        ),
        ("hexapawn", "Hexapawn 3x3 is a loss in 6 plies for X", 71),
        ("dots", "Dots and boxes, 2x2 boxes, is a win in 12 plies for the first player", 714),
        ("pong", "Pong Hau K'i is a draw by endless play", 28),
        ("awari", "Awari(3,2) is a win for X", 10_479),
    ] {
        let place = Place::new();
        place.run(&format!("solve {game} --out game.solution")).success();
        place.run("report game.solution").success();
        let text = place.text("report.html");
        let page = parsed(&text);
        let title = text_of(&page, "h1", None);
        assert!(title.starts_with(result), "{title}");
        let counts = table(&page, "game-remoteness");
        let sum: u64 =
            counts.iter().flat_map(|row| &row[1..]).map(|n| n.parse::<u64>().unwrap()).sum();
        let said = text_of(&page, "dt", Some("positions")).replace(',', "");
        assert_eq!((said, sum), (sum.to_string(), positions), "{game}");
        place.run(&format!("{game} --db game.db")).success();
        place.run("report game.db").success();
        let text = place.text("report.html");
        assert!(text_of(&parsed(&text), "h1", None).starts_with(&title[..5]), "{text}");
        assert!(text.contains("Positions, ply by ply"), "{text}");
    }
}

#[test]
fn an_outcome_has_one_colour_in_all_charts() {
    let place = Place::new();
    place.run("ttt --db all.db").success();
    place.run("report all.db").success();
    let text = place.text("report.html");
    let page = parsed(&text);
    let colours = |id: &str| -> std::collections::BTreeSet<&str> {
        let figure = page.descendants().find(|node| node.attribute("id") == Some(id)).unwrap();
        let plain = ["none", "#000000", "#BBBBBB", "#FFFFFF"];
        let colours = figure.descendants().flat_map(|node| {
            [node.attribute("fill"), node.attribute("stroke")].into_iter().flatten()
        });
        colours.filter(|colour| !plain.contains(colour)).collect()
    };
    let outcomes = colours("all-ttt-3x3-3-remoteness");
    assert_eq!(outcomes.len(), 3, "{outcomes:?}");
    let positions = colours("all-ttt-3x3-3-positions");
    assert!(positions.is_superset(&outcomes) && positions.len() == 4, "{positions:?}");
    // Positions are counted once.
    assert!(page.descendants().all(|node| node.attribute("id") != Some("all-ttt-3x3-3-stored")));
    assert!(colours("all-ttt-3x3-3-nodes").is_disjoint(&outcomes));
}

#[test]
fn other_files_are_refused_and_no_page_is_left() {
    let place = Place::new();
    std::fs::write(place.path("text.csv"), "a,b\n1,2\n").unwrap();
    std::fs::write(place.path("empty"), "").unwrap();
    for (file, said) in [
        ("text.csv", "nor a solution file nor a compare.csv"),
        ("empty", "nor a solution file nor a compare.csv"),
        ("nowhere", "nowhere: "),
    ] {
        let told = place.run(&format!("report {file} -o page.html")).code(1);
        told.stderr(contains(said)).stderr(contains(file));
    }
    assert_eq!(place.entries(), ["empty", "text.csv"]);
    place.run("report").code(2);
}

#[test]
fn a_number_that_no_run_writes_is_refused_with_its_row() {
    let place = Place::new();
    let report = |row: &str| {
        let header = "algorithm,depth,threads,score,outcome,remoteness,nodes,leaf_evaluations,\
                      effective_branching_factor,saved_factor,elapsed_s,skipped,speed_up,\
                      node_overhead,largest_share,first_player_score,game,position";
        let sound = "minimax,3,1,0,,,100,80,4.2,1,0.0001,,,,,0,Nim,";
        let text = format!("{header}\n{sound}\n{row},,,,,0,Nim,\n");
        std::fs::write(place.path("compare.csv"), text).unwrap();
        place.run("report compare.csv")
    };
    report("all threads,4,2,-1,,,100,80,4.2,40,0").success();
    let title = "Nim: with all threads, 40 times fewer nodes than minimax at depth 4";
    let page = place.text("report.html");
    assert!(page.contains(title), "{page}");
    let parsed = parsed(&page);
    assert_eq!(table(&parsed, "compare-nodes").len(), 2);
    for row in [
        "minimax,4,1,0,,,100,80,4.2,1,1e308",
        "minimax,4,1,0,,,100,80,4.2,1,1e-320",
        "minimax,4,1,0,,,100,80,4.2,1,-1",
        "minimax,4,1,0,,,100,80,4.2,1,NaN",
        "minimax,4,1,0,,,100,80,4.2,inf,1",
        "minimax,4,1,0,,,100,80,1e300,1,1",
        "minimax,4000000000,1,0,,,100,80,4.2,1,1",
        "minimax,4,0,0,,,100,80,4.2,1,1",
    ] {
        let refused = contains("row 2 has a number that no run writes");
        report(row).code(1).stderr(refused);
    }
}
