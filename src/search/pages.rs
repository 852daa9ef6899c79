//! Memory for tables.

/// Asks the system to back untouched memory with pages of 2 MiB, where there are such.
///
/// A search jumps all over its table: with small pages most first touches are a page fault, which
/// cost searches of up to a second more time than everything else together.
pub(super) fn ask_for_huge_pages<T>(memory: &[T]) {
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
