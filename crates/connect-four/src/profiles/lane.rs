//! Lanes of 512 bits, and kernels on them.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};

pub(super) const LANE_BITS: u64 = 512;

/// The element of all arrays of the engine: one cache line, or one wide register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Lane(pub [u64; 8]);

// SAFETY: 64 bytes of plain integers without padding; all zeros is a value of it.
unsafe impl Zeroable for Lane {}
// SAFETY: as above; every bit pattern is a value, and it holds no pointer or interior mutability.
unsafe impl Pod for Lane {}

impl Lane {
    pub const ZERO: Self = Self([0; 8]);
    pub const ONES: Self = Self([!0; 8]);

    #[inline(always)]
    pub(super) fn count_ones(self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut words = [0; 8];
        for (i, word) in words.iter_mut().enumerate() {
            *word = f(self.0[i], other.0[i]);
        }
        Self(words)
    }
}

macro_rules! bitwise {
    ($($trait:ident $method:ident $operator:tt,)*) => {$(
        impl $trait for Lane {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, |a, b| a $operator b)
            }
        }
    )*};
}

bitwise! { BitAnd bitand &, BitOr bitor |, BitXor bitxor ^, }

impl Not for Lane {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self.zip(self, |a, _| !a)
    }
}

/// The two bit moves for which some processors have an instruction.
pub(super) trait Machine {
    /// Puts the low bits of `bits`, in order, at the ones of `mask`.
    fn deposit(bits: u64, mask: u64) -> u64;
    /// Gathers the bits of `word` at the ones of `mask`, in order, in the low bits.
    fn extract(word: u64, mask: u64) -> u64;
}

pub(super) struct Portable;

impl Machine for Portable {
    #[inline(always)]
    fn deposit(mut bits: u64, mut mask: u64) -> u64 {
        let mut word = 0;
        while mask != 0 && bits != 0 {
            word |= (mask & mask.wrapping_neg()) & (bits & 1).wrapping_neg();
            bits >>= 1;
            mask &= mask - 1;
        }
        word
    }

    #[inline(always)]
    fn extract(word: u64, mut mask: u64) -> u64 {
        if word & mask == 0 {
            return 0;
        }
        let (mut bits, mut place) = (0, 0);
        while mask != 0 {
            bits |= (word >> mask.trailing_zeros() & 1) << place;
            place += 1;
            mask &= mask - 1;
        }
        bits
    }
}

/// An x86-64 with BMI2; only used inside functions that enable it.
#[cfg(target_arch = "x86_64")]
pub(super) struct Bmi2;

#[cfg(target_arch = "x86_64")]
impl Machine for Bmi2 {
    #[inline(always)]
    fn deposit(bits: u64, mask: u64) -> u64 {
        // SAFETY: kernels use this type only in functions that enable the feature.
        unsafe { std::arch::x86_64::_pdep_u64(bits, mask) }
    }

    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        // SAFETY: kernels use this type only in functions that enable the feature.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }
}

/// Compiles a kernel for every [`Processor`](crate::processor::Processor) and calls the requested
/// form:
///
/// ```text
/// on_processor!(processor, kernel, <lifetimes and types>(argument: Type = value, ...) -> Output)
/// ```
///
/// The kernel is an `#[inline(always)]` function whose first parameter is its [`Machine`].
macro_rules! on_processor {
    (
        $processor:expr, $kernel:ident $(::<$($extra:ident),+>)?,
        ($($arg:ident : $ty:ty = $value:expr),*) -> $out:ty
    ) => {
        on_processor!(@ $processor, [$kernel] [$($($extra),+)?], ($($arg: $ty = $value),*) -> $out)
    };
    (
        @ $processor:expr, [$kernel:ident] [$($extra:ident),*],
        ($($arg:ident : $ty:ty = $value:expr),*) -> $out:ty
    ) => {{
        $crate::processor::on_avx2! {
            fn avx2<$(const $extra: usize),*>($($arg: $ty),*) -> $out {
                $kernel::<$crate::profiles::lane::Bmi2, $($extra),*>($($arg),*)
            }
        }
        match $processor {
            $crate::processor::Processor::Portable => {
                $kernel::<$crate::profiles::lane::Portable, $($extra),*>($($value),*)
            }
            // SAFETY: every caller has a form of `Processor::available`, which tests the
            // features.
            #[cfg(target_arch = "x86_64")]
            $crate::processor::Processor::Avx2 => unsafe {
                avx2::<$($extra),*>($($value),*)
            },
        }
    }};
}
pub(super) use on_processor;

/// ORs the bits of `source`, in order, into `out` at the ones of `mask`.
#[inline(always)]
pub(super) fn spread_or<M: Machine>(out: &mut [Lane], source: &[Lane], mask: &[Lane]) {
    let (out, source): (&mut [u64], &[u64]) = (cast_slice_mut(out), cast_slice(source));
    let mut at = 0;
    for (word, &mask) in out.iter_mut().zip(cast_slice(mask)) {
        let (index, shift) = ((at / 64) as usize, at % 64);
        let low = source.get(index).copied().unwrap_or(0);
        let high = source.get(index + 1).copied().unwrap_or(0);
        *word |= M::deposit(low >> shift | high << 1 << (63 - shift), mask);
        at += u64::from(mask.count_ones());
    }
}

/// Gathers the bits of `source` at the ones of `mask`, in order, into `out`, and sets the remaining
/// bits of `out` to zero. It reads and writes every `stride`-th lane from `first` on: one plane of
/// an interleaved array.
#[inline(always)]
pub(super) fn gather<M: Machine>(
    out: &mut [Lane],
    source: &[Lane],
    mask: &[Lane],
    first: usize,
    stride: usize,
) {
    let lanes = out.len() / stride;
    let mut place = 0usize;
    let (mut pending, mut held) = (0u64, 0u32);
    let mut put = |place: usize, word: u64| {
        if let Some(lane) = out.get_mut(place / 8 * stride + first) {
            lane.0[place % 8] = word;
        }
    };
    for (i, mask) in mask.iter().enumerate() {
        let source = source[i * stride + first];
        for k in 0..8 {
            let bits = M::extract(source.0[k], mask.0[k]);
            let new = mask.0[k].count_ones();
            pending |= bits << held;
            if held + new >= 64 {
                put(place, pending);
                place += 1;
                // The part of `bits` that did not fit; no bits if all 64 were free.
                pending = if held == 0 { 0 } else { bits >> (64 - held) };
                held = held + new - 64;
            } else {
                held += new;
            }
        }
    }
    while place < lanes * 8 {
        put(place, pending);
        pending = 0;
        place += 1;
    }
}
