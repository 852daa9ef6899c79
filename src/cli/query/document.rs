//! The answer of `analyze query` in words.

use std::fmt::Write;

use crate::cli::text::{self, Table};
use everyply_core::game::MoveStyle;
use everyply_core::statistics::grouped;
use everyply_registry::registry::Position;
use everyply_results::export::PositionDocument;
use everyply_results::oracle::{Origin, StoredMove, StoredPosition};

pub(super) fn in_words(
    study: &dyn Position,
    document: &PositionDocument,
    found: &StoredPosition,
) -> String {
    let value = match (found.value, found.bounds) {
        (Some(value), _) => study.value_for_mover(value),
        (None, Some(bounds)) => {
            let side = study.to_move().map_or("the side to move".into(), String::from);
            format!("not known; proved: {bounds}, for {side}")
        }
        (None, None) => "not known".to_owned(),
    };
    let mut said = format!("{}\n", text::heading(study));
    if study.info().move_style != MoveStyle::Text {
        let _ = write!(said, "\n{}", text::board_of(study));
    }
    let _ = writeln!(said, "\nvalue      {value}");
    if let Some(points) = document.points {
        let _ = writeln!(said, "{}", text::points(points));
    }
    if let (Some(positions), Some(holds)) = (document.positions, document.holds) {
        let _ = writeln!(said, "file       {} positions: {holds}", grouped(positions));
    }
    if found.moves.is_empty() {
        return said;
    }
    let texts = |moves: &mut dyn Iterator<Item = &StoredMove>| {
        moves.map(|m| &m.branch.text[..]).collect::<Vec<_>>().join(" ")
    };
    let best: Vec<String> = document.best.iter().flatten().map(ToString::to_string).collect();
    let best = best.join(" ");
    if let Some(soonest) = document.soonest.as_ref().filter(|soonest| !soonest.is_empty()) {
        let soonest: Vec<String> = soonest.iter().map(ToString::to_string).collect();
        let soonest = soonest.join(" ");
        let _ =
            writeln!(said, "soonest    {soonest} (the files have no points: best is not known)");
    }
    if document.best_complete == Some(true) {
        let _ = writeln!(said, "best       {best}");
    } else if !best.is_empty() {
        let missing = texts(&mut found.moves.iter().filter(|m| m.value.is_none()));
        let _ = writeln!(said, "best       {best} at least; not stored: {missing}");
    }
    if let Some(pv) = document.pv.as_ref().filter(|pv| !pv.is_empty()) {
        let more = if document.pv_complete == Some(true) { "" } else { " ..." };
        let _ = writeln!(said, "line       {pv}{more}");
    }
    let mut table = match document.points {
        Some(_) => Table::new(&["move", "value", "points"]),
        None => Table::new(&["move", "value"]),
    };
    for (m, row) in found.moves.iter().zip(document.values.iter().flatten()) {
        let value = match (m.value, m.bounds) {
            (Some(known), _) => study.value_in_words(known.value),
            (None, Some(bounds)) if !bounds.is_open() => bounds.to_string(),
            (None, _) => "-".to_owned(),
        };
        let points = row.points.map(|points| format!("{points:+}"));
        table.row([m.branch.text.clone(), value].into_iter().chain(points));
    }
    let _ = write!(said, "\n{}", table.render());
    let is_booked =
        |m: &&StoredMove| m.value.is_some_and(|known| known.origin == Origin::OpeningBook);
    let booked = texts(&mut found.moves.iter().filter(is_booked));
    if !booked.is_empty() {
        let book = "from the opening book of this program";
        let _ = writeln!(said, "({booked} not stored: {book})");
    }
    said
}
