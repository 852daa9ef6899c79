//! Checks of a whole solution file.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::super::counts::{Extent, run};
use super::super::making::Maker;
use super::super::run::Consumer;
use super::super::storage::Storage;
use super::super::unit::{Content, PassError, Unit};
use super::file::SolutionFile;
use super::layout::SolutionError;
use super::write::each_block;
use everyply_core::control::{Control, Stopped};

/// The numbers of items that [`SolutionFile::verify`] checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    pub profiles: u64,
    /// The compressed blocks whose checksums are right.
    pub blocks: u64,
    /// The reachable positions of the board, whose values are all right.
    pub positions: u64,
}

impl SolutionFile {
    /// Checks that every block has the right checksum and can be unpacked; returns the number of
    /// blocks.
    ///
    /// # Errors
    /// The first damaged block; or if the control asks to stop.
    pub fn check(&self, control: &Control) -> Result<u64, SolutionError> {
        let blocks = 0..self.layout.blocks.len() as u64;
        let wrong = blocks.clone().into_par_iter().find_map_first(|number| {
            let checked = control.check().map_err(|stopped| SolutionError::Pass(stopped.into()));
            control.advance(1);
            checked.and_then(|()| self.unpack(number)).err()
        });
        wrong.map_or(Ok(blocks.end), Err)
    }

    /// Checks every checksum, and that every value in the file follows from the values of its
    /// children, back from the finished games, by solving the board again.
    ///
    /// # Errors
    /// The first fault, with its place; or if the control asks to stop or the storage fails.
    pub fn verify(
        &self,
        storage: &dyn Storage,
        control: &Control,
    ) -> Result<Verified, SolutionError> {
        let blocks = self.check(control)?;
        let checking = Checking { file: self, wrong: Mutex::default() };
        let extent = Extent::WholeWithValues;
        let counts = run(&self.board, extent, storage, control, Some(&checking));
        let wrong = checking.wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, error)) = wrong {
            return Err(error);
        }
        Ok(Verified {
            profiles: self.layout.profiles.len() as u64,
            blocks,
            positions: counts?.plies.iter().filter_map(|ply| ply.positions).sum(),
        })
    }
}

/// A consumer that compares the blocks of a file with the values of a run.
struct Checking<'a> {
    file: &'a SolutionFile,
    /// The first wrong block, and its error.
    wrong: Mutex<Option<(u64, SolutionError)>>,
}

impl Consumer for Checking<'_> {
    fn content(&self) -> Content {
        Content::Verified
    }

    fn is_made(&self, summary: &[u64]) -> bool {
        // The unit must be checked for this file, not for another.
        summary == [self.file.layout.fingerprint()]
    }

    fn make(&self, maker: &Maker<'_>, unit: Unit) -> Result<(), PassError> {
        let file = self.file;
        each_block(maker, unit, &|profile, i, expected| {
            let first =
                file.first_block(profile, unit.ply).map_err(|error| self.wrong(0, error))?;
            let number = first + i;
            let found = file.unpack(number).map_err(|error| self.wrong(number, error))?;
            if found == expected {
                return Ok(());
            }
            let (ply, profile) = (unit.ply, profile.0);
            let what = format!(
                "block {number} (ply {ply}, profile {profile}) holds a value that does not follow \
                 from those of its children"
            );
            Err(self.wrong(number, file.damaged(what)))
        })?;
        Ok(maker.storage.keep_bytes(unit, Vec::new(), &[file.layout.fingerprint()])?)
    }
}

impl Checking<'_> {
    /// Records the error of a block, and ends the run.
    fn wrong(&self, number: u64, error: SolutionError) -> PassError {
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        if wrong.as_ref().is_none_or(|(first, _)| number < *first) {
            *wrong = Some((number, error));
        }
        PassError::Stopped(Stopped)
    }
}
