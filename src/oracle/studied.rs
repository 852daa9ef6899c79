//! Values of registered games: from databases, else from a solution of all positions that a start
//! leads to.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashSet;

use super::{Oracle, OracleError};
use crate::control::{Control, Stopped};
use crate::database::PositionRow;
use crate::exhaustive::SolveError;
use crate::game::GameId;
use crate::registry::{Answers, Situation, Study};

/// Solutions that are kept; the one asked for least recently goes first.
const KEPT: usize = 4;

/// A start of a game.
type Start = (GameId, u128);

/// Solutions in memory.
#[derive(Default)]
pub(super) struct Solutions(Mutex<Vec<(Start, Arc<dyn Answers>)>>);

impl std::fmt::Debug for Solutions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Solutions").field(&self.lock().len()).finish()
    }
}

impl Solutions {
    fn lock(&self) -> MutexGuard<'_, Vec<(Start, Arc<dyn Answers>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, start: &Start) -> Option<Arc<dyn Answers>> {
        let mut kept = self.lock();
        let at = kept.iter().position(|(other, _)| other == start)?;
        kept[at..].rotate_left(1);
        kept.last().map(|(_, answers)| Arc::clone(answers))
    }

    fn insert(&self, start: Start, answers: Arc<dyn Answers>) {
        let mut kept = self.lock();
        kept.retain(|(other, _)| *other != start);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((start, answers));
    }
}

/// Best play of a registered game.
pub struct StudiedPlay {
    /// The moves as text, each with whether its side moves again after it.
    pub moves: Vec<(String, bool)>,
    /// True if the last move leads to a position that was there before: play has no end.
    pub repeats: bool,
}

/// Best play from a position to the end of the game, or to where it repeats itself; of equal moves
/// the lowest. `None` if what `ask` knows does not reach that far.
///
/// # Errors
/// The first error of `ask`.
pub fn studied_play(
    study: &dyn Study,
    mut ask: impl FnMut(&dyn Study) -> Result<Situation, OracleError>,
) -> Result<Option<StudiedPlay>, OracleError> {
    let mut seen = FxHashSet::from_iter([study.identity()]);
    let mut moves = Vec::new();
    let mut situation = ask(study)?;
    loop {
        let Some(value) = situation.worth else { return Ok(None) };
        let mut branches = situation.moves.into_iter();
        // Where play is endless, a draw that ends is as good, but is not how play goes on.
        let Some((branch, _)) = branches.find(|(_, worth)| *worth == Some(value)) else {
            return Ok(None);
        };
        moves.push((branch.text, branch.keeps_turn));
        let repeats = !seen.insert(branch.to.identity());
        if repeats || branch.to.result().is_some() {
            return Ok(Some(StudiedPlay { moves, repeats }));
        }
        situation = ask(branch.to.as_ref())?;
    }
}

impl Oracle {
    /// A position of a registered game with its value and that of every move. What no database
    /// holds is solved from `start`, which leads to the position, and kept.
    ///
    /// # Errors
    /// If the control stops it, a file cannot be read, or the game is too large to be solved.
    pub fn situation(
        &self,
        start: &dyn Study,
        study: &dyn Study,
        control: &Control,
    ) -> Result<Situation, OracleError> {
        let kept = self.kept_situation(start, study)?;
        if kept.is_whole() {
            return Ok(kept);
        }
        let answers = self.solve(start, control)?;
        Situation::of(study, |study| Ok(study.key().and_then(|key| answers.worth_of(key))))
    }

    /// The same as far as it takes no search.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn kept_situation(
        &self,
        start: &dyn Study,
        study: &dyn Study,
    ) -> Result<Situation, OracleError> {
        if let Some(answers) = self.solutions.get(&(start.game_id(), start.identity())) {
            return Situation::of(study, |study| {
                Ok(study.key().and_then(|key| answers.worth_of(key)))
            });
        }
        let id = study.game_id();
        Situation::of(study, |study| {
            let row = self
                .files
                .row(&id, study.canonical().expect("games of 64-bit keys are stored").0)?;
            Ok(row.as_ref().and_then(PositionRow::worth))
        })
    }

    /// Two that ask for one start at the same time both solve it: one that waited for the other
    /// would hold its turn meanwhile.
    fn solve(&self, start: &dyn Study, control: &Control) -> Result<Arc<dyn Answers>, OracleError> {
        let of = (start.game_id(), start.identity());
        if let Some(answers) = self.solutions.get(&of) {
            return Ok(answers);
        }
        let refused = |reason: String| OracleError::Engine { board: start.title(), reason };
        start.check().map_err(|error| refused(error.to_string()))?;
        let answers = start.solve(self.most_bytes / start.bytes_per_position(), control);
        let answers: Arc<dyn Answers> = match answers {
            Ok(answers) => answers.into(),
            Err(SolveError::Stopped(Stopped)) => return Err(Stopped.into()),
            Err(error) => return Err(refused(error.to_string())),
        };
        self.solutions.insert(of, Arc::clone(&answers));
        Ok(answers)
    }
}
