//! The inputs of a unit in the plan are the units read when it is made.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use everyply::connect_four::profiles::{
    Cut, Lane, Lanes, Memory, Plan, Pool, Storage, StorageError, Unit,
};

use super::{Shelf, board, objects, solved};

/// A storage that records the units read for each unit kept. On one thread, these are all units
/// read since the last unit was kept.
#[derive(Debug)]
struct Noting<S> {
    storage: S,
    read: Mutex<BTreeSet<Unit>>,
    made: Mutex<Vec<(Unit, Vec<Unit>)>>,
}

impl<S> Noting<S> {
    fn read(&self, unit: Unit) {
        self.read.lock().unwrap().insert(unit);
    }

    fn made(&self, unit: Unit) {
        let read = std::mem::take(&mut *self.read.lock().unwrap());
        self.made.lock().unwrap().push((unit, read.into_iter().collect()));
    }
}

impl<S: Storage> Storage for Noting<S> {
    fn cut(&self) -> Cut {
        self.storage.cut()
    }

    fn pool(&self) -> &Pool {
        self.storage.pool()
    }

    fn keep(
        &self,
        unit: Unit,
        array: Lanes,
        fill: &[Lane],
        summary: &[u64],
    ) -> Result<(), StorageError> {
        self.made(unit);
        self.storage.keep(unit, array, fill, summary)
    }

    fn keep_bytes(&self, unit: Unit, bytes: Vec<u8>, summary: &[u64]) -> Result<(), StorageError> {
        self.made(unit);
        self.storage.keep_bytes(unit, bytes, summary)
    }

    fn summary(&self, unit: Unit) -> Result<Option<Vec<u64>>, StorageError> {
        self.storage.summary(unit)
    }

    fn holds(&self, unit: Unit) -> Result<bool, StorageError> {
        self.storage.holds(unit)
    }

    fn shared(&self, unit: Unit) -> Result<Option<Arc<Lanes>>, StorageError> {
        let shared = self.storage.shared(unit)?;
        if shared.is_some() {
            self.read(unit);
        }
        Ok(shared)
    }

    fn read(
        &self,
        unit: Unit,
        first: usize,
        fill: &[Lane],
        out: &mut [Lane],
    ) -> Result<(), StorageError> {
        self.read(unit);
        self.storage.read(unit, first, fill, out)
    }

    fn bytes(&self, unit: Unit) -> Result<Arc<[u8]>, StorageError> {
        self.storage.bytes(unit)
    }

    fn discard(&self, unit: Unit) -> Result<(), StorageError> {
        self.storage.discard(unit)
    }

    fn forget(&self, unit: Unit) -> Result<(), StorageError> {
        self.storage.forget(unit)
    }

    fn settle(&self) -> Result<(), StorageError> {
        self.storage.settle()
    }

    fn free_spare(&self) {
        self.storage.free_spare();
    }
}

#[test]
fn a_unit_is_made_from_its_inputs_and_from_nothing_else() {
    let boards: &[_] = if cfg!(debug_assertions) {
        &[(5, 3, 4)]
    } else {
        &[(5, 3, 4), (4, 4, 4), (3, 6, 3), (6, 3, 4)]
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut of_several = 0;
    for &(width, height, line) in boards {
        let board = board(width, height, line);
        for lanes in [1, 3, 20, 1000] {
            let check = |storage: &dyn Storage, made: &Mutex<Vec<(Unit, Vec<Unit>)>>| {
                pool.install(|| solved(&board, storage).unwrap());
                let plan = Plan::new(&board, storage.cut(), usize::MAX);
                let made = made.lock().unwrap();
                for (unit, read) in &*made {
                    assert!(plan.units(unit.content, unit.ply).any(|planned| planned == *unit));
                    assert_eq!(plan.inputs(*unit), *read, "{unit} of {}", board.size());
                }
                made.iter().filter(|(_, read)| read.len() > 2).count()
            };
            let shelf = Arc::new(Shelf::default());
            let storage = objects(&shelf, &board, 64 * lanes as u64);
            let noting = Noting { storage, read: Mutex::default(), made: Mutex::default() };
            of_several += check(&noting, &noting.made);
            let storage = Memory::with_cut(Cut { lanes, profiles: true });
            let noting = Noting { storage, read: Mutex::default(), made: Mutex::default() };
            of_several += check(&noting, &noting.made);
        }
    }
    assert!(of_several > 100, "{of_several}");
}
