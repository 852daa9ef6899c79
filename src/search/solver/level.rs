//! What the processor can do.

/// Everything hot is compiled once for each level, and picked at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What the program is compiled for.
    Any,
    /// x86-64 level 3: bit fields, shifts by any register, population counts and AVX2.
    #[cfg(target_arch = "x86_64")]
    Third,
    /// x86-64 level 4, AVX-512, with population counts of eight words at once. (On the market since
    /// Ice Lake and Zen 4.)
    #[cfg(target_arch = "x86_64")]
    Fourth,
}

impl Level {
    /// The level of this processor.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let third = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let fourth = third
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq");
            if fourth {
                return Self::Fourth;
            }
            if third {
                return Self::Third;
            }
        }
        Self::Any
    }
}
