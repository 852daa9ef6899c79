//! Figures of strategies.

use super::figure::{DataTable, Figure, Section, Subject, cells};
use super::{ReportError, poster, stem};
use crate::connect_four::strategy::{Follower, Strategy};
use crate::games::line::LineGame;
use crate::statistics::grouped;

/// Makes the section of one strategy of a file of this many bytes.
pub fn section(name: &str, bytes: u64, strategy: Strategy) -> Result<Section, ReportError> {
    let follower = Follower::new(strategy)
        .map_err(|error| ReportError::Strategy { path: name.to_owned(), source: error.into() })?;
    let strategy = follower.strategy();
    let positions = strategy.positions.len() as u64;
    let settled = strategy.settled() as u64;
    let about = Subject { stem: stem(name), game: follower.game().rules().title(strategy.size) };
    let mut claim = strategy.title();
    claim[..1].make_ascii_uppercase();
    let pair = |name: &str, value: String| (name.to_owned(), value);
    let counts = vec![
        pair("positions", grouped(positions)),
        pair("settled by a plan", grouped(settled)),
        pair("bytes", grouped(bytes)),
    ];
    let note = "Every position once, reached by the fewest moves. A position with a coloured frame has \
                moves that its plan does not meet; those beside it and those on its branches below \
                answer them. Plans settle the others.";
    let figure = Figure {
        drawing: Some(poster::draw(&follower, bytes)),
        ..Figure::listed(&about, "strategy", &claim, note, by_stones(strategy))
    };
    Ok(Section {
        source: format!("Strategy {name}"),
        title: format!("{}: {}", about.game, strategy.title()),
        counts,
        facts: Vec::new(),
        figures: vec![figure],
    })
}

/// Counts the positions by the number of stones on the board.
fn by_stones(strategy: &Strategy) -> DataTable {
    let mut table = DataTable::new(&["stones", "positions", "with exits", "settled"]);
    let mut counts = std::collections::BTreeMap::<u32, [u64; 2]>::new();
    for planned in &strategy.positions {
        let stones = planned.position.occupied().count_ones();
        counts.entry(stones).or_default()[usize::from(planned.plan.exits == 0)] += 1;
    }
    for (stones, [open, settled]) in counts {
        table.rows.push(cells![stones, open + settled, open, settled]);
    }
    table
}
