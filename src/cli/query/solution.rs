//! A query of a solution file, which knows every position of its board.

use super::{Answer, Args, Known, central, present};
use crate::cli::failure::Failure;
use crate::connect_four::profiles::{Detail, Solution};
use crate::database::GameId;
use crate::game::{Game, Move, MoveSet};
use crate::games::line::{AnyGame, LineGame, Stones};

/// A solution file with the rules of its board.
struct Source {
    solution: Solution,
    game: AnyGame,
}

impl Source {
    fn look_up(&self, position: Stones) -> Result<Known, Failure> {
        let known = match self.solution.detail() {
            Detail::Remoteness => self.solution.value(position).map(|found| found.map(Known::from)),
            Detail::Outcome => self
                .solution
                .outcome(position)
                .map(|found| found.map(|outcome| Known { outcome, remoteness: None })),
        };
        known
            .map_err(Failure::runtime)?
            .ok_or_else(|| Failure::usage("the position is none of this board"))
    }

    /// The moves of a position with their values for the side that makes them.
    fn moves(&self, position: Stones) -> Result<Vec<(Move, Known)>, Failure> {
        if self.game.result(position).is_some() {
            return Ok(Vec::new());
        }
        let value = |m| Ok((m, self.look_up(self.game.play(position, m))?.for_parent()));
        self.game.moves(position).into_iter().map(value).collect()
    }

    fn best(moves: &[(Move, Known)]) -> MoveSet {
        let best = moves.iter().map(|(_, known)| known.preference()).max();
        let attains = |(_, known): &&(Move, Known)| Some(known.preference()) == best;
        moves.iter().filter(attains).map(|(m, _)| *m).collect()
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
    let solution = Solution::open(&args.file).map_err(Failure::runtime)?;
    let game = AnyGame::from(*solution.board().game());
    let file = args.file.display();
    if args.search {
        let why = "a solution file holds every position of its board: leave out --search";
        return Err(Failure::Usage(format!("{file}: {why}")));
    }
    let size = game.size();
    if !args.game.fits(&GameId::of(&game)) {
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
        Detail::Remoteness => source.variation(position)?,
        // Without distances a won game could be played in circles around its end.
        Detail::Outcome => Vec::new(),
    };
    let answer = Answer {
        value: Some(value),
        bounds: None,
        best: Some(Source::best(&moves)),
        moves: moves.into_iter().map(|(m, known)| (m, Some(known))).collect(),
        variation,
        kept: String::new(),
    };
    present(&game, position, &answer, args)
}
