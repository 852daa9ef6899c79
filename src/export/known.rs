//! A position with its known values, in any of its images.

use crate::connect_four::profiles::{SolutionError, SolutionFile};
use crate::game::{Key, Move, MoveSet, PartialValue, Symmetry, images};
use crate::games::line::notation::some_moves_to;
use crate::games::line::{LineGame, Stones};

/// A position with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownPosition {
    /// The position.
    pub position: Stones,
    /// The moves that lead to it from the empty board, the lowest order of them; `None` if none
    /// was found.
    pub way: Option<Vec<Move>>,
    /// The value for the side to move.
    pub value: PartialValue,
    /// The moves that attain it, if they are known.
    pub best: Option<MoveSet>,
    /// The moves with known values, each with its value for the side that makes it.
    pub moves: Vec<(Move, PartialValue)>,
}

impl KnownPosition {
    /// The position that these moves lead to, with its values in a solution file; `None` if it is of
    /// another board. If the file has only outcomes, the best moves are those that attain the
    /// outcome.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn of_solution<G: LineGame>(
        game: &G,
        solution: &SolutionFile,
        position: Stones,
        way: Vec<Move>,
    ) -> Result<Option<Self>, SolutionError> {
        let Some(value) = solution.partial_value(position)? else { return Ok(None) };
        let mut moves = Vec::new();
        if game.result(position).is_none() {
            for m in game.moves(position) {
                let after = solution.partial_value(game.play(position, m))?;
                moves.extend(after.map(|after| (m, after.for_parent())));
            }
        }
        let attaining = moves.iter().filter(|(_, there)| there.attains(value));
        let best = Some(attaining.map(|(m, _)| *m).collect());
        Ok(Some(Self { position, way: Some(way), value, best, moves }))
    }

    /// All images of the position, each once and by ascending key.
    #[must_use]
    pub fn images<G: LineGame>(&self, game: &G) -> Vec<Self> {
        let images = images(game, self.position);
        images.into_iter().map(|(key, symmetry)| self.image(game, key, symmetry)).collect()
    }

    fn image<G: LineGame>(&self, game: &G, key: Key, symmetry: Symmetry) -> Self {
        let of = |m| game.image_move(m, symmetry);
        let position = game.position_of(key).expect("an image is a position");
        let moves = self.moves.iter().map(|(m, value)| (of(*m), *value));
        Self {
            position,
            // The image of the lowest order may not be the lowest.
            way: self.way.as_ref().and_then(|_| some_moves_to(game, position).ok()),
            value: self.value,
            best: self.best.map(|best| best.into_iter().map(of).collect()),
            moves: moves.collect(),
        }
    }
}
