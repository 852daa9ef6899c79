//! The state of a page; all of it is in the page's address, so that it can be shared.

use crate::web::api;
use crate::web::prelude::*;

/// A game, the position of it that a page shows, and the visitor's choices.
#[derive(Clone)]
pub struct View {
    /// The game with all moves, those taken back included.
    pub record: Arc<GameRecord>,
    pub at: usize,
    /// True if the visitor plays the second side.
    pub second: bool,
    pub hints: bool,
    /// The machine's level; `None` if it plays neither side.
    pub level: Option<Level>,
}

impl View {
    pub fn of(record: Arc<GameRecord>) -> Self {
        let at = record.length();
        Self { record, at, second: false, hints: true, level: None }
    }

    /// Reads the parameters `at`, `side`, `hints` and `level`.
    pub fn read(record: Arc<GameRecord>, query: &mut Query) -> Result<Self, ApiError> {
        let mut view = Self::of(record);
        view.at = query.number("at", 0..=view.at)?.unwrap_or(view.at);
        view.second = query.choice("side", &["first", "second"])? == Some(1);
        view.hints = query.choice("hints", &["off", "on"])? != Some(0);
        view.level = api::level(query)?;
        Ok(view)
    }

    pub fn start(&self) -> &dyn Position {
        self.record.start()
    }

    pub fn position(&self) -> &dyn Position {
        self.record.course.position_at(self.at)
    }

    pub fn played(&self) -> Vec<&str> {
        self.record.course.moves().take(self.at).collect()
    }

    /// The moves on the board as `moves` takes them.
    pub fn move_string(&self) -> String {
        self.record.write(&self.played())
    }

    pub fn title(&self) -> String {
        let moves = self.move_string();
        let moves = if moves.is_empty() { "start" } else { &moves[..] };
        format!("{}: {moves}", self.start().info().title)
    }

    pub fn side_to_move(&self) -> Side {
        self.record.side_at(self.at)
    }

    /// The side for which values are drawn.
    pub const fn visitor(&self) -> Side {
        Side::of(self.second)
    }

    pub fn name(&self, side: Side) -> &'static str {
        self.record.side_names()[side as usize]
    }

    /// The side whose move led to a position; `None` for the start.
    pub fn mover(&self, at: usize) -> Option<Side> {
        at.checked_sub(1).map(|before| self.record.side_at(before))
    }

    /// The move that led to a position, or `start`.
    pub fn label(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("start", |before| self.record.moves()[before])
    }

    pub fn words(&self, value: PartialValue, side: Side) -> String {
        self.start().value_for(value, self.name(side))
    }

    fn is_machines_turn_at(&self, at: usize) -> bool {
        self.level.is_some()
            && self.record.course.position_at(at).result().is_none()
            && self.record.side_at(at) != self.visitor()
    }

    /// True if the machine plays the side to move, and the game is not over.
    pub fn is_machines_turn(&self) -> bool {
        self.is_machines_turn_at(self.at)
    }

    /// True if the machine should move now, which it does not while the visitor looks back.
    pub fn machine_moves_now(&self) -> bool {
        self.at == self.record.length() && self.is_machines_turn()
    }

    /// Moves on the board after an undo: one fewer, or against the machine back to the visitor's turn
    /// before, since in between only the machine could continue.
    pub fn before(&self) -> Option<usize> {
        (0..self.at).rev().find(|&at| !self.is_machines_turn_at(at))
    }

    /// Moves on the board after a redo: one more, or against the machine up to the visitor's next turn
    /// or the last move.
    pub fn after(&self) -> Option<usize> {
        let last = self.record.length();
        (self.at + 1..=last).find(|&at| at == last || !self.is_machines_turn_at(at))
    }

    pub fn path(&self) -> String {
        path_of(&self.record.entry)
    }

    /// The parameters that a form keeps, as hidden fields.
    pub fn hidden_fields(&self, without: &[&str]) -> Markup {
        let pairs = self.pairs(&self.record.moves(), self.at);
        html! {
            @for (name, value) in pairs.iter().filter(|(name, _)| !without.contains(&&name[..])) {
                input type="hidden" name=(name) value=(value);
            }
        }
    }

    /// The parameters of a view of these moves, the first `at` of them on the board.
    pub fn pairs(&self, moves: &[&str], at: usize) -> Vec<(String, String)> {
        let mut pairs = self.record.query(moves);
        let mut push = |name: &str, value: &str| pairs.push((name.to_owned(), value.to_owned()));
        if at < moves.len() {
            push("at", &at.to_string());
        }
        if self.second {
            push("side", "second");
        }
        if !self.hints {
            push("hints", "off");
        }
        if let Some(level) = self.level {
            push("level", level.name());
        }
        pairs
    }

    /// The address of the page with other moves, the first `at` of them on the board.
    pub fn url_of(&self, moves: &[impl AsRef<str>], at: usize) -> String {
        let moves: Vec<&str> = moves.iter().map(AsRef::as_ref).collect();
        let query = encoded(&self.pairs(&moves, at));
        let separator = if query.is_empty() { "" } else { "?" };
        format!("{}{separator}{query}", self.path())
    }

    pub fn url(&self) -> String {
        self.url_at(self.at)
    }

    /// The address of the page with another number of moves on the board.
    pub fn url_at(&self, at: usize) -> String {
        self.url_of(&self.record.moves(), at)
    }

    /// The address of the page with other moves, all on the board.
    pub fn url_with(&self, moves: &[impl AsRef<str>]) -> String {
        self.url_of(moves, moves.len())
    }

    /// The address of the page after further moves.
    pub fn url_after(&self, more: &[impl AsRef<str>]) -> String {
        let played = self.played().into_iter();
        self.url_with(&played.chain(more.iter().map(AsRef::as_ref)).collect::<Vec<_>>())
    }

    pub fn part_query(&self) -> String {
        self.query_of(self.pairs(&self.record.moves(), self.at))
    }

    pub fn api_query(&self) -> String {
        self.query_of(self.record.query(&self.played()))
    }

    fn query_of(&self, mut pairs: Vec<(String, String)>) -> String {
        pairs.insert(0, ("game".to_owned(), self.record.entry.name.to_owned()));
        encoded(&pairs)
    }
}

pub fn path_of(entry: &Entry) -> String {
    match Rules::of(entry.name) {
        Some(rules) => format!("/{}", rules.word()),
        None => format!("/game/{}", entry.name),
    }
}

fn encoded(pairs: &[(String, String)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}
