//! Where positions come from: a database, or the solution file of a board.

use super::source::{AbortReason, Source};
use crate::cli::failure::Failure;
use crate::connect_four::profiles::SolutionFile;
use crate::database::{Database, PlyRows, PositionRow};
use crate::export::KnownPosition;
use crate::game::MoveSet;
use crate::games::line::notation::{NotationError, some_moves_to};
use crate::games::line::{LineGame, Stones};
use crate::parallel::map_parts;

/// What holds the positions of a board of stones and lines.
pub(in crate::cli) enum Store {
    Database(Database),
    /// Every reachable position of a Connect Four board.
    Solution(Box<SolutionFile>),
}

/// Colourings of a solution file that are looked at before the next ones are: what is in memory.
const PIECE: usize = 1 << 14;

impl Store {
    /// What the rows are sorted by.
    pub const fn order(&self) -> &'static str {
        match self {
            Self::Database(_) => "ply, then key of the canonical image as an unsigned number",
            Self::Solution(_) => {
                "ply, then profile and rank, as docs/solution-format.md numbers them"
            }
        }
    }

    /// Hands on the positions that are wanted, ply by ply. Of a database two plies are in memory
    /// at a time, of a solution file a piece of one.
    pub fn positions<G: LineGame>(
        &self,
        source: &Source<'_>,
        game: &G,
        mut each: impl FnMut(&KnownPosition) -> Result<(), AbortReason>,
    ) -> Result<(), AbortReason> {
        let solution = match self {
            Self::Database(database) => {
                return database.plies(source.id, |layer, next| {
                    for row in layer.rows().iter().filter(|row| source.wants_ply(row.ply.0)) {
                        let known = source.of_row(game, row, next)?;
                        source.hand_on(game, &known, &mut each)?;
                        source.advance()?;
                    }
                    Ok(())
                });
            }
            Self::Solution(solution) => solution,
        };
        let board = solution.board();
        let plies = (0..=board.last_ply().0).zip(board.canonical_profiles());
        for (_, profiles) in plies.filter(|(ply, _)| source.wants_ply(*ply)) {
            let mut positions = profiles.into_iter().flat_map(|profile| board.positions(profile));
            loop {
                let piece: Vec<Stones> = positions.by_ref().take(PIECE).collect();
                if piece.is_empty() {
                    break;
                }
                let parts = map_parts(0..piece.len(), 64, &|part| {
                    let known =
                        piece[part].iter().map(|at| source.of_solution(game, solution, *at));
                    known.filter_map(Result::transpose).collect::<Result<Vec<_>, AbortReason>>()
                });
                for part in parts {
                    for known in part? {
                        source.hand_on(game, &known, &mut each)?;
                    }
                }
                source.control.advance(piece.len() as u64);
                source.control.check()?;
            }
        }
        Ok(())
    }
}

impl Source<'_> {
    /// Hands on a position that is wanted, with its images if they are.
    fn hand_on<G: LineGame>(
        &self,
        game: &G,
        known: &KnownPosition,
        each: &mut impl FnMut(&KnownPosition) -> Result<(), AbortReason>,
    ) -> Result<(), AbortReason> {
        if !self.wants_value(known.value) {
            return Ok(());
        }
        if !self.wanted.mirror {
            return each(known);
        }
        known.images(game).iter().try_for_each(each)
    }

    /// The position of a row, with the values of its moves if they are wanted.
    fn of_row<G: LineGame>(
        &self,
        game: &G,
        row: &PositionRow,
        next: &PlyRows,
    ) -> Result<KnownPosition, AbortReason> {
        let position = game.position_of(row.key).filter(|position| position.ply() == row.ply);
        let position = position.ok_or_else(|| self.no_position(row))?;
        let over = game.result(position).is_some();
        let open =
            if over || !self.wanted.all_moves { MoveSet::EMPTY } else { game.moves(position) };
        let known = open.into_iter().filter_map(|m| {
            // A best move attains the value of the position, whether its own is stored or not.
            let best = row.best.is_some_and(|best| best.contains(m));
            let value = next.value_of_move(game, position, m);
            Some((m, value.or_else(|| best.then_some(row.value))?))
        });
        let moves = known.collect();
        let way = some_moves_to(game, position).ok();
        Ok(KnownPosition { position, way, value: row.value, best: row.best, moves })
    }

    /// What a solution file says of a position; `None` if no game leads to it, or its
    /// mirror image stands for it.
    fn of_solution<G: LineGame>(
        &self,
        game: &G,
        solution: &SolutionFile,
        position: Stones,
    ) -> Result<Option<KnownPosition>, AbortReason> {
        let image = game.position_of(game.canonical(position).0).expect("an image is a position");
        // A profile that equals its mirror image holds both images.
        if image != position && image.occupied() == position.occupied() {
            return Ok(None);
        }
        match some_moves_to(game, image) {
            Ok(way) => Ok(KnownPosition::of_solution(game, solution, image, way)?),
            Err(error @ NotationError::Undecided) => {
                Err(AbortReason::Refused(Failure::runtime(error)))
            }
            Err(_) => Ok(None),
        }
    }
}
