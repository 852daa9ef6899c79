//! Books of small boards, piece by piece.

use super::values::{children, count};
use super::*;
use everyply_core::control::Control;
use everyply_core::game::{Game, Key, Outcome, PartialValue, Ply, ValueWithBest};
use everyply_core::games::line::{ConnectFour, Size, Standard};

fn board(width: u8, height: u8, line: u8) -> ConnectFour {
    ConnectFour::new(Size::new(width, height, line).unwrap()).unwrap()
}

#[test]
fn tiers_hold_every_position_once() {
    let game = Standard::fixed();
    let control = Control::default();
    let all = tiers(&game, game.initial(), 7, usize::MAX, &control).unwrap();
    // Boeck 2025; OEIS A212693.
    let known = [1, 7, 49, 238, 1120, 4263, 16422, 54859];
    for (ply, (tier, known)) in all.iter().zip(known).enumerate() {
        assert!(tier.is_sorted_by(|a, b| a < b));
        let draw = ValueWithBest { value: PartialValue::of_outcome(Outcome::Draw), best: None };
        let counts = count(&game, Ply(ply as u8), tier.iter().map(|key| (*key, &draw)));
        assert_eq!((counts.positions, counts.draws), (Some(known), Some(known)));
        assert_eq!(counts.canonical, Some(tier.len() as u64));
        assert_eq!(counts.terminal, Some(if ply == 7 { 728 } else { 0 }));
    }
    let refused = tiers(&game, game.initial(), 7, 1000, &control);
    assert_eq!(refused, Err(TierError::TooMany(Ply(5), 1000)));
    control.stop();
    assert!(matches!(tiers(&game, game.initial(), 7, 1000, &control), Err(TierError::Stopped(_))));
}

#[test]
fn games_end_before_a_ply_that_no_game_reaches() {
    let game = board(3, 3, 3);
    let tiers = tiers(&game, game.initial(), 63, usize::MAX, &Control::default()).unwrap();
    assert_eq!(tiers.len(), 10);
}

#[test]
fn the_order_is_depth_first_and_holds_everything() {
    let game = board(5, 4, 4);
    let tiers = tiers(&game, game.initial(), 6, usize::MAX, &Control::default()).unwrap();
    let order = depth_first_order(&game, &tiers);
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, tiers[6]);
    // New siblings are adjacent, in the order of their moves.
    let first: Vec<Key> = order.iter().copied().take(5).collect();
    let parent = tiers[5].iter().find(|key| children(&game, **key).any(|child| child == first[0]));
    assert!(children(&game, *parent.unwrap()).any(|child| child == first[1]));
    assert_ne!(order, tiers[6]);
    assert!(depth_first_order::<ConnectFour>(&game, &[]).is_empty());
}
