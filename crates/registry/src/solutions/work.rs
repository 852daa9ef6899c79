//! The work folder of a game that numbers its positions.
//!
//! ```text
//! plan                 the game and its rules, whichever of its positions is solved
//! tier-0012-00003      packed chunks of a tier, as in the solution file, up to 1,024 of them
//! tier-0012.summary    the counts of the tier; written after its chunks, so that a tier counts as
//!                      solved once its summary exists
//! ```
//!
//! Objects are sealed with a checksum and an identity, each whole or missing, like the objects of
//! Connect Four's work folders. There are no locks: two processes make equal bytes of a tier.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use super::SolutionError;
use super::chunk::{CHUNK, Packed, unpack};
use super::layout::{Tier, VERSION};
use super::write::{WriteError, Writer, pack_ranks, stop_with, stopped};
use crate::registry::Position;
use everyply_connect_four::profiles::{PassError, StorageError, read_sealed};
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{Code, TierStore};
use everyply_core::game::{self, TierId, tiers_below};
use everyply_core::parallel;
use everyply_files::store::{Identity, Store, seal};

/// The name of the object that holds the title of the game.
const PLAN: &str = "plan";

const CHUNKS: usize = 1024;

const RANKS: u64 = (CHUNKS * CHUNK) as u64;

/// The most times that a tier is solved anew because its objects are damaged or missing.
const TRIES: u32 = 5;

/// The bytes of a chunk's entry in the table of its object: the lengths of its streams.
const ENTRY: usize = 12;

pub(super) struct Work<'a> {
    root: &'a dyn Position,
    store: &'a dyn Store,
    control: &'a Control,
    fingerprint: u64,
    lost: HashMap<TierId, u32>,
    /// The error that asked the engine to stop.
    failed: Option<SolutionError>,
}

fn failure(error: impl Into<StorageError>) -> SolutionError {
    PassError::Storage(error.into()).into()
}

fn part_name(TierId(tier): TierId, part: u64) -> String {
    format!("tier-{tier:04}-{part:05}")
}

fn summary_name(TierId(tier): TierId) -> String {
    format!("tier-{tier:04}.summary")
}

const fn parts(ranks: u64) -> u64 {
    ranks.div_ceil(RANKS)
}

impl<'a> Work<'a> {
    pub fn new(
        root: &'a dyn Position,
        store: &'a dyn Store,
        fingerprint: u64,
        control: &'a Control,
    ) -> Self {
        Self { root, store, control, fingerprint, lost: HashMap::new(), failed: None }
    }

    pub fn begin(&self) -> Result<(), SolutionError> {
        let store = self.store;
        let identity = self.identity([0, 0]);
        let title = self.root.info().title.clone().into_bytes();
        let read = || read_sealed(store, PLAN, &identity).map_err(failure);
        let found = match read()? {
            Some(found) => found,
            None if store.put_new(PLAN, &seal(&title, &identity)).map_err(failure)? => {
                title.clone()
            }
            // Another process wrote one first.
            None => read()?.unwrap_or_default(),
        };
        match found == title {
            true => Ok(()),
            false => Err(failure(StorageError::OtherGame(store.place()))),
        }
    }

    /// Returns the identity of the plan (0, 0), of the summary of a tier (its number + 1, 0), or of
    /// a part of its chunks (its number + 1, number of the part + 1).
    fn identity(&self, numbers: [u64; 2]) -> Identity {
        let mut identity = [0; 24];
        identity[..8].copy_from_slice(&self.fingerprint.to_le_bytes());
        let words = [u64::from(VERSION), numbers[0], numbers[1]].map(|number| number as u32);
        for (place, word) in identity[8..].chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        identity
    }

    fn summary_identity(&self, TierId(tier): TierId) -> Identity {
        self.identity([u64::from(tier) + 1, 0])
    }

    fn part_identity(&self, TierId(tier): TierId, part: u64) -> Identity {
        self.identity([u64::from(tier) + 1, part + 1])
    }

    /// Solves the tiers that are not kept and writes all; returns the code of the root.
    pub fn solve_into(
        &mut self,
        writer: &mut Writer<'_>,
        (last, rank): (TierId, u64),
    ) -> Result<Code, WriteError> {
        let all = self.root.ranked_tiers();
        self.solve()?;
        let mut value = Code::ENDLESS;
        for id in tiers_below(&all, last) {
            let game::Tier { name, ranks, .. } = &all[id.index()];
            let summary = loop {
                match self.summary(id)? {
                    Some(summary) => break summary,
                    None => self.solve()?,
                }
            };
            for part in 0..parts(*ranks) {
                self.control.check().map_err(stopped)?;
                let chunks = loop {
                    match self.part(id, part, *ranks)? {
                        Some(chunks) => break chunks,
                        None => {
                            self.lose(id, part)?;
                            self.solve()?;
                        }
                    }
                };
                let first = part * RANKS;
                if id == last && (first..first + RANKS).contains(&rank) {
                    let at = (rank - first) as usize;
                    let codes = unpack_chunk(&chunks[at / CHUNK]);
                    value = codes.map_or(value, |codes| codes[at % CHUNK]);
                }
                chunks.iter().try_for_each(|(chunk, _)| writer.put_chunk(0, chunk))?;
            }
            writer.end_tier_of(Tier { name: name.clone(), ..summary });
        }
        Ok(value)
    }

    /// Solves the tiers that are not kept.
    pub fn solve(&mut self) -> Result<(), WriteError> {
        let (root, control) = (self.root, self.control);
        let solved = root.ranks().map_or(Ok(()), |ranks| ranks.solve(control, self));
        self.failed.take().map_or(Ok(()), Err)?;
        Ok(solved?)
    }

    /// Forgets a tier, so that it is solved again.
    pub fn forget(&self, id: TierId) -> Result<(), SolutionError> {
        self.store.remove(&summary_name(id)).map_err(failure)
    }

    /// Returns the counts of a kept tier; `None` if it is not kept.
    pub fn summary(&self, id: TierId) -> Result<Option<Tier>, SolutionError> {
        let bytes = self.sound(&summary_name(id), &self.summary_identity(id))?;
        let Some((numbers, [])) = bytes.as_deref().map(<[u8]>::as_chunks::<8>) else {
            return Ok(None);
        };
        let numbers: Vec<u64> = numbers.iter().map(|&number| u64::from_le_bytes(number)).collect();
        let Ok([entries, wins, draws, endless, losses, longest]) = <[u64; 6]>::try_from(numbers)
        else {
            return Ok(None);
        };
        Ok(Some(Tier { name: String::new(), entries, wins, draws, endless, losses, longest }))
    }

    /// Returns the chunks of a part of a tier, each with its number of ranks; `None` if they are
    /// lost.
    fn part(
        &self,
        id: TierId,
        part: u64,
        ranks: u64,
    ) -> Result<Option<Vec<(Packed, usize)>>, SolutionError> {
        let Some(bytes) = self.sound(&part_name(id, part), &self.part_identity(id, part))? else {
            return Ok(None);
        };
        let ranks = (ranks - part * RANKS).min(RANKS) as usize;
        let count = ranks.div_ceil(CHUNK);
        let Some((table, mut rest)) = bytes.split_at_checked(ENTRY * count) else {
            return Ok(None);
        };
        let mut chunks = Vec::with_capacity(count);
        for (i, entry) in table.chunks_exact(ENTRY).enumerate() {
            let length = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| entry[at + i]));
            let lengths = [0, 4, 8].map(length);
            let length = lengths.iter().map(|length| *length as usize).sum();
            let Some((chunk, after)) = rest.split_at_checked(length) else { return Ok(None) };
            rest = after;
            let packed = Packed { bytes: chunk.to_vec(), lengths };
            chunks.push((packed, CHUNK.min(ranks - i * CHUNK)));
        }
        Ok(Some(chunks))
    }

    /// Returns the bytes of an object; `None` if it is missing or damaged.
    fn sound(&self, name: &str, identity: &Identity) -> Result<Option<Vec<u8>>, SolutionError> {
        match read_sealed(self.store, name, identity) {
            Err(StorageError::Damaged { .. } | StorageError::OtherGame(_)) => Ok(None),
            read => read.map_err(failure),
        }
    }

    /// Forgets a tier one of whose parts is damaged or missing.
    fn lose(&mut self, id: TierId, part: u64) -> Result<(), SolutionError> {
        let times = self.lost.entry(id).or_default();
        *times += 1;
        if *times > TRIES {
            return Err(failure(StorageError::Damaged {
                place: self.store.place(),
                object: part_name(id, part),
                unit: None,
                what: "each time it is read",
            }));
        }
        self.forget(id)
    }

    /// Keeps a tier: its chunks, and then its counts.
    fn put(&self, id: TierId, codes: &[Code]) -> Result<(), SolutionError> {
        let (mut chunks, mut parts) = (Vec::new(), 0);
        let mut put_part = |chunks: &mut Vec<Packed>| {
            let lengths = chunks.iter().flat_map(|chunk| chunk.lengths);
            let mut bytes: Vec<u8> = lengths.flat_map(u32::to_le_bytes).collect();
            chunks.drain(..).for_each(|chunk| bytes.extend(chunk.bytes));
            let object = seal(&bytes, &self.part_identity(id, parts));
            self.store.put(&part_name(id, parts), &object).map_err(failure)?;
            parts += 1;
            Ok(())
        };
        let Tier { entries, wins, draws, endless, losses, longest, .. } =
            pack_ranks(codes, self.control, &mut |packed| {
                chunks.push(packed);
                if chunks.len() == CHUNKS { put_part(&mut chunks) } else { Ok(()) }
            })?;
        if !chunks.is_empty() {
            put_part(&mut chunks)?;
        }
        let numbers = [entries, wins, draws, endless, losses, longest];
        let summary = seal(&numbers.map(u64::to_le_bytes).concat(), &self.summary_identity(id));
        self.store.put(&summary_name(id), &summary).map_err(failure)
    }

    /// Returns the values of a kept tier; `None` if they are lost.
    fn get(&mut self, id: TierId, ranks: u64) -> Result<Option<Vec<Code>>, SolutionError> {
        let mut codes = Vec::with_capacity(ranks as usize);
        for part in 0..parts(ranks) {
            self.control.check().map_err(stopped)?;
            let chunks = self.part(id, part, ranks)?.unwrap_or_default();
            let unpacked = parallel::map(chunks.len(), &|i| unpack_chunk(&chunks[i]));
            for chunk in unpacked {
                codes.extend(chunk.unwrap_or_default());
            }
            if codes.len() as u64 != ranks.min((part + 1) * RANKS) {
                return self.lose(id, part).map(|()| None);
            }
        }
        Ok(Some(codes))
    }
}

fn unpack_chunk((packed, count): &(Packed, usize)) -> Option<Vec<Code>> {
    Some(unpack(&packed.bytes, packed.lengths, *count, None).ok()?.codes)
}

impl TierStore for Work<'_> {
    fn keep(&mut self, id: TierId, _: &game::Tier, codes: &[Code]) -> Result<(), Stopped> {
        self.put(id, codes).map_err(stop_with(&mut self.failed))
    }

    fn is_durable(&self) -> bool {
        true
    }

    fn is_kept(&mut self, id: TierId) -> Result<bool, Stopped> {
        Ok(self.summary(id).map_err(stop_with(&mut self.failed))?.is_some())
    }

    fn read(&mut self, id: TierId, tier: &game::Tier) -> Result<Option<Vec<Code>>, Stopped> {
        self.get(id, tier.ranks).map_err(stop_with(&mut self.failed))
    }

    /// In the same order, processes that share a store would solve every tier twice.
    fn choose(&mut self, ready: usize) -> usize {
        (RandomState::new().hash_one(ready) % ready as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::super::tests::{FOLDER, MEMORY, OUT, games, start, survives, written};
    use super::super::{WrittenGame, solve};
    use super::*;
    use everyply_connect_four::profiles::{Objects, UNIT_BYTES};
    use everyply_core::games::line::Size;
    use everyply_files::disk::NewFile;
    use everyply_files::store::Folder;
    use everyply_test_support::{Simulated, Trouble};

    fn three_men() -> Box<dyn Position> {
        start("morris", &[("men", 3)])
    }

    /// Solves a game in a folder of a simulated disk.
    fn solve_in(disk: &Simulated, root: &dyn Position) -> Result<WrittenGame, WriteError> {
        let store = Folder::open_on(Arc::new(disk.clone()), Path::new(FOLDER)).map_err(failure)?;
        let file = NewFile::create_on(Arc::new(disk.clone()), Path::new(OUT));
        let file = file.map_err(SolutionError::from)?;
        solve(root, MEMORY, Some(&store), file, &Control::default())
    }

    fn file_of(disk: &Simulated) -> Vec<u8> {
        disk.contents()[Path::new(OUT)].clone()
    }

    fn objects(disk: &Simulated) -> Vec<String> {
        let paths = disk.contents().into_keys();
        let names = paths
            .filter_map(|path| Some(path.strip_prefix(FOLDER).ok()?.to_str().unwrap().to_owned()));
        names.filter(|name| !name.starts_with('.')).collect()
    }

    #[test]
    fn bytes_are_the_same_with_a_folder_and_without_on_any_number_of_threads() {
        for root in [three_men(), start("dao", &[]), start("awari", &[])] {
            let alone = written(root.as_ref());
            for threads in [1, 2, 8] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let disk = Simulated::new(Trouble::None);
                pool.install(|| solve_in(&disk, root.as_ref())).unwrap();
                assert!(file_of(&disk) == alone, "{threads} threads");
            }
        }
    }

    #[test]
    fn a_run_that_loses_power_or_room_continues_with_the_tiers_that_are_done() {
        let root = three_men();
        survives(&|disk| solve_in(disk, root.as_ref()).map(drop), 11, 1);
        let disk = Simulated::new(Trouble::None);
        solve_in(&disk, root.as_ref()).unwrap();
        let of_all = disk.operations();
        solve_in(&disk, root.as_ref()).unwrap();
        assert!(2 * (disk.operations() - of_all) < of_all, "{} after {of_all}", disk.operations());
    }

    #[test]
    fn damaged_and_missing_objects_are_made_again() {
        let root = three_men();
        let alone = written(root.as_ref());
        let disk = Simulated::new(Trouble::None);
        solve_in(&disk, root.as_ref()).unwrap();
        let (names, contents) = (objects(&disk), disk.contents());
        assert!(names.len() > 20, "{names:?}");
        let folder = Folder::open_on(Arc::new(disk.clone()), Path::new(FOLDER)).unwrap();
        for (i, name) in names.iter().enumerate().filter(|(_, name)| *name != "plan") {
            let mut bytes = contents[&Path::new(FOLDER).join(name)].clone();
            let middle = bytes.len() / 2;
            match i % 3 {
                0 => folder.remove(name).unwrap(),
                1 => bytes[middle] ^= 4,
                _ => bytes.truncate(middle),
            }
            if i % 3 > 0 {
                folder.put(name, &bytes).unwrap();
            }
            solve_in(&disk, root.as_ref()).unwrap();
            assert!(file_of(&disk) == alone, "{name}");
        }
        // All of them, and the chunks of one tier under the name of another.
        for name in names.iter().filter(|name| name.ends_with("-00000")) {
            folder.put(name, &contents[&Path::new(FOLDER).join("tier-0001-00000")]).unwrap();
        }
        solve_in(&disk, root.as_ref()).unwrap();
        assert!(file_of(&disk) == alone);
    }

    #[test]
    fn a_folder_of_another_game_or_of_other_rules_is_refused() {
        let disk = Simulated::new(Trouble::None);
        solve_in(&disk, three_men().as_ref()).unwrap();
        let before = disk.contents();
        let flying = games().find("morris").unwrap().of_parameters([3, 2, 1]).unwrap();
        for other in [start("dao", &[]), start("morris", &[("men", 4)]), flying] {
            let refused = solve_in(&disk, other.as_ref()).unwrap_err().to_string();
            assert!(
                refused.contains("/work was made for another game or other rules"),
                "{refused}"
            );
        }
        let folder = Folder::open_on(Arc::new(disk.clone()), Path::new(FOLDER)).unwrap();
        let board = Objects::open(Arc::new(folder), Size::new(4, 4, 4).unwrap(), UNIT_BYTES);
        let refused = board.unwrap_err().to_string();
        assert!(refused.contains("was made for another game"), "{refused}");
        assert!(disk.contents() == before);
        // And the other way round.
        let disk = Simulated::new(Trouble::None);
        let folder = Folder::open_on(Arc::new(disk.clone()), Path::new(FOLDER)).unwrap();
        Objects::open(Arc::new(folder), Size::new(4, 4, 4).unwrap(), UNIT_BYTES).unwrap();
        let refused = solve_in(&disk, three_men().as_ref()).unwrap_err().to_string();
        assert!(refused.contains("was made for another game"), "{refused}");
    }

    #[test]
    fn runs_share_a_folder() {
        let root = start("dao", &[]);
        let alone = written(root.as_ref());
        let disk = Simulated::new(Trouble::None);
        std::thread::scope(|scope| {
            for out in ["/first", "/second", "/third"] {
                let (disk, root, alone) = (disk.clone(), root.boxed(), &alone);
                scope.spawn(move || {
                    let on = || Arc::new(disk.clone());
                    let store = Folder::open_on(on(), Path::new(FOLDER)).unwrap();
                    let file = NewFile::create_on(on(), Path::new(out)).unwrap();
                    solve(root.as_ref(), MEMORY, Some(&store), file, &Control::default()).unwrap();
                    assert!(disk.contents()[Path::new(out)] == *alone, "{out}");
                });
            }
        });
    }
}
