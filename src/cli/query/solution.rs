//! A query of a solution file, which holds every position of its board.

use super::answer::{File, Source};
use super::{Args, present};
use crate::cli::failure::Failure;
use crate::cli::input;
use crate::connect_four::profiles::{SolutionError, SolutionFile};
use crate::games::line::{AnyGame, LineGame};

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let solution = SolutionFile::open(&args.file).map_err(|error| match error {
        SolutionError::NotASolution { .. } => input::of_neither_kind(&args.file),
        error => Failure::runtime(error),
    })?;
    let game = AnyGame::from(*solution.board().game());
    let file = args.file.display();
    if args.search {
        let why = "a solution file holds every position of its board: leave out --search";
        return Err(Failure::Usage(format!("{file}: {why}")));
    }
    if !args.game.fits(&game.game_id()) {
        let (name, size) = (game.name(), game.size());
        return Err(Failure::Usage(format!("{file} holds {name} {size} and nothing else")));
    }
    let position = args.position.position(&game)?;
    let answer = Source { game, file: File::Solution(Box::new(solution)) }.answer(position)?;
    if answer.value.is_none() {
        return Err(Failure::usage("the position is not one of this board"));
    }
    present(&game, position, &answer, args)
}
