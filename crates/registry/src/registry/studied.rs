//! A game of any type as a study.

use std::any::Any;
use std::marker::PhantomData;
use std::ops::Range;

use super::engine::{Engine, EngineError, EngineLimits};
use super::method::{Engines, Method, Points, Search};
use super::{
    Answers, Attempt, Branch, Capability, PositionOfKey, ShownBoard, Study, Successor, counts,
};
use crate::control::{Control, Stopped};
use crate::exhaustive::{Code, Histories, Plies, RankedCost, SolveError, TierStore, ValuedKey};
use crate::game::{
    Chosen, GameKey, Key, Look, MoveSet, Outcome, PartialValue, Ply, Registered, Remoteness,
    Symmetry, Tier, TierId, Unreadable, Unsuited, Value, branches, check_moves, images,
    shortest_moves,
};
use crate::random::Random;
use crate::search::{Collector, Evaluation, Report, Settings, SharedTable};
use crate::statistics::PlyCounts;

/// The tiers of a game as the database counts them: from the start of the game that its parameters
/// name, which is one for all that share their positions.
pub(super) fn tiers<G: Registered, M: Method<G>>(game: &G) -> impl Fn(G::Position) -> Ply + '_ {
    let longest = longest::<G, M>(game);
    move |position| tier::<G, M>(game, position, longest)
}

/// The plies within which every game from that start ends; 0 if play may be endless, or if the
/// bound is beyond the tiers of a database: then all positions are of tier 0.
fn longest<G: Registered, M: Method<G>>(game: &G) -> u32 {
    let named = G::of_parameters(game.parameters()).unwrap_or_else(|_| game.clone());
    let most = u32::from(Remoteness::MOST.0);
    M::plies_left(&named, named.initial()).filter(|left| *left <= most).unwrap_or(0)
}

fn tier<G: Registered, M: Method<G>>(game: &G, position: G::Position, longest: u32) -> Ply {
    let left = M::plies_left(game, position).unwrap_or(0);
    Ply(u8::try_from(longest.saturating_sub(left)).unwrap_or(u8::MAX))
}

/// A game and a position, and how the game is solved.
pub(super) struct Studied<G: Registered, M, E> {
    game: G,
    position: G::Position,
    /// The plies of the longest game, from which tiers are counted.
    longest: u32,
    method: PhantomData<(M, E)>,
}

impl<G: Registered<Position: 'static>, M: Method<G>, E: Engines<G, M>> Studied<G, M, E> {
    pub fn at_the_start(game: G) -> Self {
        let (position, longest) = (game.initial(), longest::<G, M>(&game));
        Self { game, position, longest, method: PhantomData }
    }

    fn of(&self, position: G::Position) -> Box<dyn Study> {
        let (game, longest) = (self.game.clone(), self.longest);
        Box::new(Self { game, position, longest, method: PhantomData })
    }

    /// The moves of a position whose game is not over.
    fn successors_of(&self, position: G::Position) -> impl Iterator<Item = Successor> {
        branches(&self.game, position).map(|(bit, _, keeps_turn, to)| {
            let result = self.game.result(to);
            let canonical = match result {
                Some(_) => None,
                None => self.game.canonical(to).0.stored(),
            };
            Successor {
                bit,
                keeps_turn,
                result,
                tier: tier::<G, M>(&self.game, to, self.longest),
                canonical,
            }
        })
    }

    /// The moves by their bits, with the places that `places` gives of each.
    fn ways(&self, places: impl Fn(G::Move) -> Vec<(u8, u8)>) -> Vec<(u32, Vec<(u8, u8)>)> {
        if self.result().is_some() {
            return Vec::new();
        }
        branches(&self.game, self.position).map(|(bit, m, ..)| (bit, places(m))).collect()
    }
}

/// Keeps a method out of the module of a page, which never calls it. The compiler cannot know, since
/// the method is in the table of an object; and it is compiled for each game.
pub(super) fn not_in_a_page() {
    if cfg!(everyply_page) {
        unreachable!(
            "a page neither counts positions nor solves games into files or for points, nor plays at random"
        );
    }
}

/// The characters of a picture, row by row.
fn rows(picture: &str) -> Vec<Vec<char>> {
    picture.split('/').map(|row| row.chars().collect()).collect()
}

impl<G: Registered<Position: 'static>, M: Method<G>, E: Engines<G, M>> Study for Studied<G, M, E> {
    fn name(&self) -> &'static str {
        self.game.name()
    }

    fn parameters(&self) -> [u8; 3] {
        self.game.parameters()
    }

    fn choices(&self) -> Chosen {
        self.game.choices()
    }

    fn title(&self) -> String {
        self.game.title()
    }

    fn position_help(&self) -> &'static str {
        self.game.position_help()
    }

    fn capabilities(&self) -> Vec<Capability> {
        let tiered = M::plies_left(&self.game, self.position).map(|_| Capability::Tiered);
        let symmetric = (self.game.symmetries() > 1).then_some(Capability::Symmetric);
        tiered.into_iter().chain(symmetric).collect()
    }

    fn picture(&self) -> String {
        self.game.picture(self.position)
    }

    fn to_move(&self) -> Option<char> {
        self.game.to_move(self.position)
    }

    fn result(&self) -> Option<Outcome> {
        self.game.result(self.position)
    }

    fn read(&self, text: &str) -> Result<Box<dyn Study>, Unreadable> {
        Ok(self.of(self.game.parse_position(text)?))
    }

    fn of_key(&self, key: Key) -> Option<Box<dyn Study>> {
        Some(self.of(self.game.position_of(G::Key::of_stored(key)?)?))
    }

    fn look_at_key(&self, key: Key, moves: &mut Vec<Successor>) -> Option<PositionOfKey> {
        moves.clear();
        let game = &self.game;
        let position = game.position_of(G::Key::of_stored(key)?)?;
        let (result, unreached) = (game.result(position), game.check_reached(position).err());
        if result.is_none() && unreached.is_none() {
            moves.extend(self.successors_of(position));
        }
        // Each image is that of as many symmetries as leave the position as it is.
        let own = game.key(position);
        let keys = (0..game.symmetries()).map(|s| game.image_key(position, Symmetry(s)));
        let (mut canonical, mut fixing) = (own, 0u64);
        for image in keys {
            canonical = canonical.min(image);
            fixing += u64::from(image == own);
        }
        Some(PositionOfKey {
            unreached,
            tier: tier::<G, M>(game, position, self.longest),
            canonical: canonical.stored()?,
            images: u64::from(game.symmetries()) / fixing.max(1),
            result,
            to_move: game.to_move(position),
            plies_left: M::plies_left(game, position),
            plies_to_draw: M::plies_to_draw(game, position),
        })
    }

    fn last_move_wins(&self) -> bool {
        M::last_move_wins(&self.game)
    }

    fn at(&self, position: &dyn Any) -> Option<Box<dyn Study>> {
        Some(self.of(*position.downcast_ref()?))
    }

    fn boxed(&self) -> Box<dyn Study> {
        self.of(self.position)
    }

    fn start(&self) -> Box<dyn Study> {
        self.of(self.game.initial())
    }

    fn position(&self) -> &dyn Any {
        &self.position
    }

    fn parse_line(&self, text: &str) -> Result<Vec<String>, Unreadable> {
        let moves = self.game.parse_line(text)?;
        Ok(moves.into_iter().map(|m| self.game.write_move(m)).collect())
    }

    fn after_line(&self, text: &str) -> Result<Box<dyn Study>, Unreadable> {
        let moves = self.game.parse_line(text)?.into_iter();
        Ok(self.of(moves.fold(self.game.initial(), |at, m| self.game.play(at, m))))
    }

    fn separator(&self) -> &'static str {
        self.game.separator()
    }

    fn parse_picture(&self, text: &str) -> Result<(Box<dyn Study>, Vec<String>), Unreadable> {
        let (position, moves) = self.game.parse_picture(text)?;
        let moves = moves.into_iter().map(|m| self.game.write_move(m)).collect();
        Ok((self.of(position), moves))
    }

    fn move_word(&self) -> &'static str {
        self.game.move_word()
    }

    fn board(&self) -> ShownBoard {
        let squares = |m| self.game.squares(self.position, m);
        ShownBoard { rows: rows(&self.picture()), moves: self.ways(squares) }
    }

    fn beside(&self) -> Option<String> {
        self.game.beside(self.position)
    }

    fn remark(&self) -> Option<String> {
        self.game.remark(self.position)
    }

    fn drawing(&self) -> (ShownBoard, Look) {
        let squares = |m| self.game.drawn_squares(self.position, m);
        let rows = rows(&self.game.drawn(self.position));
        (ShownBoard { rows, moves: self.ways(squares) }, self.game.look())
    }

    fn order(&self) -> Vec<u32> {
        if self.result().is_some() {
            return Vec::new();
        }
        self.game.in_order(self.position).map(|(bit, _)| bit).collect()
    }

    fn booked(&self) -> Option<Value> {
        E::booked(&self.game, self.position)
    }

    fn whole(&self, value: PartialValue) -> PartialValue {
        let drawn = value.outcome == Outcome::Draw && value.remoteness.is_none();
        match M::plies_to_draw(&self.game, self.position) {
            Some(plies) if drawn => {
                PartialValue { remoteness: Some(Remoteness(plies as u8)), ..value }
            }
            _ => value,
        }
    }

    fn engine(
        &self,
        limits: EngineLimits,
        control: &Control,
    ) -> Result<Box<dyn Engine>, EngineError> {
        E::engine(&self.game, self.position, limits, control)
    }

    fn branches(&self) -> Vec<Branch> {
        if self.result().is_some() {
            return Vec::new();
        }
        branches(&self.game, self.position)
            .map(|(bit, m, keeps_turn, to)| Branch {
                text: self.game.write_move(m),
                bit,
                keeps_turn,
                to: self.of(to),
            })
            .collect()
    }

    fn successors(&self) -> Vec<Successor> {
        if self.result().is_some() {
            return Vec::new();
        }
        self.successors_of(self.position).collect()
    }

    fn texts(&self, moves: MoveSet) -> Vec<String> {
        if moves.is_empty() || self.result().is_some() {
            return Vec::new();
        }
        let all = (0u32..).zip(self.game.moves(self.position));
        all.filter(|(ordinal, m)| moves.has(self.game.bit(*ordinal, *m)))
            .map(|(_, m)| self.game.write_move(m))
            .collect()
    }

    fn moves_to(&self) -> Option<String> {
        let moves = shortest_moves(&self.game, self.position).ok()?;
        Some(self.game.write_line(&moves))
    }

    fn key(&self) -> Option<Key> {
        self.game.key(self.position).stored()
    }

    fn canonical(&self) -> Option<(Key, Symmetry)> {
        let (key, symmetry) = self.game.canonical(self.position);
        Some((key.stored()?, symmetry))
    }

    fn identity(&self) -> u128 {
        self.game.key(self.position).widest()
    }

    fn canonical_identity(&self) -> u128 {
        self.game.canonical(self.position).0.widest()
    }

    fn images(&self) -> Vec<(Key, Symmetry)> {
        let images = images(&self.game, self.position).into_iter();
        images.filter_map(|(key, symmetry)| Some((key.stored()?, symmetry))).collect()
    }

    fn moves_of_image(&self, images: MoveSet, symmetry: Symmetry) -> MoveSet {
        self.game.moves_of_image(self.position, images, symmetry)
    }

    fn image_moves(&self, moves: MoveSet, symmetry: Symmetry) -> MoveSet {
        self.game.image_moves(self.position, moves, symmetry)
    }

    fn key_bits(&self) -> u32 {
        self.game.key_bits()
    }

    fn tier(&self) -> Ply {
        tier::<G, M>(&self.game, self.position, self.longest)
    }

    fn tiers(&self) -> Box<dyn Fn(Key) -> Option<Ply> + Send + Sync + '_> {
        let tier = tiers::<G, M>(&self.game);
        Box::new(move |key| Some(tier(self.game.position_of(G::Key::of_stored(key)?)?)))
    }

    fn plies_left(&self) -> Option<u32> {
        M::plies_left(&self.game, self.position)
    }

    fn check_moves(&self) -> Result<(), Unsuited> {
        check_moves(&self.game)
    }

    fn check(&self) -> Result<(), Unsuited> {
        M::check(&self.game, self.position)
    }

    fn bytes_per_position(&self) -> u64 {
        M::bytes(&self.game, self.position, false)
    }

    fn bytes_per_listed(&self) -> u64 {
        M::bytes(&self.game, self.position, M::LEAVES_OUT)
    }

    fn solve(&self, most: u64, control: &Control) -> Result<Box<dyn Answers>, SolveError> {
        M::solve(self.game.clone(), self.position, most, control)
    }

    fn leaves_out(&self) -> bool {
        M::LEAVES_OUT
    }

    fn solve_listed(
        &self,
        most: u64,
        control: &Control,
        see: &mut dyn FnMut(&[ValuedKey]),
    ) -> Result<PartialValue, SolveError> {
        not_in_a_page();
        M::solve_listed(self.game.clone(), self.position, most, control, see)
    }

    fn ranked_tiers(&self) -> Vec<Tier> {
        M::tiers(&self.game)
    }

    fn rank(&self) -> Option<(TierId, u64)> {
        M::rank(&self.game, self.position)
    }

    fn of_rank(&self, tier: TierId, rank: u64) -> Option<Box<dyn Study>> {
        Some(self.of(M::unrank(&self.game, tier, rank)?))
    }

    fn lead(&self) -> Option<i32> {
        M::lead(&self.game, self.position)
    }

    fn ranked_cost(&self) -> Option<RankedCost> {
        M::ranked_cost(&self.game, self.position)
    }

    fn solve_tiers(&self, control: &Control, store: &mut dyn TierStore) -> Result<(), SolveError> {
        not_in_a_page();
        M::solve_tiers(self.game.clone(), self.position, control, store)
    }

    fn follow(
        &self,
        tier: TierId,
        ranks: Range<u64>,
        code: &dyn Fn(TierId, u64) -> Option<Code>,
        see: &mut dyn FnMut(u64, Option<Code>),
    ) {
        not_in_a_page();
        let game = &self.game;
        for rank in ranks {
            let Some(position) = M::unrank(game, tier, rank) else {
                see(rank, Some(Code::HOLE));
                continue;
            };
            if let Some(outcome) = game.result(position) {
                see(rank, Some(Code::new(outcome, 0)));
                continue;
            }
            let best = |best: Option<Code>, (_, _, keeps_turn, child): (_, _, bool, _)| {
                let (tier, rank) = M::rank(game, child)?;
                let there = code(tier, rank)?.one_ply_earlier(keeps_turn);
                let is_better = |best: &Code| best.preference() >= there.preference();
                Some(best.filter(is_better).or(Some(there)))
            };
            see(rank, branches(game, position).try_fold(None, best).flatten());
        }
    }

    fn points(&self, most: u64, control: &Control) -> Option<Result<Points, SolveError>> {
        M::points(&self.game, self.position, most, control)
    }

    fn count(&self, plies: u32, control: &Control) -> Result<Plies, SolveError> {
        not_in_a_page();
        M::count(&self.game, self.position, plies, control)
    }

    fn count_tiers(&self, last: Ply, control: &Control) -> Result<Vec<PlyCounts>, Stopped> {
        not_in_a_page();
        E::count_tiers(&self.game, last, control)
            .unwrap_or_else(|| counts::of_solution(self.start().as_ref(), last, control))
    }

    fn published_counts(&self) -> &'static str {
        E::published_counts(&self.game)
    }

    fn search(
        &self,
        settings: &Settings,
        table: Option<&SharedTable>,
        collector: Option<&Collector<'_>>,
        control: &Control,
    ) -> Option<Report> {
        let search = Search { settings, table, collector, control };
        M::search(&self.game, self.position, &search)
    }

    fn minimax(&self, depth: u32, evaluation: Evaluation, control: &Control) -> Option<Attempt> {
        M::minimax(&self.game, self.position, depth, evaluation, control)
    }

    fn random_game(
        &self,
        random: &mut Random,
        is_long: &dyn Fn(u32, Ply) -> bool,
    ) -> Option<Box<dyn Study>> {
        not_in_a_page();
        let (game, mut position) = (&self.game, self.position);
        for moves in 0.. {
            if game.result(position).is_some() {
                break;
            }
            if is_long(moves, tier::<G, M>(game, position, self.longest)) {
                return Some(self.of(position));
            }
            let count = game.moves(position).into_iter().count() as u64;
            let m = game.moves(position).into_iter().nth(random.below(count) as usize)?;
            position = game.play(position, m);
        }
        None
    }

    fn walk(&self, plies: u32, control: &Control) -> Result<Histories, Stopped> {
        E::walk(&self.game, self.position, plies, control)
    }
}
