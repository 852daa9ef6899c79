//! Table slots: the place of a position in the table.

/// The first bit of the remainder in an entry. An entry is one atomic word:
///
/// ```text
/// bit 0       7       14     19           21     22            22 + r           128
///     | lower | upper | work | generation | used | remainder | other     | zero |
/// ```
///
/// `work` is the binary logarithm of the nodes behind the entry, `used` is 1 in every entry. The
/// *remainder* of the mixed key has r bits, and `other` is the key's other word (see the table).
pub const OWN_AT: u32 = 22;

/// The slot of a key: its bucket, and the stored part of the key at its bits, in two halves.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub bucket: u64,
    /// The lower half of the stored key; 0 in [`NONE`](Self::NONE), since the `used` bit is set in
    /// all other slots.
    pub low: u64,
    /// The upper half of the stored key.
    pub high: u64,
}

impl Slot {
    /// No slot: for positions that are not kept in the table.
    pub const NONE: Self = Self { bucket: 0, low: 0, high: 0 };

    /// Returns true if this is a slot of the table.
    #[inline(always)]
    pub const fn is_some(self) -> bool {
        self.low != 0
    }

    /// Returns the stored part of the key at its bits.
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
