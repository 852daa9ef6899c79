//! Sources of positions: a database, or the solution file of a board.

use super::super::known::KnownPosition;
use super::error::ExportError;
use super::job::Job;
use crate::connect_four::profiles::SolutionFile;
use crate::database::{Database, PlyRows, PositionRow};
use crate::game::{GameId, MoveSet};
use crate::games::line::notation::{NotationError, some_moves_to};
use crate::games::line::{AnyGame, LineGame, Stones};
use crate::parallel::map_parts;
use crate::registry::Study;

/// A game with the file that holds its positions.
pub enum PositionSource {
    /// A board of stones and lines.
    Lines(AnyGame, PositionStore),
    /// A game of the registry, given by its start.
    Registered(Box<dyn Study>, Database),
}

impl PositionSource {
    /// The game.
    #[must_use]
    pub fn game_id(&self) -> GameId {
        match self {
            Self::Lines(game, _) => game.game_id(),
            Self::Registered(start, _) => start.game_id(),
        }
    }
}

/// A file with positions of a board of stones and lines.
pub enum PositionStore {
    /// A database.
    Database(Database),
    /// Every reachable position of a Connect Four board.
    Solution(Box<SolutionFile>),
}

/// Colourings of a solution file that are in memory at a time.
const PIECE: usize = 1 << 14;

impl PositionStore {
    /// The order of the rows, in words.
    pub(super) const fn order(&self) -> &'static str {
        match self {
            Self::Database(_) => "ply, then key of the canonical image as an unsigned number",
            Self::Solution(_) => {
                "ply, then profile and rank, as docs/solution-format.md numbers them"
            }
        }
    }

    /// Visits the selected positions, ply by ply. Of a database two plies are in memory at a time, of
    /// a solution file a piece of one.
    pub(super) fn positions<G: LineGame>(
        &self,
        job: &Job<'_>,
        game: &G,
        mut each: impl FnMut(&KnownPosition) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let solution = match self {
            Self::Database(database) => {
                return database.plies(job.game, |layer, next| {
                    for row in layer.rows().iter().filter(|row| job.wants_ply(row.ply.0)) {
                        let known = job.of_row(game, database, row, next)?;
                        job.visit(game, &known, &mut each)?;
                        job.advance()?;
                    }
                    Ok(())
                });
            }
            Self::Solution(solution) => solution,
        };
        let board = solution.board();
        let plies = (0..=board.last_ply().0).zip(board.canonical_profiles());
        for (_, profiles) in plies.filter(|(ply, _)| job.wants_ply(*ply)) {
            let mut positions = profiles.into_iter().flat_map(|profile| board.positions(profile));
            loop {
                let piece: Vec<Stones> = positions.by_ref().take(PIECE).collect();
                if piece.is_empty() {
                    break;
                }
                let parts = map_parts(0..piece.len(), 64, &|part| {
                    let known = piece[part].iter().map(|at| job.of_solution(game, solution, *at));
                    known.filter_map(Result::transpose).collect::<Result<Vec<_>, ExportError>>()
                });
                for part in parts {
                    for known in part? {
                        job.visit(game, &known, &mut each)?;
                    }
                }
                job.control.advance(piece.len() as u64);
                job.control.check()?;
            }
        }
        Ok(())
    }
}

impl Job<'_> {
    /// Visits a position if it is selected, with its images if they are.
    fn visit<G: LineGame>(
        &self,
        game: &G,
        known: &KnownPosition,
        each: &mut impl FnMut(&KnownPosition) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        if !self.wants_value(known.value) {
            return Ok(());
        }
        if !self.selection.mirror {
            return each(known);
        }
        known.images(game).iter().try_for_each(each)
    }

    /// The position of a row, with the values of its moves if they are selected.
    fn of_row<G: LineGame>(
        &self,
        game: &G,
        database: &Database,
        row: &PositionRow,
        next: &PlyRows,
    ) -> Result<KnownPosition, ExportError> {
        let position = game.position_of(row.key).filter(|position| position.ply() == row.ply);
        let position = position.ok_or_else(|| self.no_position(database, row))?;
        let over = game.result(position).is_some();
        let open =
            if over || !self.selection.all_moves { MoveSet::EMPTY } else { game.moves(position) };
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

    /// A position of a solution file; `None` if no game leads to it, or its mirror image stands for
    /// it.
    fn of_solution<G: LineGame>(
        &self,
        game: &G,
        solution: &SolutionFile,
        position: Stones,
    ) -> Result<Option<KnownPosition>, ExportError> {
        let image = game.position_of(game.canonical(position).0).expect("an image is a position");
        // A profile that equals its mirror image holds both images.
        if image != position && image.occupied() == position.occupied() {
            return Ok(None);
        }
        match some_moves_to(game, image) {
            Ok(way) => Ok(KnownPosition::of_solution(game, solution, image, way)?),
            Err(error @ NotationError::Undecided) => Err(error.into()),
            Err(_) => Ok(None),
        }
    }
}
