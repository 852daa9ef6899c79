//! What the processor can do.

/// Everything hot is compiled once for each level, and picked at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What the program is compiled for.
    Any,
    /// x86-64 level 3: bit fields, shifts by any register, population counts and AVX2.
    #[cfg(target_arch = "x86_64")]
    Third,
}

impl Level {
    /// The level of this processor.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            return Self::Third;
        }
        Self::Any
    }
}
