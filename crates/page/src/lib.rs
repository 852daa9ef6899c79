//! The explorer in a web page: plain exports, without generated code. `site/worker.js` calls them.
//!
//! The page writes bytes to the address from [`input`], and calls a function that reads them. The
//! module imports two functions of the page: `now`, a clock in milliseconds, and `line`, which
//! receives each line of an answer at once.

#![cfg(target_arch = "wasm32")]

use std::cell::RefCell;
use std::time::Duration;

use everyply::connect_four::OpeningBook;
use everyply::connect_four::strategy::{self, Follower};
use everyply::oracle::{Oracle, OracleFiles};
use everyply::registry::builtin;
use everyply::web::{Answer, Page, Shown};

#[link(wasm_import_module = "everyply")]
unsafe extern "C" {
    /// Receives a line of the current answer.
    fn line(start: *const u8, length: usize);
}

/// The page's input and files, the explorer, and the last answer.
#[derive(Default)]
struct State {
    input: Vec<u8>,
    strategies: Vec<Follower>,
    page: Option<Page>,
    answer: Option<(Answer, [usize; 7])>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Allocates the next input, of `length` bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input = vec![0; length];
        state.input.as_mut_ptr()
    })
}

/// Reads the input as a file, the opening book or strategies; returns false if it is neither. The
/// explorer uses it from the next [`start`] on.
#[unsafe(no_mangle)]
pub extern "C" fn add_file() -> bool {
    STATE.with_borrow_mut(|state| {
        let bytes = std::mem::take(&mut state.input);
        if let Ok(book) = OpeningBook::from_bytes(&bytes) {
            book.install();
            return true;
        }
        let Ok(strategies) = strategy::read(&bytes) else { return false };
        let followers: Result<Vec<_>, _> = strategies.into_iter().map(Follower::new).collect();
        followers.map(|followers| state.strategies.extend(followers)).is_ok()
    })
}

/// Creates the explorer: tables of `mib` MiB, searches of at most `longest` milliseconds, and
/// random moves from a seed.
#[unsafe(no_mangle)]
pub extern "C" fn start(mib: u32, longest: u32, seed: u32) {
    fastrand::seed(seed.into());
    STATE.with_borrow_mut(|state| {
        let oracle = Oracle::new(OracleFiles::default(), mib.into());
        let strategies = std::mem::take(&mut state.strategies);
        let shown = Shown { oracle, registry: builtin(), strategies };
        let longest = Duration::from_millis(longest.into());
        // SAFETY: the page reads the line before it returns.
        let send = |text: &[u8]| unsafe { line(text.as_ptr(), text.len()) };
        state.page = Some(Page::new(shown, longest, send));
    });
}

/// Answers the address in the input; with `part`, a page is its main part alone. Returns the
/// status, then start and length of content type, location and content; null if the input is no
/// address.
#[unsafe(no_mangle)]
pub extern "C" fn ask(part: bool) -> *const usize {
    STATE.with_borrow_mut(|state| {
        let address = String::from_utf8_lossy(&state.input).into_owned();
        state.answer = None;
        let answer = state.page.as_mut().and_then(|page| page.ask(&address, part));
        let Some(answer) = answer else { return std::ptr::null() };
        let place = |bytes: &[u8]| [bytes.as_ptr() as usize, bytes.len()];
        let kind = place(answer.kind.as_bytes());
        let location = place(answer.location.as_deref().unwrap_or_default().as_bytes());
        let body = place(&answer.body);
        let status = answer.status.into();
        let row = [status, kind[0], kind[1], location[0], location[1], body[0], body[1]];
        state.answer.insert((answer, row)).1.as_ptr()
    })
}
