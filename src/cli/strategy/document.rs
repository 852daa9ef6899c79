//! What is said of strategies.

use std::time::Duration;

use serde::Serialize;

use crate::connect_four::strategy::{CheckSummary, Strategy};
use crate::statistics::grouped;

/// A strategy that was checked.
#[derive(Serialize)]
pub(in crate::cli) struct Document {
    board: String,
    line: u8,
    side: &'static str,
    score: i32,
    moves: String,
    positions: u64,
    settled: u64,
    /// Settled positions by what their plans are made of.
    kinds: Vec<Kind>,
    earliest_settled_empties: u32,
    played: u64,
    check_s: f64,
    #[serde(skip)]
    headline: String,
}

#[derive(Serialize)]
struct Kind {
    answers: &'static str,
    positions: usize,
}

impl Document {
    pub fn new(strategy: &Strategy, checked: CheckSummary, time: Duration) -> Self {
        let kinds = strategy.kinds().into_iter();
        Self {
            board: strategy.size.board(),
            line: strategy.size.line,
            side: strategy.claim.side.word(),
            score: strategy.claim.at_least,
            moves: strategy.moves.clone(),
            positions: checked.positions,
            settled: checked.settled,
            kinds: kinds
                .map(|(kind, positions)| Kind { answers: kind.words(), positions })
                .collect(),
            earliest_settled_empties: checked.most_settled_empties,
            played: checked.played,
            check_s: time.as_secs_f64(),
            headline: format!("Connect Four: {}", strategy.title()),
        }
    }
}

pub(in crate::cli) mod summary {
    use std::fmt::Write;
    use std::path::Path;

    use serde::Serialize;

    use super::{Document, grouped};
    use crate::cli::session::Session;
    use crate::cli::text;
    use crate::statistics::counted;

    #[derive(Serialize)]
    pub(in crate::cli) struct Json<'a> {
        strategies: &'a [Document],
        bytes: u64,
        threads: usize,
        elapsed_s: f64,
    }

    impl<'a> Json<'a> {
        pub fn new(strategies: &'a [Document], bytes: u64, session: &Session) -> Self {
            let elapsed_s = session.started.elapsed().as_secs_f64();
            Self { strategies, bytes, threads: session.threads, elapsed_s }
        }
    }

    pub(in crate::cli) fn text(
        documents: &[Document],
        path: &Path,
        bytes: u64,
        session: &Session,
    ) -> String {
        let mut text = String::new();
        for document in documents {
            let Document { headline, positions, settled, played, check_s, .. } = document;
            let _ = writeln!(text, "{headline}\n");
            let _ = writeln!(
                text,
                "positions  {}, of which a plan settles {}, with up to {} empty",
                grouped(*positions),
                grouped(*settled),
                counted(u64::from(document.earliest_settled_empties), "cell"),
            );
            for (i, kind) in document.kinds.iter().filter(|kind| kind.positions > 0).enumerate() {
                let label = if i == 0 { "plans" } else { "" };
                let _ = writeln!(
                    text,
                    "{label:9}  {:>9} {}",
                    grouped(kind.positions as u64),
                    kind.answers
                );
            }
            let _ = writeln!(
                text,
                "checked    against every line: {} played through in {check_s:.2} s\n",
                counted(*played, "position")
            );
        }
        let _ = writeln!(text, "file       {}: {}", path.display(), counted(bytes, "byte"));
        let time = text::seconds(session.started.elapsed());
        let _ = writeln!(text, "time       {time} on {}", text::threads(session.threads));
        text
    }
}
