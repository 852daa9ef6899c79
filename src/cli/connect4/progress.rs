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
    /// The last forecast in words, and when it is due again.
    forecast: Mutex<(Instant, String)>,
}

impl<'a, W: SolverWord> Progress<'a, W> {
    /// That of a run that begins now.
    pub fn of(solver: &'a Solver<W>, found: &'a Mutex<Analysis>, goal: Goal) -> Self {
        let begun = Instant::now();
        Self { solver, found, goal, begun, forecast: Mutex::new((begun, String::new())) }
    }

    /// The question asked now and how long its answer may take; what is proved; how full the table
    /// is.
    pub fn in_words(&self, control: &Control) -> String {
        let mut forecast = self.forecast.lock().unwrap_or_else(PoisonError::into_inner);
        if forecast.0 <= Instant::now() {
            let rate = control.progress().0 as f64 / self.begun.elapsed().as_secs_f64();
            let words = self.solver.forecast().map(|forecast| forecast_in_words(&forecast, rate));
            *forecast = (Instant::now() + BETWEEN_FORECASTS, words.unwrap_or_default());
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

/// The question asked now, and how long the answer may take, in a few words.
fn forecast_in_words(forecast: &Forecast, nodes_per_s: f64) -> String {
    let Value { outcome, remoteness: Remoteness(plies) } = forecast.at_least;
    let question = match outcome {
        Outcome::Win => format!("win in {plies} plies or less?"),
        Outcome::Draw => "draw at least?".to_owned(),
        Outcome::Loss => format!("loss in {plies} plies or more?"),
    };
    let answer = |expected: Option<ExpectedNodes>, word: &str| {
        let ExpectedNodes { nodes, factor } = expected?;
        let seconds = nodes / nodes_per_s.max(1.0);
        let [from, to] = [seconds / factor, seconds * factor].map(text::brief_time);
        Some(format!("{word} in {from} to {to}"))
    };
    let answers = [answer(forecast.yes, "yes"), answer(forecast.no, "no")];
    let answers: Vec<String> = answers.into_iter().flatten().collect();
    if answers.is_empty() {
        return format!("{question} ");
    }
    format!("{question} {}; ", answers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forecast_says_what_is_asked_and_how_long_either_answer_may_take() {
        let expected = |nodes| Some(ExpectedNodes { nodes, factor: 2.0 });
        let words = |outcome, yes, no| {
            let at_least = Value::new(outcome, Remoteness(36));
            forecast_in_words(&Forecast { at_least, yes, no }, 1e6)
        };
        let both = words(Outcome::Loss, expected(60e6), expected(36e9));
        assert_eq!(both, "loss in 36 plies or more? yes in 30 s to 2 min, no in 5 h to 20 h; ");
        assert_eq!(
            words(Outcome::Draw, None, expected(60e6)),
            "draw at least? no in 30 s to 2 min; "
        );
        assert_eq!(words(Outcome::Draw, None, None), "draw at least? ");
    }
}
