//! A query of a solution file, which holds every position of its board.

use super::{Answer, Args, central, present};
use crate::cli::failure::Failure;
use crate::connect_four::profiles::{SolutionDetail, SolutionFile};
use crate::game::{Game, Move, MoveSet, PartialValue, best_of};
use crate::games::line::{AnyGame, LineGame, Stones};

/// A solution file with the rules of its board.
struct Source {
    solution: SolutionFile,
    game: AnyGame,
}

impl Source {
    fn look_up(&self, position: Stones) -> Result<PartialValue, Failure> {
        let known = self.solution.partial_value(position).map_err(Failure::runtime)?;
        known.ok_or_else(|| Failure::usage("the position is none of this board"))
    }

    /// The moves of a position with their values for the side that makes them.
    fn moves(&self, position: Stones) -> Result<Vec<(Move, PartialValue)>, Failure> {
        if self.game.result(position).is_some() {
            return Ok(Vec::new());
        }
        let value = |m| Ok((m, self.look_up(self.game.play(position, m))?.for_parent()));
        self.game.moves(position).into_iter().map(value).collect()
    }

    fn best(moves: &[(Move, PartialValue)]) -> MoveSet {
        best_of(moves.iter().copied()).unzip().1.unwrap_or_default()
    }

    /// Best play to the end of the game.
    fn variation(&self, mut position: Stones) -> Result<Vec<Move>, Failure> {
        let mut line = Vec::new();
        while self.game.result(position).is_none() {
            let best = Self::best(&self.moves(position)?);
            let Some(m) = central(&self.game, best) else { break };
            line.push(m);
            position = self.game.play(position, m);
        }
        Ok(line)
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let solution = SolutionFile::open(&args.file).map_err(Failure::runtime)?;
    let game = AnyGame::from(*solution.board().game());
    let file = args.file.display();
    if args.search {
        let why = "a solution file holds every position of its board: leave out --search";
        return Err(Failure::Usage(format!("{file}: {why}")));
    }
    let size = game.size();
    if !args.game.fits(&game.game_id()) {
        return Err(Failure::Usage(format!(
            "{file} holds {} {size} and nothing else",
            game.name()
        )));
    }
    let position = args.position.position(&game)?;
    let source = Source { solution, game };
    let value = source.look_up(position)?;
    let moves = source.moves(position)?;
    let variation = match source.solution.detail() {
        SolutionDetail::Remoteness => source.variation(position)?,
        // Without distances a won game could be played in circles around its end.
        SolutionDetail::Outcome => Vec::new(),
    };
    let answer = Answer {
        value: Some(value),
        bounds: None,
        best: Some(Source::best(&moves)),
        moves: moves.into_iter().map(|(m, known)| (m, Some(known))).collect(),
        variation,
        from_book: MoveSet::EMPTY,
        kept: String::new(),
    };
    present(&game, position, &answer, args)
}
