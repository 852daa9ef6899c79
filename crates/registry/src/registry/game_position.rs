//! A position of a game of a known type as a trait object.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use super::info::{Capability, GameInfo};
use super::native_only;
use super::position::{
    Drawing, Facts, Position, PossibleMove, ShownBoard, Solves, State, Successor, TextForm, Walks,
};
use super::ranks::At;
use super::tiers::Tiers;
use everyply_core::control::{Control, Stopped};
use everyply_core::exhaustive::{Histories, walk_plies};
use everyply_core::game::{
    Chosen, Game, GameKey, Key, MoveSet, Pictured, Ply, Registered, Shown, Symmetry, Tiered,
    Unreached, Unreadable, branches, check_moves, images, shortest_moves,
};
use everyply_core::random::Random;
use everyply_core::search::{MoveOrder, add_moves};

/// The facts of a game whose play ends: the methods of [`Tiered`].
pub(super) struct Ends<G: Game> {
    plies_left: fn(&G, G::Position) -> u32,
    plies_to_draw: fn(&G, G::Position) -> Option<u32>,
    last_move_wins: fn(&G) -> bool,
}

impl<G: Tiered> Ends<G> {
    pub const OF: Option<Self> = Some(Self {
        plies_left: G::plies_left,
        plies_to_draw: G::plies_to_draw,
        last_move_wins: G::last_move_wins,
    });
}

/// A move: its bit, itself, whether it keeps the turn, and the position it leads to.
type Branch<G> = (u32, <G as Game>::Move, bool, <G as Game>::Position);

/// A kind of game, solved by one method. The defaults suit games whose play may be endless.
pub(super) trait Kind<G: Game>: Send + Sync + Sized + 'static {
    /// The facts of a game whose play ends.
    const ENDS: Option<Ends<G>> = None;

    /// The value of [`GameInfo::proves`].
    const PROVES: bool = false;

    /// The value of [`GameInfo::leaves_out`].
    const LEAVES_OUT: bool = false;
}

/// A position of a game of some kind.
pub(super) struct GamePosition<G: Shown, M> {
    pub at: At<G>,
    pub tiers: Tiers<G>,
    info: Arc<GameInfo>,
    method: PhantomData<M>,
}

/// Returns the constants of a game that follow from its type and the method.
fn info<G: Shown, M: Kind<G>>(game: &G, tiers: &Tiers<G>) -> GameInfo {
    let (tiered, symmetric) = (M::ENDS.is_some(), game.symmetries() > 1);
    GameInfo {
        name: "",
        parameters: game.parameters(),
        choices: Chosen::default(),
        title: game.title(),
        position_help: "",
        move_style: G::MOVE_STYLE,
        separator: game.separator(),
        look: game.look(),
        key_bits: game.key_bits(),
        has_keys: G::Key::IS_STORED,
        move_sets: check_moves(game),
        capabilities: Capability::of(tiered, symmetric),
        counts_points: G::COUNTS_POINTS,
        last_move_wins: M::ENDS.is_some_and(|ends| (ends.last_move_wins)(game)),
        has_tiers: tiers.longest > 0,
        proves: M::PROVES,
        leaves_out: M::LEAVES_OUT,
        published_counts: "",
    }
}

impl<G: Shown, M: Kind<G>> GamePosition<G, M>
where
    Self: Solves,
{
    /// Creates the start of a game of the registry with these published counts of positions.
    pub fn at_the_start<R: Registered<Game = G>>(
        game: G,
        published_counts: &'static str,
    ) -> Box<dyn Position> {
        let tiers = Tiers::new::<R>(&game, M::ENDS.map(|ends| ends.plies_left));
        let info = Arc::new(GameInfo {
            name: R::name(&game),
            choices: R::choices(&game),
            position_help: R::POSITION_HELP,
            published_counts,
            ..info::<G, M>(&game, &tiers)
        });
        let at = At { position: game.initial(), game };
        Box::new(Self { at, tiers, info, method: PhantomData })
    }

    #[inline(never)]
    fn of(&self, position: G::Position) -> Box<dyn Position> {
        let (game, info) = (self.at.game.clone(), Arc::clone(&self.info));
        let at = At { game, position };
        Box::new(Self { at, tiers: self.tiers, info, method: PhantomData })
    }

    fn state_of(&self, position: G::Position) -> State {
        let game = &self.at.game;
        let result = game.result(position);
        State {
            to_move: game.to_move(position),
            result,
            points: result.and_then(|_| game.points(position)),
            tier: self.tiers.of(game, position),
            plies_left: self.tiers.plies_left(game, position),
            plies_to_draw: M::ENDS.and_then(|ends| (ends.plies_to_draw)(game, position)),
        }
    }

    /// Calls `see` with each move of a position. Not inlined, so that the rules of a game are
    /// compiled once for all methods.
    #[inline(never)]
    fn each_move(&self, position: G::Position, see: &mut dyn FnMut(Branch<G>)) {
        if self.at.game.result(position).is_none() {
            branches(&self.at.game, position).for_each(see);
        }
    }

    fn add_successors(&self, position: G::Position, moves: &mut Vec<Successor>) {
        let game = &self.at.game;
        self.each_move(position, &mut |(bit, _, keeps_turn, to)| {
            let result = game.result(to);
            let is_named = result.is_none() && G::Key::IS_STORED;
            let canonical = is_named.then(|| game.canonical(to).0.stored());
            let tier = self.tiers.of(game, to);
            moves.push(Successor { bit, keeps_turn, result, tier, canonical });
        });
    }

    /// Adds the places of each move to a picture.
    fn shown(&self, picture: &str, places: &dyn Fn(G::Move) -> Vec<(u8, u8)>) -> ShownBoard {
        let mut shown = ShownBoard::of(picture);
        let moves = &mut shown.moves;
        self.each_move(self.at.position, &mut |(bit, m, ..)| moves.push((bit, places(m))));
        shown
    }

    /// Reads a picture: its position, and moves that lead to it if they are found at once.
    fn picture_of(&self, text: &str) -> Result<Pictured<G::Position, G::Move>, Unreadable> {
        let game = &self.at.game;
        let Some((position, moves)) = game.parse_picture(text)? else { return self.no_picture() };
        if moves.is_none() {
            // Only a position of the board has a key that leads back to it.
            if game.position_of(game.key(position)) != Some(position) {
                return self.no_picture();
            }
            game.check_reached(position)?;
        }
        Ok((position, moves))
    }

    /// Returns the refusal of a text that is no picture of a position.
    #[inline(never)]
    fn no_picture<T>(&self) -> Result<T, Unreadable> {
        let (name, start) = (self.info.name, self.at.game.picture(self.at.game.initial()));
        Err(Unreadable(format!(
            "this is no position of {name} as the program writes it; the start is {start}"
        )))
    }
}

impl<G: Shown, M: Kind<G>> Position for GamePosition<G, M>
where
    Self: Solves,
{
    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn boxed(&self) -> Box<dyn Position> {
        self.of(self.at.position)
    }

    fn as_any(&self) -> &dyn Any {
        &self.at.position
    }

    fn state(&self) -> State {
        self.state_of(self.at.position)
    }

    fn picture(&self) -> String {
        self.at.game.picture(self.at.position)
    }

    fn drawing(&self) -> Drawing {
        let At { game, position } = &self.at;
        let drawn = game.drawn(*position);
        Drawing {
            board: self.shown(&self.picture(), &|m| game.squares(*position, m)),
            drawn: self.shown(&drawn, &|m| game.drawn_squares(*position, m)),
            beside: game.beside(*position),
            remark: game.remark(*position),
        }
    }

    fn read_as(
        &self,
        form: TextForm,
        text: &str,
    ) -> Result<Pictured<Box<dyn Position>, String>, Unreadable> {
        let game = &self.at.game;
        let (position, moves) = match form {
            TextForm::Picture => self.picture_of(text)?,
            // A position may be written as a picture.
            TextForm::Position if text.contains('/') => self.picture_of(text)?,
            TextForm::Position => (game.parse_position(text)?, None),
            TextForm::Moves => {
                let (moves, mut position) = (game.parse_line(text)?, game.initial());
                for &m in &moves {
                    position = game.play(position, m);
                }
                (position, Some(moves))
            }
        };
        let Some(moves) = moves else { return Ok((self.of(position), None)) };
        let mut texts = Vec::with_capacity(moves.len());
        for m in moves {
            texts.push(game.write_move(m));
        }
        Ok((self.of(position), Some(texts)))
    }

    fn check_reached(&self) -> Result<(), Unreadable> {
        self.at.game.check_reached(self.at.position)
    }

    fn moves_of(&self, set: Option<MoveSet>) -> Vec<PossibleMove> {
        let mut moves = Vec::new();
        self.each_move(self.at.position, &mut |(bit, m, keeps_turn, _)| {
            if set.is_none_or(|set| set.has(bit)) {
                moves.push(PossibleMove { text: self.at.game.write_move(m), bit, keeps_turn });
            }
        });
        moves
    }

    fn order(&self) -> Vec<u32> {
        let At { game, position } = &self.at;
        let (mut moves, mut bits) = (Vec::new(), Vec::new());
        if game.result(*position).is_none() {
            add_moves(game, *position, MoveOrder::Best, &mut moves);
        }
        for (bit, _) in moves {
            bits.push(bit);
        }
        bits
    }

    fn play(&self, bit: u32) -> Box<dyn Position> {
        let At { game, position } = &self.at;
        // Not `move_of_bit`, which plays every move before it.
        for (ordinal, m) in (0u32..).zip(game.moves(*position)) {
            if game.bit(ordinal, m) == bit {
                return self.of(game.play(*position, m));
            }
        }
        panic!("no move of the position has the bit {bit}")
    }

    fn successors(&self) -> Vec<Successor> {
        let mut moves = Vec::new();
        self.add_successors(self.at.position, &mut moves);
        moves
    }

    fn identity(&self) -> u128 {
        self.at.game.key(self.at.position).widest()
    }

    fn canonical_identity(&self) -> (u128, Symmetry) {
        let (key, symmetry) = self.at.game.canonical(self.at.position);
        (key.widest(), symmetry)
    }

    fn of_identity(&self, identity: u128) -> Option<Box<dyn Position>> {
        Some(self.of(self.at.game.position_of(G::Key::of_widest(identity)?)?))
    }

    fn images(&self) -> Vec<(Key, Symmetry)> {
        match G::Key::IS_STORED {
            true => stored(&images(&self.at.game, self.at.position)),
            false => Vec::new(),
        }
    }

    fn image_moves(&self, moves: MoveSet, symmetry: Symmetry) -> MoveSet {
        self.at.game.image_moves(self.at.position, moves, symmetry)
    }

    fn look_at_key(&self, key: Key, moves: &mut Vec<Successor>) -> Option<Facts> {
        moves.clear();
        let game = &self.at.game;
        let key = G::Key::of_widest(key.0.into()).filter(|_| G::Key::IS_STORED)?;
        let position = game.position_of(key)?;
        let (state, unreached) = (self.state_of(position), game.check_reached(position).err());
        if unreached.is_none() {
            self.add_successors(position, moves);
        }
        // Each image comes from as many symmetries as leave the position unchanged.
        let own = game.key(position);
        let (mut canonical, mut fixing) = (own, 0u64);
        for symmetry in (0..game.symmetries()).map(Symmetry) {
            let image = game.image_key(position, symmetry);
            canonical = canonical.min(image);
            fixing += u64::from(image == own);
        }
        let images = u64::from(game.symmetries()) / fixing.max(1);
        Some(Facts { unreached, canonical: canonical.stored(), images, state })
    }
}

fn stored<K: GameKey>(images: &[(K, Symmetry)]) -> Vec<(Key, Symmetry)> {
    images.iter().map(|&(key, symmetry)| (key.stored(), symmetry)).collect()
}

impl<G: Shown, M: Kind<G>> Walks for GamePosition<G, M>
where
    Self: Solves,
{
    fn moves_to(&self) -> Result<String, Unreached> {
        let moves = shortest_moves(&self.at.game, self.at.position)?;
        Ok(self.at.game.write_line(&moves))
    }

    fn walk_plies(&self, plies: u32, control: &Control) -> Result<Histories, Stopped> {
        // A page shows trees of games of stones and lines alone, which have their own walk.
        native_only();
        walk_plies(&self.at.game, self.at.position, plies, control)
    }

    fn random_game(
        &self,
        random: &mut Random,
        is_long: &dyn Fn(u32, Ply) -> bool,
    ) -> Option<Box<dyn Position>> {
        native_only();
        let mut position = self.at.position;
        for moves in 0.. {
            let mut children = Vec::new();
            self.each_move(position, &mut |(.., child)| children.push(child));
            if children.is_empty() {
                break;
            }
            if is_long(moves, self.tiers.of(&self.at.game, position)) {
                return Some(self.of(position));
            }
            position = children[random.below(children.len() as u64) as usize];
        }
        None
    }
}
