//! A game of any type as a study.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use super::engine::{Engine, EngineError, EngineLimits};
use super::info::{Capability, GameInfo};
use super::method::{Engines, Method, Search};
use super::ranks::Ranks;
use super::{
    Answers, Attempt, Branch, Position, PositionOfKey, ShownBoard, Successor, WayOfKey, counts,
};
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{Histories, Plies, SolveError, ValuedKey, Ways};
use everyply_core::game::{
    GameKey, Key, MoveSet, Outcome, PartialValue, Pictured, Ply, Registered, Remoteness, Symmetry,
    Unreadable, Unsuited, Value, branches, check_moves, images, shortest_moves,
};
use everyply_core::random::Random;
use everyply_core::search::{
    Aim, EndBounds, Evaluation, Proof, Report, RootScores, Settings, SharedTable,
};
use everyply_core::statistics::PlyCounts;

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

/// The constants of a game whose longest play takes this many plies.
fn info<G: Registered, M: Method<G>, E: Engines<G, M>>(game: &G, longest: u32) -> GameInfo {
    let tiered = M::ENDS.map(|_| Capability::Tiered);
    let symmetric = (game.symmetries() > 1).then_some(Capability::Symmetric);
    GameInfo {
        name: game.name(),
        parameters: game.parameters(),
        choices: game.choices(),
        title: game.title(),
        position_help: G::POSITION_HELP,
        move_style: G::MOVE_STYLE,
        separator: game.separator(),
        look: game.look(),
        key_bits: game.key_bits(),
        move_sets: check_moves(game),
        capabilities: tiered.into_iter().chain(symmetric).collect(),
        counts_points: G::COUNTS_POINTS,
        last_move_wins: M::ENDS.is_some_and(|ends| (ends.last_move_wins)(game)),
        has_tiers: longest > 0,
        leaves_out: M::LEAVES_OUT,
        published_counts: E::published_counts(game),
    }
}

/// A game and a position, and how the game is solved.
pub struct Studied<G: Registered, M, E> {
    pub(super) game: G,
    pub(super) position: G::Position,
    /// The plies of the longest game, from which tiers are counted.
    longest: u32,
    info: Arc<GameInfo>,
    method: PhantomData<(M, E)>,
}

impl<G: Registered<Position: 'static>, M: Method<G>, E: Engines<G, M>> Studied<G, M, E> {
    pub fn at_the_start(game: G) -> Self {
        let (position, longest) = (game.initial(), longest::<G, M>(&game));
        let info = Arc::new(info::<G, M, E>(&game, longest));
        Self { game, position, longest, info, method: PhantomData }
    }

    pub(super) fn of(&self, position: G::Position) -> Box<dyn Position> {
        let (game, longest, info) = (self.game.clone(), self.longest, Arc::clone(&self.info));
        Box::new(Self { game, position, longest, info, method: PhantomData })
    }

    /// Adds the moves of a position whose game is not over.
    fn add_successors(&self, position: G::Position, moves: &mut Vec<Successor>) {
        for (bit, _, keeps_turn, to) in branches(&self.game, position) {
            let result = self.game.result(to);
            let canonical = match result {
                Some(_) => None,
                None => self.game.canonical(to).0.stored(),
            };
            let tier = tier::<G, M>(&self.game, to, self.longest);
            moves.push(Successor { bit, keeps_turn, result, tier, canonical });
        }
    }

    /// The moves, with their bits; none if the game is over.
    fn moves(&self) -> Vec<(u32, G::Move)> {
        match self.result() {
            Some(_) => Vec::new(),
            None => branches(&self.game, self.position).map(|(bit, m, ..)| (bit, m)).collect(),
        }
    }

    /// A picture, with the places that each move has on it.
    fn shown(&self, picture: &str, places: &dyn Fn(G::Move) -> Vec<(u8, u8)>) -> ShownBoard {
        let rows = picture.split('/').map(|row| row.chars().collect()).collect();
        let moves = self.moves().into_iter().map(|(bit, m)| (bit, places(m))).collect();
        ShownBoard { rows, moves }
    }

    /// The position of a picture, with moves that lead to it where they are found at once.
    fn picture_of(&self, text: &str) -> Result<Pictured<G::Position, G::Move>, Unreadable> {
        let (game, (position, moves)) = (&self.game, self.game.parse_picture(text)?);
        if moves.is_none() {
            // What has a key is a position of the board.
            if game.position_of(game.key(position)) != Some(position) {
                return Err(game.no_picture());
            }
            game.check_reached(position)?;
        }
        Ok((position, moves))
    }

    fn written(&self, moves: &[G::Move]) -> Vec<String> {
        moves.iter().map(|&m| self.game.write_move(m)).collect()
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

impl<G: Registered<Position: 'static>, M: Method<G>, E: Engines<G, M>> Position
    for Studied<G, M, E>
{
    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn picture(&self) -> String {
        self.game.picture(self.position)
    }

    fn to_move(&self) -> Option<char> {
        self.game.to_move(self.position)
    }

    fn check_reached(&self) -> Result<(), Unreadable> {
        self.game.check_reached(self.position)
    }

    fn final_points(&self) -> Option<i32> {
        self.game.result(self.position).and_then(|_| self.game.points(self.position))
    }

    fn result(&self) -> Option<Outcome> {
        self.game.result(self.position)
    }

    fn read(&self, text: &str) -> Result<Box<dyn Position>, Unreadable> {
        // A picture, as positions are written, is a position too.
        let read = match text.contains('/') {
            true => self.picture_of(text).map(|(position, _)| position),
            false => self.game.parse_position(text),
        };
        read.map(|position| self.of(position))
    }

    fn of_key(&self, key: Key) -> Option<Box<dyn Position>> {
        Some(self.of(self.game.position_of(G::Key::of_stored(key)?)?))
    }

    fn look_at_key(&self, key: Key, moves: &mut Vec<Successor>) -> Option<PositionOfKey> {
        moves.clear();
        let game = &self.game;
        let position = game.position_of(G::Key::of_stored(key)?)?;
        let (result, unreached) = (game.result(position), game.check_reached(position).err());
        if result.is_none() && unreached.is_none() {
            self.add_successors(position, moves);
        }
        // Each image is that of as many symmetries as leave the position as it is.
        let own = game.key(position);
        let (mut canonical, mut fixing) = (own, 0u64);
        for symmetry in (0..game.symmetries()).map(Symmetry) {
            let image = game.image_key(position, symmetry);
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
            plies_to_draw: M::ENDS.and_then(|ends| (ends.plies_to_draw)(game, position)),
        })
    }

    fn at(&self, position: &dyn Any) -> Option<Box<dyn Position>> {
        Some(self.of(*position.downcast_ref()?))
    }

    fn boxed(&self) -> Box<dyn Position> {
        self.of(self.position)
    }

    fn start(&self) -> Box<dyn Position> {
        self.of(self.game.initial())
    }

    fn position(&self) -> &dyn Any {
        &self.position
    }

    fn parse_line(&self, text: &str) -> Result<Vec<String>, Unreadable> {
        Ok(self.written(&self.game.parse_line(text)?))
    }

    fn after_line(&self, text: &str) -> Result<Box<dyn Position>, Unreadable> {
        let moves = self.game.parse_line(text)?;
        Ok(self.of(moves.into_iter().fold(self.game.initial(), |p, m| self.game.play(p, m))))
    }

    fn parse_picture(&self, text: &str) -> Result<Pictured<Box<dyn Position>, String>, Unreadable> {
        let (position, moves) = self.picture_of(text)?;
        Ok((self.of(position), moves.map(|moves| self.written(&moves))))
    }

    fn board(&self) -> ShownBoard {
        self.shown(&self.picture(), &|m| self.game.squares(self.position, m))
    }

    fn beside(&self) -> Option<String> {
        self.game.beside(self.position)
    }

    fn remark(&self) -> Option<String> {
        self.game.remark(self.position)
    }

    fn drawing(&self) -> ShownBoard {
        let drawn = self.game.drawn(self.position);
        self.shown(&drawn, &|m| self.game.drawn_squares(self.position, m))
    }

    fn order(&self) -> Vec<u32> {
        match self.result() {
            Some(_) => Vec::new(),
            None => self.game.in_order(self.position).map(|(bit, _)| bit).collect(),
        }
    }

    fn booked(&self) -> Option<Value> {
        E::booked(&self.game, self.position)
    }

    fn whole(&self, value: PartialValue) -> PartialValue {
        let drawn = value.outcome == Outcome::Draw && value.remoteness.is_none();
        match M::ENDS.and_then(|ends| (ends.plies_to_draw)(&self.game, self.position)) {
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
        let branch = |(bit, m)| Branch {
            text: self.game.write_move(m),
            bit,
            keeps_turn: self.game.keeps_turn(self.position, m),
            to: self.of(self.game.play(self.position, m)),
        };
        self.moves().into_iter().map(branch).collect()
    }

    fn successors(&self) -> Vec<Successor> {
        let mut moves = Vec::new();
        if self.result().is_none() {
            self.add_successors(self.position, &mut moves);
        }
        moves
    }

    fn texts(&self, moves: MoveSet) -> Vec<String> {
        if moves.is_empty() || self.result().is_some() {
            return Vec::new();
        }
        // Not `branches`, which plays every move.
        let all = (0u32..).zip(self.game.moves(self.position));
        let wanted = all.filter(|&(ordinal, m)| moves.has(self.game.bit(ordinal, m)));
        wanted.map(|(_, m)| self.game.write_move(m)).collect()
    }

    fn moves_to(&self) -> Option<String> {
        let moves = shortest_moves(&self.game, self.position).ok()?;
        Some(self.game.write_line(&moves))
    }

    fn ways(&self, most: usize, control: &Control) -> Result<Option<WayOfKey<'_>>, Stopped> {
        not_in_a_page();
        let ways = Ways::of(&self.game, most, control)?;
        Ok(ways.map(|ways| -> WayOfKey<'_> {
            Box::new(move |key| {
                let position = self.game.position_of(G::Key::of_stored(key)?)?;
                Some(self.game.write_line(&ways.to(&self.game, position)?))
            })
        }))
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

    fn solve_listed(
        &self,
        most: u64,
        control: &Control,
        see: &mut dyn FnMut(&[ValuedKey]),
    ) -> Result<PartialValue, SolveError> {
        not_in_a_page();
        M::solve_listed(self.game.clone(), self.position, most, control, see)
    }

    fn ranks(&self) -> Option<&dyn Ranks> {
        M::ranks(self)
    }

    fn count(&self, plies: u32, memory: u64, control: &Control) -> Result<Plies, SolveError> {
        not_in_a_page();
        M::count(&self.game, self.position, plies, memory, control)
    }

    fn count_tiers(&self, last: Ply, control: &Control) -> Result<Vec<PlyCounts>, Stopped> {
        not_in_a_page();
        E::count_tiers(&self.game, last, control)
            .unwrap_or_else(|| counts::of_solution(self.start().as_ref(), last, control))
    }

    fn search(
        &self,
        settings: &Settings,
        table: Option<&SharedTable>,
        control: &Control,
    ) -> Option<Report> {
        let search = Search { settings, table, control };
        M::search(&self.game, self.position, &search)
    }

    fn prove(
        &self,
        asked: (Aim, RootScores),
        table: &SharedTable,
        control: &Control,
        on_bounds: &mut dyn FnMut(&EndBounds),
    ) -> Option<Proof> {
        M::prove(&self.game, self.position, asked, table, control, on_bounds)
    }

    fn minimax(&self, depth: u32, evaluation: Evaluation, control: &Control) -> Option<Attempt> {
        Some((M::ENDS?.minimax)(&self.game, self.position, depth, evaluation, control))
    }

    fn random_game(
        &self,
        random: &mut Random,
        is_long: &dyn Fn(u32, Ply) -> bool,
    ) -> Option<Box<dyn Position>> {
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
