//! The solution of a whole Connect Four board, in a file.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use everyply::cli::available_memory;
use everyply::connect_four::profiles::{
    Board, Counts, Extent, Memory, Objects, SolutionFile, Storage, UNIT_BYTES, count, solve,
};
use everyply::control::Control;
use everyply::database::PositionRow;
use everyply::game::{Game, Key, Keyed, MoveSet, PartialValue, Ply, Symmetric};
use everyply::games::line::{AnyGame, Stones};
use everyply::store::Folder;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::errors::{os_error, pass_error, solution_error, stopped, storage_error};

/// Positions looked up between two checks for a stop.
const PART: usize = 1 << 20;

/// Bytes of a row: rows are collected before they become columns of 21 bytes.
const BYTES_PER_ROW: f64 = (size_of::<PositionRow>() + 21) as f64;

/// A solution file, and the counts of its board once they are known.
pub struct BoardSolution {
    file: SolutionFile,
    /// The board, as other games of stones and lines.
    pub game: AnyGame,
    counts: OnceLock<Counts>,
}

impl BoardSolution {
    pub fn of(file: SolutionFile) -> Self {
        let game = AnyGame::from(*file.board().game());
        Self { file, game, counts: OnceLock::new() }
    }

    /// Solves a board into a file at `path`, and opens it. With `work` its units are kept in a
    /// folder, so that an interrupted run continues.
    pub fn solve(
        board: &Board,
        work: Option<&str>,
        path: &Path,
        control: &Control,
    ) -> PyResult<Self> {
        let storage: Box<dyn Storage> = match work {
            None => Box::new(Memory::new()),
            Some(work) => {
                let store = Folder::open(Path::new(work));
                let store = store.map_err(|error| os_error(&error, error.to_string()))?;
                let units = Objects::open(Arc::new(store), board.size(), UNIT_BYTES);
                Box::new(units.map_err(|error| storage_error(&error))?)
            }
        };
        let written = solve(board, &*storage, path, control);
        let written = written.map_err(|error| solution_error(&error))?;
        let solution = SolutionFile::open(path).map_err(|error| solution_error(&error))?;
        let solution = Self::of(solution);
        let _ = solution.counts.set(written.counts);
        Ok(solution)
    }

    pub fn value(&self, stones: Stones) -> PyResult<Option<PartialValue>> {
        let found = self.file.value(stones).map_err(|error| solution_error(&error))?;
        Ok(found.map(PartialValue::from))
    }

    /// The values of many positions, handed over in their order.
    pub fn values(
        &self,
        all: &[Stones],
        control: &Control,
        mut see: impl FnMut(Option<PartialValue>, Stones),
    ) -> PyResult<()> {
        for part in all.chunks(PART) {
            control.check().map_err(stopped)?;
            let values = self.file.values(part);
            let values = values.map_err(|error| solution_error(&error))?;
            let known = values.into_iter().map(|value| value.map(PartialValue::from));
            known.zip(part).for_each(|(value, stones)| see(value, *stones));
        }
        Ok(())
    }

    /// The counts of the board, found by solving it again if the file was only opened.
    pub fn counts(&self, control: &Control) -> PyResult<&Counts> {
        if let Some(counts) = self.counts.get() {
            return Ok(counts);
        }
        let board = self.file.board();
        check_memory(board, available_memory(), "counting the positions of")?;
        let counts = count(board, Extent::WholeWithValues, &Memory::new(), control);
        let counts = counts.map_err(|error| pass_error(&error))?;
        Ok(self.counts.get_or_init(|| counts))
    }

    /// The keys of the start, with which [`next_ply`](Self::next_ply) begins.
    pub fn first_ply(&self) -> Vec<Key> {
        vec![self.game.key(self.game.initial())]
    }

    /// Every canonical position by ascending key.
    pub fn rows(&self, control: &Control) -> PyResult<Vec<PositionRow>> {
        let available = available_memory();
        let mut rows: Vec<PositionRow> = Vec::new();
        let mut keys = self.first_ply();
        for ply in 0u8.. {
            if keys.is_empty() {
                break;
            }
            let need = (rows.len() + keys.len()) as f64 * BYTES_PER_ROW;
            if need > available {
                return Err(PyMemoryError::new_err(format!(
                    "a table of all positions takes more than {:.1} GiB: `values` looks up those \
                     that are needed",
                    need / f64::from(1 << 30)
                )));
            }
            for part in keys.chunks(PART) {
                self.add_rows(part, Ply(ply), control, &mut rows)?;
            }
            keys = next_ply(&self.game, &keys, true);
        }
        rows.par_sort_unstable_by_key(|row| row.key);
        Ok(rows)
    }

    fn add_rows(
        &self,
        keys: &[Key],
        ply: Ply,
        control: &Control,
        rows: &mut Vec<PositionRow>,
    ) -> PyResult<()> {
        let game = &self.game;
        let all: Vec<Stones> = keys.par_iter().map(|key| position(game, *key)).collect();
        let moves = |stones: &Stones| {
            let moves = game.result(*stones).is_none().then(|| game.moves(*stones));
            moves.into_iter().flatten()
        };
        let after =
            |stones: &Stones| moves(stones).map(|m| game.play(*stones, m)).collect::<Vec<_>>();
        let children: Vec<Stones> = all.par_iter().flat_map_iter(after).collect();
        let mut there = Vec::with_capacity(children.len());
        self.values(&children, control, |value, _| there.push(value))?;
        let mut there = there.into_iter();
        let mut values = Vec::with_capacity(all.len());
        self.values(&all, control, |value, _| values.push(value))?;
        for ((key, stones), value) in keys.iter().zip(&all).zip(values) {
            let value = value.expect("a position of the board has a value");
            let mut best = 0;
            for m in moves(stones) {
                let after = there.next().flatten().expect("one for each move");
                best |= u64::from(after.for_parent().attains(value)) << m.0;
            }
            rows.push(PositionRow { key: *key, ply, value, best: Some(MoveSet(best)) });
        }
        Ok(())
    }
}

/// Refuses a board that does not fit.
pub fn check_memory(board: &Board, available: f64, work: &str) -> PyResult<()> {
    let need = board.estimate(usize::MAX).solve as f64;
    if need <= available {
        return Ok(());
    }
    let gib = |bytes: f64| bytes / f64::from(1 << 30);
    Err(PyMemoryError::new_err(format!(
        "{work} {} takes about {:.1} GiB of memory and {:.1} are allowed: work on a disk \
         (work=\"folder\", with path=), or ask `Solver` for single positions",
        board.size(),
        gib(need),
        gib(available)
    )))
}

pub fn position(game: &AnyGame, key: Key) -> Stones {
    game.position_of(key).expect("the key of a position")
}

/// The keys of the positions one ply later, ascending and each once.
pub fn next_ply(game: &AnyGame, keys: &[Key], canonical: bool) -> Vec<Key> {
    let children = |key: &Key| {
        let position = position(game, *key);
        let moves = game.result(position).is_none().then(|| game.moves(position));
        let child = move |m| {
            let child = game.play(position, m);
            if canonical { game.canonical(child).0 } else { game.key(child) }
        };
        moves.into_iter().flatten().map(child).collect::<Vec<_>>()
    };
    let mut next: Vec<Key> = keys.par_iter().flat_map_iter(children).collect();
    next.par_sort_unstable();
    next.dedup();
    next
}
