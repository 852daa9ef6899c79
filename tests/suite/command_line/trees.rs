//! `analyze tree`: the tree that a search visits.

use predicates::str::contains;

use crate::support::Place;

/// The picture of a tree, which is well-formed, and the tree as text.
fn svg_and_text(arguments: &str) -> (String, String) {
    let place = Place::new();
    place.run(&format!("tree {arguments} --format svg --out tree.svg")).success().stdout("");
    let svg = place.text("tree.svg");
    roxmltree::Document::parse(&svg).unwrap();
    (svg, place.output(&format!("tree {arguments}")))
}

#[test]
fn three_plies_of_tic_tac_toe_fit_a_page_and_a_slide_with_letters_of_14() {
    let (svg, text) = svg_and_text("ttt --plies 3 --up-to-symmetry");
    let picture = roxmltree::Document::parse(&svg).unwrap();
    let side = |name| picture.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
    let (width, height) = (side("width"), side("height"));
    // As wide as a chart of a report, and no higher than a slide of 1,600.
    assert!(width <= 800.0 && height <= 900.0, "{width} x {height}");
    let sizes: Vec<_> =
        picture.descendants().filter_map(|part| part.attribute("font-size")).collect();
    assert!(sizes.iter().all(|size| ["14", "20"].contains(size)), "{sizes:?}");
    // A sign for each node, and nothing that is cut off.
    let nodes = svg.matches("rx=").count();
    assert!(text.contains(&format!("\n{nodes} nodes; scores are for X\n")), "{nodes}: {text}");
    assert!(text.starts_with(".../.../...  0\n  1 (of 4 alike)  0\n"), "{text}");
    assert!(!svg.contains("✗"), "{svg}");
}

#[test]
fn branches_that_are_cut_off_are_crossed_out_with_their_window() {
    let (svg, text) = svg_and_text("ttt 1526 --plies 3 --prune alpha-beta");
    let cut: Vec<&str> = text.lines().filter(|line| line.ends_with("  cut off")).collect();
    assert!(!cut.is_empty());
    for line in cut {
        let window = line.split("  ").find(|part| part.starts_with('[')).unwrap();
        let bounds = window.trim_matches(['[', ']']).split(", ");
        let bounds: Vec<i32> = bounds.map(|bound| bound.parse().unwrap()).collect();
        assert!(bounds[0] >= bounds[1], "{line}");
        assert!(svg.contains(window), "{line}");
    }
}

#[test]
fn a_tree_of_any_game_is_written_in_every_form() {
    let place = Place::new();
    for game in ["nim 1,2", "hexapawn", "dots --size 2x1", "pong", "connect4 444444"] {
        let tree = format!("tree {game} --plies 2 --prune alpha-beta --order best");
        let [text, svg, dot] =
            ["text", "svg", "dot"].map(|form| place.output(&format!("{tree} --format {form}")));
        assert!(svg.len() > 100, "{game}");
        // All nodes but the root have an arrow; a line and a sum end the text.
        assert_eq!(dot.matches(" -> ").count(), text.lines().count() - 3, "{game}: {dot}");
        assert_eq!(dot.matches("✗").count(), text.matches("cut off\n").count(), "{game}: {dot}");
    }
    let refused = contains("--plies 5: the tree has more than 2,000 nodes; take fewer");
    place.run("tree ttt --plies 5 --format svg --out tree.svg").code(2).stdout("").stderr(refused);
    assert_eq!(place.entries(), Vec::<String>::new());
}
