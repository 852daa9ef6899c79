//! Games against followers, which end as the claim says.

use super::super::tests::made;
use super::super::{Claim, Plan};
use super::*;
use everyply_core::games::line::LineGame;
use everyply_core::random::Random;

/// Returns the score of a finished game for a side.
fn score_for(follower: &Follower, side: Side, winner: Option<Side>, moves: usize) -> i32 {
    let cells = i32::from(follower.game().size().width) * i32::from(follower.game().size().height);
    let of_win = (cells + 2 - moves as i32) / 2;
    winner.map_or(0, |winner| if winner == side { of_win } else { -of_win })
}

/// Continues a game with a random attacker; returns the moves, the winner and the reasons.
fn played(
    follower: &Follower,
    mut moves: Vec<Move>,
    random: &mut Random,
) -> (Vec<Move>, Option<Side>, Vec<Reason>) {
    let mut reasons = Vec::new();
    loop {
        let standing = follower.position_after(&moves);
        let m = match standing.turn {
            Turn::Over(winner) => return (moves, winner, reasons),
            Turn::Attacker => {
                let all: Vec<Move> = follower.game().moves(standing.position).into_iter().collect();
                all[random.below(all.len() as u32) as usize]
            }
            Turn::Follower(reply) => {
                let reply = reply.unwrap_or_else(|| panic!("no reply after {moves:?}"));
                reasons.push(reply.reason);
                reply.column
            }
        };
        moves.push(m);
    }
}

fn mirrored(follower: &Follower, moves: &[Move]) -> Vec<Move> {
    let last = follower.game().size().width - 1;
    moves.iter().map(|m| Move(last - m.0)).collect()
}

/// Plays games of a random attacker, from the start and its mirror image; returns the reasons that
/// the follower gave.
fn games_end_as_claimed(width: u8, height: u8, side: Side, at_least: i32, moves: &str) -> String {
    let follower = Follower::new(made(width, height, side, at_least, moves).unwrap()).unwrap();
    let mut random = Random::new(u64::from(width) * 100 + u64::from(height));
    let mut all = Vec::new();
    let games = if cfg!(debug_assertions) { 50 } else { 400 };
    for game in 0..games {
        let start = match game % 2 {
            0 => follower.start().to_vec(),
            _ => mirrored(&follower, follower.start()),
        };
        let (moves, winner, reasons) = played(&follower, start, &mut random);
        let score = score_for(&follower, side, winner, moves.len());
        assert!(score >= at_least, "{moves:?}: {score}, and {at_least} is claimed");
        all.extend(reasons.iter().map(ToString::to_string));
    }
    all.join("\n")
}

#[test]
fn random_games_end_as_claimed() {
    let mut reasons = String::new();
    for (width, height, side, at_least, moves) in [
        (5, 5, Side::First, 0, ""),
        (5, 5, Side::Second, 0, ""),
        (5, 5, Side::First, 0, "12"),
        (5, 4, Side::Second, 0, "33"),
        (4, 4, Side::Second, 0, ""),
    ] {
        reasons.push_str(&games_end_as_claimed(width, height, side, at_least, moves));
    }
    for reason in [
        "completes a line",
        "leads to a position of the strategy that a plan settles",
        "leads to a position of the strategy with ",
        "blocks a line that ",
        " by the plan, on top\n",
        " by the plan, in column ",
        " by the plan, in the first column with room",
        " by the plan, in the last column with room",
    ] {
        assert!(reasons.contains(reason), "no reason has: {reason}");
    }
}

/// Returns the games after each exit of the last position of a game and the reply to it.
fn exits(follower: &Follower, moves: &[Move]) -> Vec<Vec<Move>> {
    let FollowedPosition { position, active, .. } = follower.position_after(moves);
    let active = active.unwrap();
    let is_exit = |m: &Move| follower.is_exit(active, m.0.into());
    let columns = follower.game().moves(position).into_iter().filter(is_exit);
    let played = columns.map(|column| {
        let mut moves = [moves, &[column]].concat();
        let Turn::Follower(Some(reply)) = follower.position_after(&moves).turn else { panic!() };
        moves.push(reply.column);
        moves
    });
    played.collect()
}

/// All positions are reached from the root by exits, as the check requires.
#[test]
fn exits_lead_to_every_position() {
    for (side, moves) in [(Side::First, ""), (Side::Second, ""), (Side::First, "12")] {
        let follower = Follower::new(made(5, 5, side, 0, moves).unwrap()).unwrap();
        let (root, moves) = follower.root().unwrap();
        let positions = &follower.strategy().positions;
        let mut is_met = vec![false; positions.len()];
        is_met[root.index] = true;
        let mut stack = vec![moves];
        while let Some(moves) = stack.pop() {
            for moves in exits(&follower, &moves) {
                let after = follower.position_after(&moves);
                let Some(next) = after.active else {
                    assert_eq!(after.turn, Turn::Over(Some(side)));
                    continue;
                };
                let planned = positions[next.index].position;
                assert_eq!(follower.oriented(planned, next.is_mirrored), after.position);
                if !std::mem::replace(&mut is_met[next.index], true) {
                    stack.push(moves);
                }
            }
        }
        assert!(is_met.iter().all(|is| *is));
    }
}

#[test]
fn games_leave_a_strategy_and_come_back() {
    let follower = Follower::new(made(5, 5, Side::First, 0, "").unwrap()).unwrap();
    let Turn::Follower(Some(first)) = follower.position_after(&[]).turn else { panic!() };
    assert!(matches!(first.reason, Reason::Leads { .. }));
    let others: Vec<Move> = (0..5).map(Move).filter(|m| *m != first.column).collect();
    let left = others.into_iter().filter(|m| {
        let standing = follower.position_after(&[*m]);
        assert_eq!(standing.turn, Turn::Attacker);
        standing.active.is_none()
    });
    let left: Vec<Move> = left.collect();
    assert!(left.len() >= 3, "{left:?}");
    let replies = left.iter().flat_map(|&m| (0..5).map(move |n| [m, Move(n)]));
    let replies: Vec<Turn> = replies.map(|moves| follower.position_after(&moves).turn).collect();
    assert!(replies.contains(&Turn::Follower(None)), "{replies:?}");
    // Two moves of the follower lead to the same position in either order.
    let (_, moves) = follower.root().unwrap();
    let exit = exits(&follower, &moves).swap_remove(0);
    let [.., column, second] = exit[..] else { panic!() };
    let back = follower.position_after(&[second, column, first.column]);
    if second != column && first.column != column && second != first.column {
        let index = |at: FollowedPosition| at.active.map(|active| active.index);
        assert_eq!(index(back), index(follower.position_after(&exit)));
    }
}

/// The drawing of a plan is its table, mirrored if the game is.
#[test]
fn plans_are_drawn_as_they_are_followed() {
    let follower = Follower::new(made(4, 4, Side::Second, 0, "").unwrap()).unwrap();
    let (root, _) = follower.root().unwrap();
    assert!((0..4).all(|column| !follower.is_exit(root, column)));
    let plan: &Plan = &follower.strategy().positions[0].plan;
    let image = ActivePlan { is_mirrored: true, ..root };
    for column in 0..4 {
        for row in 0..4 {
            let planned_answer = follower.planned_answer(root, Cell { column, row });
            let turned = follower.planned_answer(image, Cell { column: 3 - column, row });
            match plan.column(column * 5 + row) {
                Some(answer) => {
                    assert_eq!(planned_answer, AnswerRule::InColumn(Move(answer as u8)));
                    assert_eq!(turned, AnswerRule::InColumn(Move(3 - answer as u8)));
                }
                None if row == 3 => {
                    assert_eq!(planned_answer, AnswerRule::FirstWithRoom { from_right: false });
                    assert_eq!(turned, AnswerRule::FirstWithRoom { from_right: true });
                }
                None => assert_eq!([planned_answer, turned], [AnswerRule::OnTop; 2]),
            }
        }
    }
    assert!(!plan.answers().is_empty());
}

#[test]
fn invalid_starts_are_refused() {
    let strategy = |moves: &str| Strategy {
        size: everyply_core::games::line::Size::new(5, 5, 4).unwrap(),
        claim: Claim { side: Side::First, at_least: 0 },
        moves: moves.to_owned(),
        positions: Vec::new(),
    };
    assert!(matches!(Follower::new(strategy("19")), Err(Fault::Start(_))));
    assert!(matches!(Follower::new(strategy("1212121")), Err(Fault::Over)));
    let empty = Follower::new(strategy("")).unwrap();
    assert_eq!(empty.position_after(&[]).turn, Turn::Follower(None));
    assert!(empty.root().is_none());
}
