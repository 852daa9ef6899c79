//! Estimates of the memory and time that the solution of ranked tiers takes.

use super::LARGE;
use super::rules::RankedRules;
use crate::exhaustive::error::SolveError;
use crate::game::{Ranked, Tier, TierId, Unsuited, branches, tiers_below};

/// Ranks sampled of a tier: 64 would give Gobblet Gobblers a fifth more moves than it has.
const SAMPLE: u64 = 256;

/// Bytes of memory beside the tiers: the program, its threads, and the lists that they fill.
const BASE: u64 = 28 << 20;

/// Bytes of a value.
const VALUE: u64 = 2;

/// Bytes of a position of a tier without loops: its value, and a copy while parts are joined.
const FORWARDS: u64 = 2 * VALUE;

/// Bytes of a position of a tier with loops: a value and the counter.
const BACKWARDS: u64 = VALUE + 1;

/// Bytes of a position for the place of its list of moves.
const LISTS: u64 = 4;

/// Bytes of a move within a tier before the moves are sorted, and half a byte for the block that is
/// being sorted.
const UNSORTED: f64 = 6.5;

/// Processor time in nanoseconds of a position, of each of its moves, and of each move within its
/// tier, which is followed backwards, whether it was inverted or the game states it. A fit to the games of
/// `benches/ranked.md`: a test compares them.
const NANOSECONDS: [f64; 3] = [60.0, 55.0, 20.0];

/// Nanoseconds of a move within a tier in a game that counts points, a fit to awari.
const NANOSECONDS_FOR_POINTS: f64 = 250.0;

#[derive(Clone, Debug, PartialEq)]
pub struct TierCost {
    pub id: TierId,
    pub name: String,
    /// Ranks of the tier, holes included.
    pub ranks: u64,
    /// Bytes of memory while it is solved, the tiers that its moves lead to included.
    pub bytes: u64,
    /// Processor time.
    pub seconds: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RankedCost {
    /// The tiers, in the order in which they are solved.
    pub tiers: Vec<TierCost>,
    /// The most bytes of memory at a time, if tiers stay in memory while another one leads to them.
    pub in_memory: u64,
}

impl RankedCost {
    /// Estimates the cost of the tiers that a root leads to, from a sample of their positions.
    pub fn of<G: Ranked>(game: &G, root: G::Position) -> Result<Self, SolveError> {
        let all = game.tiers();
        let (last, _) = game.rank(root).ok_or(Unsuited::Unranked)?;
        let needed = tiers_below(&all, last);
        let ranks = |id: &TierId| all[id.index()].ranks;
        // The last tier that leads to each tier, whose memory is then freed.
        let mut last_use: Vec<Option<TierId>> = vec![None; all.len()];
        for id in &needed {
            all[id.index()].leads_to.iter().for_each(|to| last_use[to.index()] = Some(*id));
        }
        let mut cost = Self { tiers: Vec::new(), in_memory: 0 };
        for id in &needed {
            let tier = &all[id.index()];
            let (own, seconds) = cost_alone(game, *id, tier);
            let solved = needed.iter().take_while(|before| *before < id);
            let kept = solved.filter(|before| last_use[before.index()] >= Some(*id));
            let in_memory = BASE + own + VALUE * kept.map(ranks).sum::<u64>();
            cost.in_memory = cost.in_memory.max(in_memory);
            let below = VALUE * tier.leads_to.iter().map(ranks).sum::<u64>();
            let (name, ranks) = (tier.name.clone(), tier.ranks);
            cost.tiers.push(TierCost { id: *id, name, ranks, bytes: BASE + own + below, seconds });
        }
        Ok(cost)
    }

    /// Returns the most bytes of memory at a time, if solved tiers are in a folder.
    pub fn in_folder(&self) -> u64 {
        self.tiers.iter().map(|tier| tier.bytes).max().unwrap_or(0)
    }

    pub fn ranks(&self) -> u64 {
        self.tiers.iter().map(|tier| tier.ranks).sum()
    }

    /// Returns the bytes of memory for each rank, if tiers stay in memory, without the program.
    pub(super) fn bytes_per_rank(&self) -> f64 {
        self.in_memory.saturating_sub(BASE) as f64 / self.ranks().max(1) as f64
    }

    pub fn seconds(&self) -> f64 {
        self.tiers.iter().map(|tier| tier.seconds).sum()
    }
}

fn cost_alone<G: Ranked>(game: &G, id: TierId, tier: &Tier) -> (u64, f64) {
    /// Multiples of the golden ratio are spread evenly, and so are their remainders. Equal steps
    /// would not be: ranks are products.
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let sample = SAMPLE.min(tier.ranks);
    let (mut moves, mut within) = (0, 0);
    for i in 0..sample {
        let spread = (u128::from(i.wrapping_mul(GOLDEN)) * u128::from(tier.ranks)) >> 64;
        let rank = if sample == tier.ranks { i } else { spread as u64 };
        let position = game.unrank(id, rank);
        let Some(position) = position.filter(|at| game.result(*at).is_none()) else { continue };
        for (.., child) in branches(game, position) {
            moves += 1;
            within += u64::from(game.rank(child).is_some_and(|(to, _)| to == id));
        }
    }
    let each = |count: u64| count as f64 / sample.max(1) as f64;
    let states_moves = tier.ranks >= LARGE && game.states_predecessors(id, tier.ranks);
    let bytes = match tier.loops {
        false => FORWARDS * tier.ranks,
        true if states_moves => BACKWARDS * tier.ranks,
        true => {
            let unsorted = (UNSORTED * each(within) * tier.ranks as f64) as u64;
            (BACKWARDS + LISTS) * tier.ranks + unsorted
        }
    };
    let [position, each_move, mut each_within] = NANOSECONDS;
    if game.lead(game.initial()).is_some() {
        each_within = NANOSECONDS_FOR_POINTS;
    }
    let nanoseconds = position + each_move * each(moves) + each_within * each(within);
    (bytes, tier.ranks as f64 * nanoseconds / 1e9)
}
