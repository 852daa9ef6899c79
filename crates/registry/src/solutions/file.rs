//! Values looked up in a solution file.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::SolutionError;
use super::chunk::{self, CHUNK, Unpacked, value_of};
use super::layout::{Layout, Numbering, Tier};
use super::ranks::BoardRanks;
use super::rules::{decided, fingerprint};
use crate::registry::{Position, RankedMove, Successor};
use everyply_core::exhaustive::Code;
use everyply_core::game::{GameId, Key, PartialValue, TierId, Value};
use everyply_files::disk::{self, DiskFile, Kind, OpenMode};

/// The most bytes of cached unpacked chunks.
const CACHE: usize = 128 << 20;

type Cached = Mutex<Option<(usize, Arc<Unpacked>)>>;

/// An open solution file, for look-ups from any number of threads.
#[derive(Debug)]
pub struct SolutionFile {
    pub(super) path: PathBuf,
    file: Box<dyn DiskFile>,
    pub(super) layout: Layout,
    /// The number of positions of each chunk.
    counts: Vec<usize>,
    /// The places of the positions of a Connect Four board, if the file is of one.
    pub(super) ranks: Option<BoardRanks>,
    /// Unpacked chunks, each at its number modulo the length of the cache.
    cache: Vec<Cached>,
    /// The chunks of each tier of the game, none for a tier that the file lacks; `None` if the file
    /// was written for other rules.
    tiers: OnceLock<Option<Vec<Range<usize>>>>,
}

impl SolutionFile {
    /// Opens a file and checks its header and tables; chunks are checked when they are used.
    pub fn open(path: &Path) -> Result<Self, SolutionError> {
        let disk = disk::real();
        let failed = |source| SolutionError::File(path.to_owned(), source);
        // Opening a pipe would wait for its writer.
        if disk.kind(path).map_err(failed)?.is_some_and(|kind| kind != Kind::File) {
            return Err(SolutionError::NotASolution(path.to_owned()));
        }
        let file = disk.open(path, OpenMode::Read).map_err(failed)?;
        let layout = Layout::read(&*file, path)?;
        let is_board = layout.description.numbering == Numbering::Profiles;
        let ranks = is_board.then(|| BoardRanks::of(&layout)).transpose();
        let ranks = ranks.map_err(|what| SolutionError::Damaged(path.to_owned(), what))?;
        let counts = layout.counts().collect();
        // A code is two bytes, and a key eight.
        let bytes = if layout.description.numbering.is_listed() { 10 * CHUNK } else { 2 * CHUNK };
        let cached = (CACHE / bytes).min(layout.chunks.len());
        let cache = (0..cached).map(|_| Mutex::new(None)).collect();
        let tiers = OnceLock::new();
        Ok(Self { path: path.to_owned(), file, layout, counts, ranks, cache, tiers })
    }

    pub const fn game_id(&self) -> &GameId {
        &self.layout.id
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn tiers(&self) -> &[Tier] {
        &self.layout.description.tiers
    }

    /// Returns the number of entries: positions and holes.
    pub fn entries(&self) -> u64 {
        self.tiers().iter().map(|tier| tier.entries).sum()
    }

    /// Returns the number of positions, up to symmetry.
    pub fn positions(&self) -> u64 {
        let tiers = self.tiers().iter().map(Tier::positions);
        tiers.fold(0, u64::saturating_add)
    }

    /// Returns true if the game numbers its positions, so that the file holds no keys.
    pub fn is_ranked(&self) -> bool {
        self.layout.description.numbering.is_ranked()
    }

    fn is_listed(&self) -> bool {
        self.layout.description.numbering.is_listed()
    }

    /// Returns true if the values are the points still to be made, in a game that counts them.
    pub fn is_scored(&self) -> bool {
        self.layout.description.numbering == Numbering::Scored
    }

    /// Returns true if the file leaves out positions that the rules decide: the game is over, or
    /// every move ends it.
    pub fn leaves_out(&self) -> bool {
        self.layout.description.numbering == Numbering::Open
    }

    /// Returns the positions that the file holds, in words.
    pub fn holds(&self) -> &'static str {
        self.layout.description.numbering.holds()
    }

    pub fn chunks(&self) -> usize {
        self.counts.len()
    }

    /// Returns the position that leads to all others; `game` is any position of the game.
    pub fn root(&self, game: &dyn Position) -> Result<Box<dyn Position>, SolutionError> {
        self.chunks_of(game)?;
        self.root_of(game).ok_or_else(|| self.of_other_rules())
    }

    fn root_of(&self, game: &dyn Position) -> Option<Box<dyn Position>> {
        game.of_key(Key(self.layout.description.root))
    }

    pub(super) fn of_other_rules(&self) -> SolutionError {
        SolutionError::OtherRules(self.path.clone(), self.game_id().clone())
    }

    /// Returns the chunks of each tier of the game; an error if its rules differ.
    pub(super) fn chunks_of(&self, game: &dyn Position) -> Result<&[Range<usize>], SolutionError> {
        let find = || {
            let root = self.root_of(game)?;
            let tiers = root.ranked_tiers();
            let mut chunks = vec![0..0; tiers.len()];
            let mut first = 0;
            for here in self.tiers().iter().filter(|_| self.is_ranked()) {
                let same = |tier: &everyply_core::game::Tier| tier.name == here.name;
                let at = tiers.iter().position(same).filter(|at| chunks[*at].is_empty())?;
                let end = first + here.chunks() as usize;
                chunks[at] = Some(first..end).filter(|_| tiers[at].ranks == here.entries)?;
                first = end;
            }
            let is_right = fingerprint(root.as_ref()) == self.layout.fingerprint
                && self.is_ranked() != tiers.is_empty()
                && self.is_scored() == root.lead().is_some();
            is_right.then_some(chunks)
        };
        let (info, id) = (game.info(), self.game_id());
        let same_game = info.name == id.name && info.parameters == id.parameters;
        let chunks = same_game.then(|| self.tiers.get_or_init(find).as_deref()).flatten();
        chunks.ok_or_else(|| self.of_other_rules())
    }

    /// Returns the tiers of a file without keys, each with its number, ascending.
    pub(super) fn ranked_tiers(
        &self,
        game: &dyn Position,
    ) -> Result<Vec<(TierId, &Tier)>, SolutionError> {
        self.chunks_of(game)?;
        let tiers = game.ranked_tiers();
        let held = (0..).map(TierId).zip(&tiers).filter_map(|(id, tier)| {
            Some((id, self.tiers().iter().find(|here| here.name == tier.name)?))
        });
        Ok(held.collect())
    }

    /// Returns the value of a position of the game; `None` if the file neither holds it nor leaves
    /// it to the rules.
    pub fn value(&self, position: &dyn Position) -> Result<Option<PartialValue>, SolutionError> {
        let chunks = self.chunks_of(position)?;
        if self.ranks.is_some() {
            let Some(stones) = position.stones() else { return Ok(None) };
            return Ok(self.value_of_stones(stones)?.map(PartialValue::from));
        }
        if !self.is_ranked() {
            let Some((key, _)) = position.canonical() else { return Ok(None) };
            let listed = self.value_of_key(key)?;
            let is_left_out = listed.is_none() && self.leaves_out();
            let by_rules = || decided(position.result(), &position.successors());
            let left_out = || by_rules().map(|code| value_of(code, None));
            return Ok(if is_left_out { left_out() } else { listed });
        }
        let code = position.rank().map_or(Ok(None), |rank| self.code_of_rank(chunks, rank))?;
        Ok(code.map(|code| value_of(code, position.lead())))
    }

    /// Returns the moves of a position of the game by their bits, ascending, each with its value
    /// for the side that makes it; cheaper than looking up every [value](Self::value).
    pub fn moves(
        &self,
        position: &dyn Position,
    ) -> Result<Vec<(u32, Option<PartialValue>)>, SolutionError> {
        let over = |outcome| Value::over(outcome).into();
        if let Some(ranks) = position.ranks().filter(|_| self.is_ranked()) {
            let chunks = self.chunks_of(position)?;
            let value = |m: RankedMove| {
                let code = || m.rank.map_or(Ok(None), |rank| self.code_of_rank(chunks, rank));
                let there = match m.result {
                    Some(outcome) => Some(over(outcome)),
                    None => code()?.map(|code| value_of(code, m.lead)),
                };
                Ok((m.bit, there.map(|there| there.one_ply_earlier(m.keeps_turn))))
            };
            return ranks.moves().into_iter().map(value).collect();
        }
        let value = |m: Successor| {
            let there = match (m.result, m.canonical) {
                (Some(outcome), _) => Some(over(outcome)),
                (None, Some(key)) => match self.value_of_key(key)? {
                    None if !self.is_listed() || self.leaves_out() => {
                        position.of_key(key).map_or(Ok(None), |child| self.value(&*child))?
                    }
                    listed => listed,
                },
                (None, None) => None,
            };
            Ok((m.bit, there.map(|there: PartialValue| there.one_ply_earlier(m.keeps_turn))))
        };
        position.successors().into_iter().map(value).collect()
    }

    /// Returns the final points of a position under best play for points; `None` if the game is not
    /// solved for points, or the file does not hold the position.
    pub fn points(&self, position: &dyn Position) -> Result<Option<i32>, SolutionError> {
        let chunks = self.chunks_of(position)?;
        let Some((lead, rank)) = position.lead().zip(position.rank()) else { return Ok(None) };
        Ok(self.code_of_rank(chunks, rank)?.map(|code| lead + code.points()))
    }

    fn code_of_rank(
        &self,
        chunks: &[Range<usize>],
        (tier, rank): (TierId, u64),
    ) -> Result<Option<Code>, SolutionError> {
        let mut chunks = chunks.get(tier.index()).cloned().unwrap_or_default();
        let Some(chunk) = chunks.nth((rank / CHUNK as u64) as usize) else { return Ok(None) };
        Ok(self.chunk(chunk)?.codes.get((rank % CHUNK as u64) as usize).copied())
    }

    /// Returns the value of the position of a canonical key, in a file with keys; `None` if the
    /// file does not hold it.
    pub fn value_of_key(&self, key: Key) -> Result<Option<PartialValue>, SolutionError> {
        let after = self.layout.chunks.partition_point(|chunk| chunk.first <= key.0);
        let Some(number) = after.checked_sub(1).filter(|_| self.is_listed()) else {
            return Ok(None);
        };
        let chunk = self.chunk(number)?;
        let code = chunk.keys.binary_search(&key.0).ok().map(|at| chunk.codes[at]);
        Ok(code.map(|code| value_of(code, None)))
    }

    /// Returns the positions of a chunk by their canonical keys, with their values: by ascending
    /// key, or by rank. None for a board, which has [`value_of_stones`](Self::value_of_stones).
    ///
    /// # Panics
    /// If there is no such chunk.
    pub fn values(
        &self,
        game: &dyn Position,
        chunk: usize,
    ) -> Result<Vec<(Key, PartialValue)>, SolutionError> {
        let chunks = self.chunks_of(game)?;
        let Unpacked { keys, codes, .. } = self.unpack(chunk)?;
        if !self.is_ranked() {
            let value = |(key, code)| Ok((Key(key), value_of(code, None)));
            return keys.into_iter().zip(codes).map(value).collect();
        }
        let (tier, first) = tier_of(chunks, chunk);
        let valued = |(rank, code)| {
            let position = game.of_rank(tier, rank)?;
            Some((position.canonical()?.0, value_of(code, position.lead())))
        };
        Ok((first..).zip(codes).filter_map(valued).collect())
    }

    pub(super) fn chunk(&self, number: usize) -> Result<Arc<Unpacked>, SolutionError> {
        let cache = &self.cache[number % self.cache.len()];
        let mut place = cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((cached, chunk)) = &*place
            && *cached == number
        {
            return Ok(Arc::clone(chunk));
        }
        let chunk = Arc::new(self.unpack(number)?);
        *place = Some((number, Arc::clone(&chunk)));
        Ok(chunk)
    }

    pub(super) fn unpack(&self, number: usize) -> Result<Unpacked, SolutionError> {
        let entry = self.layout.chunks[number];
        let wrong =
            |what: &str| self.damaged(format!("chunk {number} at byte {} {what}", entry.offset));
        let mut packed = vec![0; entry.bytes() as usize];
        self.file.read_exact_at(&mut packed, entry.offset).map_err(|source| {
            match source.kind() {
                io::ErrorKind::UnexpectedEof => wrong("was cut off after the file was opened"),
                _ => SolutionError::File(self.path.clone(), source),
            }
        })?;
        if crc32fast::hash(&packed) != entry.checksum {
            return Err(wrong("has a wrong checksum"));
        }
        let count = self.counts[number];
        let first = Some(entry.first).filter(|_| self.is_listed());
        let unpacked = match self.ranks {
            Some(_) => chunk::unpack_bytes(&packed, count),
            None => chunk::unpack(&packed, entry.lengths, count, first),
        };
        let unpacked = unpacked.map_err(|what| wrong(&what))?;
        let next = self.layout.chunks.get(number + 1).map(|entry| entry.first);
        if unpacked.keys.last().zip(next).is_some_and(|(last, next)| *last >= next) {
            return Err(wrong("has keys beyond those of the next one"));
        }
        Ok(unpacked)
    }

    pub fn no_position(&self, key: Key) -> SolutionError {
        self.damaged(format!("the key {} is of no position", key.0))
    }

    pub(super) fn damaged(&self, what: String) -> SolutionError {
        SolutionError::Damaged(self.path.clone(), what)
    }
}

pub(super) fn tier_of(chunks: &[Range<usize>], chunk: usize) -> (TierId, u64) {
    let tier = chunks.iter().position(|of_tier| of_tier.contains(&chunk));
    let tier = tier.expect("every chunk is of a tier");
    (TierId(tier as u32), ((chunk - chunks[tier].start) * CHUNK) as u64)
}
