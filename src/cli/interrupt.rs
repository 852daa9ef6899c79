//! SIGINT, SIGTERM and SIGHUP: one handler for all commands, which end within a second of it.
//!
//! The first signal asks the command to stop in good order, through its [`Control`]; whoever
//! waits for input looks at that too. What is still there a moment later is held up, by a pipe that
//! nobody reads, a slow disk or a busy machine, and is ended. That loses nothing that was kept:
//! databases survive it, and files appear whole or not at all. A second signal ends the process at
//! once.
//!
//! A SIGHUP that is ignored when the program starts, as under `nohup`, stays ignored.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::failure::Failure;
use crate::control::Control;

/// How long a command has to end in good order. Engines need milliseconds, and a database takes no
/// more positions after a while, so this is for closing files; more would not leave time to end
/// the process within the second.
const GRACE: Duration = Duration::from_millis(850);

/// How long a command has that writes down what it has learnt: a file of up to 150 MB.
const GRACE_TO_WRITE: Duration = Duration::from_secs(60);

/// Whether the running command has that long.
static WRITES: AtomicBool = AtomicBool::new(false);

/// How long a message has to reach stderr, which may be a pipe that nobody reads.
const SAYING_TIME: Duration = Duration::from_millis(100);

/// What the running command looks at, once there is anything to end in good order.
static CONTROL: Mutex<Option<Arc<Control>>> = Mutex::new(None);

/// Listens for signals. Until a command asks for its [`control`], one ends the process at once.
pub(super) fn listen() -> Result<(), Failure> {
    let ignored = is_hangup_ignored();
    match ctrlc::set_handler(asked) {
        Ok(()) => {
            if ignored {
                ignore_hangup();
            }
            Ok(())
        }
        // Whoever calls the command line twice is listened to already.
        Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(Failure::runtime(error)),
    }
}

/// True if whoever started the program wants it to outlive its terminal.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action the call only writes to the place for the present one, which
    // is large enough, and all of whose bit patterns, zeros included, are one.
    let action = unsafe {
        libc::sigaction(libc::SIGHUP, std::ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}

/// Takes the handler, which all three signals share, away from one.
#[cfg(unix)]
fn ignore_hangup() {
    // SAFETY: ignoring a signal calls nothing.
    unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
}

#[cfg(not(unix))]
fn is_hangup_ignored() -> bool {
    false
}

#[cfg(not(unix))]
fn ignore_hangup() {}

/// The control that a signal stops.
pub(super) fn control() -> Arc<Control> {
    let mut control = CONTROL.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(control.get_or_insert_default())
}

/// Leaves the running command time, after a first signal, to write down what it has learnt.
pub(super) fn allow_writing() {
    WRITES.store(true, Relaxed);
}

/// A signal has come.
fn asked() {
    // Kept while the process is ended: a command that is about to ask for the control waits for
    // that, and begins nothing.
    let control = CONTROL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*control {
        Some(control) if !control.is_asked_to_stop() => control.stop(),
        _ => end_at_once(),
    }
    drop(control);
    // The handler itself stays free for a second signal.
    if std::thread::Builder::new().spawn(end_what_is_held_up).is_err() {
        end_at_once();
    }
}

fn end_what_is_held_up() {
    std::thread::sleep(if WRITES.load(Relaxed) { GRACE_TO_WRITE } else { GRACE });
    end_at_once();
}

#[expect(clippy::exit, reason = "whoever should return is held up, or has nothing to lose")]
fn end_at_once() -> ! {
    let said = std::thread::Builder::new().spawn(|| {
        let _ = writeln!(std::io::stderr(), "interrupted");
    });
    if let Ok(saying) = said {
        let begun = Instant::now();
        while !saying.is_finished() && begun.elapsed() < SAYING_TIME {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    std::process::exit(130)
}
