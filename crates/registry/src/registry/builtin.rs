//! The games of this crate, and the engines made for those of stones and lines.

use super::engine::{AlphaBeta, Engine, EngineError, EngineLimits, Proved, See, Step};
use super::method::{Ending, Engines, Method, Unkept};
use super::study::Study;
use super::{Entry, Registry, Start, counts, start};
use crate::connect_four::solver::{Solved, Solver, SolverWord};
use crate::connect_four::{OpeningBook, plies_by_outcome};
use crate::control::{Control, Stopped};
use crate::exhaustive::{Histories, walk};
use crate::game::{Keyed, Move, MoveSet, Outcome, Ply, Registered, Value, ValueBounds};
use crate::games::line::{
    AnyGame, ConnectFour, GraphEstimate, LineGame, Mnk, Rules, Size, Standard, Stones, TicTacToe,
    Wide,
};
use crate::games::{
    Awari, Breakthrough, CylinderFour, Dao, Dobutsu, Dots, Gobblet, Hexapawn, Kalah, Misere,
    MisereFour, Morris, Neutreeko, Nim, Notakto, Othello, Pong, PopOut, Qubic, Teeko, Wild,
};
use crate::statistics::PlyCounts;
use std::any::Any;
use std::sync::Arc;

/// The games of this crate.
pub fn builtin() -> Registry {
    Registry::new()
        .with::<Nim>()
        .with::<Hexapawn>()
        .with::<Dots>()
        .with_endless::<Pong>()
        .with_ranked::<Morris>()
        .with_ranked::<Neutreeko>()
        .with_ranked::<Dao>()
        .with_ranked::<Teeko>()
        .with::<Wild>()
        .with::<Misere>()
        .with::<Notakto>()
        .with::<Qubic>()
        .with_endless::<PopOut>()
        .with::<CylinderFour>()
        .with::<MisereFour>()
        .with::<Breakthrough>()
        .with::<Othello>()
        .with::<Kalah>()
        .with_ranked::<Awari>()
        .with_endless::<Dobutsu>()
        .with_ranked::<Gobblet>()
}

/// The entry of the games with these rules.
pub(super) fn entry(rules: Rules) -> Entry {
    Entry {
        name: rules.word(),
        aliases: rules.aliases(),
        about: rules.about(),
        parameters: rules.parameters(),
        many_moves: false,
        choose: Arc::new(move |chosen| board(rules, rules.chosen_size(chosen)?)),
        of_parameters: Arc::new(move |[width, height, line]| {
            board(rules, Size::new(width, height, line)?)
        }),
    }
}

/// The empty board of a size.
fn board(rules: Rules, size: Size) -> Start {
    // The usual boards have types of their own, so that engines know all masks. A page is smaller
    // without, and its solver of 7x6 knows them anyway.
    match (rules, size == rules.usual() && !cfg!(everyply_page)) {
        (Rules::Mnk, true) => start::<_, Ending, Lines>(TicTacToe::fixed()),
        (Rules::Mnk, false) => start::<_, Ending, Lines>(Mnk::new(size)?),
        (Rules::ConnectFour, true) => start::<_, Ending, Lines>(Standard::fixed()),
        (Rules::ConnectFour, false) => match ConnectFour::new(size) {
            Ok(game) => start::<_, Ending, Lines>(game),
            Err(_) => start::<_, Unkept, Lines>(Wide::wide(size)?),
        },
    }
}

/// A position of a game of stones and lines on a board of 64 bits.
pub fn study_of(game: &AnyGame, position: Stones) -> Box<dyn Study> {
    let start = board(game.rules(), game.size()).expect("the board was made before");
    start.of_key(game.key(position)).expect("a position has a key")
}

/// A position of Connect Four on a board of more than 64 bits.
pub fn study_of_wide(game: &Wide, position: Stones<u128>) -> Box<dyn Study> {
    let start = start::<_, Unkept, Lines>(*game).expect("the board was made before");
    start.at(&position).expect("a position of the game")
}

impl dyn Study + '_ {
    /// The game and the position, if they are of stones and lines on a board of 64 bits.
    pub fn lines(&self) -> Option<(AnyGame, Stones)> {
        let rules = Rules::of(self.name())?;
        let game = AnyGame::of_size(rules, Size::of_parameters(self.parameters())).ok()?;
        Some((game, *self.position().downcast_ref()?))
    }

    /// The game and the position, if they are Connect Four on a board of more than 64 bits.
    pub fn wide_lines(&self) -> Option<(Wide, Stones<u128>)> {
        let position = *self.position().downcast_ref()?;
        Some((Wide::wide(Size::of_parameters(self.parameters())).ok()?, position))
    }
}

/// True if all positions below one are few enough to be solved at once.
pub fn is_small_below<G: LineGame>(game: &G, root: Stones) -> bool {
    const SMALL: f64 = 48.0 * 1024.0 * 1024.0;
    !game.rules().stones_fall() && GraphEstimate::of_graph(game, root).bytes <= SMALL
}

/// Boards of stones and lines: the exact solver on the boards it is made for, all positions of a
/// small board on which stones go anywhere, alpha-beta on others.
#[derive(Debug)]
pub struct Lines;

impl<G: Registered + LineGame> Engines<G, Ending> for Lines {
    fn walk(game: &G, root: Stones, plies: u32, control: &Control) -> Result<Histories, Stopped> {
        walk(game, root, plies, control)
    }

    fn count_tiers(
        game: &G,
        last: Ply,
        control: &Control,
    ) -> Option<Result<Vec<PlyCounts>, Stopped>> {
        Some(counts::of_board(game, last, control))
    }

    fn published_counts(game: &G) -> &'static str {
        plies_by_outcome(game)
    }

    fn booked(game: &G, position: Stones) -> Option<Value> {
        in_opening(game, position)
    }

    fn engine(
        game: &G,
        _: Stones,
        limits: EngineLimits,
        control: &Control,
    ) -> Result<Box<dyn Engine>, EngineError> {
        if Solver::serves(game) {
            return solver::<u64>(game.size(), limits);
        }
        let root = game.initial();
        if limits.may_solve_all && is_small_below(game, root) {
            let answers = Ending::solve(*game, root, u64::MAX, control)?;
            return Ok(Box::new(super::engine::Solution(answers)));
        }
        Ok(Box::new(AlphaBeta::new(*game, limits.mib)?))
    }
}

impl Engines<Wide, Unkept> for Lines {
    fn booked(game: &Wide, position: Stones<u128>) -> Option<Value> {
        in_opening(game, position)
    }

    fn engine(
        game: &Wide,
        _: Stones<u128>,
        limits: EngineLimits,
        _: &Control,
    ) -> Result<Box<dyn Engine>, EngineError> {
        if !Solver::supports(game.size()) {
            return Err(EngineError::Refused(format!(
                "only the solver searches boards as large, and it is made for {}",
                Solver::BOARDS
            )));
        }
        solver::<u128>(game.size(), limits)
    }
}

/// The value that the built-in opening book has of a position.
fn in_opening<W: SolverWord>(game: &impl LineGame<W>, position: Stones<W>) -> Option<Value> {
    let book = OpeningBook::builtin(game.size()).filter(|_| game.rules().stones_fall())?;
    book.value(position)
}

/// The exact solver of a board.
fn solver<W: SolverWord>(size: Size, limits: EngineLimits) -> Result<Box<dyn Engine>, EngineError> {
    let mib = Solver::default_table(size, rayon::current_num_threads()).min(limits.mib);
    let solver = Solver::<W>::new(size, mib);
    Ok(Box::new(solver.map_err(|error| EngineError::Refused(error.to_string()))?))
}

fn stones<W: SolverWord>(study: &dyn Study) -> Stones<W> {
    *study.position().downcast_ref().expect("a position of the solver's board")
}

impl<W: SolverWord> Engine for Solver<W> {
    fn covers(&self, _: &dyn Study) -> bool {
        true
    }

    fn value(&self, study: &dyn Study, control: &Control, see: See<'_>) -> Result<Proved, Stopped> {
        let Solved { value, nodes } = self.value_with_progress(stones(study), control, see)?;
        Ok(Proved { value: value.into(), nodes })
    }

    fn as_solver(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn look_ahead(&self, study: &dyn Study, control: &Control, see: &mut dyn FnMut(Step)) {
        let report = |m: Move, bounds: ValueBounds| {
            see(match bounds.value() {
                Some(value) => Step::Move(m.0.into(), value.into()),
                None => Step::Bounds(m.0.into(), bounds),
            });
        };
        // A stop has reported all that was proved.
        let _ = Self::look_ahead(self, stones(study), control, report);
    }

    fn outcome(&self, study: &dyn Study, control: &Control) -> Result<(Outcome, u64), Stopped> {
        self.outcome_only(stones(study), control)
    }

    fn best(
        &self,
        study: &dyn Study,
        value: Value,
        control: &Control,
    ) -> Result<Option<MoveSet>, Stopped> {
        self.best_moves(stones(study), value, control).map(Some)
    }

    fn best_move(
        &self,
        study: &dyn Study,
        value: Value,
        control: &Control,
    ) -> Result<Option<u32>, Stopped> {
        let (found, _) = Self::best_move(self, stones(study), value, control)?;
        Ok(found.map(|Move(column)| column.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exhaustive::Code;
    use crate::game::{Chosen, Key, PartialValue, Remoteness, Tier, TierId};
    use crate::games::line::notation::parse_moves;

    #[test]
    fn every_game_alike_serves_the_boards_of_lines() {
        let game = AnyGame::new(Rules::Mnk, None, None).unwrap();
        let start = study_of(&game, parse_moves(&game, "").unwrap());
        let solved = start.solve(10_000, &Control::default()).unwrap();
        assert_eq!(solved.totals().positions, 5_478);
        let study = study_of(&game, parse_moves(&game, "1245").unwrap());
        assert_eq!(study.picture(), "XO./XO./...");
        let won = PartialValue::from(Value::new(Outcome::Win, Remoteness(1)));
        assert_eq!(solved.worth_of(study.key().unwrap()), Some(won));
        assert_eq!(solved.worth_of(Key(u64::MAX)), None);
    }

    #[test]
    fn keys_lead_to_positions_and_moves_as_studies_have_them() {
        for (name, size) in [("ttt", None), ("nim", None), ("dots", Some((2, 1))), ("pong", None)] {
            let chosen = crate::game::Chosen { size, ..Default::default() };
            let start = builtin().find(name).unwrap().choose(&chosen).unwrap();
            let solved = start.solve(1 << 20, &Control::default()).unwrap();
            let mut keys = Vec::new();
            solved.rows(&mut |rows| keys.extend(rows.iter().map(|row| row.key)));
            let mut moves = Vec::new();
            for key in keys.iter().copied().step_by(1 + keys.len() / 500) {
                let study = start.of_key(key).unwrap();
                let found = start.look_at_key(key, &mut moves).unwrap();
                assert!(found.unreached.is_none() && found.canonical == key, "{name}");
                assert_eq!(found.images, study.images().len() as u64, "{name}");
                let told = (found.result, found.to_move, found.plies_left, found.tier);
                let known = (study.result(), study.to_move(), study.plies_left(), study.tier());
                assert_eq!(told, known, "{name}");
                assert_eq!(moves, study.successors(), "{name}");
            }
        }
    }

    #[test]
    fn sets_of_moves_that_do_not_fit_are_refused_unless_they_need_not() {
        let nine = Chosen { numbers: vec![("men".to_owned(), 9)], ..Chosen::default() };
        let registry = builtin();
        let refused = registry.find("morris").unwrap().choose(&nine).err().unwrap().to_string();
        assert!(refused.contains("up to 95 moves, and sets of moves hold 64"), "{refused}");
        assert!(registry.find("morris").unwrap().of_parameters([9, 1, 1]).is_err());
        let registry = registry.with_many_moves();
        let start = registry.find("morris").unwrap().choose(&nine).unwrap();
        assert_eq!(start.branches().len(), 24);
        assert!(start.solve(u64::MAX, &Control::default()).is_err());
        let cost = start.ranked_cost().unwrap();
        assert_eq!((cost.tiers.len(), cost.ranks()), (512, 27_905_737_777));
    }

    #[test]
    fn ranks_lead_to_positions_with_their_values() {
        let chosen = crate::game::Chosen::default();
        let start = builtin().find("morris").unwrap().choose(&chosen).unwrap();
        let control = Control::default();
        let solved = start.solve(1 << 20, &control).unwrap();
        let mut tiers = Vec::new();
        let mut see = |id: TierId, tier: &Tier, codes: &[Code]| {
            tiers.push((id, tier.clone(), codes.to_vec()));
            Ok(())
        };
        start.solve_tiers(&control, &mut see).unwrap();
        assert_eq!(start.rank().map(|(id, _)| Some(id)), Some(tiers.last().map(|(id, ..)| *id)));
        assert!(tiers.len() > 10);
        let mut known = 0;
        for (id, tier, codes) in tiers {
            assert_eq!(start.ranked_tiers()[id.index()], tier);
            for (rank, code) in (0..tier.ranks).zip(codes) {
                let Some(study) = start.of_rank(id, rank) else {
                    assert_eq!(code, Code::HOLE);
                    continue;
                };
                assert_eq!(study.rank(), Some((id, rank)));
                if let Some(worth) = solved.worth_of(study.key().unwrap()) {
                    assert_eq!(code.worth(), Some(worth));
                    known += 1;
                }
            }
        }
        assert_eq!(known, 527);
        let nim = builtin().find("nim").unwrap().choose(&chosen).unwrap();
        assert!(nim.ranked_tiers().is_empty() && nim.rank().is_none());
    }

    #[test]
    fn boards_show_where_moves_land() {
        let game = AnyGame::new(Rules::ConnectFour, None, None).unwrap();
        let board = study_of(&game, parse_moves(&game, "4453").unwrap()).board();
        assert_eq!(board.rows[4][3], 'O');
        assert_eq!((board.rows.len(), board.rows[0].len()), (6, 7));
        let landing: Vec<_> = board.moves.iter().map(|(bit, way)| (*bit, way[0])).collect();
        let expected =
            [(0, 5), (1, 5), (2, 4), (3, 3), (4, 4), (5, 5), (6, 5)].into_iter().enumerate();
        assert_eq!(landing, expected.map(|(bit, at)| (bit as u32, at)).collect::<Vec<_>>());
    }

    #[test]
    fn wide_boards_have_positions_without_stored_keys() {
        let entry = entry(Rules::ConnectFour);
        let chosen = crate::game::Chosen { size: Some((9, 8)), ..Default::default() };
        let start = entry.choose(&chosen).unwrap();
        assert_eq!((start.key(), start.lines().is_none()), (None, true));
        let line = start.parse_line("123").unwrap();
        assert_eq!(line, ["1", "2", "3"]);
        assert!(start.wide_lines().is_some());
        assert_ne!(start.identity(), start.branches()[0].to.identity());
    }
}
