//! Files mapped into memory that may be cut, or fail, while they are looked at.
//!
//! Whoever touches a page of a map that its file has no more, or that the disk does not deliver,
//! receives SIGBUS, which ends a process. Here the signal puts zeros in the place of what is
//! missing and notes that: the computation continues on wrong numbers, and asks
//! [`Mapped::check`] before it keeps anything.
//!
//! Rejected: reading instead. A profile of the largest boards has gigabytes, and each is computed
//! from as many as there are columns; maps leave it to the system which of their pages are in
//! memory.

use std::io;
use std::path::PathBuf;

use bytemuck::cast_slice;
use memmap2::Mmap;

use super::files::failed;
use super::lane::Lane;
use super::storage::StorageError;
use crate::disk::DiskFile;

/// A whole file in memory.
#[derive(Debug)]
pub struct Mapped {
    /// Before the map, and so dropped before it.
    watch: signal::Watch,
    map: Mmap,
    /// Where the lanes begin, a multiple of their size.
    header: usize,
    file: Box<dyn DiskFile>,
    path: PathBuf,
}

impl Mapped {
    /// Maps a file of this length; gives it back where that is not possible without danger.
    pub(super) fn new(
        file: Box<dyn DiskFile>,
        path: PathBuf,
        header: usize,
        length: u64,
    ) -> io::Result<Result<Self, Box<dyn DiskFile>>> {
        let Some(system_file) = file.system_file() else { return Ok(Err(file)) };
        // SAFETY: this run never changes a file after it has its final name, and the folder is
        // locked against others. What somebody does to it all the same harms nothing: the lanes
        // are plain bits, from which no place in memory is computed, and missing pages are
        // replaced by zeros, for which the map is watched below.
        let map = unsafe { Mmap::map(system_file) }?;
        match signal::Watch::over(&map) {
            Some(watch) if map.len() as u64 == length => {
                Ok(Ok(Self { watch, map, header, file, path }))
            }
            _ => Ok(Err(file)),
        }
    }

    /// The lanes, or zeros where they are missing.
    pub(super) fn lanes(&self) -> &[Lane] {
        cast_slice(&self.map[self.header..])
    }

    /// Fails if some of what was read may have been missing.
    pub(super) fn check(&self) -> Result<(), StorageError> {
        // Behind the end, the last page of a map has zeros without a signal.
        let length = self.file.len().map_err(failed(&self.path))?;
        if self.watch.has_missed() || length != self.map.len() as u64 {
            let what = "cut, or no longer readable, while it was read";
            return Err(StorageError::Damaged { path: self.path.clone(), what });
        }
        Ok(())
    }
}

#[cfg(unix)]
mod signal {
    use std::mem::MaybeUninit;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

    use libc::{c_int, c_void, sigaction, siginfo_t};

    /// A map that is watched: its first address, 0 if there is none, and the one behind it.
    struct Place {
        start: AtomicUsize,
        end: AtomicUsize,
        missed: AtomicBool,
    }

    /// A run maps two files at a time.
    static PLACES: [Place; 64] = [const {
        Place {
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            missed: AtomicBool::new(false),
        }
    }; 64];

    /// The size of a page, and what was done at the signal before.
    static BEFORE: OnceLock<(usize, sigaction)> = OnceLock::new();

    /// Watches a map until it is dropped, which has to be before the map is.
    #[derive(Debug)]
    pub(super) struct Watch(&'static Place);

    impl std::fmt::Debug for Place {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{:x}..{:x}", self.start.load(SeqCst), self.end.load(SeqCst))
        }
    }

    impl Watch {
        /// `None` if too many are watched.
        pub(super) fn over(map: &[u8]) -> Option<Self> {
            BEFORE.get_or_init(listen);
            let free = |place: &&Place| place.start.compare_exchange(0, 1, SeqCst, SeqCst).is_ok();
            let place = PLACES.iter().find(free)?;
            let start = map.as_ptr() as usize;
            place.missed.store(false, SeqCst);
            place.start.store(start, SeqCst);
            place.end.store(start + map.len(), SeqCst);
            Some(Self(place))
        }

        pub(super) fn has_missed(&self) -> bool {
            self.0.missed.load(SeqCst)
        }
    }

    impl Drop for Watch {
        fn drop(&mut self) {
            self.0.end.store(0, SeqCst);
            self.0.start.store(0, SeqCst);
        }
    }

    fn listen() -> (usize, sigaction) {
        let mut before = MaybeUninit::<sigaction>::zeroed();
        // SAFETY: the action is a valid one, zeros but for what is set; the handler has the form
        // that SA_SIGINFO asks for. The call fills `before`, of which zeros would be valid, too.
        unsafe {
            let mut action = MaybeUninit::<sigaction>::zeroed().assume_init();
            let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = missing;
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            sigaction(libc::SIGBUS, &raw const action, before.as_mut_ptr());
            (libc::sysconf(libc::_SC_PAGESIZE) as usize, before.assume_init())
        }
    }

    /// A page is missing. Does nothing that a signal handler may not do: atomics and system calls.
    extern "C" fn missing(_: c_int, info: *mut siginfo_t, _: *mut c_void) {
        let Some((page, before)) = BEFORE.get() else { return };
        // SAFETY: the system hands over a valid description.
        let at = unsafe { (*info).si_addr() } as usize;
        for place in &PLACES {
            let (start, end) = (place.start.load(SeqCst), place.end.load(SeqCst));
            if !(start..end).contains(&at) {
                continue;
            }
            place.missed.store(true, SeqCst);
            let first = at & !(page - 1);
            // SAFETY: replaces pages of a map that is there as long as it is watched, up to its
            // end, by others that can be read; all values of what is read there are valid.
            let mapped = unsafe {
                libc::mmap(
                    first as *mut c_void,
                    end - first,
                    libc::PROT_READ,
                    libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED | libc::MAP_NORESERVE,
                    -1,
                    0,
                )
            };
            if mapped != libc::MAP_FAILED {
                return;
            }
        }
        // Not one of ours: the same access again, for whoever was there before.
        // SAFETY: the action is the one that the system gave.
        unsafe { sigaction(libc::SIGBUS, before, std::ptr::null_mut()) };
    }
}

/// Elsewhere files are read: what is done about missing pages is not known.
#[cfg(not(unix))]
mod signal {
    #[derive(Debug)]
    pub(super) struct Watch(std::convert::Infallible);

    impl Watch {
        pub(super) fn over(_: &[u8]) -> Option<Self> {
            None
        }

        pub(super) fn has_missed(&self) -> bool {
            match self.0 {}
        }
    }
}
