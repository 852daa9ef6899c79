//! Methods of solving games, by the capabilities of a game.

use super::game_position::{Ends, GamePosition, Kind};
use super::native_only;
use super::position::{Attempt, Solves, WayOfKey};
use super::ranks::{At, Ranks};
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{
    Plies, Solution, SolveError, ValuedKey, Ways, count_plies, listed_bytes, solve_listed,
};
use everyply_core::game::{Key, PartialValue, Ply, Ranked, Shown, Tiered, Unsuited, check_moves};
use everyply_core::search::{
    Aim, EndBounds, Evaluation, Proof, Report, RootScores, Settings, SharedTable, minimax, prove,
    search,
};
use everyply_core::statistics::SearchCounters;

/// The values of all positions, or the reason why there are none.
type Solving = Result<Solution, SolveError>;

/// The methods of games whose keys fit 64 bits.
macro_rules! walks_by_keys {
    () => {
        fn count(&self, plies: u32, memory: u64, control: &Control) -> Result<Plies, SolveError> {
            native_only();
            let At { game, position } = &self.at;
            count_plies(game, *position, Ply(0), plies, None, memory, control)
        }

        fn ways(&self, most: usize, control: &Control) -> Result<Option<WayOfKey<'_>>, Stopped> {
            native_only();
            let game = &self.at.game;
            let ways = Ways::of(game.clone(), most, control)?;
            Ok(ways.map(|ways| -> WayOfKey<'_> {
                Box::new(move |key| Some(game.write_line(&ways.to(key)?)))
            }))
        }
    };
}

/// The methods of games that end, with keys of any width; minimax alone if `$is_there` is false.
macro_rules! searches {
    ($is_there:expr) => {
        fn prove(
            &self,
            goal: (Aim, RootScores),
            table: &SharedTable,
            control: &Control,
            on_bounds: &mut dyn FnMut(&EndBounds),
        ) -> Option<Proof> {
            let At { game, position } = &self.at;
            let is_sound = goal.0 != Aim::Points || G::COUNTS_POINTS;
            ($is_there && is_sound).then(|| prove(game, *position, goal, table, control, on_bounds))
        }

        fn search(
            &self,
            settings: &Settings,
            table: Option<&SharedTable>,
            control: &Control,
        ) -> Option<Report> {
            let At { game, position } = &self.at;
            $is_there.then(|| search(game, *position, settings, table, control, &mut |_| ()))
        }

        fn minimax(
            &self,
            depth: u32,
            evaluation: Evaluation,
            control: &Control,
        ) -> Option<Attempt> {
            let At { game, position } = &self.at;
            let mut counters = SearchCounters::default();
            let points = minimax(game, *position, depth, evaluation, control, &mut counters);
            let beyond = game.plies_left(*position).saturating_sub(depth);
            Some(points.map(|points| (points.score(game.discount(beyond)), counters)))
        }
    };
}

/// Games whose play ends.
pub(super) struct Ending;

impl<G: Shown<Key = Key> + Tiered> Kind<G> for Ending {
    const ENDS: Option<Ends<G>> = Ends::OF;
    const PROVES: bool = true;
}

impl<G: Shown<Key = Key> + Tiered> Solves for GamePosition<G, Ending> {
    fn bytes(&self, _: bool) -> u64 {
        Solution::BYTES_PER_POSITION
    }

    fn check(&self) -> Result<(), Unsuited> {
        let At { game, position } = &self.at;
        Solution::check(game, *position)?;
        // Tiers are counted from the start of the largest game with these parameters.
        let all = self.tiers.start(game);
        Solution::check(&all, all.initial())
    }

    fn solve(&self, most: u64, control: &Control) -> Solving {
        let At { game, position } = self.at.clone();
        Solution::within(game, position, most, control)
    }

    walks_by_keys!();
    searches!(true);
}

/// Games whose play ends, but whose keys do not fit 64 bits, so that no positions are kept.
pub(super) struct TooWide;

impl<G: Shown + Tiered> Kind<G> for TooWide {
    const ENDS: Option<Ends<G>> = Ends::OF;
    const PROVES: bool = !cfg!(everyply_page);
}

impl<G: Shown + Tiered> Solves for GamePosition<G, TooWide> {
    // A page is smaller without them.
    searches!(!cfg!(everyply_page));
}

/// Games that number their positions: values by rank, whether or not play may be endless.
pub(super) struct Numbered;

impl<G: Shown<Key = Key> + Ranked> Kind<G> for Numbered {}

impl<G: Shown<Key = Key> + Ranked> Solves for GamePosition<G, Numbered> {
    fn bytes(&self, _: bool) -> u64 {
        Solution::bytes_per_rank(&self.at.game, self.at.position)
    }

    fn check(&self) -> Result<(), Unsuited> {
        Ok(())
    }

    fn solve(&self, most: u64, control: &Control) -> Solving {
        let At { game, position } = self.at.clone();
        Solution::ranked(game, position, most, control)
    }

    fn ranks(&self) -> Option<&dyn Ranks> {
        Some(&self.at)
    }

    walks_by_keys!();
}

/// Games whose play may be endless: retrograde analysis.
pub(super) struct Endless;

impl<G: Shown<Key = Key>> Kind<G> for Endless {
    const LEAVES_OUT: bool = true;
}

impl<G: Shown<Key = Key>> Solves for GamePosition<G, Endless> {
    fn bytes(&self, listed: bool) -> u64 {
        listed_bytes(&self.at.game, self.at.position, listed)
    }

    fn check(&self) -> Result<(), Unsuited> {
        check_moves(&self.at.game)
    }

    fn solve(&self, most: u64, control: &Control) -> Solving {
        let At { game, position } = self.at.clone();
        Solution::endless(game, position, most, control)
    }

    fn solve_listed(
        &self,
        most: u64,
        control: &Control,
        see: &mut dyn FnMut(&[ValuedKey]),
    ) -> Result<PartialValue, SolveError> {
        native_only();
        let At { game, position } = self.at.clone();
        solve_listed(game, position, most, control, see)
    }

    walks_by_keys!();
}
