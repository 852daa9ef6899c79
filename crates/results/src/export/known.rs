//! A position with its known values, in any of its images.

use everyply_core::game::{MoveSet, PartialValue};
use everyply_registry::registry::{Points, Position};

pub(super) struct KnownPosition {
    pub position: Box<dyn Position>,
    /// The moves that lead to it from the start, a shortest way; `None` if none was found.
    pub way: Option<String>,
    /// The value for the side to move.
    pub value: PartialValue,
    /// The final points of the position and its moves under best play for points, in games that
    /// count them.
    pub points: Option<Points>,
    /// The best moves, if known: by points or, in games without points, by value.
    pub best: Option<MoveSet>,
    /// The bits of the moves, ascending, each with its value, if known, for the side that makes it.
    pub moves: Vec<(u32, Option<PartialValue>)>,
}

impl KnownPosition {
    /// Returns all images of the position, each once and by ascending key; `way` finds their ways.
    pub fn images(&self, way: &dyn Fn(&dyn Position) -> Option<String>) -> Vec<Self> {
        let image = |(key, symmetry)| {
            let position = self.position.of_key(key).expect("an image is a position");
            let of = |moves| self.position.image_moves(moves, symmetry);
            let bit = |bit: u32| of(MoveSet(1 << bit)).0.trailing_zeros();
            let mut moves: Vec<_> =
                self.moves.iter().map(|&(from, value)| (bit(from), value)).collect();
            moves.sort_unstable_by_key(|(bit, _)| *bit);
            Self {
                // The image of the lowest way may not be the lowest.
                way: self.way.as_ref().and_then(|_| way(&*position)),
                value: self.value,
                points: self.points.as_ref().map(|points| {
                    let moves = points.moves.iter().map(|&(from, there)| (bit(from), there));
                    let mut moves: Vec<_> = moves.collect();
                    moves.sort_unstable_by_key(|(bit, _)| *bit);
                    Points { best: points.best, moves }
                }),
                best: self.best.map(of),
                moves,
                position,
            }
        };
        self.position.images().into_iter().map(image).collect()
    }
}
