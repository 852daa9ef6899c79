//! Boards of stones and lines as games of the registry, and the engines made for them.

use super::method::{Ending, TooWide};
use super::position::Position;
use super::{Entry, Start, start};
use everyply_connect_four::solver::SolverWord;
use everyply_connect_four::{OpeningBook, plies_by_outcome};
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{Histories, walk};
use everyply_core::game::{Key, Registered, Shown, Value};
use everyply_core::games::line::{
    ConnectFour, FullBoard, GraphEstimate, LineGame, Mnk, Rules, Size, Standard, Stones, TicTacToe,
    Wide, Word, on_board,
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
pub fn board(rules: Rules, size: Size) -> Start {
    // The usual boards have types of their own, so that their masks are constants. A page is
    // smaller without these types, and the masks of its 7x6 solver are constants anyway.
    match (rules, is_fixed(rules, size)) {
        (Rules::Mnk, true) => lines(TicTacToe::fixed()),
        (Rules::Mnk, false) => lines(Mnk::new(size)?),
        (Rules::ConnectFour, true) => lines(Standard::fixed()),
        (Rules::ConnectFour, false) => match ConnectFour::new(size) {
            Ok(game) => lines(game),
            Err(_) => start::<Wide, TooWide>(Wide::wide(size)?, ""),
        },
    }
}

/// Returns true if a board has a type of its own.
fn is_fixed(rules: Rules, size: Size) -> bool {
    size == rules.usual() && !cfg!(everyply_page)
}

/// Returns a board of 64 bits at the start.
fn lines<G: Registered<Game = G> + Shown<Key = Key> + LineGame>(game: G) -> Start {
    start::<G, Ending>(game, plies_by_outcome(&game))
}

impl dyn Position + '_ {
    /// Returns the rules and the size, if the game is one of stones and lines.
    pub fn any_lines(&self) -> Option<(Rules, Size)> {
        let (info, is_wide) = (self.info(), self.stones::<u128>().is_some());
        let rules = Rules::of(info.name).filter(|_| is_wide || self.stones::<u64>().is_some())?;
        Some((rules, Size::of_parameters(info.parameters)))
    }

    /// Returns the rules and the size of a board of 64 bits.
    pub fn lines(&self) -> Option<(Rules, Size)> {
        self.any_lines().filter(|_| self.stones::<u64>().is_some())
    }

    /// Returns the stones, if the game is a board of this word.
    pub fn stones<W: Word>(&self) -> Option<Stones<W>> {
        self.as_any().downcast_ref().copied()
    }

    /// Bounds the cost of solving the position and all that follow it, on a board of 64 bits.
    pub fn graph_estimate(&self) -> Option<GraphEstimate> {
        let ((rules, size), root) = self.lines().zip(self.stones())?;
        on_board!(rules, size, |game| GraphEstimate::of_graph(&game, root)).ok()
    }

    /// Bounds the cost of counting the positions of the next `plies` plies, on a board of 64 bits.
    pub fn count_estimate(&self, plies: u32) -> Option<GraphEstimate> {
        let ((rules, size), root) = self.lines().zip(self.stones())?;
        on_board!(rules, size, |game| GraphEstimate::of_count(&game, root, plies)).ok()
    }

    /// Counts the orderings that fill a board of 64 bits from the position on.
    pub fn full_board(&self) -> Option<FullBoard> {
        let ((rules, size), root) = self.lines().zip(self.stones())?;
        on_board!(rules, size, |game| FullBoard::count(&game, root)).ok()
    }

    /// Returns true on a board where stones go on any cell, if the positions that follow are few
    /// enough to solve them all at once.
    pub fn is_small(&self) -> bool {
        const SMALL: f64 = 48.0 * 1024.0 * 1024.0;
        self.lines().is_some_and(|(rules, _)| !rules.stones_fall())
            && self.graph_estimate().is_some_and(|estimate| estimate.bytes <= SMALL)
    }

    /// Returns the value of the position in the opening book of the program.
    pub fn booked(&self) -> Option<Value> {
        let (_, size) = self.any_lines().filter(|(rules, _)| rules.stones_fall())?;
        self.in_book::<u64>(size).or_else(|| self.in_book::<u128>(size))
    }

    fn in_book<W: SolverWord>(&self, size: Size) -> Option<Value> {
        OpeningBook::builtin(size)?.value(self.stones::<W>()?)
    }

    /// Counts histories by visiting them.
    pub fn walk(&self, plies: u32, control: &Control) -> Result<Histories, Stopped> {
        let Some(((rules, size), root)) = self.lines().zip(self.stones()) else {
            return self.walk_plies(plies, control);
        };
        match (rules, is_fixed(rules, size)) {
            (Rules::Mnk, true) => walk(&TicTacToe::fixed(), root, plies, control),
            (Rules::ConnectFour, true) => walk(&Standard::fixed(), root, plies, control),
            (_, false) => on_board!(rules, size, |game| walk(&game, root, plies, control))
                .expect("the board was made before"),
        }
    }
}
