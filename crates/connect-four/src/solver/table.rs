//! The solver's transposition table, and the slot of a position in it: fixed size, lock-free, may
//! forget, never confuses two positions.

use std::sync::atomic::Ordering::Relaxed;

use bytemuck::Zeroable;

use super::board::{KeyKind, TableKey};
use super::layout::Layout;
use super::score::{Interval, Score};
use everyply_core::games::line::Word;
use everyply_core::huge_pages::HugePageBuffer;
use everyply_core::search::mixer::{mix, unmix};
use everyply_core::search::{AtomicU128, TableError};

/// Entries of a bucket, which is a cache line.
const WAYS: usize = 4;

#[repr(align(64))]
#[derive(Debug)]
struct Bucket([AtomicU128; WAYS]);

// SAFETY: an `AtomicU128` is laid out as a `u128` (its documentation says so), and zero is one.
unsafe impl Zeroable for Bucket {}

/// Scores of a board with at most 127 cells lie in -63..=64 and are stored with 63 added.
const SCORE_OFFSET: Score = 63;

/// A table of 128-bit atomic words, each a whole entry: entries are read and written in one piece
/// without locks, so no thread sees a torn entry. The last write wins.
///
/// No two positions can be confused. A key is two words (a, b) of B bits. For a fixed b,
/// [`mix`] is a bijection of a on B-bit numbers. The upper bits of the mixed word choose the
/// bucket; its other bits, the *remainder*, and b are stored whole. An entry and its bucket give b,
/// and the mixed word from remainder and bucket number; the inverse of the bijection gives a. The
/// sizes are checked when the table is made: payload, remainder and b must fit 128 bits. If they do
/// not (large boards with small tables), keys are [`KeyKind::Narrow`]: their b is always 0 and
/// takes no room. If payload and remainder do not fit either, the table is refused.
#[derive(Debug)]
pub struct Table {
    buckets: HugePageBuffer<Bucket>,
    kind: KeyKind,
    /// The number of bits of the mixed word that do not choose the bucket.
    remainder_bits: u32,
    #[cfg(target_arch = "x86_64")]
    has_avx: bool,
}

impl Table {
    /// Creates an empty table of at most `mib` MiB: the largest power of two of bytes.
    pub fn new<W: Word>(l: &Layout<W>, mib: u64) -> Result<Self, TableError> {
        let too_large = || TableError::Size(mib);
        let bytes = mib.checked_mul(1 << 20).filter(|&b| b > 0).ok_or_else(too_large)?;
        let bytes = usize::try_from(bytes).map_err(|_| too_large())?;
        let bits = l.bits();
        let bucket_bits = (bytes / size_of::<Bucket>()).ilog2().min(bits);
        let remainder_bits = bits - bucket_bits;
        let wide = OWN_AT + remainder_bits + bits <= 128;
        if OWN_AT + remainder_bits > 128 {
            return Err(TableError::Key { mib, least: least_mib(bits) });
        }
        assert!(l.cells() <= 127, "scores fit seven bits");
        Ok(Self {
            buckets: HugePageBuffer::new(1 << bucket_bits).ok_or_else(too_large)?,
            kind: if wide { KeyKind::Wide } else { KeyKind::Narrow },
            remainder_bits,
            #[cfg(target_arch = "x86_64")]
            has_avx: is_x86_feature_detected!("avx"),
        })
    }

    #[inline(always)]
    pub fn key_kind(&self) -> KeyKind {
        self.kind
    }

    pub fn bytes(&self) -> usize {
        size_of_val::<[Bucket]>(&self.buckets)
    }

    /// Returns the share of entries in use, from 0 to 1, in a sample of at most 4,096 buckets.
    pub fn fill(&self) -> f64 {
        let sample = self.buckets.iter().step_by((self.buckets.len() >> 12).max(1));
        let all = sample.len() * WAYS;
        let used = sample.flat_map(|bucket| &bucket.0).filter(|entry| entry.load(Relaxed) != 0);
        used.count() as f64 / all as f64
    }

    /// Returns the slot of a key. The bits of the layout are a constant on fixed boards.
    #[inline(always)]
    pub fn slot<W: Word>(&self, l: &Layout<W>, key: TableKey<W>) -> Slot {
        let mixed = mix(l.bits(), key.own, key.other);
        // A table has more than one bucket, so the remainder is not the whole word.
        let bucket = (mixed >> self.remainder_bits).to_u128() as u64;
        let remainder = mixed & (W::ONE << self.remainder_bits).wrapping_sub(W::ONE);
        let used = 1u128 << (OWN_AT - 1);
        let other = key.other.to_u128().checked_shl(OWN_AT + self.remainder_bits).unwrap_or(0);
        let stored = used | remainder.to_u128() << OWN_AT | other;
        Slot { bucket, low: stored as u64, high: (stored >> 64) as u64 }
    }

    #[inline(always)]
    pub fn prefetch(&self, bucket: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = self.buckets.as_ptr().wrapping_add(bucket as usize);
            // SAFETY: a prefetch reads nothing, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = bucket;
    }

    #[inline(always)]
    fn load(&self, entry: &AtomicU128) -> u128 {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if self.has_avx {
            let (low, high): (u64, u64);
            // SAFETY: processors with AVX read 16 aligned bytes in one piece (manuals of Intel and
            // AMD), and an entry is aligned. `AtomicU128` does the same behind a call; a probe
            // would make four calls.
            unsafe {
                std::arch::asm!(
                    "vmovdqa {x}, xmmword ptr [{entry}]",
                    "vmovq {low}, {x}",
                    "vpextrq {high}, {x}, 1",
                    entry = in(reg) entry.as_ptr(),
                    x = out(xmm_reg) _,
                    low = out(reg) low,
                    high = out(reg) high,
                    options(nostack, preserves_flags, readonly)
                );
            }
            return u128::from(high) << 64 | u128::from(low);
        }
        entry.load(Relaxed)
    }

    /// Returns the bounds of a position, if the table has an entry for it.
    #[inline(always)]
    pub fn probe(&self, slot: Slot) -> Option<Interval> {
        self.buckets[slot.bucket as usize].0.iter().find_map(|word| {
            let word = self.load(word);
            ((word ^ slot.stored()) & !PAYLOAD == 0).then(|| unpack(word as u64))
        })
    }

    /// Stores bounds that `nodes` nodes have proved, intersected with the bounds of the position's
    /// entry. A new entry replaces an empty one, else the one with the least work.
    #[inline]
    pub fn store(&self, slot: Slot, mut proved: Interval, nodes: u64) {
        let bucket = &self.buckets[slot.bucket as usize].0;
        let mut victim = (u32::MAX, 0);
        for (i, word) in bucket.iter().enumerate() {
            let word = self.load(word);
            if (word ^ slot.stored()) & !PAYLOAD == 0 {
                let known = unpack(word as u64);
                proved.lower = proved.lower.max(known.lower);
                proved.upper = proved.upper.min(known.upper);
                victim = (0, i);
                break;
            }
            let worth = if word == 0 { 0 } else { 1 + work_of(word as u64) };
            victim = victim.min((worth, i));
        }
        let work = nodes.max(1).ilog2().min(MOST_WORK);
        let payload = (proved.lower + SCORE_OFFSET) as u64
            | ((proved.upper + SCORE_OFFSET) as u64) << 7
            | u64::from(work) << 14;
        bucket[victim.1].store(slot.stored() | u128::from(payload), Relaxed);
    }

    /// Counts the entries for each amount of work, in binary logarithms of nodes.
    pub fn count_by_work(&self) -> [u64; MOST_WORK as usize + 1] {
        let mut counts = [0; MOST_WORK as usize + 1];
        for word in self.buckets.iter().flat_map(|bucket| &bucket.0).map(|word| self.load(word)) {
            counts[work_of(word as u64) as usize] += u64::from(word != 0);
        }
        counts
    }

    /// Returns all entries with at least this work: key, bounds and work. Searches may continue
    /// meanwhile; each entry is as it was at some moment since the call.
    pub fn entries<W: Word>(
        &self,
        l: &Layout<W>,
        least_work: u32,
    ) -> impl Iterator<Item = (TableKey<W>, Interval, u32)> {
        (0..).zip(self.buckets.iter()).flat_map(move |(bucket, entries)| {
            let words = entries.0.iter().map(|word| self.load(word));
            let wanted = words.filter(move |&w| w != 0 && work_of(w as u64) >= least_work);
            wanted.map(move |word| {
                let stored = word & !PAYLOAD;
                let slot = Slot { bucket, low: stored as u64, high: (stored >> 64) as u64 };
                (self.key_at(l, slot), unpack(word as u64), work_of(word as u64))
            })
        })
    }

    /// Returns the key in a slot, the inverse of [`slot`](Self::slot).
    fn key_at<W: Word>(&self, l: &Layout<W>, slot: Slot) -> TableKey<W> {
        let remainder = slot.stored() >> OWN_AT & ((1 << self.remainder_bits) - 1);
        let mixed = W::narrow((slot.bucket as u128) << self.remainder_bits | remainder);
        let other = match self.kind {
            KeyKind::Wide => W::narrow(slot.stored() >> (OWN_AT + self.remainder_bits)),
            KeyKind::Narrow => W::ZERO,
        };
        TableKey { own: unmix(l.bits(), mixed, other), other }
    }
}

/// The bits of an entry that are not part of the key; the `used` bit counts as part of the key.
const PAYLOAD: u128 = (1 << (OWN_AT - 1)) - 1;

pub const MOST_WORK: u32 = 31;

#[inline(always)]
fn work_of(word: u64) -> u32 {
    (word >> 14) as u32 & MOST_WORK
}

#[inline(always)]
fn unpack(word: u64) -> Interval {
    Interval {
        lower: (word & 127) as Score - SCORE_OFFSET,
        upper: (word >> 7 & 127) as Score - SCORE_OFFSET,
    }
}

/// Returns the size of the least table, in MiB, for keys with this number of bits: its entries have
/// room for their remainder.
pub const fn least_mib(bits: u32) -> u64 {
    let bucket_bits = (OWN_AT + bits).saturating_sub(128);
    ((size_of::<Bucket>() as u64) << bucket_bits).div_ceil(1 << 20)
}

/// The first bit of the remainder in an entry. An entry is one atomic word:
///
/// ```text
/// bit 0       7       14     19     21     22            22 + r           128
///     | lower | upper | work | zero | used | remainder | other     | zero |
/// ```
///
/// `work` is the binary logarithm of the nodes behind the entry, `used` is 1 in every entry. The
/// *remainder* of the mixed key has r bits, and `other` is the key's other word (see the table).
pub const OWN_AT: u32 = 22;

/// The slot of a key: its bucket, and the stored part of the key as an entry's bits, in two halves.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub bucket: u64,
    /// The lower half of the stored key; 0 in [`NONE`](Self::NONE), since the `used` bit is set in
    /// all other slots.
    pub low: u64,
    pub high: u64,
}

impl Slot {
    /// No slot, for positions that the table does not store.
    pub const NONE: Self = Self { bucket: 0, low: 0, high: 0 };

    #[inline(always)]
    pub const fn is_some(self) -> bool {
        self.low != 0
    }

    /// Returns the stored part of the key as an entry's bits.
    #[inline(always)]
    pub fn stored(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    /// Returns a 32-bit digest, which differs for most slots.
    pub fn digest(self) -> u64 {
        let key = self.stored() >> OWN_AT;
        ((key ^ key >> 64) as u64 ^ self.bucket).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyply_core::games::line::Size;
    use everyply_core::random::Random;

    fn layout<W: Word>(width: u8, height: u8) -> Layout<W> {
        Layout::new(Size { width, height, line: 4 })
    }

    fn word<W: Word>(random: &mut Random) -> W {
        W::narrow(u128::from(random.next()) << 64 | u128::from(random.next()))
    }

    fn check_keys_of_slots<W: Word>(width: u8, height: u8, mib: u64) {
        let l = layout::<W>(width, height);
        let table = Table::new(&l, mib).unwrap();
        assert!(table.bytes() as u64 <= mib << 20);
        let mut random = Random::new(7);
        let mask = W::ones(l.bits());
        for _ in 0..1000 {
            let other = if table.kind == KeyKind::Wide { word(&mut random) } else { W::ZERO };
            let key = TableKey { own: word::<W>(&mut random) & mask, other: other & mask };
            assert_eq!(table.key_at(&l, table.slot(&l, key)), key, "{width}x{height}, {mib} MiB");
        }
    }

    #[test]
    fn bucket_and_stored_part_give_the_key_back() {
        for (width, height, mib) in [
            (7, 6, 1),
            (7, 6, 64),
            (8, 6, 1),
            (8, 1, 1),
            (8, 7, 1),
            (8, 7, 16),
            (9, 6, 1),
            (4, 4, 1),
            (1, 63, 1),
            (32, 1, 8),
        ] {
            check_keys_of_slots::<u64>(width, height, mib);
            check_keys_of_slots::<u128>(width, height, mib);
        }
        for (width, height, mib) in
            [(8, 8, 1), (9, 7, 1), (10, 8, 8), (12, 9, 32), (16, 6, 1), (1, 114, 1), (32, 2, 2)]
        {
            check_keys_of_slots::<u128>(width, height, mib);
        }
    }

    #[test]
    fn keys_fill_entries_to_the_last_bit() {
        // Entries of 128 bits hold a remainder of 106.
        let l = layout::<u128>(14, 8);
        let table = Table::new(&l, 64).unwrap();
        assert_eq!((l.bits(), table.remainder_bits), (126, 106));
        assert_eq!(least_mib(126), 64);
        assert_eq!(
            Table::new(&l, 63).unwrap_err(),
            TableError::Key { mib: 63, least: 64 },
            "a table of 32 MiB leaves a remainder of 107"
        );
        assert_eq!([least_mib(56), least_mib(120), least_mib(121), least_mib(128)], [1, 1, 2, 256]);
    }

    #[test]
    fn standard_boards_have_room_for_both_words() {
        let boards = [(7, 6, 1), (7, 7, 1), (6, 7, 1), (8, 6, 1), (10, 5, 1), (6, 9, 1)];
        // The larger ones need the room of a larger table.
        for (width, height, mib) in boards.into_iter().chain([(9, 6, 64), (7, 8, 64), (8, 7, 256)])
        {
            let table = Table::new(&layout::<u64>(width, height), mib).unwrap();
            assert_eq!(table.key_kind(), KeyKind::Wide, "{width}x{height}");
        }
    }

    #[test]
    fn bounds_are_joined_and_the_least_work_forgotten() {
        let l = layout::<u64>(7, 6);
        let table = Table::new(&l, 1).unwrap();
        let mut random = Random::new(3);
        let home = table.slot(&l, TableKey { own: 1, other: 1 });
        let mut slots = vec![home];
        while slots.len() < 5 {
            let key = TableKey { own: random.next() & 0xffff_ffff, other: 1 };
            let slot = table.slot(&l, key);
            if slot.bucket == home.bucket && slots.iter().all(|p| p.stored() != slot.stored()) {
                slots.push(slot);
            }
        }
        let at_least = |lower| Interval { lower, upper: 32 };
        table.store(home, at_least(-31), 1000);
        table.store(home, Interval { lower: -31, upper: 7 }, 1000);
        assert_eq!(table.probe(home), Some(Interval { lower: -31, upper: 7 }));
        for (nodes, slot) in [10, 100, 1000, 10].into_iter().zip(&slots[1..]) {
            table.store(*slot, at_least(2), nodes);
        }
        assert_eq!(table.probe(slots[1]), None);
        assert!([0, 2, 3, 4].into_iter().all(|i| table.probe(slots[i]).is_some()));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(Table::new(&layout::<u64>(7, 6), 0).is_err());
        assert!(Table::new(&layout::<u64>(7, 6), u64::MAX).is_err());
        assert!(Table::new(&layout::<u64>(7, 6), 1 << 42).is_err());
    }
}
