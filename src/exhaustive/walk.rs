//! Histories counted by walking the tree, without memory.

use rayon::prelude::*;

use crate::control::{Control, Stopped};
use crate::game::{Continuations, Game, Stones};

/// Finished games by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// All of them.
    pub games: u64,
    /// Won by the side that moved first in the game, not at the root.
    pub first_player_wins: u64,
    /// Won by the other side.
    pub second_player_wins: u64,
    /// Full boards without a line.
    pub draws: u64,
}

/// Histories below a root per ply, under the rule that the first line ends the game.
///
/// Index i is i plies below the root. `nodes` are the histories of that length (perft), `lines`
/// and `draws` those of them that end the game there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histories {
    root_ply: u8,
    plies: Vec<Continuations>,
}

impl Histories {
    /// No histories yet, of a root that is `root_ply` moves into a game.
    pub(super) const fn starting_at(root_ply: u8) -> Self {
        Self { root_ply, plies: Vec::new() }
    }

    pub(super) fn push(&mut self, ply: Continuations) {
        self.plies.push(ply);
    }

    /// The table, one entry a ply from the root's ply on.
    #[must_use]
    pub fn plies(&self) -> &[Continuations] {
        &self.plies
    }

    /// All histories, the root included.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.plies.iter().map(|p| p.nodes).sum()
    }

    /// All finished games by result.
    #[must_use]
    pub fn games(&self) -> Games {
        let mut games = Games::default();
        for (below, ply) in self.plies.iter().enumerate() {
            games.draws += ply.draws;
            // The move that makes the stones odd in number is the first player's.
            if (usize::from(self.root_ply) + below) % 2 == 1 {
                games.first_player_wins += ply.lines;
            } else {
                games.second_player_wins += ply.lines;
            }
        }
        games.games = games.first_player_wins + games.second_player_wins + games.draws;
        games
    }
}

/// Walks every history of up to `plies` moves from `root`, with the rayon pool it is called in.
///
/// The last two plies are counted on the masks of their parents without being visited
/// ([`Game::two_plies`]); everything above them is visited one position after the other.
///
/// # Errors
/// If the control asks it to stop.
pub fn walk<G: Game>(
    game: &G,
    root: Stones,
    plies: u32,
    control: &Control,
) -> Result<Histories, Stopped> {
    let plies = plies.min(game.plies_left(root));
    let ended = match game.terminal(root) {
        Some(_) if game.lines().is_complete(root.other) => {
            Continuations { lines: 1, ..Continuations::default() }
        }
        Some(_) => Continuations { draws: 1, ..Continuations::default() },
        None => Continuations::default(),
    };
    let mut histories = Histories::starting_at(root.ply().0);
    histories.push(Continuations { nodes: 1, ..ended });
    if game.terminal(root).is_some() {
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
            add(&mut table[depth], game.continuations(position));
            let quiet = game.moves(position).without(game.winning_moves(position));
            next.extend(quiet.into_iter().map(|m| game.play(position, m)));
        }
        frontier = next;
        depth += 1;
    }

    control.start(frontier.len() as u64);
    let rest = frontier
        .par_iter()
        .map(|&position| {
            control.check()?;
            let mut table = vec![Continuations::default(); plies as usize - depth];
            visit(game, position, game.completing_cells(position.own), &mut table);
            control.advance(1);
            Ok(table)
        })
        .try_reduce(
            || vec![Continuations::default(); plies as usize - depth],
            |mut sum, table| {
                for (total, part) in sum.iter_mut().zip(table) {
                    add(total, part);
                }
                Ok(sum)
            },
        )?;
    for (total, part) in table[depth..].iter_mut().zip(rest) {
        add(total, part);
    }
    for ply in table.into_iter().take_while(|ply| ply.nodes > 0) {
        histories.push(ply);
    }
    Ok(histories)
}

#[inline(always)]
fn add(total: &mut Continuations, part: Continuations) {
    total.nodes += part.nodes;
    total.lines += part.lines;
    total.draws += part.draws;
}

/// Counts the histories below a position that is not over into `table`, one entry a ply.
///
/// `completing` are the cells that complete a line of the side to move. Its stones are the same
/// whatever the other side played last, so they are found once for all moves of a position.
fn visit<G: Game>(game: &G, position: Stones, completing: u64, table: &mut [Continuations]) {
    match table {
        [] => {}
        [last] => add(last, game.continuations(position)),
        [one, two] => {
            let [first, second] = game.two_plies(position, completing);
            add(one, first);
            add(two, second);
        }
        [one, below @ ..] => {
            let moves = game.moves(position);
            let winning = game.moves_to(position, completing);
            // More than two plies below the board is not yet full, so nothing is drawn here.
            one.nodes += u64::from(moves.len());
            one.lines += u64::from(winning.len());
            let completing = game.completing_cells(position.other);
            for m in moves.without(winning) {
                visit(game, game.play(position, m), completing, below);
            }
        }
    }
}

/// Histories under the rule that wins do not stop play: orderings that fill the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullBoard {
    /// Orderings that fill the board; `None` if there are 2^64 or more.
    pub leaves: Option<u64>,
    /// All move sequences, the empty one included; `None` if there are 2^64 or more.
    pub nodes: Option<u64>,
}

impl FullBoard {
    /// Counts from a position on, exactly.
    ///
    /// Under this rule the number of continuations depends on the occupied cells alone. Where any
    /// cell may be played (m,n,k), e empties have e! / (e - i)! sequences of length i. Where stones
    /// fall (Connect Four), what matters is how many cells each column has left, in any order:
    /// the sequences of length i are the ways to interleave the columns, counted column by
    /// column: taking j of a column's cells into a sequence of length i + j chooses their places,
    /// C(i + j, j). Both are one recurrence over groups of cells, which for m,n,k have one cell.
    #[must_use]
    pub fn count<G: Game>(game: &G, root: Stones) -> Self {
        let mut sequences = vec![Some(1u128)];
        for group in groups(game, root) {
            let mut more = vec![Some(0u128); sequences.len() + group];
            for (i, &ways) in sequences.iter().enumerate() {
                for j in 0..=group {
                    let places = binomial(i + j, j);
                    let term = ways.zip(places).and_then(|(a, b)| a.checked_mul(b));
                    let sum = &mut more[i + j];
                    *sum = sum.zip(term).and_then(|(a, b)| a.checked_add(b));
                }
            }
            sequences = more;
        }
        let narrow = |n: Option<u128>| n.and_then(|n| u64::try_from(n).ok());
        let nodes = sequences.iter().try_fold(0u128, |sum, &n| sum.checked_add(n?));
        Self { leaves: narrow(sequences.last().copied().flatten()), nodes: narrow(nodes) }
    }
}

/// The numbers of empty cells that must be filled in a fixed order: one number a column where
/// stones fall, a one for every cell where they do not.
pub(super) fn groups<G: Game>(game: &G, root: Stones) -> Vec<usize> {
    let mut groups = Vec::new();
    for m in game.moves(root) {
        let mut position = root;
        let mut cells = 0;
        while game.moves(position).contains(m) {
            position = game.play(position, m);
            cells += 1;
        }
        groups.push(cells);
    }
    groups
}

fn binomial(n: usize, k: usize) -> Option<u128> {
    (0..k as u128).try_fold(1u128, |c, i| Some(c.checked_mul(n as u128 - i)? / (i + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ConnectFour, Mnk, MoveSet, Size, Standard, TicTacToe};

    fn walk_all<G: Game>(game: &G, root: Stones) -> Histories {
        walk(game, root, u32::MAX, &Control::default()).unwrap()
    }

    fn full_board_by_walking<G: Game>(game: &G, position: Stones) -> FullBoard {
        let moves = game.moves(position);
        if moves == MoveSet::EMPTY {
            return FullBoard { leaves: Some(1), nodes: Some(1) };
        }
        let (mut leaves, mut nodes) = (0, 1);
        for m in moves {
            let below = full_board_by_walking(game, game.play(position, m));
            leaves += below.leaves.unwrap();
            nodes += below.nodes.unwrap();
        }
        FullBoard { leaves: Some(leaves), nodes: Some(nodes) }
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
        let ending: Vec<u64> = histories.plies().iter().map(|p| p.lines + p.draws).collect();
        assert_eq!(ending, [0, 0, 0, 0, 0, 1440, 5328, 47_952, 72_576, 127_872]);
    }

    #[test]
    fn filling_the_board_counts_every_ordering() {
        let game = TicTacToe::fixed();
        let full = FullBoard::count(&game, game.initial());
        assert_eq!(full, FullBoard { leaves: Some(362_880), nodes: Some(986_410) });
        assert_eq!(full, full_board_by_walking(&game, game.initial()));
        let game = ConnectFour::new(Size::new(3, 3, 3).unwrap()).unwrap();
        let one = game.play(game.initial(), crate::game::Move(1));
        for root in [game.initial(), one] {
            assert_eq!(FullBoard::count(&game, root), full_board_by_walking(&game, root));
        }
        // 42! / (6!)^7 = 1.4 x 10^31 orderings do not fit; 40! does not fit 128 bits either.
        let game = Standard::fixed();
        assert_eq!(FullBoard::count(&game, game.initial()).leaves, None);
        let game = Mnk::new(Size::new(8, 5, 4).unwrap()).unwrap();
        assert_eq!(FullBoard::count(&game, game.initial()).nodes, None);
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
        let over = crate::game::notation::parse_moves(&game, "15293").unwrap();
        let histories = walk_all(&game, over);
        assert_eq!(histories.nodes(), 1);
        assert_eq!(histories.games().first_player_wins, 1);
        let full = crate::game::notation::parse_moves(&game, "123546879").unwrap();
        assert_eq!(walk_all(&game, full).games().draws, 1);
        let last = crate::game::notation::parse_moves(&game, "12354687").unwrap();
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
