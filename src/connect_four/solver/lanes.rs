//! Eight words side by side, for what is done with all moves of a node alike.

use std::arch::x86_64::*;
use std::fmt::{self, Debug, Formatter};
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, ShlAssign, Shr,
    ShrAssign,
};

use crate::games::line::Bits;

/// How many there are.
pub const LANES: usize = 8;

/// Some of the lanes: bit i stands for lane i.
pub type Mask = u8;

/// Eight words of 64 bits in one register. Shifts by 64 bits or more give 0.
///
/// Whoever uses one must be sure that the processor is [`Processor::Avx512`], and be compiled for
/// it, so that every operation becomes an instruction.
///
/// [`Processor::Avx512`]: crate::processor::Processor::Avx512
#[derive(Clone, Copy)]
pub struct Lanes(__m512i);

/// Calls an intrinsic.
macro_rules! lanes {
    ($call:expr) => {
        // SAFETY: whoever uses lanes is sure of the processor.
        Lanes(unsafe { $call })
    };
}

impl Lanes {
    /// The numbers of the lanes.
    pub const NUMBERS: Self = Self::of([0, 1, 2, 3, 4, 5, 6, 7]);

    /// These words.
    #[inline(always)]
    pub const fn of(words: [u64; LANES]) -> Self {
        // SAFETY: a register holds eight words, the first in its lowest bits.
        Self(unsafe { std::mem::transmute::<[u64; LANES], __m512i>(words) })
    }

    /// Returns the words.
    #[inline(always)]
    pub const fn words(self) -> [u64; LANES] {
        // SAFETY: see `of`.
        unsafe { std::mem::transmute::<__m512i, [u64; LANES]>(self.0) }
    }

    /// Returns the words as signed numbers.
    #[inline(always)]
    pub const fn numbers(self) -> [i64; LANES] {
        // SAFETY: see `of`.
        unsafe { std::mem::transmute::<__m512i, [i64; LANES]>(self.0) }
    }

    /// Creates the same word in every lane.
    #[inline(always)]
    pub fn splat(word: u64) -> Self {
        lanes!(_mm512_set1_epi64(word as i64))
    }

    /// Creates the same signed number in every lane.
    #[inline(always)]
    pub fn number(number: i32) -> Self {
        lanes!(_mm512_set1_epi64(number.into()))
    }

    /// Signed numbers, one for each lane.
    #[inline(always)]
    pub fn small(numbers: &[i16; LANES]) -> Self {
        // SAFETY: eight numbers of 16 bits are read.
        lanes!(_mm512_cvtepi16_epi64(_mm_loadu_si128(numbers.as_ptr().cast())))
    }

    /// In every lane the signed number it points to; only the lowest six bits of a lane count.
    #[inline(always)]
    pub fn look_up(self, table: &[i32; 64]) -> Self {
        let index = self & Self::splat(63);
        // SAFETY: an index of six bits is in the table.
        lanes!(_mm512_cvtepi32_epi64(_mm512_i64gather_epi32::<4>(index.0, table.as_ptr())))
    }

    /// In every lane the word of lane `from`.
    #[inline(always)]
    pub fn spread(self, from: usize) -> Self {
        lanes!(_mm512_permutexvar_epi64(_mm512_set1_epi64(from as i64), self.0))
    }

    /// Shifts up each lane by a number of bits of its own.
    #[inline(always)]
    pub fn up_each(self, bits: Self) -> Self {
        lanes!(_mm512_sllv_epi64(self.0, bits.0))
    }

    /// Shifts down each lane by a number of bits of its own.
    #[inline(always)]
    pub fn down_each(self, bits: Self) -> Self {
        lanes!(_mm512_srlv_epi64(self.0, bits.0))
    }

    /// Returns the product with a signed number; lanes hold signed numbers of at most 32 bits.
    #[inline(always)]
    pub fn times(self, number: i32) -> Self {
        lanes!(_mm512_mul_epi32(self.0, Self::number(number).0))
    }

    /// Signed numbers divided by 2 to the power of `BITS`, towards 0.
    #[inline(always)]
    pub fn divided<const BITS: u32>(self) -> Self {
        let towards_zero = lanes!(_mm512_srai_epi64::<63>(self.0)) & Self::splat((1 << BITS) - 1);
        lanes!(_mm512_srai_epi64::<BITS>(self.wrapping_add(towards_zero).0))
    }

    /// Returns how many bits are set in each lane.
    #[inline(always)]
    pub fn count_ones(self) -> Self {
        lanes!(_mm512_popcnt_epi64(self.0))
    }

    /// Returns the lanes that have a bit in common with those of `other`.
    #[inline(always)]
    pub fn meets(self, other: Self) -> Mask {
        // SAFETY: see `lanes`.
        unsafe { _mm512_test_epi64_mask(self.0, other.0) }
    }

    /// Returns the lanes that are not 0.
    #[inline(always)]
    pub fn nonzero(self) -> Mask {
        self.meets(self)
    }

    /// Returns the lanes that are equal.
    #[inline(always)]
    pub fn equals(self, other: Self) -> Mask {
        // SAFETY: see `lanes`.
        unsafe { _mm512_cmpeq_epi64_mask(self.0, other.0) }
    }

    /// Returns the lanes that are lower than those of `other`.
    #[inline(always)]
    pub fn is_below(self, other: Self) -> Mask {
        // SAFETY: see `lanes`.
        unsafe { _mm512_cmplt_epu64_mask(self.0, other.0) }
    }

    /// Returns the lanes that are greater than those of `other` as signed numbers.
    #[inline(always)]
    pub fn exceeds(self, other: Self) -> Mask {
        // SAFETY: see `lanes`.
        unsafe { _mm512_cmpgt_epi64_mask(self.0, other.0) }
    }

    /// These lanes, and 0 in all others.
    #[inline(always)]
    pub fn only(self, lanes: Mask) -> Self {
        lanes!(_mm512_maskz_mov_epi64(lanes, self.0))
    }

    /// In these lanes `other`.
    #[inline(always)]
    pub fn or_in(self, lanes: Mask, other: Self) -> Self {
        lanes!(_mm512_mask_blend_epi64(lanes, self.0, other.0))
    }

    /// Returns the greatest of the lanes as signed numbers.
    #[inline(always)]
    pub fn greatest(self) -> i32 {
        // SAFETY: see `lanes`.
        unsafe { _mm512_reduce_max_epi64(self.0) as i32 }
    }

    /// Returns the negative of signed numbers in these lanes.
    #[inline(always)]
    pub fn negated_in(self, lanes: Mask) -> Self {
        self.or_in(lanes, Self::ZERO.wrapping_sub(self))
    }
}

/// Lane i of word j in place of lane j of word i.
#[inline(always)]
pub fn transposed(words: [Lanes; LANES]) -> [Lanes; LANES] {
    let [a, b, c, d, e, f, g, h] = words;
    let (a, b, c, d, e, f, g, h) = (a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0);
    // SAFETY: see `lanes`.
    unsafe {
        // Lanes 0, 2, 4, 6 of two words each, and lanes 1, 3, 5, 7.
        let even = [
            _mm512_unpacklo_epi64(a, b),
            _mm512_unpacklo_epi64(c, d),
            _mm512_unpacklo_epi64(e, f),
            _mm512_unpacklo_epi64(g, h),
        ];
        let odd = [
            _mm512_unpackhi_epi64(a, b),
            _mm512_unpackhi_epi64(c, d),
            _mm512_unpackhi_epi64(e, f),
            _mm512_unpackhi_epi64(g, h),
        ];
        let [r0, r2, r4, r6] = gathered(even);
        let [r1, r3, r5, r7] = gathered(odd);
        [Lanes(r0), Lanes(r1), Lanes(r2), Lanes(r3), Lanes(r4), Lanes(r5), Lanes(r6), Lanes(r7)]
    }
}

/// Returns the first pairs of four words, the second pairs, and so on.
#[inline(always)]
unsafe fn gathered([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: see `lanes`.
    unsafe {
        let (ab, cd) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0x88>(c, d));
        let (ef, gh) = (_mm512_shuffle_i64x2::<0xdd>(a, b), _mm512_shuffle_i64x2::<0xdd>(c, d));
        [
            _mm512_shuffle_i64x2::<0x88>(ab, cd),
            _mm512_shuffle_i64x2::<0x88>(ef, gh),
            _mm512_shuffle_i64x2::<0xdd>(ab, cd),
            _mm512_shuffle_i64x2::<0xdd>(ef, gh),
        ]
    }
}

impl Bits for Lanes {
    const BITS: u32 = u64::BITS;
    const ZERO: Self = Self::of([0; LANES]);

    #[inline(always)]
    fn wrapping_add(self, other: Self) -> Self {
        lanes!(_mm512_add_epi64(self.0, other.0))
    }

    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        lanes!(_mm512_sub_epi64(self.0, other.0))
    }

    #[inline(always)]
    fn wrapping_mul(self, other: Self) -> Self {
        lanes!(_mm512_mullo_epi64(self.0, other.0))
    }

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // The bytes of two words, each in the opposite order.
        const A: u64 = 0x0001_0203_0405_0607;
        const B: u64 = 0x0809_0a0b_0c0d_0e0f;
        const ORDER: Lanes = Lanes::of([A, B, A, B, A, B, A, B]);
        lanes!(_mm512_shuffle_epi8(self.0, ORDER.0))
    }

    #[inline(always)]
    fn narrow(word: u128) -> Self {
        Self::splat(word as u64)
    }
}

impl Debug for Lanes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.words()).finish()
    }
}

macro_rules! operators {
    ($($operator:ident<$other:ty>, $apply:ident, $assign:ident, $apply_assign:ident,
        |$a:ident, $b:ident| $call:expr;)*) => {$(
        impl $operator<$other> for Lanes {
            type Output = Self;

            #[inline(always)]
            fn $apply(self, other: $other) -> Self {
                let ($a, $b) = (self, other);
                lanes!($call)
            }
        }

        impl $assign<$other> for Lanes {
            #[inline(always)]
            fn $apply_assign(&mut self, other: $other) {
                *self = self.$apply(other);
            }
        }
    )*};
}

operators! {
    BitAnd<Lanes>, bitand, BitAndAssign, bitand_assign, |a, b| _mm512_and_si512(a.0, b.0);
    BitOr<Lanes>, bitor, BitOrAssign, bitor_assign, |a, b| _mm512_or_si512(a.0, b.0);
    BitXor<Lanes>, bitxor, BitXorAssign, bitxor_assign, |a, b| _mm512_xor_si512(a.0, b.0);
    Shl<u32>, shl, ShlAssign, shl_assign, |a, bits| _mm512_sll_epi64(a.0, count(bits));
    Shr<u32>, shr, ShrAssign, shr_assign, |a, bits| _mm512_srl_epi64(a.0, count(bits));
}

/// How far to shift, as the instructions take it.
#[inline(always)]
fn count(bits: u32) -> __m128i {
    // SAFETY: every x86-64 has the instruction.
    unsafe { _mm_cvtsi32_si128(bits as i32) }
}

impl Not for Lanes {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self ^ Self::of([u64::MAX; LANES])
    }
}
