//! Engines of the boards used most recently.

use std::sync::{Arc, Mutex, Weak};

use super::OracleError;
use everyply_core::control::Control;
use everyply_core::game::GameId;
use everyply_core::parallel::lock;
use everyply_registry::registry::{Engine, EngineError, EngineLimits, Position};

/// The most engines kept; each holds a table or a solution.
const MOST: usize = 4;

/// The most engines of full size, including engines in use that are not kept.
const MOST_LARGE: usize = 8;

/// MiB of the table of an engine beyond that number.
const SMALL: u64 = 4;

pub(super) struct Engines {
    /// The most recent last.
    kept: Mutex<Vec<(GameId, Arc<Engine>)>>,
    large: Mutex<Vec<Weak<Engine>>>,
    /// MiB of a table, or of a solution.
    mib: u64,
}

impl std::fmt::Debug for Engines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engines").field("mib", &self.mib).finish_non_exhaustive()
    }
}

impl Engines {
    pub fn new(mib: u64) -> Self {
        Self { kept: Mutex::default(), large: Mutex::default(), mib }
    }

    pub fn find(&self, position: &dyn Position) -> Option<Arc<Engine>> {
        let id = position.game_id();
        let mut kept = lock(&self.kept);
        let at = kept.iter().rposition(|(of, engine)| *of == id && engine.covers(position))?;
        kept[at..].rotate_left(1);
        kept.last().map(|(_, engine)| Arc::clone(engine))
    }

    /// Returns the engine that covers a position; makes it if there is none. Two simultaneous
    /// requests for one board both make it: one that waited would hold its turn meanwhile.
    pub fn get(
        &self,
        position: &dyn Position,
        control: &Control,
    ) -> Result<Arc<Engine>, OracleError> {
        if let Some(engine) = self.find(position) {
            return Ok(engine);
        }
        control.check()?;
        let has_room = self.has_room();
        let mib = if has_room { self.mib } else { SMALL.min(self.mib) };
        let limits = EngineLimits { mib, may_solve_all: has_room };
        let engine = match Engine::of(position, limits, control) {
            Ok(engine) => Arc::new(engine),
            Err(EngineError::Stopped(stopped)) => return Err(stopped.into()),
            Err(EngineError::Refused(reason)) => {
                return Err(OracleError::Engine { board: position.info().title.clone(), reason });
            }
        };
        if has_room {
            lock(&self.large).push(Arc::downgrade(&engine));
            self.keep(position, Arc::clone(&engine));
        }
        Ok(engine)
    }

    pub fn keep(&self, position: &dyn Position, engine: Arc<Engine>) {
        let id = position.game_id();
        let mut kept = lock(&self.kept);
        // Another thread may have made one meanwhile, which is as good.
        kept.retain(|(of, there)| *of != id || !there.covers(position));
        if kept.len() >= MOST {
            kept.remove(0);
        }
        kept.push((id, engine));
    }

    #[cfg(test)]
    pub fn count(&self) -> usize {
        lock(&self.kept).len()
    }

    /// Returns true if one more engine of full size may be made: long searches keep theirs.
    pub fn has_room(&self) -> bool {
        let mut large = lock(&self.large);
        large.retain(|engine| engine.strong_count() > 0);
        large.len() < MOST_LARGE
    }
}
