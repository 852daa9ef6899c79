//! Random numbers, reproducible from a seed on every machine and in every version.

/// A generator of random numbers: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, of 64 random bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// The next number below `n`, of its type.
    pub fn below<N: Into<u64> + TryFrom<u64>>(&mut self, n: N) -> N {
        let number = (u128::from(self.next()) * u128::from(n.into())) >> 64;
        N::try_from(number as u64).ok().expect("a number below another of its type")
    }

    /// A random number for a number, without a state: to sort numbers by it is to shuffle them,
    /// in an order that depends on the seed alone.
    #[must_use]
    pub const fn lot(seed: u64, number: u64) -> u64 {
        let own = Self::new(number).next();
        Self::new(seed ^ own).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_published_generator() {
        // The first numbers of the reference implementation in C for the seed 1234567.
        let mut random = Random::new(1_234_567);
        let numbers = [(); 3].map(|()| random.next());
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn every_number_has_the_same_chance() {
        let mut random = Random::new(1);
        let mut times = [0u32; 10];
        (0..20_000).for_each(|_| times[random.below(10u32) as usize] += 1);
        // 2,000 expected, standard deviation 42.
        assert!(times.iter().all(|times| (1_800..2_200).contains(times)), "{times:?}");
        // Each of 100 numbers has the lowest lot equally often.
        let mut times = [0u32; 100];
        for seed in 0..20_000 {
            let lowest = (0..100).min_by_key(|number| Random::lot(seed, *number));
            times[lowest.unwrap() as usize] += 1;
        }
        assert!(times.iter().all(|times| (130..270).contains(times)), "{times:?}");
    }
}
