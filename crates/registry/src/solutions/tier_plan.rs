//! The tiers of a game as units of a plan, which a scheduler hands to processes that share a store.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::chunk::value_of;
use super::rules::fingerprint_of_game;
use super::work::{Solves, Work};
use super::write::{WriteError, Writer, WrittenGame};
use crate::connect_four::profiles::{SolutionError, Store};
use crate::control::Control;
use crate::disk::NewFile;
use crate::exhaustive::TierCost;
use crate::game::{PartialValue, TierId, Unsuited};
use crate::registry::Study;

/// The tiers that a root leads to, by numbers, and the store that keeps their values: a work folder of
/// [`solve`](super::solve), which may take part.
///
/// A tier is a unit: its values follow from those of the tiers that its moves lead to, which have lower
/// numbers. If one of them is missing in the store or damaged, a method gives its number, and the tier
/// has to be made again.
pub struct TierPlan {
    root: Arc<dyn Study>,
    store: Arc<dyn Store>,
    fingerprint: u64,
    /// The tier and the rank of the root.
    here: (TierId, u64),
    /// The tiers by their numbers, ascending, and the tiers that each leads to.
    tiers: Vec<(TierCost, Vec<TierId>)>,
}

/// The end of a plan.
#[derive(Debug)]
pub enum Joined {
    /// The solution file is there.
    Written(WrittenGame),
    /// This unit is missing or damaged.
    Missing(usize),
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
    pub fn open(root: Arc<dyn Study>, store: Arc<dyn Store>) -> Result<Self, WriteError> {
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

    pub fn units(&self) -> usize {
        self.tiers.len()
    }

    /// The expected cost of a unit, with the name of its tier.
    pub fn cost(&self, unit: usize) -> &TierCost {
        &self.tiers[unit].0
    }

    /// The units that a unit is made from, ascending.
    pub fn inputs(&self, unit: usize) -> Vec<usize> {
        let mut inputs: Vec<usize> = self.tiers[unit].1.iter().map(|id| self.number(*id)).collect();
        inputs.sort_unstable();
        inputs
    }

    /// The units with a summary in the store.
    pub fn made(&self) -> Result<Vec<usize>, SolutionError> {
        let kept = self.work(None, &Control::default()).kept()?;
        Ok((0..self.units()).filter(|unit| kept.contains(&self.cost(*unit).id)).collect())
    }

    /// True if the store has all objects of a unit.
    pub fn exists(&self, unit: usize) -> Result<bool, SolutionError> {
        let TierCost { id, ranks, .. } = *self.cost(unit);
        self.work(None, &Control::default()).exists(id, ranks)
    }

    /// Makes a unit, unless it is made; the unit that is missing or damaged, if there is one.
    pub fn make(&self, unit: usize, control: &Control) -> Result<Option<usize>, WriteError> {
        let id = self.cost(unit).id;
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

    /// Forgets a unit, so that it can be made again.
    pub fn forget(&self, unit: usize) -> Result<(), SolutionError> {
        self.work(None, &Control::default()).forget(self.cost(unit).id)
    }

    /// Writes the solution file of a plan whose units are made, with the bytes of
    /// [`solve`](super::solve); or names the unit that is missing or damaged.
    ///
    /// # Errors
    /// If the control asks to stop, or the store or the file cannot be used.
    pub fn finish(&self, out: &Path, control: &Control) -> Result<Joined, WriteError> {
        let mut file = NewFile::create(out).map_err(SolutionError::from)?;
        let mut writer = Writer::new(&*self.root, &mut file)?;
        let mut work = self.work(None, control);
        let code = work.solve_into(&mut writer, self.here);
        if let Some(missing) = work.missing {
            return Ok(Joined::Missing(self.number(missing)));
        }
        let written = writer.finish(value_of(code?, self.root.lead()))?;
        file.commit().map_err(SolutionError::from)?;
        Ok(Joined::Written(written))
    }

    /// A value of the root in words.
    pub fn value_in_words(&self, value: PartialValue) -> String {
        self.root.value_for_mover(value)
    }

    fn work<'a>(&'a self, only: Option<TierId>, control: &'a Control) -> Work<'a> {
        Work::new(&*self.root, &*self.store, self.fingerprint, Solves::Only(only), control)
    }

    /// The number of a tier.
    fn number(&self, id: TierId) -> usize {
        self.tiers.partition_point(|(cost, _)| cost.id < id)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{start, written};
    use super::*;
    use crate::connect_four::profiles::Folder;

    /// A plan of one process in a folder.
    fn plan(root: &dyn Study, folder: &Path) -> TierPlan {
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
            for unit in 0..plans[0].units() {
                assert!(plans[0].inputs(unit).iter().all(|input| *input < unit));
                assert!(!plans[0].exists(unit).unwrap());
                lost += make(&plans[unit % 2], unit);
                assert!(plans[1].exists(unit).unwrap());
                // A unit that is made is not made again.
                assert_eq!(make(&plans[0], unit), 0);
                // One part after another is lost, or cut off.
                let part = work.join(format!("tier-{:04}-00000", plans[0].cost(unit).id.0));
                match unit % 3 {
                    0 => std::fs::remove_file(&part).unwrap(),
                    1 => std::fs::write(&part, "cut off").unwrap(),
                    _ => continue,
                }
                assert_eq!(plans[1].exists(unit).unwrap(), unit % 3 == 1);
            }
            assert!(lost > 3, "{lost}");
            let finish = || plans[0].finish(&out, &Control::default()).unwrap();
            let written_units = loop {
                match finish() {
                    Joined::Written(written) => break written,
                    Joined::Missing(lost) => {
                        assert!(!out.exists());
                        plans[1].forget(lost).unwrap();
                        make(&plans[1], lost);
                    }
                }
            };
            assert_eq!(plans[1].made().unwrap().len(), plans[1].units());
            assert!(std::fs::read(&out).unwrap() == written(root.as_ref()));
            assert_eq!(written_units.bytes, std::fs::metadata(&out).unwrap().len());
        }
    }
}
