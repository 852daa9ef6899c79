//! `analyze tree`: the tree that a search visits.

use predicates::str::contains;

use super::json;
use crate::support::Place;

/// The picture of a tree, which is well-formed.
fn svg(place: &Place, arguments: &str) -> String {
    place.run(&format!("tree {arguments} --format svg --out tree.svg")).success().stdout("");
    let text = String::from_utf8(place.read("tree.svg")).unwrap();
    roxmltree::Document::parse(&text).unwrap();
    text
}

#[test]
fn three_plies_of_tic_tac_toe_fit_a_page_and_a_slide_with_letters_of_14() {
    let place = Place::new();
    let text = svg(&place, "ttt --plies 3 --up-to-symmetry");
    let picture = roxmltree::Document::parse(&text).unwrap();
    let side = |name| picture.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
    let (width, height) = (side("width"), side("height"));
    // As wide as a chart of a report, and no higher than a slide of 1,600.
    assert!(width <= 800.0 && height <= 900.0, "{width} x {height}");
    let sizes: Vec<_> =
        picture.descendants().filter_map(|part| part.attribute("font-size")).collect();
    assert!(sizes.iter().all(|size| ["14", "20"].contains(size)), "{sizes:?}");
    // A sign for each node, and nothing that is cut off.
    let document = json(&place, "tree ttt --plies 3 --up-to-symmetry");
    let nodes = document["nodes"].as_array().unwrap();
    assert_eq!(text.matches("rx=").count(), nodes.len());
    assert!(!text.contains("✗"), "{text}");
    assert_eq!(document["cut"], 0);
    assert_eq!(nodes[0]["score"], 0);
}

#[test]
fn branches_that_are_cut_off_are_crossed_out_with_their_window() {
    let place = Place::new();
    let tree = "ttt 1526 --plies 3 --prune alpha-beta";
    let text = svg(&place, tree);
    let document = json(&place, &format!("tree {tree}"));
    let nodes = document["nodes"].as_array().unwrap();
    let cut: Vec<_> = nodes.iter().filter(|node| node["score"].is_null()).collect();
    assert_eq!(document["cut"], cut.len());
    assert!(!cut.is_empty());
    for node in cut {
        let (alpha, beta) = (node["alpha"].as_i64().unwrap(), node["beta"].as_i64().unwrap());
        assert!(alpha >= beta, "{node}");
        assert!(text.contains(&format!("[{alpha}, {beta}]")), "{node}");
    }
    // The scores are those of minimax, and all for X.
    let whole = json(&place, "tree ttt 1526 --plies 3");
    assert_eq!(whole["nodes"][0]["score"], nodes[0]["score"]);
    assert_eq!((&whole["first"], &whole["cut"]), (&"X".into(), &0.into()));
    assert!(whole["nodes"].as_array().unwrap().len() > nodes.len());
}

#[test]
fn a_tree_of_any_game_is_written_in_every_form() {
    let place = Place::new();
    for game in ["nim 1,2", "hexapawn", "dots --size 2x1", "pong", "connect4 444444"] {
        for form in ["text", "svg", "dot", "csv", "json"] {
            let tree = format!("tree {game} --plies 2 --prune alpha-beta --order best");
            let written = place.run(&format!("{tree} --format {form}")).success().stderr("");
            assert!(written.get_output().stdout.len() > 100, "{game} {form}");
        }
    }
    assert_eq!(place.entries(), Vec::<String>::new());
}

#[test]
fn a_tree_that_is_too_large_is_refused() {
    let place = Place::new();
    let refused = contains("--plies 5: the tree has more than 2,000 nodes; take fewer");
    place.run("tree ttt --plies 5 --format svg --out tree.svg").code(2).stdout("").stderr(refused);
    assert_eq!(place.entries(), Vec::<String>::new());
}

#[test]
fn the_moves_of_a_node_are_those_from_the_start_in_a_form_that_no_reader_takes_for_a_number() {
    let place = Place::new();
    for (game, separator, root, last) in [
        ("ttt 1526 --plies 2", "", "[1 5 2 6]", "[1 5 2 6 9 8]"),
        ("ttt --board X.X/.O./O.. --plies 1", "", "[1 5 3 7]", "[1 5 3 7 9]"),
        ("connect4 --size 10x2 1,10 --plies 1", ",", "[1 10]", "[1 10 10]"),
        ("nim 1,2 --plies 1", ",", "[]", "[2-2]"),
    ] {
        let tree = format!("tree {game}");
        let written = place.run(&format!("{tree} --format csv")).success();
        let mut csv = csv::Reader::from_reader(&written.get_output().stdout[..]);
        let column = csv.headers().unwrap().iter().position(|name| name == "moves").unwrap();
        let rows: Vec<_> = csv.records().map(|row| row.unwrap()[column].to_owned()).collect();
        assert_eq!((&rows[0][..], &rows[rows.len() - 1][..]), (root, last), "{game}");
        let document = json(&place, &tree);
        for (node, row) in document["nodes"].as_array().unwrap().iter().zip(&rows) {
            let moves = node["moves"].as_str().unwrap();
            assert_eq!(*row, everyply::game::csv_list_of(moves, separator), "{game}");
            assert_eq!(node["alike"], 1);
        }
    }
}
