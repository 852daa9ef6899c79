//! Boards of stones and lines as games of the registry, and the engines made for them.

use super::method::{Ending, TooWide};
use super::position::Position;
use super::{Entry, Start, start};
use everyply_connect_four::solver::SolverWord;
use everyply_connect_four::{OpeningBook, plies_by_outcome};
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{Histories, walk};
use everyply_core::game::{Key, Keyed, Registered, Value};
use everyply_core::games::line::{
    AnyGame, ConnectFour, GraphEstimate, LineGame, Mnk, Rules, Size, Standard, Stones, TicTacToe,
    Wide, Word,
};

/// Returns the games of stones and lines.
pub(super) fn entries() -> [Entry; 2] {
    [entry::<TicTacToe>(Rules::Mnk), entry::<Standard>(Rules::ConnectFour)]
}

fn entry<G: Registered>(rules: Rules) -> Entry {
    let entry = Entry::of::<G>(
        move |chosen| board(rules, rules.chosen_size(chosen)?),
        move |[width, height, line]| board(rules, Size::new(width, height, line)?),
    );
    Entry { aliases: rules.aliases(), ..entry }
}

/// Returns the empty board of a size.
fn board(rules: Rules, size: Size) -> Start {
    // The usual boards have types of their own, so that engines know all masks. A page is smaller
    // without these types, and its solver of 7x6 knows the masks anyway.
    match (rules, is_fixed(rules, size)) {
        (Rules::Mnk, true) => lines(TicTacToe::fixed()),
        (Rules::Mnk, false) => lines(Mnk::new(size)?),
        (Rules::ConnectFour, true) => lines(Standard::fixed()),
        (Rules::ConnectFour, false) => match ConnectFour::new(size) {
            Ok(game) => lines(game),
            Err(_) => start::<_, TooWide>(Wide::wide(size)?, ""),
        },
    }
}

/// Returns true if a board has a type of its own.
fn is_fixed(rules: Rules, size: Size) -> bool {
    size == rules.usual() && !cfg!(everyply_page)
}

/// Returns a board of 64 bits at the start.
fn lines<G: Registered<Key = Key, Position: 'static> + LineGame>(game: G) -> Start {
    start::<_, Ending>(game, plies_by_outcome(&game))
}

/// Returns a position of a game of stones and lines on a board of 64 bits.
pub fn position_of(game: &AnyGame, stones: Stones) -> Box<dyn Position> {
    let start = board(game.rules(), game.size()).expect("the board was made before");
    start.of_key(game.key(stones)).expect("a position has a key")
}

impl dyn Position + '_ {
    /// Returns the rules and the size, if the game is one of stones and lines.
    fn board_of_lines(&self) -> Option<(Rules, Size)> {
        let info = self.info();
        Some((Rules::of(info.name)?, Size::of_parameters(info.parameters)))
    }

    /// Returns the stones of the position, if they are stones of a board of this word.
    pub fn stones<W: Word>(&self) -> Option<Stones<W>> {
        self.as_any().downcast_ref().copied()
    }

    /// Returns the game and the position, if they are of stones and lines on a board of 64 bits.
    pub fn lines(&self) -> Option<(AnyGame, Stones)> {
        let (rules, size) = self.board_of_lines()?;
        Some((AnyGame::of_size(rules, size).ok()?, self.stones()?))
    }

    /// Returns the game and the position, if they are Connect Four on a board of more than 64 bits.
    pub fn wide_lines(&self) -> Option<(Wide, Stones<u128>)> {
        let (_, size) = self.board_of_lines()?;
        Some((Wide::wide(size).ok()?, self.stones()?))
    }

    /// Returns the value of the position in the opening book of the program.
    pub fn booked(&self) -> Option<Value> {
        let (_, size) = self.board_of_lines().filter(|(rules, _)| rules.stones_fall())?;
        self.in_book::<u64>(size).or_else(|| self.in_book::<u128>(size))
    }

    fn in_book<W: SolverWord>(&self, size: Size) -> Option<Value> {
        OpeningBook::builtin(size)?.value(self.stones::<W>()?)
    }

    /// Counts histories by visiting them.
    pub fn walk(&self, plies: u32, control: &Control) -> Result<Histories, Stopped> {
        let Some((game, root)) = self.lines() else { return self.walk_plies(plies, control) };
        match (game, is_fixed(game.rules(), game.size())) {
            (AnyGame::Mnk(_), true) => walk(&TicTacToe::fixed(), root, plies, control),
            (AnyGame::Mnk(game), false) => walk(&game, root, plies, control),
            (AnyGame::ConnectFour(_), true) => walk(&Standard::fixed(), root, plies, control),
            (AnyGame::ConnectFour(game), false) => walk(&game, root, plies, control),
        }
    }
}

/// Returns true if all positions below one are few enough to be solved at once.
pub fn is_small_below<G: LineGame>(game: &G, root: Stones) -> bool {
    const SMALL: f64 = 48.0 * 1024.0 * 1024.0;
    !game.rules().stones_fall() && GraphEstimate::of_graph(game, root).bytes <= SMALL
}
