//! Solvers that learn from the rows of a database, or from an opening book.

use crate::cli::input;
use crate::cli::prelude::*;
use everyply_core::game::{Game, Keyed, Symmetric, Tiered, ValueBounds};
use everyply_core::games::line::Stones;

/// Teaches a solver all rows that a database or an opening book has of its board.
pub(super) fn read_book(solver: &mut Solver, path: &Path) -> Result<(), Failure> {
    let game = *solver.game();
    let id = game.game_id();
    let file = input::open_values(path)?;
    if let Content::Solution(_) = file.content() {
        return Err(runtime!(
            "--book {}: it is {}: give a database or an opening book",
            path.display(),
            file.kind()
        ));
    }
    let mut nearest = Nearest { rows: Vec::new(), solver, path };
    file.scan(&id, |row| nearest.take(row))?;
    if nearest.rows.is_empty() {
        return Err(runtime!(
            "--book {}: it holds no position of {id}; make one with `analyze book`",
            path.display()
        ));
    }
    nearest.learn_all_but(0)
}

/// Rows waiting to be learnt: the positions nearest to the root come last, so that the table
/// keeps them.
struct Nearest<'s> {
    rows: Vec<PositionRow>,
    solver: &'s mut Solver,
    path: &'s Path,
}

/// The most waiting rows, which take 32 MiB.
const WAITING: usize = 1 << 20;

impl Nearest<'_> {
    fn take(&mut self, row: PositionRow) -> Result<(), Failure> {
        self.rows.push(row);
        if self.rows.len() >= WAITING { self.learn_all_but(WAITING / 2) } else { Ok(()) }
    }

    /// Learns the rows farthest from the root until no more than `rest` wait.
    fn learn_all_but(&mut self, rest: usize) -> Result<(), Failure> {
        let game = *self.solver.game();
        self.rows.sort_unstable_by_key(|row| (row.ply, row.key));
        for PositionRow { key, value, .. } in self.rows.drain(rest..).rev() {
            let position = game.position_of(key).filter(|p| game.canonical(*p).0 == key);
            let position = position.ok_or_else(|| {
                runtime!(
                    "--book {}: {} is the key of no position of {}: the file is damaged",
                    self.path.display(),
                    key.0,
                    game.game_id()
                )
            })?;
            learn(self.solver, position, value);
        }
        Ok(())
    }
}

/// Teaches a solver all that an earlier analysis of a position has stored in a database: the rows of
/// the position, of its moves, and of best play.
pub(super) fn learn_around(
    solver: &mut Solver,
    database: &Database,
    root: Stones,
) -> Result<(), DatabaseError> {
    let game = *solver.game();
    let mut lookup = database.lookup(&game.game_id())?;
    let mut next = Some(root);
    while let Some(position) = next.take() {
        if game.result(position).is_some() {
            break;
        }
        let row = lookup.find(&game, position)?;
        if let Some(row) = row {
            learn(solver, position, row.value);
            if let (Some(value), Some(best)) = (row.value.exact(), row.best) {
                solver.learn_best(position, value, best);
            }
        }
        let moves = game.moves(position);
        // Best play continues with the best move nearest to the middle.
        for &m in game.centre_first().iter().filter(|&&m| moves.contains(m)) {
            let child = game.play(position, m);
            let key = game.canonical(child).0;
            let Some(below) = lookup.position(key)? else {
                if let Some(known) = lookup.bound(key)? {
                    solver.learn(child, known.bounds);
                }
                continue;
            };
            learn(solver, child, below.value);
            if next.is_none() && row.is_some_and(|row| below.value.for_parent() == row.value) {
                next = Some(child);
            }
        }
    }
    Ok(())
}

pub(super) fn learn(solver: &mut Solver, position: Stones, value: PartialValue) {
    let game = *solver.game();
    if game.result(position).is_none() {
        solver.learn(position, ValueBounds::on_board(value, game.plies_left(position)));
    }
}
