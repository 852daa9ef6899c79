//! The page of `analyze report`: well-formed, alone in the world, and true to its files.

use everyply::database::{Database, DatabaseError};
use everyply::game::Outcome;
use everyply::games::line::{LineGame, Standard, TicTacToe};
use roxmltree::{Document, Node, ParsingOptions};

use crate::support::Place;

/// Files of every kind, and the report of them.
pub fn written(place: &Place) {
    place.run("ttt --db all.db").success();
    place.run("connect4 --depth 7 --db all.db --threads 1").success();
    place.run("connect4 --depth 6 --db all.db --threads 2").success();
    place.run("compare connect4 --depth 5 --threads 2 --csv tables").success();
    place.run("solve connect4 --size 4x4 --out 4x4.solution").success();
    place
        .run("report all.db 4x4.solution tables/compare.csv -o report.html --svg pictures")
        .success()
        .stderr("");
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
    let text = String::from_utf8(place.read("report.html")).unwrap();
    let page = parsed(&text);
    for node in page.descendants() {
        for attribute in node.attributes() {
            let local =
                attribute.value().starts_with('#') || attribute.value().starts_with("data:");
            let refers = ["href", "src", "action", "srcset", "data"].contains(&attribute.name());
            assert!(!refers || local, "{} refers to {}", node.tag_name().name(), attribute.value());
        }
        // The only script is in the page, and saves pictures.
        assert!(!node.has_tag_name("script") || node.attributes().len() == 0);
        let alien = ["link", "img", "iframe", "object", "image", "use"];
        assert!(!alien.contains(&node.tag_name().name()), "{}", node.tag_name().name());
    }
    assert!(!text.contains("url(") && !text.contains("@import"));
    let mut ids: Vec<_> = page.descendants().filter_map(|node| node.attribute("id")).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "every id once");

    // Every picture also as a file, and every figure's numbers as CSV.
    let figures: Vec<_> = page.descendants().filter(|n| n.has_tag_name("figure")).collect();
    let mut pictures = 0;
    for figure in &figures {
        let id = figure.attribute("id").unwrap();
        let drawn = figure.descendants().any(|node| node.tag_name().name() == "svg");
        let path = place.path(&format!("pictures/{id}.svg"));
        assert_eq!(path.exists(), drawn, "{id}");
        if drawn {
            pictures += 1;
            parsed(&std::fs::read_to_string(path).unwrap());
        }
        let link = figure.descendants().find_map(|node| node.attribute("href")).unwrap();
        let csv = link.strip_prefix("data:text/csv;charset=utf-8,").unwrap();
        let csv: Vec<u8> = decoded(csv);
        let rows: Vec<Vec<String>> = csv::Reader::from_reader(&csv[..])
            .records()
            .map(|row| row.unwrap().iter().map(String::from).collect())
            .collect();
        assert_eq!(rows, table(&page, id), "{id}");
    }
    assert!(pictures >= 12, "{pictures} pictures");
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
    let text = String::from_utf8(place.read("report.html")).unwrap();
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

    let mut by_remoteness = std::collections::BTreeMap::<Option<u8>, [u64; 3]>::new();
    for (game, stem) in [
        (TicTacToe::fixed().game_id(), "all-ttt-3x3-3"),
        (Standard::fixed().game_id(), "all-connect4-7x6-4"),
    ] {
        by_remoteness.clear();
        let read = database.positions(&game, None, |row| {
            let at = [Outcome::Win, Outcome::Draw, Outcome::Loss]
                .iter()
                .position(|o| *o == row.value.outcome);
            by_remoteness.entry(row.value.remoteness.map(|r| r.0)).or_default()[at.unwrap()] += 1;
            Ok::<(), DatabaseError>(())
        });
        read.unwrap();
        let expected: Vec<Vec<String>> = by_remoteness
            .iter()
            .map(|(r, n)| {
                std::iter::once(cell(r.map(u64::from))).chain(n.map(|n| n.to_string())).collect()
            })
            .collect();
        assert_eq!(table(&page, &format!("{stem}-remoteness")), expected);
    }
    let names: Vec<String> =
        table(&page, "all-ttt-3x3-3-first-moves").iter().map(|row| row[1..].join(" ")).collect();
    assert_eq!(names, vec!["draw 9 yes"; 9]);
    // Every command is named as it was given.
    assert_eq!(table(&page, "all-ttt-3x3-3-runs")[0][1], "analyze ttt --db all.db");
    // A solution file's board is counted: 161,029 positions of 4x4.
    let positions: u64 =
        table(&page, "4x4-positions").iter().map(|row| row[3].parse::<u64>().unwrap()).sum();
    assert_eq!(positions, 161_029);
    let valued: u64 = table(&page, "4x4-remoteness")
        .iter()
        .flat_map(|row| row[1..].iter().map(|n| n.parse::<u64>().unwrap()).collect::<Vec<_>>())
        .sum();
    assert_eq!(valued, 161_029);
    // Searches of some milliseconds are not shared, so that there is no speed-up to show.
    assert!(page.descendants().all(|node| node.attribute("id") != Some("speed-up")));
}

/// The text of the definition of a term in a section.
fn fact(page: &Document<'_>, section: &str, term: &str) -> String {
    let section = page.descendants().find(|node| node.attribute("id") == Some(section)).unwrap();
    let mut terms = section.descendants().filter(|node| node.has_tag_name("dt"));
    let found = terms.find(|node| node.text() == Some(term));
    let found = found.unwrap_or_else(|| panic!("no {term}"));
    found.next_sibling_element().unwrap().text().unwrap().to_owned()
}

/// The title of a section.
fn title(page: &Document<'_>, section: &str) -> String {
    let section = page.descendants().find(|node| node.attribute("id") == Some(section)).unwrap();
    let title = section.descendants().find(|node| ["h1", "h2"].contains(&node.tag_name().name()));
    title.unwrap().text().unwrap().to_owned()
}

/// Files of solutions of every kind have a report that states the result and counts every position
/// once.
#[test]
fn every_game_has_a_report_of_its_solution() {
    for (game, result, positions) in [
        ("ttt", "Tic-tac-toe (3x3, 3 in a row) is a draw in 9 plies", 765),
        (
            "nim",
            "Nim, the last stone wins, from 3,5,7, is a win in 15 plies for the side to move",
            192,
        ),
        ("morris", "Three men's morris is a win in ", 0),
        ("hexapawn", "Hexapawn 3x3 is a loss in 6 plies for X", 71),
        ("dots", "Dots and boxes, 2x2 boxes, is a win in 12 plies for the first player", 714),
        ("pong", "Pong Hau K'i is a draw by endless play", 28),
        ("kalah", "Kalah(3,3) is a win in 18 plies for X", 30_532),
        ("awari", "Awari(3,2) is a win for X", 10_479),
    ] {
        let place = Place::new();
        place.run(&format!("solve {game} --out game.solution")).success();
        place.run("report game.solution --svg pictures").success();
        let text = String::from_utf8(place.read("report.html")).unwrap();
        let page = parsed(&text);
        assert!(title(&page, "s0").starts_with(result), "{}", title(&page, "s0"));
        let counts = table(&page, "game-remoteness");
        let sum: u64 =
            counts.iter().flat_map(|row| &row[1..]).map(|n| n.parse::<u64>().unwrap()).sum();
        let said = fact(&page, "s0", "positions up to symmetry").replace(',', "");
        assert_eq!(said, sum.to_string(), "{game}");
        assert!(positions == 0 || positions == sum, "{game}: {sum}");
        // The game's name is on every picture, and letters are large enough.
        let name = &title(&page, "s0")[..4];
        for entry in std::fs::read_dir(place.path("pictures")).unwrap() {
            let svg = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let svg = parsed(&svg);
            let texts: Vec<_> =
                svg.descendants().filter(|node| node.has_tag_name("text")).collect();
            assert!(texts[0].text().unwrap().starts_with(name), "{game}");
            let size =
                |node: &Node<'_, '_>| node.attribute("font-size").unwrap().parse::<u32>().unwrap();
            assert!(texts.iter().map(size).all(|size| size >= 14), "{game}");
        }
    }
}

/// Every line of a figure that is about an outcome has its colour.
#[test]
fn an_outcome_has_one_colour_in_all_pictures() {
    let place = Place::new();
    place.run("ttt --db all.db").success();
    place.run("report all.db").success();
    let text = String::from_utf8(place.read("report.html")).unwrap();
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
    assert_eq!(colours("all-ttt-3x3-3-shares"), outcomes);
    let positions = colours("all-ttt-3x3-3-positions");
    assert!(positions.is_superset(&outcomes) && positions.len() == 4, "{positions:?}");
    // Positions are counted once.
    assert!(page.descendants().all(|node| node.attribute("id") != Some("all-ttt-3x3-3-stored")));
    assert!(colours("all-ttt-3x3-3-nodes").is_disjoint(&outcomes));
    assert!(colours("all-ttt-3x3-3-first-moves").is_subset(&outcomes));
}

#[test]
fn other_files_are_refused_and_no_page_is_left() {
    let place = Place::new();
    std::fs::write(place.path("text.csv"), "a,b\n1,2\n").unwrap();
    std::fs::write(place.path("empty"), "").unwrap();
    for (file, said) in [
        ("text.csv", "nor a solution file nor a strategy nor a compare.csv"),
        ("empty", "nor a solution file nor a strategy nor a compare.csv"),
        ("nowhere", "nowhere: "),
    ] {
        let told = place.run(&format!("report {file} -o page.html")).code(1);
        let told = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
        assert!(told.contains(said) && told.contains(file), "{told}");
    }
    assert_eq!(place.entries(), ["empty", "text.csv"]);
    place.run("report").code(2);
}
