//! The words that hold a board: one bit for every cell.

use std::fmt::{Binary, Debug};
use std::hash::Hash;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, ShlAssign, Shr,
    ShrAssign,
};

/// Bits that are combined, moved and added up without a look at their values: a [`Word`], or
/// several of them side by side.
pub trait Bits:
    Copy
    + Debug
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + ShlAssign<u32>
    + Shr<u32, Output = Self>
    + ShrAssign<u32>
{
    /// The number of bits of a word.
    const BITS: u32;
    /// No bit.
    const ZERO: Self;

    /// The sum modulo 2 to the power of [`BITS`](Self::BITS).
    fn wrapping_add(self, other: Self) -> Self;

    /// The difference modulo 2 to the power of [`BITS`](Self::BITS).
    fn wrapping_sub(self, other: Self) -> Self;

    /// The product modulo 2 to the power of [`BITS`](Self::BITS).
    fn wrapping_mul(self, other: Self) -> Self;

    /// The bytes of a word in the opposite order.
    fn swap_bytes(self) -> Self;

    /// The low bits of a wider word.
    fn narrow(word: u128) -> Self;

    /// The lowest `count` bits of a word, of which there is at least one.
    #[inline(always)]
    fn ones(count: u32) -> Self {
        !Self::ZERO >> (Self::BITS - count)
    }

    /// The lowest bit set, alone; 0 if none is.
    #[inline(always)]
    fn lowest(self) -> Self {
        self & Self::ZERO.wrapping_sub(self)
    }
}

/// An unsigned integer used as a set of cells.
///
/// Boards of up to 64 bits use `u64`, which everything is made for; larger ones need `u128`.
pub trait Word: Bits + Default + Eq + Ord + Hash + Binary + Send + Sync + 'static {
    /// The lowest bit.
    const ONE: Self;

    /// The number of bits set.
    fn count_ones(self) -> u32;

    /// The number of zeros below the lowest bit set; [`BITS`](Bits::BITS) if none is.
    fn trailing_zeros(self) -> u32;

    /// The number of zeros above the highest bit set; [`BITS`](Bits::BITS) if none is.
    fn leading_zeros(self) -> u32;

    /// The same number in the widest word.
    fn to_u128(self) -> u128;
}

macro_rules! word {
    ($word:ty) => {
        impl Bits for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;

            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                <$word>::wrapping_add(self, other)
            }

            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                <$word>::wrapping_sub(self, other)
            }

            #[inline(always)]
            fn wrapping_mul(self, other: Self) -> Self {
                <$word>::wrapping_mul(self, other)
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                <$word>::swap_bytes(self)
            }

            #[inline(always)]
            fn narrow(word: u128) -> Self {
                word as Self
            }
        }

        impl Word for $word {
            const ONE: Self = 1;

            #[inline(always)]
            fn count_ones(self) -> u32 {
                <$word>::count_ones(self)
            }

            #[inline(always)]
            fn trailing_zeros(self) -> u32 {
                <$word>::trailing_zeros(self)
            }

            #[inline(always)]
            fn leading_zeros(self) -> u32 {
                <$word>::leading_zeros(self)
            }

            #[inline(always)]
            fn to_u128(self) -> u128 {
                self.into()
            }
        }
    };
}

word!(u64);
word!(u128);
