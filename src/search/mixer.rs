//! Keys spread over the buckets of a table, without loss.

/// A bijection on numbers of a fixed number of bits that spreads keys over the buckets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mixer {
    bits: u32,
    pub mask: u64,
}

/// Odd, so that multiplying by it modulo a power of two can be undone; 2^64 divided by the
/// golden ratio spreads neighbouring keys.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Mixer {
    pub const fn new(bits: u32) -> Self {
        Self { bits, mask: u64::MAX >> (64 - bits) }
    }

    /// Each step can be undone: folding the upper half onto the lower leaves the upper half to
    /// undo it with, and an odd factor has an inverse.
    #[inline(always)]
    pub const fn mix(self, key: u64) -> u64 {
        let half = self.bits.div_ceil(2);
        let key = key ^ key >> half;
        key.wrapping_mul(ODD) & self.mask
    }

    #[cfg(test)]
    pub fn unmix(self, mixed: u64) -> u64 {
        // Newton's iteration doubles the correct bits of an inverse; an odd number is its own
        // inverse modulo 8.
        let inverse =
            (0..5).fold(ODD, |x, _| x.wrapping_mul(2u64.wrapping_sub(ODD.wrapping_mul(x))));
        let key = mixed.wrapping_mul(inverse) & self.mask;
        key ^ key >> self.bits.div_ceil(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::laws::Random;

    #[test]
    fn mixing_can_be_undone() {
        let mut random = Random::new(1);
        for bits in 1..=64 {
            let mixer = Mixer::new(bits);
            for _ in 0..1000 {
                let key = random.next() & mixer.mask;
                assert_eq!(mixer.unmix(mixer.mix(key)), key, "{bits} bits");
            }
        }
    }
}
