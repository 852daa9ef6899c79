//! Descriptions against every game of a plan; explanations against exact values.

use std::collections::{BTreeMap, BTreeSet};

use super::tests::random_position;
use super::*;
use crate::solver::{Solver, score_of};
use everyply_core::control::Control;
use everyply_core::game::{Game, Move, Outcome, Tiered};
use everyply_core::games::line::notation::picture;
use everyply_core::games::line::{ConnectFour, LineGame};
use everyply_core::random::Random;

fn plan_for(size: Size, position: Stones, claim: Claim) -> Option<Plan> {
    let budget = finder::PlanBudget { conflicts: 1000, positions: 100_000 };
    let grid = grid::Grid::new(size).unwrap();
    finder::PlanFinder::new(grid, claim, finder::AllowedAnswers::Any)
        .without_exits(position, budget)
}

/// Facts of all games of a plan, by the rules of the game, without a memory of positions.
#[derive(Default)]
struct AllGames {
    follower: u64,
    attacker: u64,
    answers: BTreeMap<u32, BTreeSet<u32>>,
    winning_cells: BTreeMap<u32, u32>,
    longest: u32,
    can_draw: bool,
    has_to_block: bool,
    positions: BTreeSet<(u64, u64)>,
}

impl AllGames {
    /// Finds a move that wins at once, the lowest cell first.
    fn winning(game: &ConnectFour, position: Stones) -> Option<Move> {
        let wins = |m: &Move| game.result(game.play(position, *m)) == Some(Outcome::Loss);
        game.moves(position).into_iter().find(wins)
    }

    fn ends(&mut self, position: Stones) {
        self.can_draw = true;
        self.longest = self.longest.max(u32::from(position.ply().0));
    }

    fn play(&mut self, game: &ConnectFour, plan: &Plan, position: Stones) {
        self.positions.insert((position.own, position.other));
        for m in game.moves(position) {
            let next = game.play(position, m);
            let cell = next.other & !position.own;
            self.attacker |= cell;
            match game.result(next) {
                Some(Outcome::Draw) => self.ends(next),
                Some(_) => panic!("{}: the attacker wins", picture(game, next)),
                None => self.follow(game, plan, next, cell.trailing_zeros()),
            }
        }
    }

    fn follow(&mut self, game: &ConnectFour, plan: &Plan, position: Stones, last: u32) {
        let passed = Stones { own: position.other, other: position.own };
        let (win, block) = (Self::winning(game, position), Self::winning(game, passed));
        let m = win.or(block).unwrap_or_else(|| {
            let stride = u32::from(game.size().height) + 1;
            let table = plan.answers().into_iter().find(|(cell, _)| *cell == last);
            let own = last / stride;
            let column = table.map_or(own, |(_, column)| column);
            let has_room = |c: &u32| game.moves(position).contains(Move(*c as u8));
            let column = [column, own].into_iter().find(has_room);
            column.map_or_else(
                || game.moves(position).into_iter().next().unwrap(),
                |column| Move(column as u8),
            )
        });
        let next = game.play(position, m);
        let cell = next.other & !position.own;
        self.follower |= cell;
        if win.is_some() {
            let stones = u32::from(next.ply().0);
            let latest = self.winning_cells.entry(cell.trailing_zeros()).or_default();
            *latest = stones.max(*latest);
            self.longest = self.longest.max(stones);
            return;
        }
        if block.is_some() {
            self.has_to_block = true;
        } else {
            self.answers.entry(last).or_default().insert(cell.trailing_zeros());
        }
        if game.result(next).is_some() {
            self.positions.insert((next.own, next.other));
            self.ends(next);
        } else {
            self.play(game, plan, next);
        }
    }
}

#[test]
fn descriptions_hold_in_every_game() {
    let mut random = Random::new(181);
    let mut compared = 0;
    for (width, height, stones) in [(5, 4, 9), (5, 5, 14), (6, 4, 13), (4, 5, 8)] {
        let size = Size::new(width, height, 4).unwrap();
        let game = ConnectFour::new(size).unwrap();
        for _ in 0..150 {
            let stones = stones + random.below(3);
            let Some(position) = random_position(&game, stones, &mut random) else { continue };
            let side = Side::to_move(position).opponent();
            for at_least in [0, 1] {
                let claim = Claim { side, at_least };
                let Some(plan) = plan_for(size, position, claim) else { continue };
                let description = describe(size, claim, position, &plan).unwrap().unwrap();
                let mut all = AllGames::default();
                all.play(&game, &plan, position);
                compared += 1;
                let shown = picture(&game, position);
                assert_eq!(description.follower_only, all.follower & !all.attacker, "{shown}");
                assert_eq!(description.attacker_only, all.attacker & !all.follower, "{shown}");
                assert_eq!(description.either, all.attacker & all.follower, "{shown}");
                assert_eq!(description.longest, all.longest, "{shown}");
                assert_eq!(description.can_draw, all.can_draw, "{shown}");
                assert_eq!(description.has_to_block, all.has_to_block, "{shown}");
                assert_eq!(description.positions, all.positions.len() as u64, "{shown}");
                assert_eq!(description.earliest_loss, None);
                let winning_cells = description.winning_cells.iter();
                let latest = winning_cells.map(|ending| (ending.cell, ending.latest));
                assert!(latest.eq(all.winning_cells), "{shown}");
                answers(&description, &all.answers, &shown);
                traps(&description, &shown);
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

/// The description has every answer, and no other.
fn answers(description: &Description, all: &BTreeMap<u32, BTreeSet<u32>>, shown: &str) {
    let stride = u32::from(description.size.height) + 1;
    for (cell, answers) in all {
        let is_on_top = answers.iter().eq([&(cell + 1)]);
        let partner = description.pairs.iter().find_map(|(a, b)| match *cell {
            c if c == *a => Some(*b),
            c if c == *b => Some(*a),
            _ => None,
        });
        let elsewhere = description.elsewhere.iter().find(|(other, _)| other == cell);
        if description.on_top >> (cell / stride) & 1 == 1 {
            assert!(is_on_top && partner.is_none() && elsewhere.is_none(), "{shown}: {cell}");
        } else if let Some(partner) = partner {
            assert!(answers.iter().eq([&partner]), "{shown}: {cell}");
        } else if let Some((_, cells)) = elsewhere {
            assert_eq!(answers.iter().fold(0, |mask, c| mask | 1u64 << c), *cells, "{shown}");
        } else {
            assert!(is_on_top && description.partly_on_top, "{shown}: {cell}");
        }
    }
    for cell in description.elsewhere.iter().map(|(cell, _)| cell) {
        assert!(all.contains_key(cell), "{shown}: {cell}");
    }
}

/// Traps are completed by a stone of the follower.
fn traps(description: &Description, shown: &str) {
    for trap in description.traps() {
        assert!(trap.line >> trap.cell & 1 == 1, "{shown}");
        assert!(description.follower_only >> trap.cell & 1 == 1, "{shown}");
        let missing = trap.line & !description.position.other & !(1 << trap.cell);
        assert!(missing == 0 || !trap.is_threat, "{shown}");
    }
}

#[test]
fn a_plan_that_fails_has_no_description() {
    let size = Size::new(5, 5, 4).unwrap();
    let (position, claim) = (Stones::default(), Claim { side: Side::Second, at_least: 0 });
    let drawn = describe(size, claim, position, &Plan::default()).unwrap();
    // With an odd height, a player who only answers on top loses the last cell of a column.
    assert_eq!(drawn, None);
    let size = Size::new(5, 6, 4).unwrap();
    let plan = plan_for(size, position, claim).unwrap();
    assert!(describe(size, claim, position, &plan).unwrap().is_some());
    let claim = Claim { side: Side::Second, at_least: 1 };
    assert_eq!(describe(size, claim, position, &plan).unwrap(), None);
    // The first player cannot follow a plan while it is to move.
    let claim = Claim { side: Side::First, at_least: 0 };
    assert_eq!(describe(size, claim, position, &plan).unwrap(), None);
}

/// Best play keeps the value, the side with the better value follows a plan, and plans claim no
/// more than the score.
#[test]
fn explanations_agree_with_exact_values() {
    let size = Size::new(6, 5, 4).unwrap();
    let solver = Solver::new(size, 8).unwrap();
    let game = *solver.game();
    let control = Control::default();
    let mut random = Random::new(182);
    let (mut at_once, mut later, mut both) = (0, 0, 0);
    for round in 0..120 {
        let Some(position) = random_position(&game, 4 + round % 16, &mut random) else { continue };
        let explanation = explain(&solver, position, &control).unwrap();
        assert_eq!(explanation.value, solver.value(position, &control).unwrap().value);
        let score = score_of(explanation.value, game.plies_left(position) as i32);
        assert!(!explanation.routes.is_empty());
        both += u32::from(explanation.routes.len() == 2);
        for route in &explanation.routes {
            let of_mover = if route.side == Side::to_move(position) { score } else { -score };
            assert!(of_mover >= 0);
            let (mut after, mut value) = (position, explanation.value);
            for m in &route.moves {
                after = game.play(after, *m);
                value = value.after_best_move();
                assert_eq!(solver.value(after, &control).unwrap().value, value);
            }
            match &route.end {
                RouteEnd::GameOver => assert!(game.result(after).is_some()),
                RouteEnd::Plan { description, is_exact } => {
                    assert_eq!(description.position, after);
                    let Claim { side, at_least } = description.claim;
                    assert_eq!(side, route.side);
                    assert_eq!(at_least, if *is_exact { of_mover } else { 1 });
                    assert_ne!(Side::to_move(after), side);
                }
            }
            if route.moves.len() <= 1 { at_once += 1 } else { later += 1 }
        }
    }
    assert!(at_once > 40 && later > 0 && both > 0, "{at_once} {later} {both}");
}
