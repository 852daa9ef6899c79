//! Where the table keeps a position.

#[cfg(target_arch = "x86_64")]
use super::lanes::Lanes;
use super::table::OWN_AT;

/// Where an entry of a key is found: its bucket, and the two halves of the stored part of the key
/// in place.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Place {
    pub bucket: u64,
    /// 0 if there is no place: in those that are, the bit of an entry in use is set.
    pub low: u64,
    /// See [`low`](Self::low).
    pub high: u64,
}

impl Place {
    /// The place of what the table is not asked about.
    pub const NONE: Self = Self { bucket: 0, low: 0, high: 0 };

    /// True if there is one.
    #[inline(always)]
    pub const fn is_some(self) -> bool {
        self.low != 0
    }

    /// The stored part of the key in place.
    #[inline(always)]
    pub fn stored(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    /// A number that differs for most places.
    pub fn digest(self) -> u64 {
        let key = self.stored() >> OWN_AT;
        ((key ^ key >> 64) as u64 ^ self.bucket).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
    }
}

/// The [`Place`]s of eight positions, and none in some lanes.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// Their buckets.
    pub buckets: Lanes,
    /// The lower halves of their stored keys.
    pub low: Lanes,
    /// The upper halves.
    pub high: Lanes,
}
