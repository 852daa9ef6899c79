//! SIGINT, SIGTERM and SIGHUP: one handler for all commands, which end within a second of it.
//!
//! The first signal asks the command to stop in good order, through its [`Control`]; whoever
//! waits for input looks at that too. What is still there a moment later, and not in the middle of
//! [`orderly`] work, is held up by something that looks at nothing, such as a pipe that nobody
//! reads, and is ended. That loses nothing that was kept: databases survive it, and files appear
//! whole or not at all. A second signal ends the process at once.

use std::io::Write;
use std::sync::atomic::{AtomicIsize, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::failure::Failure;
use crate::control::Control;

/// How long a command may do something else than orderly work before it counts as held up.
const GRACE: Duration = Duration::from_millis(750);

/// How long it has in all. Engines need milliseconds, more on a busy machine; a database may have
/// millions of positions to take before it is closed.
const LONGEST: Duration = Duration::from_secs(10);

/// How long a message has to reach stderr, which may be a pipe that nobody reads.
const SAYING_TIME: Duration = Duration::from_millis(100);

/// What the running command looks at, once there is anything to end in good order.
static CONTROL: OnceLock<Arc<Control>> = OnceLock::new();

/// Above 0 while orderly work is done.
static ORDERLY: AtomicIsize = AtomicIsize::new(0);

/// Listens for signals. Until a command asks for its [`control`], one ends the process at once.
pub(super) fn listen() -> Result<(), Failure> {
    match ctrlc::set_handler(asked) {
        // Whoever calls the command line twice is listened to already.
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(Failure::runtime(error)),
    }
}

/// The control that a signal stops.
pub(super) fn control() -> Arc<Control> {
    Arc::clone(CONTROL.get_or_init(Arc::default))
}

/// Does work that looks at the control, or that ends by itself: it is waited for.
pub(super) fn orderly<T>(work: impl FnOnce() -> T) -> T {
    ORDERLY.fetch_add(1, SeqCst);
    let result = work();
    ORDERLY.fetch_sub(1, SeqCst);
    result
}

/// Does what may wait for others for ever, in the middle of orderly work: it is not waited for.
pub(super) fn at_others_mercy<T>(wait: impl FnOnce() -> T) -> T {
    ORDERLY.fetch_sub(1, SeqCst);
    let result = wait();
    ORDERLY.fetch_add(1, SeqCst);
    result
}

/// A signal has come.
fn asked() {
    let control = CONTROL.get().filter(|control| !control.is_asked_to_stop());
    let Some(control) = control else { end_at_once() };
    control.stop();
    // The handler itself stays free for a second signal.
    if std::thread::Builder::new().spawn(end_what_is_held_up).is_err() {
        end_at_once();
    }
}

fn end_what_is_held_up() {
    let begun = Instant::now();
    let mut orderly_until = begun;
    while orderly_until.elapsed() < GRACE && begun.elapsed() < LONGEST {
        std::thread::sleep(Duration::from_millis(10));
        if ORDERLY.load(SeqCst) > 0 {
            orderly_until = Instant::now();
        }
    }
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
