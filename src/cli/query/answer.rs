//! The answer of a file about a position of a board of stones and lines.

use crate::cli::failure::Failure;
use crate::connect_four::profiles::SolutionFile;
use crate::database::Lookup;
use crate::game::{Game, Move, MoveSet, PartialValue, Symmetric, Value, ValueBounds, best_of};
use crate::games::line::{AnyGame, LineGame, Stones};
use crate::registry::study_of;

/// The answer of a file about a position.
pub(super) struct Answer {
    /// The value; `None` if it is unknown.
    pub value: Option<PartialValue>,
    /// The bounds of the value, if it is unknown.
    pub bounds: Option<ValueBounds>,
    /// Every move, with its value for the side that makes it.
    pub moves: Vec<(Move, Option<PartialValue>)>,
    /// All best moves; `None` if they are not all known.
    pub best: Option<MoveSet>,
    /// Best play, as far as the file goes.
    pub variation: Vec<Move>,
    /// The moves with values from the built-in opening book.
    pub from_book: MoveSet,
    /// The additions to the file, in words.
    pub kept: String,
}

impl Answer {
    /// All best moves, or those of the moves with a value that attain that of the position.
    pub fn known_best(&self) -> MoveSet {
        let attains = |known: Option<PartialValue>| {
            let (known, value) = (known?.exact()?, self.value?.exact()?);
            Some(known == value)
        };
        self.best.unwrap_or_else(|| {
            let known = self.moves.iter().filter(|(_, known)| attains(*known) == Some(true));
            known.map(|(m, _)| *m).collect()
        })
    }
}

/// A file that holds positions of one board.
pub(super) enum File<'d> {
    Database(Lookup<'d>),
    Solution(Box<SolutionFile>),
}

/// A file with the rules of its board.
pub(super) struct Source<'d> {
    pub game: AnyGame,
    pub file: File<'d>,
}

impl Source<'_> {
    /// The stored value of a position and its stored best moves.
    fn stored(
        &mut self,
        position: Stones,
    ) -> Result<(Option<PartialValue>, Option<MoveSet>), Failure> {
        match &mut self.file {
            File::Database(lookup) => {
                let row = lookup.find(&self.game, position).map_err(Failure::runtime)?;
                Ok((row.map(|row| row.value), row.and_then(|row| row.best)))
            }
            File::Solution(solution) => {
                Ok((solution.partial_value(position).map_err(Failure::runtime)?, None))
            }
        }
    }

    fn known(&mut self, position: Stones) -> Result<Option<PartialValue>, Failure> {
        match self.game.result(position) {
            Some(outcome) => Ok(Some(Value::over(outcome).into())),
            None => Ok(self.stored(position)?.0),
        }
    }

    /// The moves of a position, each with its value for the side that makes it.
    fn moves(&mut self, position: Stones) -> Result<Vec<(Move, Option<PartialValue>)>, Failure> {
        let game = self.game;
        let mut moves = Vec::new();
        for m in game.moves(position) {
            let below = self.known(game.play(position, m))?;
            moves.push((m, below.map(PartialValue::for_parent)));
        }
        Ok(moves)
    }

    pub fn answer(&mut self, position: Stones) -> Result<Answer, Failure> {
        let game = self.game;
        if let Some(outcome) = game.result(position) {
            return Ok(Answer {
                value: Some(Value::over(outcome).into()),
                bounds: None,
                moves: Vec::new(),
                best: Some(MoveSet::EMPTY),
                variation: Vec::new(),
                from_book: MoveSet::EMPTY,
                kept: String::new(),
            });
        }
        let (stored, best) = self.stored(position)?;
        let mut moves = self.moves(position)?;
        let is_held = stored.is_some() || moves.iter().any(|(_, known)| known.is_some());
        let (mut value, mut best) = settle(stored, best, &mut moves);
        let mut from_book = MoveSet::EMPTY;
        if is_held {
            for (m, known) in moves.iter_mut().filter(|(_, known)| known.is_none()) {
                let below = study_of(&game, game.play(position, *m)).booked();
                *known = below.map(|value| value.for_parent().into());
                from_book.0 |= u64::from(known.is_some()) << m.0;
            }
            (value, best) = settle(value, best, &mut moves);
        }
        let bounds = match &mut self.file {
            File::Database(lookup) if value.is_none() => {
                lookup.bound(game.canonical(position).0).map_err(Failure::runtime)?
            }
            _ => None,
        };
        Ok(Answer {
            value,
            bounds: bounds.map(|row| row.bounds),
            variation: self.variation(position, value, best)?,
            moves,
            best,
            from_book,
            kept: String::new(),
        })
    }

    /// Best play as far as the file holds the best moves.
    fn variation(
        &mut self,
        mut position: Stones,
        value: Option<PartialValue>,
        mut best: Option<MoveSet>,
    ) -> Result<Vec<Move>, Failure> {
        let game = self.game;
        let mut line = Vec::new();
        // Without distances a won game could be played in circles around its end.
        if !value.is_some_and(PartialValue::is_exact) {
            return Ok(line);
        }
        while let Some(m) = best.and_then(|best| central(&game, best)) {
            line.push(m);
            position = game.play(position, m);
            if game.result(position).is_some() {
                break;
            }
            best = match self.stored(position)? {
                (Some(value), Some(best)) if value.is_exact() => Some(best),
                // The values of the moves may imply the best moves.
                _ => {
                    let mut moves = self.moves(position)?;
                    let exact =
                        |known: Option<PartialValue>| known.is_some_and(PartialValue::is_exact);
                    let all = moves.iter().all(|&(_, known)| exact(known));
                    if all { settle(None, None, &mut moves).1 } else { None }
                }
            };
        }
        Ok(line)
    }
}

/// Combines the rows of a position and of its moves: each may imply values of the other.
fn settle(
    stored: Option<PartialValue>,
    best: Option<MoveSet>,
    moves: &mut [(Move, Option<PartialValue>)],
) -> (Option<PartialValue>, Option<MoveSet>) {
    if let (Some(value), Some(best)) = (stored, best) {
        for (m, known) in moves.iter_mut().filter(|(_, known)| known.is_none()) {
            *known = best.contains(*m).then_some(value);
        }
        return (stored, Some(best));
    }
    let all: Option<Vec<_>> = moves.iter().map(|&(m, known)| Some((m, known?))).collect();
    match all.and_then(|all| best_of(all.iter().copied())) {
        // The rows of the moves know the outcome, and that of the position more.
        Some((value, _)) if !value.is_exact() && stored.is_some_and(PartialValue::is_exact) => {
            (stored, None)
        }
        Some((value, best)) => (Some(value), Some(best)),
        None => (stored, None),
    }
}

/// The most central of several best moves.
pub(super) fn central<G: LineGame>(game: &G, best: MoveSet) -> Option<Move> {
    game.centre_first().iter().copied().find(|m| best.contains(*m))
}
