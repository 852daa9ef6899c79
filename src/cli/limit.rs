//! A limit of the address space of the process (`ulimit -v`), which also counts what is reserved
//! and never used.

use super::failure::{Failure, runtime};
use super::text;

/// Refuses threads for which the limit leaves no room.
pub(super) fn check_threads(threads: usize) -> Result<(), Failure> {
    const STACK: f64 = (2 << 20) as f64;
    /// Room for the other threads of a command, the database, and the smallest tables.
    const LEAST: f64 = (24 << 20) as f64;
    let need = LEAST + threads as f64 * STACK;
    match address_space_left() {
        Some(left) if left < need => Err(runtime!(
            "the limit of this process (ulimit -v) leaves {} of memory, of which a run on {} needs \
             {}: raise the limit{}",
            text::bytes(left),
            text::threads(threads),
            text::bytes(need),
            if threads > 1 { ", or give --threads 1" } else { "" },
        )),
        _ => Ok(()),
    }
}

/// Bytes of address space that the process may still take; `None` without a limit.
#[cfg(target_os = "linux")]
pub(super) fn address_space_left() -> Option<f64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the call only writes to the place it is given.
    let failed = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) } != 0;
    if failed || limit.rlim_cur == libc::RLIM_INFINITY {
        return None;
    }
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    // SAFETY: the call has no preconditions.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64;
    Some(limit.rlim_cur.saturating_sub(pages.unwrap_or(0) * page) as f64)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn address_space_left() -> Option<f64> {
    None
}

/// Prepares the process for the limit: the allocator reserves no 64 MiB for each thread, and an
/// allocation that fails ends the process with the exit code of a failure.
#[cfg(target_os = "linux")]
pub(super) fn prepare() {
    if address_space_left().is_none() {
        return;
    }
    #[cfg(target_env = "gnu")]
    // SAFETY: the call sets a number of the allocator.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1)
    };
    // SAFETY: the handler only calls functions that a handler may call.
    unsafe { libc::signal(libc::SIGABRT, end as *const () as libc::sighandler_t) };
}

#[cfg(not(target_os = "linux"))]
pub(super) fn prepare() {}

/// Ends the process once the standard library has reported an allocation that failed, and aborts.
#[cfg(target_os = "linux")]
extern "C" fn end(_: libc::c_int) {
    const MESSAGE: &[u8] =
        b"error: no memory is left within the limit of this process (ulimit -v): \
        raise the limit, or ask for less (--threads 1, a smaller board)\n";
    // SAFETY: the bytes last as long as the program; `_exit` runs no code of it.
    unsafe {
        libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
        libc::_exit(1)
    }
}
