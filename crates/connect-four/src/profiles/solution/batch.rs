//! Look-ups of many positions in a solution file.

use std::ops::Range;

use rayon::prelude::*;

use super::error::SolutionError;
use super::file::SolutionFile;
use crate::game::PartialValue;
use crate::games::line::Stones;
use crate::parallel;

/// The least number of positions that one thread looks up.
const STRETCH: usize = 4096;

impl SolutionFile {
    /// The values of many reachable positions, in their order, as
    /// [`partial_value`](Self::partial_value) gives them one by one. It is much faster for
    /// scattered positions, since each block is unpacked about once. It runs on the current rayon
    /// pool.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn partial_values(
        &self,
        positions: &[Stones],
    ) -> Result<Vec<Option<PartialValue>>, SolutionError> {
        let stretches = |work: &(dyn Fn(Range<usize>) -> _ + Sync)| {
            parallel::map_parts(0..positions.len(), STRETCH, work)
        };
        let locations = stretches(&|part| {
            let locate = |i: usize| Ok((self.locate(positions[i])?, i));
            part.map(locate).collect::<Result<Vec<_>, SolutionError>>()
        });
        let mut order = Vec::with_capacity(positions.len());
        for part in locations {
            order.extend(part?);
        }
        order.par_sort_unstable_by_key(|(location, _)| location.block());
        let found = parallel::map_parts(0..order.len(), STRETCH, &|part| {
            let value = |&(location, i): &(_, usize)| Ok((i, self.partial_value_at(location)?));
            order[part].iter().map(value).collect::<Result<Vec<_>, SolutionError>>()
        });
        let mut values = vec![None; positions.len()];
        for part in found {
            for (i, value) in part? {
                values[i] = value;
            }
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use crate::control::Control;
    use crate::game::laws::Random;
    use crate::game::{Game, MoveSet};
    use crate::games::line::{Size, Stones};
    use crate::profiles::{Board, Memory, SolutionDetail, SolutionFile, solve};

    #[test]
    fn many_values_are_those_of_each() {
        let board = Board::new(Size::new(5, 4, 4).unwrap()).unwrap();
        let game = *board.game();
        let mut random = Random::new(5);
        let mut positions: Vec<Stones> = Vec::new();
        while positions.len() < 20_000 {
            let mut position = game.initial();
            while game.result(position).is_none() {
                let moves: MoveSet = game.moves(position);
                let which = random.below(moves.into_iter().count() as u32) as usize;
                position = game.play(position, moves.into_iter().nth(which).unwrap());
                positions.push(position);
            }
        }
        // Stones of one side on every bit are no position.
        positions.push(Stones { own: u64::MAX, other: 0 });
        let folder = tempfile::tempdir().unwrap();
        for detail in [SolutionDetail::Remoteness, SolutionDetail::Outcome] {
            let path = folder.path().join(format!("{detail:?}"));
            solve(&board, detail, &Memory::new(), &path, &Control::default()).unwrap();
            let file = SolutionFile::open(&path).unwrap();
            let values = file.partial_values(&positions).unwrap();
            assert_eq!(values.last(), Some(&None));
            for (position, value) in positions.iter().zip(&values) {
                assert_eq!(file.partial_value(*position).unwrap(), *value, "{position:?}");
            }
        }
        assert_eq!(
            SolutionFile::open(&folder.path().join("Outcome"))
                .unwrap()
                .partial_values(&[])
                .unwrap(),
            []
        );
    }
}
