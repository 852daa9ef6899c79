//! Huge-page buffers: the memory of tables.

use std::alloc::{self, Layout};
use std::ops::Deref;
use std::ptr::NonNull;

use bytemuck::Zeroable;

/// The strictest alignment for which the allocator returns zeroed pages without touching them.
const LAZY: usize = 16;

/// A slice that begins as zeros, in huge pages where the system has them.
///
/// The system provides its memory page by page at the first touch, so that a large table costs a
/// small search nothing. A boxed slice does the same, but not if its elements are aligned more
/// strictly than the allocator's blocks: then the whole slice is filled with zeros.
#[derive(Debug)]
pub struct HugePageBuffer<T> {
    memory: NonNull<u8>,
    layout: Layout,
    first: NonNull<T>,
    len: usize,
}

// SAFETY: it owns its elements and gives access to them as a boxed slice does.
unsafe impl<T: Send> Send for HugePageBuffer<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for HugePageBuffer<T> {}

impl<T: Zeroable> HugePageBuffer<T> {
    /// A buffer of `len` zeros; `None` if there is no room for them.
    pub fn new(len: usize) -> Option<Self> {
        const { assert!(size_of::<T>() > 0 && !std::mem::needs_drop::<T>()) };
        let bytes = Layout::array::<T>(len).ok()?.size().checked_add(align_of::<T>())?;
        let layout = Layout::from_size_align(bytes, LAZY).ok()?;
        // SAFETY: the size is not zero.
        let memory = NonNull::new(unsafe { alloc::alloc_zeroed(layout) })?;
        let skipped = memory.align_offset(align_of::<T>());
        assert!(skipped <= align_of::<T>(), "bytes can be aligned");
        // SAFETY: the block has room for that many bytes and the elements after them.
        let first = unsafe { memory.add(skipped) }.cast();
        let zeroed = Self { memory, layout, first, len };
        ask_for_huge_pages(&zeroed);
        Some(zeroed)
    }
}

impl<T> Deref for HugePageBuffer<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `first` is aligned, and the block holds `len` elements from there on, which
        // were made as zeros, a value of their type.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<T> Drop for HugePageBuffer<T> {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and nothing refers to it any more.
        unsafe { alloc::dealloc(self.memory.as_ptr(), self.layout) };
    }
}

/// Asks the system to back untouched memory with pages of 2 MiB, if it has such pages.
///
/// A search accesses its table at random: with small pages most first touches are page faults,
/// which cost searches of up to a second more time than everything else together.
fn ask_for_huge_pages<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    {
        const HUGE: usize = 2 << 20;
        let start = memory.as_ptr().addr().next_multiple_of(HUGE);
        let end = (memory.as_ptr().addr() + size_of_val(memory)) / HUGE * HUGE;
        if start < end {
            let first = memory.as_ptr().wrapping_byte_add(start - memory.as_ptr().addr());
            // SAFETY: the range lies inside the slice, and the advice leaves its contents alone.
            // A refusal changes nothing, so the result does not matter.
            unsafe { libc::madvise(first.cast_mut().cast(), end - start, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// Starts fetching the first cache line of a value; does nothing on processors other than x86-64.
#[inline(always)]
pub fn prefetch<T>(wanted: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is part of every x86-64 and changes no memory; it may be given
        // any address, and this one is of something live.
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
