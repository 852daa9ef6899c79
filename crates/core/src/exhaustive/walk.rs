//! Histories counted by walking the tree, without a table.

use super::histories::{Games, Histories, PlyHistories};
use super::layer::ROOT;
use crate::control::{Control, Stopped};
use crate::game::{Continuations, Perft};
use crate::parallel;

/// Walks every history of up to `plies` moves from `root`, with the rayon pool it is called in.
///
/// The last two plies are counted without being visited ([`Perft::two_plies`]); everything above
/// them is visited one position after the other.
pub fn walk<G: Perft>(
    game: &G,
    root: G::Position,
    plies: u32,
    control: &Control,
) -> Result<Histories, Stopped> {
    let plies = plies.min(game.plies_left(root));
    let mut histories = Histories::default();
    histories.plies.push(PlyHistories::ending(game.result(root), ROOT));
    if game.result(root).is_some() {
        return Ok(histories);
    }
    let mut table = vec![Continuations::default(); plies as usize];

    // Split ply by ply until there are enough tasks to keep every thread busy to the end.
    const TASKS_PER_THREAD: usize = 64;
    let enough = TASKS_PER_THREAD * rayon::current_num_threads();
    let mut frontier = vec![root];
    let mut depth = 0;
    while frontier.len() < enough && depth + 4 < plies as usize {
        let mut next = Vec::with_capacity(frontier.len() * 8);
        for &position in &frontier {
            let shared = game.shared(position);
            table[depth] += game.continuations(position, shared);
            let quiet = game.quiet_moves(position, shared).into_iter();
            next.extend(quiet.map(|m| game.play(position, m)));
        }
        frontier = next;
        depth += 1;
    }

    control.start(frontier.len() as u64);
    let parts = parallel::map(frontier.len(), &|i| {
        control.check()?;
        let mut table = vec![Continuations::default(); plies as usize - depth];
        visit(game, frontier[i], game.shared(frontier[i]), &mut table);
        control.advance(1);
        Ok(table)
    });
    for part in parts {
        for (total, part) in table[depth..].iter_mut().zip(part?) {
            *total += part;
        }
    }
    for (ply, below) in table.into_iter().take_while(|ply| ply.nodes > 0).zip(1..) {
        // The side to move at the root makes the first move, the third, ...
        let (first, second) = if below % 2 == 1 { (ply.wins, 0) } else { (0, ply.wins) };
        let games = Games::new(first, second, ply.draws);
        histories.plies.push(PlyHistories { nodes: ply.nodes, games });
    }
    Ok(histories)
}

/// Counts the histories below a position without a result into `table`, one entry a ply.
fn visit<G: Perft>(
    game: &G,
    position: G::Position,
    shared: G::Shared,
    table: &mut [Continuations],
) {
    match table {
        [] => {}
        [last] => *last += game.continuations(position, shared),
        [one, two] => {
            let [first, second] = game.two_plies(position, shared);
            *one += first;
            *two += second;
        }
        [one, below @ ..] => {
            *one += game.continuations(position, shared);
            let shared_below = game.shared_below(position);
            for m in game.quiet_moves(position, shared) {
                visit(game, game.play(position, m), shared_below, below);
            }
        }
    }
}
