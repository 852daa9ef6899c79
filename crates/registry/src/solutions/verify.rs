//! Checks of a whole solution file of any game.
//!
//! `docs/solution-format.md` has the proof that comparing every position with its children proves
//! all values. Points have no distances, and endless play could make several values follow from
//! each other: the tiers of a game for points are solved anew and compared.

use std::ops::Range;

use super::SolutionError;
use super::chunk::{CHUNK, Unpacked};
use super::file::SolutionFile;
use super::layout::Tier;
use super::rules::{decided, follows};
use super::write::{stop_with, stopped};
use crate::registry::{Facts, Position, Successor};
use everyply_core::control::Control;
use everyply_core::exhaustive::{Code, SolveError};
use everyply_core::game::{self, Key, TierId};
use everyply_core::parallel;

/// Positions that one thread checks at a time.
const PART: usize = 1 << 12;

impl SolutionFile {
    /// Returns the bytes of memory that [`verify`](Self::verify) takes: for all positions with
    /// their keys, for the tiers of ranks that later ones lead to, or for solving a game for points
    /// anew; 0 if the rules differ.
    pub fn bytes_to_verify(&self, game: &dyn Position) -> u64 {
        const RANK: u64 = size_of::<Code>() as u64;
        const LISTED: u64 = 12;
        if !self.is_ranked() {
            return self.entries() * LISTED;
        }
        let Ok(held) = self.ranked_tiers(game) else { return 0 };
        let ranks = |(_, tier): &(TierId, &Tier)| tier.entries;
        if self.is_scored() {
            let anew = game.ranked_cost().map_or(0, |cost| cost.in_memory);
            return anew + RANK * held.iter().map(ranks).max().unwrap_or(0);
        }
        let last_use = last_use(&game.ranked_tiers(), &held);
        let kept = |(n, (id, _)): (usize, &(TierId, &Tier))| {
            let kept = held[..=n].iter().filter(|(below, _)| last_use[below.index()] >= *id);
            kept.map(ranks).sum::<u64>()
        };
        RANK * held.iter().enumerate().map(kept).max().unwrap_or(0)
    }

    /// Checks that every chunk has the right checksum and can be unpacked.
    pub fn check(&self, control: &Control) -> Result<(), SolutionError> {
        self.each_chunk(0..self.chunks(), control, &|_, _| (), &mut |()| ())
    }

    /// Maps each of these chunks, by number and content, in parallel, and hands the results over in
    /// order.
    pub(super) fn each_chunk<T: Send>(
        &self,
        chunks: Range<usize>,
        control: &Control,
        make: &(dyn Fn(usize, Unpacked) -> T + Sync),
        see: &mut dyn FnMut(T),
    ) -> Result<(), SolutionError> {
        let at_once = 2 * rayon::current_num_threads();
        for first in chunks.clone().step_by(at_once) {
            let count = at_once.min(chunks.end - first);
            let made = |i| self.unpack(first + i).map(|chunk| make(first + i, chunk));
            for made in parallel::map(count, &made) {
                control.check().map_err(stopped)?;
                see(made?);
            }
        }
        Ok(())
    }

    fn codes(&self, chunks: Range<usize>, control: &Control) -> Result<Vec<Code>, SolutionError> {
        let mut all = Vec::with_capacity(chunks.len() * CHUNK);
        self.each_chunk(chunks, control, &|_, chunk| chunk.codes, &mut |codes| all.extend(codes))?;
        Ok(all)
    }

    /// Checks every checksum and the counts of tiers, and proves every value by its children's
    /// values. Memory holds all positions of a file with keys, else a tier and the tiers below that
    /// it or a later tier leads to.
    pub fn verify(&self, game: &dyn Position, control: &Control) -> Result<(), SolutionError> {
        let root = self.root(game)?;
        control.start(self.entries());
        if self.is_scored() {
            self.verify_points(root.as_ref(), control)?;
        } else if self.is_ranked() {
            self.verify_ranks(root.as_ref(), control)?;
        } else {
            self.verify_keys(root.as_ref(), control)?;
        }
        match self.value(root.as_ref())? {
            Some(_) => Ok(()),
            None => Err(self.damaged("the root is missing".to_owned())),
        }
    }

    fn verify_keys(&self, root: &dyn Position, control: &Control) -> Result<(), SolutionError> {
        let mut all = Positions::default();
        self.each_chunk(0..self.chunks(), control, &|_, chunk| chunk, &mut |chunk| {
            all.keys.extend(chunk.keys);
            all.codes.extend(chunk.codes);
        })?;
        all.index();
        let count = all.keys.len();
        let by_rules = |key| {
            let mut moves = Vec::new();
            let at = root.look_at_key(key, &mut moves).filter(|_| self.leaves_out())?;
            decided(at.state.result, &moves)
        };
        let parts = parallel::map(count.div_ceil(PART), &|part| {
            control.check().map_err(stopped)?;
            let mut moves = Vec::new();
            let range = part * PART..count.min((part + 1) * PART);
            control.advance(range.len() as u64);
            for i in range {
                let key = Key(all.keys[i]);
                let position = root.look_at_key(key, &mut moves);
                let right = position.ok_or_else(|| "is no position".to_owned());
                let below = |key: Key| all.find(key.0).or_else(|| by_rules(key));
                right.and_then(|at| check(key, all.codes[i], &at, &moves, &below)).map_err(
                    |what| {
                        let picture = root.of_key(key).map_or_else(String::new, |at| at.picture());
                        self.damaged(format!("the position of key {} ({picture}) {what}", key.0))
                    },
                )?;
            }
            Ok::<(), SolutionError>(())
        });
        parts.into_iter().collect::<Result<(), _>>()?;
        let name = self.tiers().first().map(|tier| tier.name.clone());
        let mut counted = Tier { name: name.unwrap_or_default(), ..Tier::default() };
        all.codes.iter().for_each(|code| counted.count(*code));
        self.tiers().iter().try_for_each(|here| self.compare_counts(here, &counted))
    }

    fn verify_ranks(&self, root: &dyn Position, control: &Control) -> Result<(), SolutionError> {
        let tiers = root.ranked_tiers();
        let (chunks, held) = (self.chunks_of(root)?, self.ranked_tiers(root)?);
        let last_use = last_use(&tiers, &held);
        let mut kept: Vec<Vec<Code>> = vec![Vec::new(); tiers.len()];
        for (id, here) in held {
            kept[id.index()] = self.codes(chunks[id.index()].clone(), control)?;
            let code = |to: TierId, rank: u64| kept[to.index()].get(rank as usize).copied();
            let ranks = here.entries as usize;
            let parts = parallel::map(ranks.div_ceil(PART), &|part| {
                control.check().map_err(stopped)?;
                let mut tier = Tier { name: here.name.clone(), ..Tier::default() };
                let range = (part * PART) as u64..ranks.min((part + 1) * PART) as u64;
                control.advance(range.end - range.start);
                let mut wrong = None;
                let Some(ranks) = root.ranks() else { return Ok(tier) };
                ranks.follow(id, range, &code, &mut |rank, follows| {
                    let found = code(id, rank);
                    match (follows, found) {
                        (Some(Code::HOLE), _) => tier.count(Code::HOLE),
                        (Some(follows), Some(found)) if follows == found => tier.count(found),
                        _ => wrong = wrong.or(Some((rank, follows, found))),
                    }
                });
                let Some((rank, follows, found)) = wrong else { return Ok(tier) };
                let picture = root.of_rank(id, rank).map_or_else(String::new, |at| at.picture());
                let name = &here.name;
                let what = fault(found.unwrap_or_default(), follows);
                Err(self.damaged(format!("rank {rank} of the tier {name} ({picture}) {what}")))
            });
            let mut sum = Tier { name: here.name.clone(), ..Tier::default() };
            for tier in parts {
                sum.add(&tier?);
            }
            self.compare_counts(here, &sum)?;
            let is_done = |(n, _): &(usize, &mut Vec<Code>)| last_use[*n] <= id;
            kept.iter_mut().enumerate().filter(is_done).for_each(|(_, codes)| *codes = Vec::new());
        }
        Ok(())
    }

    /// Solves the tiers anew and compares the points.
    fn verify_points(&self, root: &dyn Position, control: &Control) -> Result<(), SolutionError> {
        let (chunks, mut held) = (self.chunks_of(root)?, self.ranked_tiers(root)?);
        let mut compare = |id: TierId, tier: &game::Tier, solved: &[Code]| {
            let name = &tier.name;
            let at = held.iter().position(|(here, _)| *here == id);
            let here = held.remove(at.ok_or_else(|| self.damaged(format!("no tier {name}")))?).1;
            let codes = self.codes(chunks[id.index()].clone(), control)?;
            let is_wrong = |(found, right): (&Code, &Code)| *right != Code::HOLE && found != right;
            if let Some(rank) = codes.iter().zip(solved).position(is_wrong) {
                let position = root.of_rank(id, rank as u64);
                let picture = position.map_or_else(String::new, |at| at.picture());
                let [found, right] = [codes[rank], solved[rank]].map(Code::points);
                return Err(self.damaged(format!(
                    "rank {rank} of the tier {name} ({picture}) is called {found:+} points, and \
                     solving it anew makes it {right:+}"
                )));
            }
            let mut counted = Tier { name: name.clone(), ..Tier::default() };
            solved.iter().for_each(|code| counted.count(*code));
            self.compare_counts(here, &counted)
        };
        let mut fault = None;
        let mut see = |id: TierId, tier: &game::Tier, solved: &[Code]| {
            compare(id, tier, solved).map_err(stop_with(&mut fault))
        };
        let solved = root.ranks().map_or(Ok(()), |ranks| ranks.solve(control, &mut see));
        if let Some(fault) = fault {
            return Err(fault);
        }
        solved.map_err(|error| match error {
            SolveError::Stopped(error) => stopped(error),
            error => self.damaged(error.to_string()),
        })?;
        match held.first() {
            Some((_, tier)) => {
                Err(self.damaged(format!("the root does not lead to {}", tier.name)))
            }
            None => Ok(()),
        }
    }

    pub(super) fn compare_counts(&self, here: &Tier, counted: &Tier) -> Result<(), SolutionError> {
        match here == counted {
            true => Ok(()),
            false => Err(self.damaged(format!("the counts of the tier '{}' are wrong", here.name))),
        }
    }
}

/// Returns for each tier of a game the last tier of a file that leads to it, or the tier itself.
fn last_use(tiers: &[game::Tier], held: &[(TierId, &Tier)]) -> Vec<TierId> {
    let mut last: Vec<TierId> = (0..tiers.len() as u32).map(TierId).collect();
    for (id, _) in held {
        tiers[id.index()].leads_to.iter().for_each(|to| last[to.index()] = *id);
    }
    last
}

/// Describes the fault of a position whose value does not follow; `follows` is `None` if a child is
/// missing.
fn fault(found: Code, follows: Option<Code>) -> String {
    let words = |code: Code| match code.outcome() {
        Some(outcome) => format!("a {outcome} in {} plies", code.plies()),
        None => "a draw by endless play".to_owned(),
    };
    match follows {
        None => "has a move to a position that is missing".to_owned(),
        Some(follows) => {
            format!("is called {}, and its children make it {}", words(found), words(follows))
        }
    }
}

#[derive(Default)]
struct Positions {
    keys: Vec<u64>,
    codes: Vec<Code>,
    /// The first position of every range of keys with equal upper bits, and the end.
    starts: Vec<u32>,
    shift: u32,
}

impl Positions {
    /// Indexes the keys by their upper bits: about four positions of evenly spread keys a range.
    fn index(&mut self) {
        let Some(last) = self.keys.last() else { return };
        let used = u64::BITS - last.leading_zeros();
        self.shift = used.saturating_sub((self.keys.len() / 4).max(2).ilog2());
        let mut at = 0;
        for range in 0..=last >> self.shift {
            let length = self.keys[at..].iter().take_while(|key| *key >> self.shift < range);
            at += length.count();
            self.starts.push(at as u32);
        }
        self.starts.push(self.keys.len() as u32);
    }

    fn find(&self, key: u64) -> Option<Code> {
        let range = usize::try_from(key >> self.shift).ok()?;
        let start = *self.starts.get(range)? as usize;
        let end = *self.starts.get(range + 1)? as usize;
        let at = self.keys[start..end].binary_search(&key).ok()?;
        Some(self.codes[start + at])
    }
}

/// Compares the value of a position with its children's values; the fault if it does not follow.
fn check(
    key: Key,
    code: Code,
    position: &Facts,
    moves: &[Successor],
    below: &dyn Fn(Key) -> Option<Code>,
) -> Result<(), String> {
    if let Some(rule) = &position.unreached {
        return Err(format!("is reached by no game: {rule}"));
    }
    if position.canonical != key {
        return Err("is not the image that stands for its symmetries".to_owned());
    }
    let follows = follows(position.state.result, moves, below);
    if follows == Some(code) { Ok(()) } else { Err(fault(code, follows)) }
}
