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

/// The shortest time from which a rate is shown.
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

/// The progress of the tasks of a run, one after the other.
pub(super) struct Progress {
    shown: Shown,
    started: Instant,
    /// The time of the next line, which may fall into a later task.
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

    /// Shows the progress of a task until it is done.
    pub fn watch(
        &self,
        message: &dyn Fn() -> String,
        unit: &str,
        control: &Control,
        done: &AtomicBool,
    ) {
        let begun = Instant::now();
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let meter = Meter::new();
        while !done.load(Relaxed) {
            let now = Instant::now();
            meter.see(control.progress());
            let line = || meter.line(message(), unit, now - self.started);
            match self.shown {
                Shown::Lines { json, every } if now >= *next => {
                    *next = now + every;
                    let line = if json { line().json() } else { line().words() };
                    // A closed stderr is ignored.
                    let _ = writeln!(std::io::stderr(), "{line}");
                }
                Shown::Bar if now - begun >= PATIENCE => line().draw(&meter.0),
                _ => {}
            }
            std::thread::park_timeout(TICK);
        }
        meter.0.finish_and_clear();
    }
}

/// The bar of a task. It measures the rate even while hidden, and anew when the task begins another part.
struct Meter(ProgressBar);

impl Meter {
    fn new() -> Self {
        Self(ProgressBar::hidden())
    }

    fn see(&self, (done, total): (u64, u64)) {
        let is_other = self.0.length() != Some(total) || done < self.0.position();
        self.0.set_length(total);
        self.0.set_position(done);
        if is_other {
            self.0.reset_elapsed();
        }
    }

    fn line<'u>(&self, message: String, unit: &'u str, elapsed: Duration) -> Line<'u> {
        let (done, total) = (self.0.position(), self.0.length().filter(|total| *total > 0));
        let per_s = (self.0.elapsed() >= SHORTEST).then(|| self.0.per_sec());
        let left = total.map(|total| total.saturating_sub(done) as f64);
        let left_s = left.zip(per_s.filter(|rate| *rate > 0.0)).map(|(left, rate)| left / rate);
        Line { message, unit, done, total, elapsed_s: elapsed.as_secs_f64(), per_s, left_s }
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

    /// The rate and the time left, if known.
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
        let meter = Meter::new();
        let words = |s| meter.line("solving".to_owned(), "nodes", Duration::from_secs(s)).words();
        // Of an earlier task.
        meter.see((5_000_000, 6_000_000));
        assert_eq!(words(0), "solving 5,000,000 of 6,000,000 nodes, 1 s");
        meter.see((100, 1000));
        assert_eq!(words(2), "solving 100 of 1,000 nodes, 2 s");
        std::thread::sleep(SHORTEST);
        meter.see((300, 1000));
        let line = meter.line("solving".to_owned(), "nodes", Duration::from_secs(3));
        let (rate, left) = (line.per_s.unwrap(), line.left_s.unwrap());
        assert!(rate > 0.0 && rate <= 200.0, "{rate}");
        assert_eq!(left, 700.0 / rate);
        let line = Line { per_s: Some(100.0), left_s: Some(7.0), ..line };
        assert_eq!(line.words(), "solving 300 of 1,000 nodes, 3 s, 100/s, 7 s left");
        // Another part, of unknown size.
        meter.see((10, 0));
        assert_eq!(words(4), "solving 10 nodes, 4 s");
    }
}
