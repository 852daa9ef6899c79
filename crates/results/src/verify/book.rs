//! An opening book, beside the rules.

use std::collections::HashMap;

use super::{Disagreement, Sample, name};
use crate::database::PositionRow;
use everyply_connect_four::OpeningBook;
use everyply_connect_four::profiles::Profile;
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{Game, Keyed, Ply, Symmetric, Symmetry, Value};
use everyply_core::games::line::{AnyGame, Stones};
use everyply_registry::registry::study_of;

/// The result of a check of an opening book.
#[derive(Debug, Default)]
pub struct BookFindings {
    /// Positions up to symmetry.
    pub positions: u64,
    /// Positions of these whose values follow from those of their moves: all before the last ply.
    pub proved: u64,
    pub disagreements: Vec<Disagreement>,
}

/// The positions of a ply that games reach: a bit for each colouring of a profile.
type Reached = HashMap<Profile, Vec<u64>>;

/// Checks that a book has the positions that games reach and whose game is not over, no others, and
/// that their values follow from those of their moves; draws a sample. Counts work in positions.
pub fn check_book(
    book: &OpeningBook,
    sample: &mut Sample,
    control: &Control,
) -> Result<BookFindings, Stopped> {
    let board = book.board();
    let game = *board.game();
    let mut found = BookFindings::default();
    let mut reached = Reached::new();
    mark(&mut reached, book, game.initial());
    for (ply, profiles) in (0..=book.plies().0).map(Ply).zip(board.canonical_profiles()) {
        let mut next = Reached::new();
        for profile in profiles {
            control.check()?;
            let bits = reached.remove(&profile).unwrap_or_default();
            for (rank, position) in board.positions(profile).enumerate() {
                let is_reached =
                    bits.get(rank / 64).is_some_and(|word| word >> (rank % 64) & 1 == 1);
                let stored = book.value(position);
                let mut report = |other: &str| {
                    let shown = study_of(&AnyGame::from(game), position);
                    found.disagreements.push(Disagreement {
                        check: "row",
                        subject: name(&*shown),
                        stored: stored.map(|value| value.to_string()),
                        other: other.to_owned(),
                    });
                };
                match (is_reached, game.result(position), stored) {
                    (false, _, None) | (true, Some(_), None) => continue,
                    (false, _, Some(_)) => report("no game leads to it"),
                    (true, Some(_), Some(_)) => report("the game is over"),
                    (true, None, None) => report("it has no value, and a game leads to it"),
                    (true, None, Some(_)) => {}
                }
                let goes_on = is_reached && game.result(position).is_none();
                if !goes_on {
                    continue;
                }
                // Of two mirrored positions of a symmetric profile the first is counted.
                let counts = mirrored(book, position)
                    .is_none_or(|image| board.canonical_rank(image).1 >= rank as u64);
                found.positions += u64::from(counts);
                control.advance(u64::from(counts));
                if ply < book.plies() {
                    let best = best_of_moves(book, position, &mut next);
                    if let (Some(value), Some(best)) = (stored, best) {
                        found.proved += u64::from(counts && value == best);
                        if value != best {
                            found.disagreements.push(Disagreement {
                                check: "children",
                                subject: name(&*study_of(&AnyGame::from(game), position)),
                                stored: Some(value.to_string()),
                                other: format!("its moves lead to {best}"),
                            });
                        }
                    }
                }
                if let (true, Some(value)) = (counts, stored) {
                    let (key, _) = game.canonical(position);
                    sample.offer(PositionRow { key, ply, value: value.into(), best: None });
                }
            }
        }
        reached = next;
    }
    Ok(found)
}

/// The value of a position by those of its moves, whose positions are marked; `None` if the value of
/// a move is unknown.
fn best_of_moves(book: &OpeningBook, position: Stones, next: &mut Reached) -> Option<Value> {
    let game = book.board().game();
    let mut values = Vec::new();
    for m in game.moves(position) {
        let child = game.play(position, m);
        mark(next, book, child);
        let over = game.result(child).map(Value::over);
        values.push(over.or_else(|| book.value(child)).map(Value::for_parent));
    }
    values.into_iter().collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// Marks a position and its mirror image.
fn mark(reached: &mut Reached, book: &OpeningBook, position: Stones) {
    let board = book.board();
    for position in [Some(position), mirrored(book, position)].into_iter().flatten() {
        let (profile, rank) = board.canonical_rank(position);
        let words = board.colourings(position.ply()).div_ceil(64) as usize;
        let bits = reached.entry(profile).or_insert_with(|| vec![0; words]);
        bits[rank as usize / 64] |= 1 << (rank % 64);
    }
}

fn mirrored(book: &OpeningBook, position: Stones) -> Option<Stones> {
    let game = book.board().game();
    game.position_of(game.image_key(position, Symmetry(1)))
}
