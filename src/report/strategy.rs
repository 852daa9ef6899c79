//! Figures of strategies.

use super::figure::{DataTable, Figure, Section, cells};
use super::{ReportError, poster, stem};
use crate::connect_four::strategy::{Follower, Strategy};
use crate::games::line::LineGame;
use crate::statistics::{counted, grouped};

/// Makes the section of one strategy of a file of this many bytes.
pub fn section(name: &str, bytes: u64, strategy: Strategy) -> Result<Section, ReportError> {
    let follower = Follower::new(strategy)
        .map_err(|error| ReportError::Strategy { path: name.to_owned(), source: error.into() })?;
    let strategy = follower.strategy();
    let positions = strategy.positions.len() as u64;
    let settled = strategy.settled() as u64;
    let facts = [
        ("claim", strategy.title()),
        ("board", follower.game().rules().title(strategy.size)),
        ("positions", grouped(positions)),
        ("settled by a plan", grouped(settled)),
        ("file", counted(bytes, "byte")),
    ];
    let facts = facts.map(|(name, value)| (name.to_owned(), value));
    let figure = Figure {
        id: format!("{}-strategy", stem(name)),
        title: "The whole strategy".to_owned(),
        note: "Every position once, reached by the fewest moves. The first position is in the middle; \
               the lines lead outwards by the moves that a plan does not meet, each with its \
               answer. Positions are boards if there is room, else discs whose area is the number \
               of positions of the subtree."
            .to_owned(),
        svg: Some(poster::draw(&follower, bytes)),
        table: by_stones(strategy),
    };
    Ok(Section {
        title: format!("Strategy: {}", strategy.title()),
        facts: facts.into(),
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
