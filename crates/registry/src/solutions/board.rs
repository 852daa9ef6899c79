//! Solution files of whole Connect Four boards: the tiers are plies, the profiles of a board number
//! the positions, and values are one byte each.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::SolutionError;
use super::file::SolutionFile;
use super::layout::{Numbering, Tier};
use super::ranks::{BoardRanks, Place};
use super::write::{WriteError, Writer, WrittenGame};
use crate::registry::{self, Position};
use everyply_connect_four::profiles::{self, Board, Content, Counts, Plan, Storage};
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{Outcome, Ply, Value};
use everyply_core::games::line::{LineGame, Stones};
use everyply_files::disk::NewFile;

/// Solves a board and writes the value of every position to a file, which appears whole or not at
/// all. Its bytes are the same for any number of threads and interruptions, and for any storage.
///
/// # Errors
/// If the control asks to stop, or the storage or the file cannot be written.
pub fn solve_board(
    board: &Board,
    storage: &dyn Storage,
    mut file: NewFile,
    control: &Control,
) -> Result<WrittenGame, WriteError> {
    let plan = Plan::new(board, storage.cut(), usize::MAX);
    profiles::solve(&plan, storage, control).map_err(SolutionError::from)?;
    // The tables of the file take memory as well.
    storage.free_spare();
    let counts = profiles::counts(&plan, storage).map_err(SolutionError::from)?;
    let start = start_of(board);
    let mut writer = Writer::new(&*start, Numbering::Profiles, &mut file)?;
    for ply in (0..=board.last_ply().0).map(Ply) {
        for unit in plan.units(Content::Packed, ply) {
            let (lengths, bytes) = profiles::packed(storage, unit).map_err(SolutionError::from)?;
            writer.put_ranks(&lengths, &bytes)?;
        }
        writer.end_tier_of(tier_of(&counts, ply, plan.ranks(ply)));
    }
    let value = counts.values.as_ref().expect("the values are counted").start.into();
    let written = WrittenGame { counts: Some(counts), ..writer.finish(value)? };
    file.commit().map_err(SolutionError::from)?;
    Ok(written)
}

/// Makes all units of a board in its storage, so that [`solve_board`] has only the file to write.
/// Any number of processes may work in one storage.
///
/// # Errors
/// If the control asks to stop, or the storage cannot be used.
pub fn fill_board(
    board: &Board,
    storage: &dyn Storage,
    control: &Control,
) -> Result<(), WriteError> {
    let plan = Plan::new(board, storage.cut(), usize::MAX);
    Ok(profiles::solve(&plan, storage, control).map_err(SolutionError::from)?)
}

fn start_of(board: &Board) -> Box<dyn Position> {
    registry::board(board.game().rules(), board.size()).expect("the board was made before")
}

/// Returns the counts of a ply: of all positions that a game reaches, mirror images included.
fn tier_of(counts: &Counts, ply: Ply, entries: u64) -> Tier {
    let mut tier = Tier { name: ply.to_string(), entries, ..Tier::default() };
    let plies = counts.values.as_ref().map_or(&[][..], |values| &values.plies);
    for (value, count) in plies.get(ply.index()).into_iter().flatten() {
        match value.outcome {
            Outcome::Win => tier.wins += count,
            Outcome::Draw => tier.draws += count,
            Outcome::Loss => tier.losses += count,
        }
        if value.outcome != Outcome::Draw {
            tier.longest = tier.longest.max(value.remoteness.0.into());
        }
    }
    tier
}

/// The least number of positions that one thread looks up.
const STRETCH: usize = 4096;

impl SolutionFile {
    /// Returns the board whose positions the file holds; `None` in a file of another game.
    pub fn board(&self) -> Option<&Board> {
        self.ranks.as_ref().map(|ranks| &ranks.board)
    }

    fn ranks(&self) -> Result<&BoardRanks, SolutionError> {
        self.ranks.as_ref().ok_or_else(|| self.of_other_rules())
    }

    /// Returns the value of a reachable position of the board; `None` if the stones are no position
    /// of it. The value of an unreachable position is meaningless.
    ///
    /// # Errors
    /// If the file is of another game, or damaged.
    pub fn value_of_stones(&self, position: Stones) -> Result<Option<Value>, SolutionError> {
        self.value_at(self.ranks()?.place(position))
    }

    fn value_at(&self, place: Place) -> Result<Option<Value>, SolutionError> {
        let (chunk, at, ply) = match place {
            Place::Nowhere => return Ok(None),
            Place::Known(value) => return Ok(Some(value)),
            Place::In { chunk, at, ply } => (chunk, at, ply),
        };
        let value = self.ranks()?.board.value_of(ply, self.chunk(chunk)?.bytes[at]);
        value.map(Some).ok_or_else(|| self.damaged(format!("chunk {chunk} holds no value")))
    }

    /// Returns the values of many reachable positions, in their order. For scattered positions it
    /// is much faster than [`value_of_stones`](Self::value_of_stones), since each chunk is unpacked
    /// about once. It runs on the current rayon pool.
    ///
    /// # Errors
    /// If the file is of another game, or damaged.
    pub fn values_of_stones(
        &self,
        positions: &[Stones],
    ) -> Result<Vec<Option<Value>>, SolutionError> {
        let ranks = self.ranks()?;
        let numbered = positions.par_iter().enumerate().with_min_len(STRETCH);
        let mut order: Vec<(Place, usize)> =
            numbered.map(|(i, position)| (ranks.place(*position), i)).collect();
        order.par_sort_unstable_by_key(|(place, _)| match place {
            Place::In { chunk, .. } => Some(*chunk),
            Place::Nowhere | Place::Known(_) => None,
        });
        let found: Vec<(usize, Option<Value>)> = order
            .par_iter()
            .with_min_len(STRETCH)
            .map(|&(place, i)| Ok((i, self.value_at(place)?)))
            .collect::<Result<_, SolutionError>>()?;
        let mut values = vec![None; positions.len()];
        found.into_iter().for_each(|(i, value)| values[i] = value);
        Ok(values)
    }

    /// Checks every checksum in the file of a board, and every value by solving the board again.
    ///
    /// # Errors
    /// The first fault, with its place; or if the control asks to stop or the storage fails.
    pub fn verify_board(
        &self,
        storage: &dyn Storage,
        control: &Control,
    ) -> Result<(), SolutionError> {
        let BoardRanks { board, plies } = self.ranks()?;
        self.root(&*start_of(board))?;
        self.check(control)?;
        let first_wrong: Mutex<Option<(usize, SolutionError)>> = Mutex::default();
        let wrong = |chunk: usize, error: SolutionError| {
            let mut first = first_wrong.lock().unwrap_or_else(PoisonError::into_inner);
            if first.as_ref().is_none_or(|(before, _)| chunk < *before) {
                *first = Some((chunk, error));
            }
            Stopped
        };
        let check = |ply: Ply, number: u64, expected: &[u8]| {
            let chunk = plies[ply.index()].1 + number as usize;
            match self.unpack(chunk) {
                Ok(found) if found.bytes == expected => Ok(()),
                Ok(_) => {
                    let what = format!(
                        "chunk {chunk} (ply {ply}) holds a value that does not follow from those of its \
                         children"
                    );
                    Err(wrong(chunk, self.damaged(what)))
                }
                Err(error) => Err(wrong(chunk, error)),
            }
        };
        let counts = profiles::verify(board, storage, control, self.layout.checksums(), &check);
        if let Some((_, error)) = first_wrong.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let counts = counts?;
        for (ply, tier) in (0..).map(Ply).zip(self.tiers()) {
            self.compare_counts(tier, &tier_of(&counts, ply, tier.entries))?;
        }
        Ok(())
    }
}
