//! Keys spread over the buckets of a table, without loss.

use crate::game::Word;

/// Returns a power of two divided by the golden ratio, which spreads neighbouring keys; odd, so
/// that multiplying by it modulo a power of two can be undone.
#[inline(always)]
fn odd<W: Word>() -> W {
    const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    W::narrow(ODD >> (128 - W::BITS))
}

/// Spreads keys of `bits` bits over the numbers of `bits` bits, one to one for a fixed `other`,
/// which is 0 for keys of one word: a fold of the upper half onto the lower, an exclusive or with
/// a function of `other`, and a product with an odd number can each be undone.
#[inline(always)]
pub fn mix<W: Word>(bits: u32, key: W, other: W) -> W {
    let mask = W::ones(bits);
    let folded = key ^ key >> bits.div_ceil(2);
    (folded ^ spread(other) & mask).wrapping_mul(odd()) & mask
}

#[inline(always)]
fn spread<W: Word>(other: W) -> W {
    let product = other.wrapping_mul(odd());
    product << (W::BITS / 2) | product >> (W::BITS / 2)
}

/// Undoes [`mix`].
pub fn unmix<W: Word>(bits: u32, mixed: W, other: W) -> W {
    let (mask, two) = (W::ones(bits), W::narrow(2));
    // Newton's iteration doubles the correct bits of an inverse; an odd number is its own
    // inverse modulo 8.
    let inverse = (0..6)
        .fold(odd::<W>(), |x, _| x.wrapping_mul(two.wrapping_sub(odd::<W>().wrapping_mul(x))));
    let folded = (mixed.wrapping_mul(inverse) ^ spread(other)) & mask;
    folded ^ folded >> bits.div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn mixing_can_be_undone() {
        let mut random = Random::new(1);
        for bits in 1..=64 {
            for _ in 0..1000 {
                let [key, other] = [(); 2].map(|()| random.next() & u64::ones(bits));
                assert_eq!(unmix(bits, mix(bits, key, other), other), key, "{bits} bits");
                assert_eq!(unmix(bits, mix(bits, key, 0), 0), key, "{bits} bits");
            }
        }
    }
}
