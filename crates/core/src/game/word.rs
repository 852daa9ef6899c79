//! The words that hold a board: one bit for every cell.

use std::fmt::{Binary, Debug};
use std::hash::Hash;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, ShlAssign, Shr,
    ShrAssign,
};

/// An unsigned integer used as a set of cells.
///
/// Boards of up to 64 bits use `u64`, which every engine supports; larger ones need `u128`.
pub trait Word:
    Copy
    + Debug
    + Default
    + Eq
    + Ord
    + Hash
    + Binary
    + Send
    + Sync
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
    + 'static
{
    /// The number of bits of a word.
    const BITS: u32;
    /// The empty set.
    const ZERO: Self;
    /// The lowest bit.
    const ONE: Self;

    /// Returns the sum modulo 2 to the power of [`BITS`](Self::BITS).
    fn wrapping_add(self, other: Self) -> Self;

    /// Returns the difference modulo 2 to the power of [`BITS`](Self::BITS).
    fn wrapping_sub(self, other: Self) -> Self;

    /// Returns the product modulo 2 to the power of [`BITS`](Self::BITS).
    fn wrapping_mul(self, other: Self) -> Self;

    /// Returns a third of the word, rounded down, and the remainder.
    fn thirds(self) -> (Self, u32);

    /// Returns the bytes of the word in the opposite order.
    fn swap_bytes(self) -> Self;

    /// Returns the low bits of a wider word.
    fn narrow(word: u128) -> Self;

    /// Returns the number of bits set.
    fn count_ones(self) -> u32;

    /// Returns the number of zeros below the lowest bit set; [`BITS`](Self::BITS) if none is set.
    fn trailing_zeros(self) -> u32;

    /// Returns the number of zeros above the highest bit set; [`BITS`](Self::BITS) if none is set.
    fn leading_zeros(self) -> u32;

    /// Returns the same number in the widest word.
    fn to_u128(self) -> u128;

    /// Returns a word with the lowest `count` bits set, at least one.
    #[inline(always)]
    fn ones(count: u32) -> Self {
        !Self::ZERO >> (Self::BITS - count)
    }

    /// Returns the lowest bit set, alone; 0 if none is set.
    #[inline(always)]
    fn lowest(self) -> Self {
        self & Self::ZERO.wrapping_sub(self)
    }
}

/// Forwards methods to the methods of the type itself.
macro_rules! forward {
    ($($method:ident($($other:ident)?) -> $result:ty;)*) => {
        $(
            #[inline(always)]
            fn $method(self $(, $other: Self)?) -> $result {
                Self::$method(self $(, $other)?)
            }
        )*
    };
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;

            forward! {
                wrapping_add(other) -> Self;
                wrapping_sub(other) -> Self;
                wrapping_mul(other) -> Self;
                swap_bytes() -> Self;
                count_ones() -> u32;
                trailing_zeros() -> u32;
                leading_zeros() -> u32;
            }

            #[inline(always)]
            fn thirds(self) -> (Self, u32) {
                (self / 3, (self % 3) as u32)
            }

            #[inline(always)]
            fn narrow(word: u128) -> Self {
                word as Self
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
