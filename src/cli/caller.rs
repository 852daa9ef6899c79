//! A command that runs inside another program, which takes its output and stops it.

use std::cell::RefCell;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use everyply_core::control::Control;
use everyply_registry::registry::Registry;

use super::run_with;

thread_local! {
    /// The call that the command on this thread belongs to; `None` for the command of a process.
    static CALL: RefCell<Option<Call>> = const { RefCell::new(None) };
}

struct Call {
    control: Arc<Control>,
    printed: String,
    message: String,
}

/// The end of a command that ran inside another program.
#[derive(Debug)]
pub struct Called {
    pub code: ExitCode,
    /// The text for stdout.
    pub printed: String,
    /// The message for stderr.
    pub message: String,
}

/// Runs a command line on this thread, without a word on stdout or stderr and without listening for
/// signals; the control stops it.
pub fn call(
    registry: &Registry,
    args: impl IntoIterator<Item = OsString>,
    control: &Arc<Control>,
) -> Called {
    let (printed, message) = (String::new(), String::new());
    CALL.set(Some(Call { control: Arc::clone(control), printed, message }));
    let code = run_with(registry, args);
    let Call { printed, message, .. } = CALL.take().expect("nothing else ends a call");
    Called { code, printed, message }
}

/// The control of the call on this thread.
pub(super) fn control() -> Option<Arc<Control>> {
    CALL.with_borrow(|call| call.as_ref().map(|call| Arc::clone(&call.control)))
}

/// Hands a text for stdout to the call on this thread; false if there is none.
pub(super) fn prints(text: &str) -> bool {
    CALL.with_borrow_mut(|call| call.as_mut().map(|call| call.printed.push_str(text)).is_some())
}

/// Hands a message for stderr to the call on this thread; false if there is none.
pub(super) fn reports(message: &str) -> bool {
    CALL.with_borrow_mut(|call| call.as_mut().map(|call| call.message.push_str(message)).is_some())
}
