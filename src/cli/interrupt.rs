//! SIGINT, SIGTERM and SIGHUP: one handler for all commands, which end within a second.
//!
//! The first signal asks the command to stop in good order, through its [`Control`], which readers
//! of input check too. A command that is still running a moment later is blocked by an unread pipe,
//! a slow disk or a busy machine, and the process is ended. No stored result is lost: databases
//! survive it, and files appear whole or not at all. A second signal ends the process at once.
//!
//! A SIGHUP that is ignored when the program starts, as under `nohup`, stays ignored.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::caller;
use super::failure::Failure;
use everyply_core::control::Control;

/// The time that a command has to end in good order. Engines need milliseconds, and a database soon
/// refuses further positions, so this time is for closing files; more would not leave time to end
/// the process within the second.
const GRACE: Duration = Duration::from_millis(850);

/// The same for a command that saves its work: a checkpoint of up to 150 MB, or a strategy, which is
/// checked first.
const GRACE_TO_WRITE: Duration = Duration::from_secs(60);

/// True if the running command saves its work when it is stopped.
static WRITES: AtomicBool = AtomicBool::new(false);

/// The time that a message has to reach stderr, which may be an unread pipe.
const SAYING_TIME: Duration = Duration::from_millis(100);

/// The control of the running command, once it has anything to end in good order.
static CONTROL: Mutex<Option<Arc<Control>>> = Mutex::new(None);

/// Listens for signals. Until a command asks for its [`control`], a signal ends the process at once.
pub(super) fn listen() -> Result<(), Failure> {
    if caller::control().is_some() {
        return Ok(());
    }
    let ignored = is_hangup_ignored();
    match ctrlc::set_handler(asked) {
        Ok(()) => {
            if ignored {
                ignore_hangup();
            }
            Ok(())
        }
        // A second call of the command line has the handler of the first.
        Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// True if the program was started to outlive its terminal.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action the call only writes the present one, for which there is room, and
    // every bit pattern, zeros included, is an action.
    let action = unsafe {
        libc::sigaction(libc::SIGHUP, std::ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}

/// Removes the handler, which all three signals share, from SIGHUP.
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

pub(super) fn control() -> Arc<Control> {
    if let Some(control) = caller::control() {
        return control;
    }
    let mut control = CONTROL.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(control.get_or_insert_default())
}

/// Gives the running command time, after a first signal, to save its work.
pub(super) fn allow_writing() {
    WRITES.store(true, Relaxed);
}

fn asked() {
    // Held while the process ends: a command that is about to ask for the control waits, and
    // begins nothing.
    let control = CONTROL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*control {
        Some(control) if !control.is_asked_to_stop() => control.stop(),
        _ => end_at_once(),
    }
    drop(control);
    // The handler itself stays free for a second signal.
    let end_blocked_command = || {
        std::thread::sleep(if WRITES.load(Relaxed) { GRACE_TO_WRITE } else { GRACE });
        end_at_once();
    };
    if std::thread::Builder::new().spawn(end_blocked_command).is_err() {
        end_at_once();
    }
}

#[expect(clippy::exit, reason = "the thread that should return is blocked, or has nothing to lose")]
fn end_at_once() -> ! {
    let message = std::thread::Builder::new().spawn(|| {
        let _ = writeln!(std::io::stderr(), "interrupted");
    });
    if let Ok(saying) = message {
        let begun = Instant::now();
        while !saying.is_finished() && begun.elapsed() < SAYING_TIME {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    std::process::exit(130)
}
