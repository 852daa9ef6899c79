//! Histories counted by walking the tree, without memory.

use super::histories::{Games, Histories, PlyHistories};
use crate::control::{Control, Stopped};
use crate::game::{Continuations, Outcome, Perft};
use crate::parallel;

/// Walks every history of up to `plies` moves from `root`, with the rayon pool it is called in.
///
/// The last two plies are counted without being visited ([`Perft::two_plies`]); everything above
/// them is visited one position after the other.
///
/// # Errors
/// If the control asks it to stop.
pub fn walk<G: Perft>(
    game: &G,
    root: G::Position,
    plies: u32,
    control: &Control,
) -> Result<Histories, Stopped> {
    let plies = plies.min(game.plies_left(root));
    let mut histories = Histories::default();
    let games = match game.result(root) {
        None => Games::default(),
        Some(Outcome::Win) => Games::new(1, 0, 0),
        Some(Outcome::Loss) => Games::new(0, 1, 0),
        Some(Outcome::Draw) => Games::new(0, 0, 1),
    };
    histories.push(PlyHistories { nodes: 1, games });
    if game.result(root).is_some() {
        return Ok(histories);
    }
    let mut table = vec![Continuations::default(); plies as usize];

    // Split ply by ply until there is enough work to keep every thread busy to the end.
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
        histories.push(PlyHistories { nodes: ply.nodes, games });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::line::{LineGame, Mnk, Size, Standard, Stones, TicTacToe};

    fn walk_all<G: LineGame>(game: &G, root: Stones) -> Histories {
        walk(game, root, u32::MAX, &Control::default()).unwrap()
    }

    #[test]
    fn the_complete_tree_of_tic_tac_toe() {
        let game = TicTacToe::fixed();
        let histories = walk_all(&game, game.initial());
        assert_eq!(histories.nodes(), 549_946);
        let expected = Games {
            games: 255_168,
            first_player_wins: 131_184,
            second_player_wins: 77_904,
            draws: 46_080,
        };
        assert_eq!(histories.games(), expected);
        let ending: Vec<u64> = histories.plies().iter().map(|p| p.games.games).collect();
        assert_eq!(ending, [0, 0, 0, 0, 0, 1440, 5328, 47_952, 72_576, 127_872]);
    }

    #[test]
    fn perft_of_connect_four() {
        let game = Standard::fixed();
        let histories = walk(&game, game.initial(), 9, &Control::default()).unwrap();
        let perft: Vec<u64> = histories.plies().iter().map(|p| p.nodes).collect();
        assert_eq!(perft, [1, 7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572]);
    }

    #[test]
    fn a_walk_from_inside_a_game_ends_where_the_game_ends() {
        let game = TicTacToe::fixed();
        let over = crate::games::line::notation::parse_moves(&game, "15293").unwrap();
        let histories = walk_all(&game, over);
        assert_eq!(histories.nodes(), 1);
        assert_eq!(histories.games().after(over.ply()).first_player_wins, 1);
        let full = crate::games::line::notation::parse_moves(&game, "123546879").unwrap();
        assert_eq!(walk_all(&game, full).games().draws, 1);
        let last = crate::games::line::notation::parse_moves(&game, "12354687").unwrap();
        assert_eq!(walk_all(&game, last).nodes(), 2);
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let game = Mnk::new(Size::new(5, 2, 3).unwrap()).unwrap();
        let counted = [1, 2, 8].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| walk_all(&game, game.initial()))
        });
        assert_eq!(counted[0].nodes(), 6_499_037);
        assert_eq!(counted[0].games().games, 2_748_168);
        assert!(counted.iter().all(|c| *c == counted[0]));
    }

    #[test]
    fn a_stopped_walk_says_so() {
        let game = Standard::fixed();
        let control = Control::default();
        control.stop();
        assert_eq!(walk(&game, game.initial(), 9, &control), Err(Stopped));
    }
}
