//! The transposition table: fixed size, lock-free, may forget, never confuses two positions.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::mixer::mix;
use super::points::Points;
use super::wide::AtomicU128;
use crate::game::{GameKey, Keyed, Move, Word};
use crate::huge_pages::{HugePageBuffer, prefetch};

/// The relation of a stored score to the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The stored score is the true score.
    Exact = 1,
    /// The true score is at least the stored one.
    Lower = 2,
    /// The true score is at most the stored one.
    Upper = 3,
}

impl Bound {
    /// Returns the bound that a score proves after a search in a window (fail-soft).
    #[inline(always)]
    pub(super) fn of(points: Points, alpha: Points, beta: Points) -> Self {
        match points {
            points if points >= beta => Self::Lower,
            points if points <= alpha => Self::Upper,
            _ => Self::Exact,
        }
    }
}

/// The entry of a position in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// Plies searched below the position.
    pub depth: u32,
    pub bound: Bound,
    /// The score for the side to move, ends counted from the position.
    pub points: Points,
    /// The label of the best move, in the image that the key names.
    pub best: Move,
    /// The binary logarithm of the nodes searched, for searches to the end: less is overwritten
    /// first.
    pub work: u32,
}

/// The greatest depth of a search to a horizon.
pub(super) const MOST_DEPTH: u32 = 63;
/// The depth of a search to the end of the game whose scores are its final points.
pub(super) const TO_POINTS: u32 = 64;
/// The depth of a search to the end of the game: its scores are values.
pub(super) const TO_END: u32 = 96;
/// Depths to the end have room for the work above them.
const MOST_WORK: u32 = 31;
const DEPTH_BITS: u32 = 7;

impl TableEntry {
    /// Returns the score for a node at a depth, if it settles the window.
    #[inline(always)]
    pub(super) fn settles(
        &self,
        depth: u32,
        from_root: u32,
        alpha: Points,
        beta: Points,
    ) -> Option<Points> {
        if !self.is_usable(depth) {
            return None;
        }
        let points = self.points.seen_from_above(from_root);
        let settles = match self.bound {
            Bound::Exact => true,
            Bound::Lower => points >= beta,
            Bound::Upper => points <= alpha,
        };
        settles.then_some(points)
    }

    /// Returns true if a search of `depth` plies may use the score.
    ///
    /// A search of the entry's own depth may. So may any search but for points, if the score proves a win
    /// or a loss that ends within `depth` plies, and its bound is on the side of the proof: plain minimax
    /// at any depth that reaches that end finds it, and no deeper search changes it.
    #[inline(always)]
    pub fn is_usable(&self, depth: u32) -> bool {
        if self.depth == depth {
            return true;
        }
        let Some(plies) = self.points.plies_to_end() else { return false };
        let proven = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.points > Points::ZERO,
            Bound::Upper => self.points < Points::ZERO,
        };
        proven && (depth == TO_END || plies <= depth && depth != TO_POINTS)
    }
}

/// Entries of a bucket; a bucket of 64-bit words is half a cache line.
const WAYS: usize = 4;

/// Bits of an entry beside the rest of the key:
///
/// ```text
/// bit 0        18      25     27      33                    64 or 128
///     | points | depth | bound | move | rest of the key ... |
/// ```
///
/// `bound` is never zero, so a zero word is an empty place.
const PAYLOAD_BITS: u32 = Points::BITS + DEPTH_BITS + 2 + 6;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The size is zero, or larger than the address space.
    #[error(
        "a transposition table of {0} MiB cannot be made: ask for 1 MiB up to the memory of this machine"
    )]
    Size(u64),
    /// The board is so large that entries of a small table cannot tell its positions apart.
    #[error(
        "a transposition table of {mib} MiB is too small for this board: ask for at least {least} MiB, \
         so that an entry belongs to one position"
    )]
    Key { mib: u64, least: u64 },
}

/// The place of a key in a table: where its bucket begins, and the rest of the key, low half first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    first: usize,
    rest: [u64; 2],
}

impl Slot {
    /// The slot of no key.
    pub const NONE: Self = Self { first: usize::MAX, rest: [0; 2] };

    #[inline(always)]
    pub(super) const fn clear(&mut self) {
        self.first = Self::NONE.first;
    }

    #[inline(always)]
    pub(super) const fn is_clear(&self) -> bool {
        self.first == Self::NONE.first
    }

    const fn wide(self) -> u128 {
        (self.rest[1] as u128) << 64 | self.rest[0] as u128
    }

    /// Returns a hash of the slot.
    pub(super) const fn digest(self) -> u64 {
        self.rest[0] ^ self.rest[1] ^ (self.first as u64) << 32
    }
}

/// A table of atomic words, each a whole entry: read and written in one piece without locks, so
/// never torn. The last write wins.
///
/// No two positions can be confused. A key has B bits. `mix` is a bijection on B-bit numbers; the
/// upper bits of the mixed key choose the bucket and the others, the *rest*, are stored whole in
/// the entry. Bucket and rest give back the mixed key and so the key. The rest takes B minus the
/// bucket bits; if the rest and the payload exceed 64 bits, as for small tables and large boards,
/// words have 128 bits. That is always enough for keys of 64 bits; wider keys may need more buckets.
#[derive(Debug)]
pub struct SharedTable {
    words: Words,
    key_bits: u32,
    rest_bits: u32,
}

#[derive(Debug)]
enum Words {
    Narrow(HugePageBuffer<AtomicU64>),
    Wide(Box<[AtomicU128]>),
}

impl SharedTable {
    /// Creates an empty table for keys of `key_bits` bits; its size is the largest power of two
    /// that is at most `mib` MiB.
    pub fn new(mib: u64, key_bits: u32) -> Result<Self, TableError> {
        let too_large = || TableError::Size(mib);
        if mib == 0 {
            return Err(too_large());
        }
        let bytes = mib.checked_mul(1 << 20).ok_or_else(too_large)?;
        let bytes = usize::try_from(bytes).map_err(|_| too_large())?;
        // A tiny board needs no more buckets than keys, and the bucket number cannot have more bits
        // than the key.
        let bucket_bits = |word: usize| (bytes / (word * WAYS)).ilog2().min(key_bits);
        let narrow = key_bits - bucket_bits(8) + PAYLOAD_BITS <= 64;
        let buckets = 1usize << bucket_bits(if narrow { 8 } else { 16 });
        let rest_bits = key_bits - buckets.ilog2();
        if let missing @ 1.. = (rest_bits + PAYLOAD_BITS).saturating_sub(128) {
            // Each bit less in the rest takes twice as many buckets.
            let least = (1u64 << mib.ilog2()).saturating_mul(1 << missing);
            return Err(TableError::Key { mib, least });
        }
        let count = buckets * WAYS;
        let words = if narrow {
            Words::Narrow(HugePageBuffer::new(count).ok_or_else(too_large)?)
        } else {
            Words::Wide(std::iter::repeat_with(AtomicU128::default).take(count).collect())
        };
        Ok(Self { words, key_bits, rest_bits })
    }

    /// Returns true if entries tell the positions of a game apart.
    pub fn serves<G: Keyed<Key: GameKey>>(&self, game: &G) -> bool {
        (game.key_bits()..=<G::Key as GameKey>::Word::BITS).contains(&self.key_bits)
    }

    pub fn bytes(&self) -> usize {
        match &self.words {
            Words::Narrow(words) => size_of_val::<[AtomicU64]>(words),
            Words::Wide(words) => size_of_val::<[AtomicU128]>(words),
        }
    }

    /// Returns the share of places in use, from 0 to 1, estimated from a sample.
    pub fn fill(&self) -> f64 {
        fn of<W>(words: &[W], is_used: impl Fn(&W) -> bool) -> f64 {
            let sample = words.iter().step_by((words.len() >> 14).max(1) | 1);
            let all = sample.len() as f64;
            sample.filter(|word| is_used(word)).count() as f64 / all
        }
        match &self.words {
            Words::Narrow(words) => of(words, |word| word.load(Relaxed) != 0),
            Words::Wide(words) => of(words, |word| word.load(Relaxed) != 0),
        }
    }

    /// Touches the memory of a new table, so that a search does not pay for it.
    pub fn touch(&self) {
        const PAGE: usize = 4096 / size_of::<AtomicU64>();
        if let Words::Narrow(words) = &self.words {
            words.iter().step_by(PAGE).for_each(|word| word.store(0, Relaxed));
        }
    }

    /// Empties the table, and touches all its memory: a search after it pays for neither.
    pub fn clear(&self) {
        match &self.words {
            Words::Narrow(words) => words.iter().for_each(|word| word.store(0, Relaxed)),
            Words::Wide(words) => words.iter().for_each(|word| word.store(0, Relaxed)),
        }
    }

    /// Returns the slot of a key.
    #[inline(always)]
    pub fn slot<K: GameKey>(&self, key: K) -> Slot {
        let mixed = mix(self.key_bits, key.number(), Word::ZERO);
        let (first, rest) = match self.rest_bits {
            all if all == K::Word::BITS => (0, mixed),
            bits => {
                let bucket = (mixed >> bits).to_u128() as usize;
                (bucket * WAYS, mixed & !(!K::Word::ZERO << bits))
            }
        };
        let rest = rest.to_u128();
        Slot { first, rest: [rest as u64, (rest >> 64) as u64] }
    }

    /// Returns the slot of a key, and prefetches its bucket.
    #[inline(always)]
    pub(super) fn fetch<K: GameKey>(&self, key: K) -> Slot {
        let slot = self.slot(key);
        match &self.words {
            Words::Narrow(words) => prefetch(&words[slot.first]),
            Words::Wide(words) => prefetch(&words[slot.first]),
        }
        slot
    }

    #[inline(always)]
    pub fn probe(&self, slot: &Slot) -> Option<TableEntry> {
        // A rest of 0 also matches empty places, but these come last: then there is no entry.
        let places = slot.first..slot.first + WAYS;
        let word = match &self.words {
            Words::Narrow(words) => {
                let mut bucket = words[places].iter().map(|word| word.load(Relaxed));
                bucket.find(|word| word >> PAYLOAD_BITS == slot.rest[0])?
            }
            Words::Wide(words) => {
                let mut bucket = words[places].iter().map(|word| word.load(Relaxed));
                bucket.find(|word| word >> PAYLOAD_BITS == slot.wide())? as u64
            }
        };
        (word != 0).then(|| unpack(word))
    }

    /// Stores an entry; returns true if it overwrites the entry of another position.
    #[inline]
    pub fn store(&self, slot: &Slot, entry: TableEntry) -> bool {
        let places = slot.first..slot.first + WAYS;
        match &self.words {
            Words::Narrow(words) => {
                let (bucket, rest) = (&words[places], slot.rest[0]);
                let words = bucket.iter().map(|word| word.load(Relaxed));
                let victim = victim(words.map(|word| (word, word >> PAYLOAD_BITS == rest)));
                bucket[victim % WAYS].store(rest << PAYLOAD_BITS | pack(entry), Relaxed);
                victim >= 2 * WAYS
            }
            Words::Wide(words) => {
                let (bucket, rest) = (&words[places], slot.wide());
                let words = bucket.iter().map(|word| word.load(Relaxed));
                let victim = victim(words.map(|word| (word as u64, word >> PAYLOAD_BITS == rest)));
                let word = rest << PAYLOAD_BITS | u128::from(pack(entry));
                bucket[victim % WAYS].store(word, Relaxed);
                victim >= 2 * WAYS
            }
        }
    }
}

/// Returns the place of a bucket to write to, plus [`WAYS`] times its preference: 0 for the position's own place, 1
/// for an empty one, else the depth and work of the entry plus 2. The least is taken.
///
/// Each place has the low bits of its entry, 0 if it is empty, and true if the rest of the key is the position's.
#[inline(always)]
fn victim(places: impl Iterator<Item = (u64, bool)>) -> usize {
    let mut victim = u32::MAX;
    for (i, (word, has_rest)) in (0..).zip(places) {
        let preference = match word {
            0 => 1,
            _ if has_rest => 0,
            _ => depth_of(word) + 2,
        };
        victim = victim.min(preference * WAYS as u32 + i);
    }
    victim as usize
}

#[inline(always)]
fn depth_of(word: u64) -> u32 {
    (word >> Points::BITS) as u32 & ((1 << DEPTH_BITS) - 1)
}

#[inline(always)]
fn pack(entry: TableEntry) -> u64 {
    let work = if entry.depth > MOST_DEPTH { entry.work.min(MOST_WORK) } else { 0 };
    entry.points.to_bits()
        | u64::from(entry.depth + work) << Points::BITS
        | (entry.bound as u64) << (Points::BITS + DEPTH_BITS)
        | u64::from(entry.best.0) << (Points::BITS + DEPTH_BITS + 2)
}

#[inline(always)]
fn unpack(word: u64) -> TableEntry {
    let (depth, work) = match depth_of(word) {
        depth @ ..=MOST_DEPTH => (depth, 0),
        depth @ ..TO_END => (TO_POINTS, depth - TO_POINTS),
        depth => (TO_END, depth - TO_END),
    };
    TableEntry {
        points: Points::from_bits(word),
        depth,
        work,
        bound: match word >> (Points::BITS + DEPTH_BITS) & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
        best: Move((word >> (Points::BITS + DEPTH_BITS + 2) & 63) as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::super::mixer::unmix;
    use super::*;
    use crate::game::Key;
    use crate::random::Random;

    fn entry(depth: u32, points: i32) -> TableEntry {
        TableEntry { depth, bound: Bound::Lower, points: Points(points), best: Move(39), work: 0 }
    }

    #[test]
    fn bucket_and_rest_give_the_key_back() {
        let mut random = Random::new(2);
        for (mib, bits) in
            [(1, 49), (64, 49), (1, 64), (16, 56), (1, 5), (1, 15), (4, 63), (1, 103), (4, 111)]
        {
            let table = SharedTable::new(mib, bits).unwrap();
            assert!(table.bytes() as u64 <= mib << 20);
            for _ in 0..1000 {
                let key = u128::from(random.next()) << 64 | u128::from(random.next());
                let key = key & u128::ones(bits);
                let slot = table.slot(Key(key));
                let mixed = ((slot.first / WAYS) as u128) << table.rest_bits | slot.wide();
                assert_eq!(unmix(bits, mixed, 0), key);
                if bits <= 64 {
                    let key = key as u64;
                    let slot = table.slot(Key(key));
                    let bucket = (slot.first / WAYS) as u64;
                    let mixed = bucket.checked_shl(table.rest_bits).unwrap_or(0) | slot.rest[0];
                    assert_eq!(unmix(bits, mixed, 0), key);
                }
            }
        }
    }

    #[test]
    fn a_table_for_wide_keys_says_how_large_it_has_to_be() {
        let error = TableError::Key { mib: 3, least: 8 };
        assert_eq!(SharedTable::new(3, 112).unwrap_err(), error);
        assert!(SharedTable::new(8, 112).is_ok());
    }

    #[test]
    fn entries_are_read_as_they_were_written() {
        for (mib, bits) in [(64, 49), (1, 49), (1, 64), (1, 103)] {
            let table = SharedTable::new(mib, bits).unwrap();
            let slot = table.slot(Key(12_345u128));
            assert_eq!(table.probe(&slot), None);
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                for points in [-131_000, -1, 0, 77, 131_000] {
                    let stored = TableEntry { bound, ..entry(42, points) };
                    table.store(&slot, stored);
                    assert_eq!(table.probe(&slot), Some(stored));
                }
            }
            assert_eq!(table.probe(&table.slot(Key(12_346u128))), None);
            table.clear();
            assert_eq!(table.probe(&slot), None);
        }
    }

    #[test]
    fn a_full_bucket_forgets_the_least_depth() {
        // On a small board every key has its own bucket: overflow one with keys of 64 bits.
        let table = SharedTable::new(1, 64).unwrap();
        let mut random = Random::new(3);
        let mut slots = vec![table.slot(Key(1u64))];
        while slots.len() < 5 {
            let slot = table.slot(Key(random.next()));
            if slot.first == slots[0].first {
                slots.push(slot);
            }
        }
        for (depth, slot) in (3..).zip(&slots) {
            table.store(slot, entry(depth, 0));
        }
        assert_eq!(table.probe(&slots[0]), None);
        assert!(slots[1..].iter().all(|slot| table.probe(slot).is_some()));
    }

    #[test]
    fn only_proofs_on_their_own_side_serve_other_depths() {
        let won = -Points::lost_at(5);
        let usable = |bound, points, depth| {
            TableEntry { depth: 6, bound, points, best: Move(0), work: 0 }.is_usable(depth)
        };
        assert!(usable(Bound::Upper, Points(3), 6));
        assert!(!usable(Bound::Exact, Points(3), 7));
        assert!(usable(Bound::Exact, won, 7) && usable(Bound::Lower, won, 5));
        assert!(!usable(Bound::Lower, won, 4), "a search this shallow does not see the end");
        assert!(!usable(Bound::Upper, won, 7), "an upper bound that is a win proves nothing");
        assert!(usable(Bound::Upper, -won, 7) && !usable(Bound::Lower, -won, 7));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(SharedTable::new(0, 49).is_err());
        assert!(SharedTable::new(u64::MAX, 49).is_err());
    }
}
