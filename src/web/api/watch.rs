//! `GET /api/v1/watch`: the values of all moves, each sent when it is found.

use super::lines::{Lines, stream};
use super::{MoveValues, read_timed};
use crate::web::prelude::*;
use crate::web::text::{self, NO_TIME, THINKING, TOO_LARGE};
use everyply_core::game::ValueBounds;
use everyply_results::export::MoveDocument;
use everyply_results::oracle::Finding;

/// The time for values of moves before their bounds are sought.
const AT_ONCE: Duration = Duration::from_millis(400);
/// The time for bounds of all moves.
const LOOK: Duration = Duration::from_millis(800);

/// A line of the answer, a JSON document.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Message {
    /// The value of a move, or its bounds so far.
    Move(MoveDocument),
    Depth {
        depth: u32,
    },
    /// The last line: the value, the best moves, and both in words.
    End {
        done: bool,
        #[serde(flatten)]
        document: Box<PositionDocument>,
    },
}

/// The values of all moves of a position, one JSON document a line.
pub async fn watch(explorer: Shared, query: Query) -> Result<Response, ApiError> {
    let (record, limit) = read_timed(&explorer, query).await?;
    let searching = explorer.clone();
    // The moves of a board and the windows of a search bound the lines.
    Ok(stream(&explorer, limit, move |control, lines| {
        report(&searching, &record, control, lines);
    })
    .await)
}

fn report(explorer: &Shared, record: &Arc<GameRecord>, control: &Control, lines: &Lines) {
    let (position, at) = (record.course.position(), record.length());
    let branches = position.branches();
    let side = record.side_names()[record.side_at(at) as usize];
    let row = |bit: u32, known, text| {
        let branch = branches.iter().find(|branch| branch.bit == bit);
        let name = branch.map_or("", |branch| &branch.text);
        MoveDocument { text: Some(text), ..MoveDocument::known(position, name, known) }
    };
    let mut found = MoveValues::default();
    let mut bounds: Vec<(u32, ValueBounds)> = Vec::new();
    let mut send = |finding| match finding {
        Finding::Move(bit, known) => {
            if found.values.iter().any(|(known, _)| *known == bit) {
                return;
            }
            found.values.push((bit, known));
            let words = text::known(position, known, side);
            lines.send(&Message::Move(row(bit, Some(known), words)));
        }
        Finding::Bounds(bit, new) => {
            let at = bounds.iter().position(|(known, _)| *known == bit);
            let old = at.map_or(new, |at| bounds.swap_remove(at).1);
            let both =
                ValueBounds { worst: old.worst.max(new.worst), best: old.best.min(new.best) };
            bounds.push((bit, both));
            if at.is_none() || both != old {
                let row = row(bit, None, both.to_string());
                lines.send(&Message::Move(MoveDocument { bounds: Some(both.into()), ..row }));
            }
        }
        Finding::Depth(depth) => lines.send(&Message::Depth { depth }),
    };
    // Most values are found at once. If not, every move gets bounds before the proof continues.
    let oracle = &explorer.oracle;
    let prove =
        |send: &mut dyn FnMut(Finding)| oracle.prove_moves(position, control, send).map(drop);
    let mut proved = control.within(AT_ONCE, || prove(&mut send));
    if matches!(proved, Err(OracleError::Stopped(_))) && !control.is_stopped() {
        let _ = control.within(LOOK, || oracle.look_ahead(position, control, &mut send));
        proved = prove(&mut send);
    }
    // A game that no engine takes has bounds alone.
    if matches!(proved, Err(OracleError::Engine { .. }))
        && let Ok(true) = oracle.look_ahead(position, control, &mut send)
    {
        proved = prove(&mut send);
    }
    let bounds = bounds_of_all(&branches, &found, &bounds);
    let reason = match proved {
        Ok(()) => None,
        Err(OracleError::Stopped(_)) => Some(NO_TIME.to_owned()),
        Err(OracleError::Engine { .. }) if bounds.is_some() => Some(TOO_LARGE.to_owned()),
        Err(error) => return lines.fail(&error.into()),
    };
    // A winning move makes the value known, whatever the values of the others.
    let interrupted = reason.is_some() && bounds.is_none_or(|bounds| bounds.value().is_none());
    let known = found.best().filter(|_| !interrupted);
    let reason = match (reason, bounds) {
        (Some(reason), Some(bounds)) => format!("{reason}; {bounds}"),
        (Some(reason), None) => reason,
        (None, _) => THINKING.to_owned(),
    };
    let mut document = PositionDocument::new(position, Some(record.write(&record.moves())));
    document.interrupted = Some(interrupted);
    document.text = Some(text::situation(record, at, &branches, known.ok_or(&reason[..])));
    document.set_best(position, known.map(|(_, best)| best).unwrap_or_default());
    if let Some((value, _)) = known {
        document.set_known(position, value);
    }
    lines.send(&Message::End { done: true, document: Box::new(document) });
}

/// The bounds of a position by those of all its moves; `None` if a move has none.
fn bounds_of_all(
    branches: &[Branch],
    found: &MoveValues,
    bounds: &[(u32, ValueBounds)],
) -> Option<ValueBounds> {
    let of = |branch: &Branch| match found.value(branch) {
        Some(known) => Some(ValueBounds::exactly(known.value.exact()?)),
        None => bounds.iter().find(|(bit, _)| *bit == branch.bit).map(|(_, bounds)| *bounds),
    };
    let all: Option<Vec<ValueBounds>> = branches.iter().map(of).collect();
    let better = |a: ValueBounds, b: ValueBounds| ValueBounds {
        worst: a.worst.max(b.worst),
        best: a.best.max(b.best),
    };
    all?.into_iter().reduce(better)
}
