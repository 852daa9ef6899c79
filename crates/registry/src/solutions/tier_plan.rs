//! The tiers of a game as units of a plan, which a scheduler hands to processes that share a store.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::chunk::value_of;
use super::layout::Tier;
use super::rules::fingerprint_of_game;
use super::work::{Solves, Work};
use super::write::{WriteError, Writer};
use crate::registry::Position;
use everyply_connect_four::profiles::SolutionError;
use everyply_core::control::Control;
use everyply_core::exhaustive::TierCost;
use everyply_core::game::{TierId, Unsuited};
use everyply_files::disk::NewFile;
use everyply_files::store::Store;

/// The units of a solution file, by their numbers, and the store that keeps them. Every unit has a
/// higher number than its inputs.
///
/// If a unit is missing in the store or damaged when a method reads it, the method gives its number, and
/// the unit has to be made again. Every method fails if the store cannot be used, or the control asks to
/// stop.
pub trait Units: Send + Sync {
    /// All units.
    fn units(&self) -> Vec<PlannedUnit>;

    /// The units with a summary in the store, whether or not their data still exist.
    fn made(&self) -> Result<Vec<usize>, WriteError>;

    /// True if the data of a unit exist.
    fn exists(&self, unit: usize) -> Result<bool, WriteError>;

    /// Makes a unit, unless it has a summary; gives the unit that is missing or damaged, if there is one.
    fn make(&self, unit: usize, control: &Control) -> Result<Option<usize>, WriteError>;

    /// Removes the data of a unit that is no part of the file; its summary stays.
    fn discard(&self, unit: usize) -> Result<(), WriteError>;

    /// Removes a unit and its summary, so that it can be made again.
    fn forget(&self, unit: usize) -> Result<(), WriteError>;

    /// Writes the file of a plan whose units are made.
    fn finish(&self, out: &Path, control: &Arc<Control>) -> Result<FinishedPlan, WriteError>;
}

/// A unit of a plan.
#[derive(Debug)]
pub struct PlannedUnit {
    /// Its name in the store: `alive-07-00012` of a board, `3-2+0-0` of a tier.
    pub name: String,
    /// Bytes of its data before they are compressed; of a tier the memory in which it is made.
    pub bytes: u64,
    /// The units it is made from, ascending.
    pub inputs: Vec<usize>,
    /// True if it is a part of the file.
    pub is_result: bool,
}

/// The end of a plan.
#[derive(Debug)]
pub enum FinishedPlan {
    /// The solution file is there.
    Written {
        /// The value of the start in words.
        value: String,
        /// Positions in the file.
        positions: u64,
        /// Bytes of the file.
        bytes: u64,
    },
    /// This unit is missing or damaged.
    Missing(usize),
}

/// The tiers that a root leads to, and the store of their values: a work folder of
/// [`solve`](super::solve), which may take part. The values of a tier follow from those of the tiers that
/// its moves lead to.
pub struct TierPlan {
    root: Arc<dyn Position>,
    store: Arc<dyn Store>,
    fingerprint: u64,
    /// The tier and the rank of the root.
    here: (TierId, u64),
    /// The tiers by their numbers, ascending, and the tiers that each leads to.
    tiers: Vec<(TierCost, Vec<TierId>)>,
}

impl fmt::Debug for TierPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TierPlan").field("tiers", &self.tiers).finish_non_exhaustive()
    }
}

impl TierPlan {
    /// Opens the store of a game that numbers its positions.
    ///
    /// # Errors
    /// If the game gives the root no rank, or the store cannot be used or holds another game.
    pub fn open(root: Arc<dyn Position>, store: Arc<dyn Store>) -> Result<Self, WriteError> {
        let here = root.rank().ok_or(Unsuited::Unranked)?;
        let costs = root.ranked_cost().ok_or(Unsuited::Unranked)?.tiers;
        let fingerprint = fingerprint_of_game(&*root)?;
        let all = root.ranked_tiers();
        let below = |cost: TierCost| {
            let leads_to = all[cost.id.index()].leads_to.clone();
            (cost, leads_to)
        };
        let tiers = costs.into_iter().map(below).collect();
        let plan = Self { root, store, fingerprint, here, tiers };
        plan.work(None, &Control::default()).begin()?;
        Ok(plan)
    }

    fn work<'a>(&'a self, only: Option<TierId>, control: &'a Control) -> Work<'a> {
        Work::new(&*self.root, &*self.store, self.fingerprint, Solves::Only(only), control)
    }

    /// The number of a tier.
    fn number(&self, id: TierId) -> usize {
        self.tiers.partition_point(|(cost, _)| cost.id < id)
    }
}

impl Units for TierPlan {
    fn units(&self) -> Vec<PlannedUnit> {
        let unit = |(cost, leads_to): &(TierCost, Vec<TierId>)| {
            let mut inputs: Vec<usize> = leads_to.iter().map(|id| self.number(*id)).collect();
            inputs.sort_unstable();
            PlannedUnit { name: cost.name.clone(), bytes: cost.bytes, inputs, is_result: true }
        };
        self.tiers.iter().map(unit).collect()
    }

    fn made(&self) -> Result<Vec<usize>, WriteError> {
        let kept = self.work(None, &Control::default()).kept()?;
        Ok((0..self.tiers.len()).filter(|unit| kept.contains(&self.tiers[*unit].0.id)).collect())
    }

    fn exists(&self, unit: usize) -> Result<bool, WriteError> {
        let TierCost { id, ranks, .. } = self.tiers[unit].0;
        Ok(self.work(None, &Control::default()).exists(id, ranks)?)
    }

    fn make(&self, unit: usize, control: &Control) -> Result<Option<usize>, WriteError> {
        let id = self.tiers[unit].0.id;
        let mut work = self.work(Some(id), control);
        if work.summary(id)?.is_some() {
            return Ok(None);
        }
        let solved = work.solve();
        match work.missing {
            Some(missing) => Ok(Some(self.number(missing))),
            None => solved.map(|()| None),
        }
    }

    /// Does nothing: every tier is a part of the file.
    fn discard(&self, _: usize) -> Result<(), WriteError> {
        Ok(())
    }

    fn forget(&self, unit: usize) -> Result<(), WriteError> {
        Ok(self.work(None, &Control::default()).forget(self.tiers[unit].0.id)?)
    }

    fn finish(&self, out: &Path, control: &Arc<Control>) -> Result<FinishedPlan, WriteError> {
        let mut file = NewFile::create(out).map_err(SolutionError::from)?;
        let mut writer = Writer::new(&*self.root, &mut file)?;
        let mut work = self.work(None, control);
        let code = work.solve_into(&mut writer, self.here);
        if let Some(missing) = work.missing {
            return Ok(FinishedPlan::Missing(self.number(missing)));
        }
        let written = writer.finish(value_of(code?, self.root.lead()))?;
        file.commit().map_err(SolutionError::from)?;
        Ok(FinishedPlan::Written {
            value: self.root.value_for_mover(written.value),
            positions: written.tiers.iter().map(Tier::positions).sum(),
            bytes: written.bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{start, written};
    use super::*;
    use everyply_files::store::Folder;

    /// A plan of one process in a folder.
    fn plan(root: &dyn Position, folder: &Path) -> TierPlan {
        TierPlan::open(root.boxed().into(), Arc::new(Folder::open(folder).unwrap())).unwrap()
    }

    /// Makes a unit, and again those that it finds missing or damaged; their number.
    fn make(plan: &TierPlan, unit: usize) -> u32 {
        let mut lost = 0;
        while let Some(needed) = plan.make(unit, &Control::default()).unwrap() {
            plan.forget(needed).unwrap();
            lost += 1 + make(plan, needed);
        }
        lost
    }

    #[test]
    fn units_made_one_by_one_make_the_same_file_and_lost_ones_are_named() {
        for root in [start("morris", &[("men", 3)]), start("awari", &[])] {
            let folder = tempfile::tempdir().unwrap();
            let (work, out) = (folder.path().join("work"), folder.path().join("out"));
            let plans = [plan(root.as_ref(), &work), plan(root.as_ref(), &work)];
            let mut lost = 0;
            let units = plans[0].units();
            for (unit, planned) in units.iter().enumerate() {
                assert!(planned.inputs.iter().all(|input| *input < unit));
                assert!(!plans[0].exists(unit).unwrap());
                lost += make(&plans[unit % 2], unit);
                assert!(plans[1].exists(unit).unwrap());
                // A unit that is made is not made again.
                assert_eq!(make(&plans[0], unit), 0);
                // One part after another is lost, or cut off.
                let part = work.join(format!("tier-{:04}-00000", plans[0].tiers[unit].0.id.0));
                match unit % 3 {
                    0 => std::fs::remove_file(&part).unwrap(),
                    1 => std::fs::write(&part, "cut off").unwrap(),
                    _ => continue,
                }
                assert_eq!(plans[1].exists(unit).unwrap(), unit % 3 == 1);
            }
            assert!(lost > 3, "{lost}");
            let length = loop {
                match plans[0].finish(&out, &Arc::default()).unwrap() {
                    FinishedPlan::Written { bytes, .. } => break bytes,
                    FinishedPlan::Missing(lost) => {
                        assert!(!out.exists());
                        plans[1].forget(lost).unwrap();
                        make(&plans[1], lost);
                    }
                }
            };
            assert_eq!(plans[1].made().unwrap().len(), units.len());
            assert!(std::fs::read(&out).unwrap() == written(root.as_ref()));
            assert_eq!(length, std::fs::metadata(&out).unwrap().len());
        }
    }
}
