//! The progress of a run on stderr: a bar, a line a minute, or lines of JSON.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::text;
use everyply_core::control::Control;
use everyply_core::statistics::grouped;

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// A rate of a shorter time than this says nothing.
const SHORTEST: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgressForm {
    /// A bar on a terminal, elsewhere a line a minute
    #[default]
    Auto,
    /// A line a minute
    Plain,
    /// A JSON object a second, each on a line
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Nothing,
    Bar,
    Lines { json: bool, every: Duration },
}

/// Shows the progress of the works of a run, one after the other.
pub(super) struct Progress {
    shown: Shown,
    started: Instant,
    /// The time of the next line, which may fall into a later work.
    next: Mutex<Instant>,
}

impl Progress {
    pub fn new(form: Option<ProgressForm>, started: Instant) -> Self {
        let lines = |json, seconds| Shown::Lines { json, every: Duration::from_secs(seconds) };
        let shown = match form {
            None => Shown::Nothing,
            Some(ProgressForm::Json) => lines(true, 1),
            Some(ProgressForm::Auto) if std::io::stderr().is_terminal() => Shown::Bar,
            Some(ProgressForm::Auto | ProgressForm::Plain) => lines(false, 60),
        };
        let first = if let Shown::Lines { every, .. } = shown { every } else { PATIENCE };
        Self { shown, started, next: Mutex::new(started + first) }
    }

    pub fn is_shown(&self) -> bool {
        self.shown != Shown::Nothing
    }

    /// Watches a work until it is done.
    pub fn watch(
        &self,
        message: &dyn Fn() -> String,
        unit: &str,
        control: &Control,
        done: &AtomicBool,
    ) {
        let mut pace = Pace::new(Instant::now());
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        // Hidden until there is something to show.
        let bar = ProgressBar::hidden();
        while !done.load(Relaxed) {
            let now = Instant::now();
            pace.see(control.progress(), now);
            let line = || pace.line(message(), unit, now, now - self.started);
            match self.shown {
                Shown::Lines { json, every } if now >= *next => {
                    *next = now + every;
                    let line = if json { line().json() } else { line().words() };
                    // A closed stderr is ignored.
                    let _ = writeln!(std::io::stderr(), "{line}");
                }
                Shown::Bar if now - pace.begun >= PATIENCE => line().draw(&bar),
                _ => {}
            }
            std::thread::park_timeout(TICK);
        }
        bar.finish_and_clear();
    }
}

/// The rate of a work, which counts anew whenever it begins another part.
struct Pace {
    begun: Instant,
    /// The beginning of the part, and the units done before it was seen.
    since: Instant,
    from: u64,
    done: u64,
    total: u64,
}

impl Pace {
    const fn new(begun: Instant) -> Self {
        Self { begun, since: begun, from: 0, done: 0, total: 0 }
    }

    fn see(&mut self, (done, total): (u64, u64), now: Instant) {
        if total != self.total || done < self.done {
            (self.since, self.from) = (now, done);
        }
        (self.done, self.total) = (done, total);
    }

    fn line<'u>(
        &self,
        message: String,
        unit: &'u str,
        now: Instant,
        elapsed: Duration,
    ) -> Line<'u> {
        let time = now.saturating_duration_since(self.since);
        let rate = (self.done - self.from) as f64 / time.as_secs_f64().max(1e-9);
        let per_s = (time >= SHORTEST).then_some(rate);
        let left = self.total.saturating_sub(self.done) as f64;
        let left_s = per_s.filter(|rate| self.total > 0 && *rate > 0.0).map(|rate| left / rate);
        let total = (self.total > 0).then_some(self.total);
        Line {
            message,
            unit,
            done: self.done,
            total,
            elapsed_s: elapsed.as_secs_f64(),
            per_s,
            left_s,
        }
    }
}

#[derive(Serialize)]
struct Line<'u> {
    message: String,
    unit: &'u str,
    done: u64,
    total: Option<u64>,
    elapsed_s: f64,
    per_s: Option<f64>,
    left_s: Option<f64>,
}

impl Line<'_> {
    fn json(&self) -> String {
        serde_json::to_string(self).expect("names and numbers")
    }

    fn draw(self, bar: &ProgressBar) {
        let template = match self.total {
            Some(_) => "{msg} [{bar:30}] {human_pos}/{human_len} {prefix}",
            None => "{msg} {spinner} {human_pos} {prefix}, {elapsed}",
        };
        let style = ProgressStyle::with_template(template).expect("a template of indicatif");
        bar.set_style(style.progress_chars("=> "));
        bar.set_length(self.total.unwrap_or(0));
        bar.set_position(self.done);
        bar.set_prefix(format!("{}{}", self.unit, self.speed()));
        bar.set_message(self.message);
        if bar.is_hidden() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.tick();
    }

    fn words(&self) -> String {
        let Self { message, unit, done, total, elapsed_s, .. } = self;
        let total = total.map_or_else(String::new, |total| format!(" of {}", grouped(total)));
        let elapsed = text::brief_time(*elapsed_s);
        format!("{message} {}{total} {unit}, {elapsed}{}", grouped(*done), self.speed())
    }

    /// The rate and the time left, as far as they are known.
    fn speed(&self) -> String {
        let mut words = String::new();
        if let Some(rate) = self.per_s {
            let _ = write!(words, ", {}/s", grouped(rate as u64));
        }
        if let Some(left) = self.left_s {
            let _ = write!(words, ", {} left", text::brief_time(left));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_time_left_are_shown_once_they_are_known() {
        let begun = Instant::now();
        let at = |ms| begun + Duration::from_millis(ms);
        let mut pace = Pace::new(begun);
        // Of an earlier work.
        pace.see((5_000_000, 6_000_000), at(0));
        let line = |pace: &Pace, ms| {
            pace.line("solving".to_owned(), "nodes", at(ms), Duration::from_millis(ms)).words()
        };
        assert_eq!(line(&pace, 1), "solving 5,000,000 of 6,000,000 nodes, 1 s");
        pace.see((100, 1000), at(100));
        assert_eq!(line(&pace, 600), "solving 100 of 1,000 nodes, 1 s");
        pace.see((300, 1000), at(2100));
        assert_eq!(line(&pace, 2100), "solving 300 of 1,000 nodes, 2 s, 100/s, 7 s left");
        // Another part, of unknown size.
        pace.see((10, 0), at(2200));
        assert_eq!(line(&pace, 2200), "solving 10 nodes, 2 s");
        pace.see((510, 0), at(7200));
        assert_eq!(line(&pace, 7200), "solving 510 nodes, 7 s, 100/s");
    }
}
