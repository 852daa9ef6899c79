//! Sources of positions: a game, and the file that holds them with their values.

use rustc_hash::FxHashMap;

use super::super::format::PositionFormat;
use super::super::known::KnownPosition;
use super::super::manifest::Manifest;
use super::error::ExportError;
use super::job::{Job, manifest};
use super::ways::WayFinder;
use crate::database::PositionRow;
use crate::stored::{Below, Content, StoredError, StoredFile, Visit};
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{GameId, Key, MoveSet, PartialValue, Ply, Unreached, Value};
use everyply_core::parallel::map_parts;
use everyply_registry::registry::{Points, Position, Successor};
use everyply_registry::solutions::SolutionFile;

/// A game, given by its start, with the file that holds its positions.
pub struct PositionSource {
    start: Box<dyn Position>,
    file: StoredFile,
}

const BY_RANK: &str = "ply, then profile and rank, as docs/solution-format.md numbers them";

/// The least number of positions for one thread.
const STRETCH: usize = 64;

impl PositionSource {
    /// Creates the source of a game, given by its start, and a file.
    ///
    /// # Errors
    /// If the file is a strategy.
    pub fn new(start: Box<dyn Position>, file: StoredFile) -> Result<Self, StoredError> {
        match file.content() {
            Content::Strategies(_) => Err(StoredError::WithoutValues(file.path().to_owned())),
            _ => Ok(Self { start, file }),
        }
    }

    pub fn start(&self) -> &dyn Position {
        self.start.as_ref()
    }

    pub fn game_id(&self) -> GameId {
        self.start.game_id()
    }

    fn order(&self) -> &'static str {
        match self.file.solution() {
            Some(file) if file.is_ranked() => "ply, then tier and rank",
            _ if self.is_of_board() => BY_RANK,
            _ => "ply, then key of the canonical image as an unsigned number",
        }
    }

    /// Returns the manifest of a file with every position that a job selects, without its rows.
    pub(super) fn manifest(&self, job: &Job<'_>, format: PositionFormat) -> Manifest {
        Manifest {
            filter: job.selection.filter(),
            selection: match job.selection.mirror {
                true => "stored positions, each in all of its images, by ascending key",
                false => {
                    "stored positions, each in its canonical image: the one with the lowest key"
                }
            },
            order: self.order(),
            ..manifest(self.start(), format, job.selection.mirror)
        }
    }

    /// Returns true if the file numbers all colourings of a board, reachable or not.
    fn is_of_board(&self) -> bool {
        match self.file.content() {
            Content::Solution(solution) => solution.board().is_some(),
            Content::Book(_) => true,
            _ => false,
        }
    }

    /// Returns the positions that a solution file holds, in words; `None` for other files.
    pub(super) fn holds(&self) -> Option<&'static str> {
        self.file.solution().map(SolutionFile::holds)
    }

    pub(super) fn values(
        &self,
        ply: Ply,
        control: &Control,
    ) -> Result<FxHashMap<Key, PartialValue>, ExportError> {
        let (start, plies) = (self.start(), &|other| other == ply);
        let mut values = FxHashMap::default();
        let visit = Visit { start, plies, moves: false, control };
        self.file.visit_by_ply(visit, &mut |rows, _| {
            values.extend(rows.iter().map(|row| (row.key, row.value)));
            Ok(())
        })?;
        Ok(values)
    }

    /// Visits the selected positions, ply by ply, with the values of their moves if selected:
    /// `make` runs on many threads, and `each` gets its results in order.
    pub(super) fn positions<T: Send>(
        &self,
        job: &Job<'_>,
        make: &(dyn Fn(KnownPosition) -> T + Sync),
        each: &mut dyn FnMut(T) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        // A row stands for its images, and finished games may have no row.
        let first =
            self.file.solution().map_or(0, |solution| 16 * solution.positions() + (1 << 16));
        let mut ways = WayFinder::new(self.start(), first, job.control)?;
        let visit = Visit {
            start: self.start(),
            plies: &|ply: Ply| job.wants_ply(ply.0),
            moves: job.selection.all_moves,
            control: job.control,
        };
        let mut failed = None;
        let visited = self.file.visit_by_ply(visit, &mut |rows, below| {
            ways.expect(rows.len() as u64)?;
            let parts = map_parts(0..rows.len(), STRETCH, &|part| {
                let mut made = Vec::new();
                for row in &rows[part] {
                    let Some(known) = self.known(row, below, job, &ways)? else { continue };
                    match job.selection.mirror {
                        true => {
                            let images = known.images(&|position| ways.to(position));
                            made.extend(images.into_iter().map(make));
                        }
                        false => made.push(make(known)),
                    }
                }
                Ok(made)
            });
            for part in parts {
                let done = part.and_then(|made| made.into_iter().try_for_each(&mut *each));
                done.map_err(|error| {
                    failed = Some(error);
                    Stopped
                })?;
            }
            Ok(())
        });
        failed.map_or_else(|| Ok(visited?), Err)
    }

    /// Returns the position of a row; `None` if its value is not selected, or no game leads to it.
    fn known(
        &self,
        row: &PositionRow,
        below: &Below<'_>,
        job: &Job<'_>,
        ways: &WayFinder<'_>,
    ) -> Result<Option<KnownPosition>, ExportError> {
        job.advance()?;
        if !job.wants_value(row.value) {
            return Ok(None);
        }
        let position = self.start.of_key(row.key);
        let position = position.filter(|position| self.is_of_board() || position.tier() == row.ply);
        let position = position.ok_or_else(|| {
            let (path, key, ply) = (self.file.path().to_owned(), row.key.0, row.ply.0);
            ExportError::NoPosition { path, key, ply, game: self.game_id() }
        })?;
        let way = match self.is_of_board().then(|| position.moves_to()) {
            Some(Err(Unreached::NoWay)) => return Ok(None),
            Some(way) => Some(way?),
            None => ways.to(&*position),
        };
        let has_best = matches!(self.file.content(), Content::Database(_));
        let moves = match self.file.solution().filter(|_| !self.is_of_board()) {
            Some(solution) => solution.moves(&*position).map_err(StoredError::from)?,
            None if job.selection.all_moves || !has_best => {
                let value =
                    |to: Successor| Ok((to.bit, value_of_move(&*position, row, to, below)?));
                position.successors().into_iter().map(value).collect::<Result<_, ExportError>>()?
            }
            None => Vec::new(),
        };
        let points = match ways.points(&*position)? {
            None => Points::of(&*position, |at| self.file.points(at))?,
            points => points,
        };
        let best = match &points {
            _ if has_best => row.best,
            Some(points) => Some(points.best_moves()),
            None => best_of(&moves, row.value),
        };
        Ok(Some(KnownPosition { position, way, value: row.value, points, best, moves }))
    }
}

/// Returns the value of a move, if known, for the side that makes it. A best move attains the value
/// of the position, even if its own is not stored.
fn value_of_move(
    position: &dyn Position,
    row: &PositionRow,
    to: Successor,
    below: &Below<'_>,
) -> Result<Option<PartialValue>, StoredError> {
    let there = match to.result {
        Some(outcome) => Some(Value::over(outcome).into()),
        None => below(&to)?,
    };
    let booked = || position.play(to.bit).booked().map(PartialValue::from);
    let known = there.or_else(booked).map(|value| value.one_ply_earlier(to.keeps_turn));
    // A best move for points need not be the soonest.
    let implied = || match position.info().counts_points {
        true => PartialValue::of_outcome(row.value.outcome),
        false => row.value,
    };
    let is_best = row.best.is_some_and(|best| best.has(to.bit));
    Ok(known.or_else(|| is_best.then(implied)))
}

/// Returns the moves that attain the value of a position; `None` if a move has no known value.
fn best_of(moves: &[(u32, Option<PartialValue>)], value: PartialValue) -> Option<MoveSet> {
    let mut best = MoveSet::EMPTY;
    for (bit, there) in moves {
        best.0 |= u128::from((*there)?.attains(value)) << bit;
    }
    Some(best)
}
