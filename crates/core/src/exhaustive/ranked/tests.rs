//! Random graphs as games: tiers that lead to each other, endless play and extra turns.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::{Solution, SolvedTiers, TierStore};
use crate::control::{Control, Stopped};
use crate::exhaustive::Code;
use crate::game::{
    Game, Key, Keyed, MoveList, Notation, Outcome, Ranked, Symmetric, Tier, TierId, laws,
    tiers_below,
};
use crate::random::Random;

/// Positions in a tier; every fifth rank is a hole.
const TIER: u32 = 20;
const TIERS: u32 = 4;

#[derive(Clone, Debug)]
struct Graph {
    nodes: Arc<Vec<Node>>,
    states_predecessors: bool,
}

#[derive(Clone, Debug)]
struct Node {
    result: Option<Outcome>,
    /// The positions that the moves lead to, and whether the moves keep the turn.
    moves: Vec<(u32, bool)>,
}

const fn is_hole(position: u32) -> bool {
    position % 5 == 4
}

impl Graph {
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let node = |position: u32| {
            let below = (position / TIER + 1) * TIER;
            let to: BTreeSet<u32> = (0..=random.below(4u32))
                .map(|_| {
                    let from = if random.below(2u32) == 0 { below - TIER } else { 0 };
                    from + random.below(below - from)
                })
                .filter(|to| !is_hole(*to))
                .collect();
            let results = [Outcome::Loss, Outcome::Draw, Outcome::Win];
            let is_over = to.is_empty() || random.below(6u32) == 0;
            let result = is_over.then(|| results[random.below(3u32) as usize]);
            Node { result, moves: to.into_iter().map(|to| (to, random.below(4u32) == 0)).collect() }
        };
        let nodes = Arc::new((0..TIER * TIERS).map(node).collect());
        Self { nodes, states_predecessors: seed % 2 == 1 }
    }
}

impl Game for Graph {
    type Position = u32;
    type Move = u32;
    type Moves = MoveList<u32>;

    fn initial(&self) -> u32 {
        TIER * TIERS - 2
    }

    fn result(&self, position: u32) -> Option<Outcome> {
        self.nodes[position as usize].result
    }

    fn moves(&self, position: u32) -> MoveList<u32> {
        self.nodes[position as usize].moves.iter().map(|(to, _)| *to).collect()
    }

    fn play(&self, _: u32, to: u32) -> u32 {
        to
    }

    fn most_moves(&self) -> u32 {
        5
    }

    fn keeps_turn(&self, position: u32, to: u32) -> bool {
        self.nodes[position as usize].moves.contains(&(to, true))
    }
}

impl Keyed for Graph {
    type Key = Key;

    fn key(&self, position: u32) -> Key {
        Key(position.into())
    }

    fn position_of(&self, key: Key) -> Option<u32> {
        Some(key.0 as u32)
    }
}

impl Notation for Graph {
    fn parameters(&self) -> [u8; 3] {
        [1; 3]
    }

    fn title(&self) -> String {
        "A random graph".to_owned()
    }

    fn write_move(&self, m: u32) -> String {
        m.to_string()
    }

    fn picture(&self, position: u32) -> String {
        position.to_string()
    }
}

impl Symmetric for Graph {}

impl Ranked for Graph {
    fn tiers(&self) -> Vec<Tier> {
        let leads = |tier: u32| {
            let nodes = &self.nodes[(tier * TIER) as usize..][..TIER as usize];
            let moves = nodes.iter().flat_map(|node| &node.moves);
            moves.map(|(to, _)| to / TIER).collect::<BTreeSet<u32>>()
        };
        let tier = |tier: u32| Tier {
            name: tier.to_string(),
            ranks: TIER.into(),
            loops: leads(tier).contains(&tier),
            leads_to: leads(tier).into_iter().filter(|to| *to < tier).map(TierId).collect(),
        };
        (0..TIERS).map(tier).collect()
    }

    fn rank(&self, position: u32) -> Option<(TierId, u64)> {
        Some((TierId(position / TIER), (position % TIER).into()))
    }

    fn unrank(&self, TierId(tier): TierId, rank: u64) -> Option<u32> {
        Some(tier * TIER + rank as u32).filter(|position| !is_hole(*position))
    }

    fn predecessors(&self, position: u32, see: &mut impl FnMut(u32, bool)) -> bool {
        let first = position / TIER * TIER;
        for before in (first..first + TIER).filter(|n| !is_hole(*n) && self.states_predecessors) {
            let Node { result, moves } = &self.nodes[before as usize];
            let moves = moves.iter().filter(|(to, _)| *to == position && result.is_none());
            moves.for_each(|(_, keeps_turn)| see(before, *keeps_turn));
        }
        self.states_predecessors
    }
}

#[test]
fn tiers_have_the_values_of_one_graph() {
    let mut outcomes = [0; 4];
    for seed in 0..2_000 {
        let game = Graph::random(seed);
        if seed < 20 {
            laws::game(&game);
            laws::ranked(&game);
        }
        let (root, control) = (game.initial(), Control::default());
        let ranked = Solution::ranked(game.clone(), root, u64::MAX, &control).unwrap();
        let tiers = SolvedTiers::solve(game.clone(), root, u64::MAX, &control).unwrap();
        let listed = Solution::endless(game.clone(), root, u64::MAX, &control).unwrap();
        assert_eq!(ranked.totals(), listed.totals(), "{game:?}");
        let reached = tiers.reached(root, &control);
        assert_eq!(reached, Ok(listed.totals().positions), "{game:?}");
        // Games of odd seeds state predecessors, which only large tiers use.
        let back = SolvedTiers::tier_by_tier(game.clone(), root, 0, &control, None);
        assert_eq!(back.unwrap().values.codes, tiers.values.codes, "{game:?}");
        let totals = listed.totals();
        let counts = [totals.wins, totals.draws - totals.endless, totals.endless, totals.losses];
        (0..4).for_each(|i| outcomes[i] += counts[i]);
        for key in (0..TIER * TIERS).map(|position| game.key(position)) {
            assert_eq!(ranked.value_of(key), listed.value_of(key), "{key:?} of {game:?}");
            assert_eq!(ranked.best_of(key), listed.best_of(key), "{key:?} of {game:?}");
        }
    }
    assert!(outcomes.iter().all(|count| *count > 1_000), "every kind occurs: {outcomes:?}");
}

#[test]
fn positions_of_tiers_that_a_root_does_not_lead_to_have_no_values() {
    let game = Graph::random(1);
    let solution = Solution::ranked(game.clone(), 0, u64::MAX, &Control::default()).unwrap();
    for key in (TIER..TIER * TIERS).map(|position| game.key(position)) {
        assert_eq!(solution.value_of(key), None, "{key:?}");
        assert!(solution.best_of(key).is_empty() && solution.moves_of(key).is_empty());
    }
}

#[test]
fn tiers_are_handed_over_in_their_order_with_the_same_values() {
    let (game, control) = (Graph::random(7), Control::default());
    let root = game.initial();
    let whole = SolvedTiers::solve(game.clone(), root, u64::MAX, &control).unwrap();
    let mut seen = Vec::new();
    let mut see = |id: TierId, tier: &Tier, codes: &[Code]| {
        assert_eq!((tier, codes), (&whole.tiers()[id.index()], whole.codes(id)));
        assert_eq!(codes[4], Code::HOLE);
        seen.push(id);
        Ok(())
    };
    SolvedTiers::solve_each(game.clone(), root, &control, &mut see).unwrap();
    assert!(seen.is_sorted() && seen.len() > 1, "{seen:?}");
    let needed = (0..TIERS).filter(|tier| !whole.codes(TierId(*tier)).is_empty());
    assert_eq!(seen, needed.map(TierId).collect::<Vec<_>>());
}

/// A store in memory that loses some tiers when they are read.
struct Forgetful {
    kept: HashMap<TierId, Vec<Code>>,
    random: Random,
    lost: usize,
    /// The tiers that may be solved before the store asks to stop.
    most: usize,
}

impl TierStore for Forgetful {
    fn keep(&mut self, id: TierId, _: &Tier, codes: &[Code]) -> Result<(), Stopped> {
        self.most = self.most.checked_sub(1).ok_or(Stopped)?;
        assert!(self.kept.insert(id, codes.to_vec()).is_none(), "a tier is solved once");
        Ok(())
    }

    fn is_durable(&self) -> bool {
        true
    }

    fn is_kept(&mut self, id: TierId) -> Result<bool, Stopped> {
        Ok(self.kept.contains_key(&id))
    }

    fn read(&mut self, id: TierId, _: &Tier) -> Result<Option<Vec<Code>>, Stopped> {
        if self.random.below(8u32) == 0 {
            self.lost += 1;
            self.kept.remove(&id);
        }
        Ok(self.kept.get(&id).cloned())
    }

    fn choose(&mut self, ready: usize) -> usize {
        self.random.below(ready as u64) as usize
    }
}

#[test]
fn tiers_that_are_kept_are_solved_once_unless_they_are_lost() {
    let (mut stops, mut lost) = (0, 0);
    for seed in 0..200 {
        let (game, control) = (Graph::random(seed), Control::default());
        let root = game.initial();
        let whole = SolvedTiers::solve(game.clone(), root, u64::MAX, &control).unwrap();
        let random = Random::new(seed);
        let mut store = Forgetful { kept: HashMap::new(), random, lost: 0, most: 2 };
        while SolvedTiers::solve_each(game.clone(), root, &control, &mut store).is_err() {
            (stops, store.most) = (stops + 1, 2);
        }
        lost += store.lost;
        for (id, codes) in &store.kept {
            assert_eq!(codes, whole.codes(*id), "{game:?}");
        }
        let (last, _) = game.rank(root).unwrap();
        assert!(store.lost > 0 || store.kept.len() == tiers_below(whole.tiers(), last).len());
        assert!(store.kept.contains_key(&last));
    }
    assert!(stops > 100 && lost > 50, "{stops} stops, {lost} lost");
}

#[test]
fn distances_are_longer_than_a_remoteness_holds() {
    // Each position has one move, to the one before; the first is lost.
    let moves_of = |n: usize, moves: &mut super::PositionMoves| match n {
        0 => moves.over(Outcome::Loss),
        _ => moves.to(n as u32 - 1, false),
    };
    let solve = |count| super::backwards(count, &moves_of, None, &Control::default());
    let codes = solve(1_000).unwrap();
    for (n, code) in codes.iter().enumerate() {
        let outcome = if n % 2 == 0 { Outcome::Loss } else { Outcome::Win };
        assert_eq!(*code, Code::new(outcome, n as u16));
    }
    assert!(Code::check_near(codes[..255].iter()).is_ok());
    let refused = Code::check_near(codes[..256].iter()).unwrap_err().to_string();
    assert!(refused.contains("longer than 254 plies"), "{refused}");
    let refused = solve(17_000).unwrap_err().to_string();
    assert!(refused.contains("longer than 16382 plies"), "{refused}");
}

#[test]
fn more_ranks_than_allowed_are_refused() {
    let game = Graph::random(1);
    let solve = |most| Solution::ranked(game.clone(), 0, most, &Control::default());
    let refused = solve(u64::from(TIER) - 1).unwrap_err().to_string();
    assert!(refused.contains("more than 19 positions"), "{refused}");
    assert!(solve(TIER.into()).is_ok());
}

#[test]
fn a_solution_stops_when_asked() {
    let control = Control::default();
    control.stop();
    let game = Graph::random(1);
    assert!(Solution::ranked(game.clone(), game.initial(), u64::MAX, &control).is_err());
}
