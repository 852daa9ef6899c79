//! Processor features: hot code is compiled in several forms, and one is chosen at run time.

/// The compiled form of hot code to run; all forms give the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    /// The form for any processor of the build's target.
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Processor {
    /// Returns all forms this machine can run, the slowest first.
    pub fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut forms = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            forms.push(Self::Avx2);
        }
        forms
    }

    /// Returns the fastest form this machine can run.
    pub fn detect() -> Self {
        *Self::available().last().unwrap_or(&Self::Portable)
    }
}

/// Compiles a function for [`Processor::Avx2`], with the features that [`Processor::available`]
/// tests.
macro_rules! on_avx2 {
    ($($function:tt)*) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        $($function)*
    };
}
pub(crate) use on_avx2;
