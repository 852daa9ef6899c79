//! SIGINT, SIGTERM and SIGHUP: one handler for all commands, which end within a second of it.
//!
//! The first signal asks the command to stop in good order, through its [`Control`]; whoever
//! waits for input looks at that too. What is still there a moment later is held up by something
//! that looks at nothing, such as a pipe that nobody reads, and is ended. That loses nothing that
//! was kept: databases survive it, and files appear whole or not at all. Neither is a second
//! signal waited for.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::failure::Failure;
use crate::control::Control;

/// How long a command has to end in good order.
const GRACE: Duration = Duration::from_millis(750);

/// How long a database has to be closed, which can mean to write millions of positions.
const CLOSING_TIME: Duration = Duration::from_secs(10);

/// How long a message has to reach stderr, which may be a pipe that nobody reads.
const SAYING_TIME: Duration = Duration::from_millis(100);

/// What the running command looks at, once there is anything to end in good order.
static CONTROL: OnceLock<Arc<Control>> = OnceLock::new();

/// True while a database takes what was found.
static CLOSING: AtomicBool = AtomicBool::new(false);

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

/// Does the last work of a run, which is given more time than the rest.
pub(super) fn closing<T>(close: impl FnOnce() -> T) -> T {
    CLOSING.store(true, SeqCst);
    let result = close();
    CLOSING.store(false, SeqCst);
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
    std::thread::sleep(GRACE);
    let begun = Instant::now();
    while CLOSING.load(SeqCst) && begun.elapsed() < CLOSING_TIME {
        std::thread::sleep(Duration::from_millis(10));
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
