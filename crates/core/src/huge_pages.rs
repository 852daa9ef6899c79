//! Huge-page buffers: the memory of tables.

use std::any::Any;
use std::ops::Deref;
use std::ptr::NonNull;

use bytemuck::Zeroable;
use memmap2::MmapMut;

/// The size of a huge page, and of the smallest buffer that is mapped.
const HUGE: usize = 2 << 20;

/// A slice of zeros at first, in huge pages if the system has them.
///
/// The system provides its memory page by page at the first touch, so that a large table costs a
/// small search nothing. A boxed slice does not promise that: the allocator may reuse freed memory,
/// in small pages, and fill it with zeros.
#[derive(Debug)]
pub struct HugePageBuffer<T> {
    first: NonNull<T>,
    len: usize,
    /// A map or a vector, held until the buffer goes.
    _memory: Box<dyn Any>,
}

// SAFETY: it owns its elements and gives access to them as a boxed slice does.
unsafe impl<T: Send> Send for HugePageBuffer<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for HugePageBuffer<T> {}

impl<T: Zeroable + 'static> HugePageBuffer<T> {
    /// A buffer of `len` zeros; `None` if there is no room for them.
    pub fn new(len: usize) -> Option<Self> {
        const {
            assert!(size_of::<T>() > 0 && !std::mem::needs_drop::<T>() && align_of::<T>() <= 4096);
        };
        let bytes = len.checked_mul(size_of::<T>())?;
        if bytes >= HUGE
            && let Ok(mut map) = MmapMut::map_anon(bytes)
        {
            // With small pages most first touches of a table are page faults, which cost searches
            // of up to a second more time than everything else together. A refusal changes
            // nothing.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            let first = NonNull::new(map.as_mut_ptr())?.cast();
            return Some(Self { first, len, _memory: Box::new(map) });
        }
        let mut zeros = bytemuck::try_zeroed_vec::<T>(len).ok()?;
        let first = NonNull::new(zeros.as_mut_ptr())?;
        Some(Self { first, len, _memory: Box::new(zeros) })
    }
}

impl<T> Deref for HugePageBuffer<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `first` is aligned, since maps begin at a page, and `len` elements from there on
        // were made as zeros, a value of their type.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

/// Starts fetching the first cache line of a value; does nothing on processors other than x86-64.
#[inline(always)]
pub fn prefetch<T>(wanted: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is part of every x86-64 and changes no memory; any address is
        // valid for it, and this one is of a live value.
        unsafe { _mm_prefetch(std::ptr::from_ref(wanted).cast(), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = wanted;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(align(64))]
    #[derive(Debug)]
    struct Line([u64; 8]);

    // SAFETY: it is made of numbers.
    unsafe impl Zeroable for Line {}

    #[test]
    fn zeros_are_aligned_and_zero() {
        for len in [0, 1, 3, 1000, 1 << 16] {
            let lines = HugePageBuffer::<Line>::new(len).unwrap();
            assert_eq!(lines.len(), len);
            assert!(lines.as_ptr().addr().is_multiple_of(64));
            assert!(lines.iter().all(|line| line.0 == [0; 8]));
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(HugePageBuffer::<Line>::new(usize::MAX / 64).is_none());
        assert!(HugePageBuffer::<Line>::new(1 << 52).is_none());
    }
}
