//! The progress of an exact run.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::cli::text;
use crate::connect_four::solver::{Analysis, ExpectedNodes, Forecast, Goal, Solver, SolverWord};
use crate::control::Control;
use crate::game::{Outcome, Remoteness, Value};
use crate::statistics::counted;

/// A forecast takes some milliseconds, and little changes meanwhile.
const BETWEEN_FORECASTS: Duration = Duration::from_secs(3);

/// The state of an exact run, for its progress.
pub(in crate::cli) struct Progress<'a, W: SolverWord> {
    solver: &'a Solver<W>,
    found: &'a Mutex<Analysis>,
    goal: Goal,
    begun: Instant,
    /// The last forecast in words, when it is due again, and what the forecasts before it said.
    forecast: Mutex<(Instant, String, Told)>,
}

impl<'a, W: SolverWord> Progress<'a, W> {
    /// That of a run that begins now.
    pub fn of(solver: &'a Solver<W>, found: &'a Mutex<Analysis>, goal: Goal) -> Self {
        let begun = Instant::now();
        let forecast = Mutex::new((begun, String::new(), Told::default()));
        Self { solver, found, goal, begun, forecast }
    }

    /// The question asked now and how long its answer may take; what is proved; how full the table
    /// is.
    pub fn in_words(&self, control: &Control) -> String {
        let mut forecast = self.forecast.lock().unwrap_or_else(PoisonError::into_inner);
        if forecast.0 <= Instant::now() {
            let now_s = self.begun.elapsed().as_secs_f64();
            let rate = control.progress().0 as f64 / now_s;
            let words = self.solver.forecast().map(|new| forecast.2.in_words(&new, rate, now_s));
            forecast.0 = Instant::now() + BETWEEN_FORECASTS;
            forecast.1 = words.unwrap_or_default();
        }
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let known = match (found.value, found.bounds) {
            (Some(value), _) if self.goal == Goal::AllMoves => {
                format!("{value}; {} done", counted(found.moves.len() as u64, "move"))
            }
            (Some(value), _) => format!("{value}; best moves and best play"),
            (None, Some(bounds)) => format!("proved: {bounds}"),
            (None, None) => "solving".to_owned(),
        };
        let mut words = forecast.1.clone();
        let _ = write!(words, "{known}; table {:.0} % full;", 100.0 * self.solver.table_fill());
        words
    }
}

/// Earlier forecasts of the question asked now. A forecast is made from the positions that are
/// settled, and the hard ones are settled last, so that a search may seem to be minutes from its end
/// for hours.
#[derive(Default)]
struct Told {
    /// When the question was asked, which tells it from the same one of another position.
    asked: Option<Instant>,
    /// For yes and for no, the forecast whose time is over first.
    first: [Option<Deadline>; 2],
}

/// When a forecast was made, and when the answer comes at the latest by it, in seconds since the run
/// began.
#[derive(Clone, Copy)]
struct Deadline {
    made_s: f64,
    latest_s: f64,
}

impl Told {
    /// The question asked now, and how long the answer may take, in a few words. If a forecast is over
    /// without an answer, the rest may take as long again as the time since that forecast.
    fn in_words(&mut self, forecast: &Forecast, nodes_per_s: f64, now_s: f64) -> String {
        if self.asked != Some(forecast.asked) {
            *self = Self { asked: Some(forecast.asked), first: [None; 2] };
        }
        let Value { outcome, remoteness: Remoteness(plies) } = forecast.at_least;
        let mut words = match outcome {
            Outcome::Win => format!("win in {plies} plies or less?"),
            Outcome::Draw => "draw at least?".to_owned(),
            Outcome::Loss => format!("loss in {plies} plies or more?"),
        };
        let answers = [(forecast.yes, "yes"), (forecast.no, "no")];
        let mut separator = "";
        for ((expected, word), first) in answers.into_iter().zip(&mut self.first) {
            let Some(ExpectedNodes { nodes, factor }) = expected else { continue };
            let seconds = nodes / nodes_per_s.max(1.0);
            let (from, mut to) = (seconds / factor, seconds * factor);
            let new = Deadline { made_s: now_s, latest_s: now_s + to };
            let told = first.filter(|told| told.latest_s <= new.latest_s).unwrap_or(new);
            *first = Some(told);
            if told.latest_s < now_s {
                to = to.max(now_s - told.made_s);
            }
            let [from, to] = [from, to].map(text::brief_time);
            let _ = write!(words, "{separator} {word} in {from} to {to}");
            separator = ",";
        }
        words + if separator.is_empty() { " " } else { "; " }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forecast_says_what_is_asked_and_how_long_either_answer_may_take() {
        let expected = |nodes| Some(ExpectedNodes { nodes, factor: 2.0 });
        let words = |outcome, yes, no| {
            let at_least = Value::new(outcome, Remoteness(36));
            let asked = Instant::now();
            Told::default().in_words(&Forecast { at_least, asked, yes, no }, 1e6, 0.0)
        };
        let both = words(Outcome::Loss, expected(60e6), expected(36e9));
        assert_eq!(both, "loss in 36 plies or more? yes in 30 s to 2 min, no in 5 h to 20 h; ");
        assert_eq!(
            words(Outcome::Draw, None, expected(60e6)),
            "draw at least? no in 30 s to 2 min; "
        );
        assert_eq!(words(Outcome::Draw, None, None), "draw at least? ");
    }

    #[test]
    fn an_answer_that_should_have_come_may_take_as_long_again() {
        let mut told = Told::default();
        let asked = Instant::now();
        let mut at = |outcome, asked, now_s| {
            let at_least = Value::new(outcome, Remoteness(36));
            let no = Some(ExpectedNodes { nodes: 600e6, factor: 2.0 });
            told.in_words(&Forecast { at_least, asked, yes: None, no }, 1e6, now_s)
        };
        assert_eq!(at(Outcome::Draw, asked, 100.0), "draw at least? no in 5 min to 20 min; ");
        assert_eq!(at(Outcome::Draw, asked, 1200.0), "draw at least? no in 5 min to 20 min; ");
        assert_eq!(at(Outcome::Draw, asked, 3700.0), "draw at least? no in 5 min to 60 min; ");
        // The same question of the next move begins anew, and so does another one.
        let next = asked + Duration::from_secs(3700);
        assert_eq!(at(Outcome::Draw, next, 3701.0), "draw at least? no in 5 min to 20 min; ");
        let last = next + Duration::from_secs(3600);
        let win = at(Outcome::Win, last, 7301.0);
        assert_eq!(win, "win in 36 plies or less? no in 5 min to 20 min; ");
    }
}
