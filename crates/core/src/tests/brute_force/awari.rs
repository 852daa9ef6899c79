//! Awari: the seeds of each pit, the pits of the side to move first.

use super::*;

/// Moves of awari: the seeds captured, and the pits afterwards, the other side's first.
fn awari_moves(board: &[u8]) -> Vec<(i32, Text)> {
    let pits = board.len() / 2;
    let mut all = Vec::new();
    for origin in (0..pits).filter(|&pit| board[pit] > 0) {
        let mut after = board.to_vec();
        after[origin] = 0;
        let others: Vec<usize> = (1..board.len()).map(|i| (origin + i) % board.len()).collect();
        let mut sown = others.iter().cycle().take(board[origin].into());
        let last = sown.by_ref().inspect(|&&pit| after[pit] += 1).last().copied().unwrap();
        let taken: Vec<usize> =
            (pits..=last).rev().take_while(|&pit| [2, 3].contains(&after[pit])).collect();
        let gain = taken.iter().map(|&pit| i32::from(std::mem::take(&mut after[pit]))).sum();
        after.rotate_left(pits);
        all.push((gain, after));
    }
    let feeds = |(_, after): &(i32, Text)| after[..pits].iter().any(|&seeds| seeds > 0);
    if all.iter().any(feeds) {
        all.retain(feeds);
    }
    all
}

/// All ways to put seeds into pits.
fn boards(seeds: u8, pits: usize) -> Vec<Text> {
    if pits == 0 {
        return if seeds == 0 { vec![Vec::new()] } else { Vec::new() };
    }
    let with = |first: u8| {
        boards(seeds - first, pits - 1).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    (0..=seeds).flat_map(with).collect()
}

/// Points of all boards with up to `most` seeds. For each number of seeds, play stops after more and
/// more plies, with an even division of the seeds, until the points no longer change.
fn awari_points(pits: usize, most: u8) -> HashMap<Text, i32> {
    let mut known = HashMap::new();
    for seeds in 0..=most {
        let boards = boards(seeds, 2 * pits);
        let mut stopped: HashMap<Text, i32> =
            boards.iter().map(|board| (board.clone(), 0)).collect();
        loop {
            let of = |board: &Text| {
                if board[..pits].iter().all(|&seeds| seeds == 0) {
                    return -i32::from(seeds);
                }
                let moves = awari_moves(board).into_iter();
                let points = moves.map(|(gain, after)| {
                    gain - known.get(&after).unwrap_or_else(|| &stopped[&after])
                });
                points.max().unwrap()
            };
            let longer: HashMap<Text, i32> =
                boards.iter().map(|board| (board.clone(), of(board))).collect();
            if longer == stopped {
                break;
            }
            stopped = longer;
        }
        known.extend(stopped);
    }
    known
}

/// Compares the points of all ranks with up to this number of seeds on the board.
fn awari_agrees(pits: u8, seeds: u8, most: u8) {
    let game = Awari::new(pits, seeds).unwrap();
    let most_in_pits = usize::from(pits);
    let expected = awari_points(most_in_pits, most);
    let solved = with_threads(|| tiers(&game));
    let mut compared = 0;
    for (id, tier) in (0..).map(TierId).zip(solved[0].tiers()) {
        assert!(solved.iter().all(|other| other.codes(id) == solved[0].codes(id)), "{id:?}");
        let positions = (0..tier.ranks).filter_map(|rank| Some((rank, game.unrank(id, rank)?)));
        for (rank, p) in positions {
            let side = |side: usize| p.sides[side][..most_in_pits].to_vec();
            let board = [side(p.turn), side(1 - p.turn)].concat();
            let Some(points) = expected.get(&board) else { continue };
            assert_eq!(solved[0].codes(id)[rank as usize].points(), *points, "{board:?}");
            compared += 1;
        }
    }
    assert!(compared > expected.len() / 8, "{compared} of {}", expected.len());
}

#[test]
fn awari_has_the_points_of_a_brute_force() {
    for (pits, seeds, most) in
        [(1, 1, 2), (1, 6, 12), (2, 2, 8), (2, 3, 12), (3, 2, 8), (4, 1, 6), (5, 1, 3)]
    {
        awari_agrees(pits, seeds, most);
    }
}

#[test]
#[ignore = "follows 160,000 boards of text: minutes"]
fn awari_has_the_points_of_larger_brute_forces() {
    for (pits, seeds, most) in [(3, 2, 12), (4, 1, 8), (6, 1, 8)] {
        awari_agrees(pits, seeds, most);
    }
}
