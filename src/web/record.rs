//! Games that addresses name: their parameters, and the moves played.

use super::failure::ApiError;
use super::request::{Query, invalid, shown};
use everyply_core::game::{Chosen, Key, Unreadable};
use everyply_core::games::line::Rules;
use everyply_registry::registry::{Course, Entry, Position, Registry, TextForm};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    First,
    Second,
}

impl Side {
    pub const fn of(is_second: bool) -> Self {
        if is_second { Self::Second } else { Self::First }
    }

    pub const fn other(self) -> Self {
        Self::of(matches!(self, Self::First))
    }

    pub const fn class(self) -> &'static str {
        match self {
            Self::First => "x",
            Self::Second => "o",
        }
    }
}

pub struct GameRecord {
    pub entry: Entry,
    /// Parameters of the start as the address has them; none for the usual start.
    parameters: Vec<(String, String)>,
    pub course: Course,
    /// The moves as the client wrote them; `None` if the position was given otherwise.
    pub asked_moves: Option<String>,
}

impl GameRecord {
    /// Reads the parameter `game` and those of [`of_entry`](Self::of_entry).
    pub fn read(registry: &Registry, query: &mut Query) -> Result<Self, ApiError> {
        let words = || {
            let names: Vec<&str> = registry.entries().iter().map(|entry| entry.name).collect();
            names.join(", ")
        };
        let Some(name) = query.take("game") else {
            return Err(ApiError::refused(format!("the parameter 'game' is missing: {}", words())));
        };
        let entry = registry.called(&name).ok_or_else(|| invalid("game", &name, &words()));
        Self::of_entry(entry?, query)
    }

    /// Reads the parameters of the game's start (those of its entry, `position`, or `parameters`
    /// as databases have them).
    pub fn of_entry(entry: &Entry, query: &mut Query) -> Result<Self, ApiError> {
        let mut parameters = Vec::new();
        let mut take = |query: &mut Query, name: &str| {
            let value = query.take_filled(name);
            parameters.extend(value.iter().map(|value| (name.to_owned(), value.clone())));
            value
        };
        let numbers = take(query, "parameters");
        let mut chosen = Chosen::default();
        for parameter in entry.parameters {
            let name = parameter.name;
            let Some(value) = take(query, name) else { continue };
            let read = Entry::read_choice(&mut chosen, parameter, &value);
            read.map_err(|expected| invalid(name, &value, &expected))?;
        }
        chosen.position = take(query, "position");
        let start = match numbers {
            None => entry.position(&chosen)?,
            Some(text) => {
                let start = entry.of_parameters(three_numbers(&text)?)?;
                match &chosen.position {
                    Some(text) => start.read(text)?,
                    None => start,
                }
            }
        };
        let usual = entry.choose(&Chosen::default());
        if chosen.position.is_none() && usual.is_ok_and(|usual| usual.game_id() == start.game_id())
        {
            parameters.clear();
        }
        Ok(Self { entry: entry.clone(), parameters, course: Course::new(start), asked_moves: None })
    }

    /// Plays the moves of an input. A picture becomes some order of moves that leads to it.
    pub fn played(mut self, form: TextForm, text: String) -> Result<Self, ApiError> {
        self.course = self.replayed(form, &text)?;
        let is_given = self.parameters.iter().any(|(name, _)| name == "position");
        let is_asked = form == TextForm::Moves && !(is_given && text.is_empty());
        self.asked_moves = is_asked.then_some(text);
        Ok(self)
    }

    pub fn usual(entry: &Entry) -> Result<Self, ApiError> {
        let course = Course::new(entry.choose(&Chosen::default())?);
        Ok(Self { entry: entry.clone(), parameters: Vec::new(), course, asked_moves: None })
    }

    pub fn start(&self) -> &dyn Position {
        self.course.start()
    }

    pub fn moves(&self) -> Vec<&str> {
        self.course.moves().collect()
    }

    pub fn length(&self) -> usize {
        self.course.moves().len()
    }

    pub fn replayed(&self, form: TextForm, text: &str) -> Result<Course, ApiError> {
        let start = self.start();
        let is_initial = start.identity() == start.start().identity();
        let moves = if form == TextForm::Moves && !is_initial {
            text.split([',', ' ']).filter(|m| !m.is_empty()).map(String::from).collect()
        } else {
            let name = if form == TextForm::Moves { "moves" } else { "board" };
            let refused = |error| ApiError::refused(format!("{name} '{}': {error}", shown(text)));
            let (position, moves) = start.read_as(form, text).map_err(refused)?;
            // A position without moves that lead to it is a start of its own.
            let Some(moves) = moves else { return Ok(Course::new(position)) };
            moves
        };
        let mut course = Course::new(start.boxed());
        for m in &moves {
            course.play(m)?;
        }
        Ok(course)
    }

    pub fn position_of_key(&self, key: Key) -> Result<Box<dyn Position>, ApiError> {
        let refused = |why| ApiError::refused(format!("key {}: {why}", key.0));
        let found = self.start().look_at_key(key, &mut Vec::new());
        if let Some(Unreadable(why)) = found.and_then(|found| found.unreached) {
            return Err(refused(why));
        }
        let position = self.start().of_key(key);
        position
            .ok_or_else(|| refused(format!("no position of {} has it", self.start().info().title)))
    }

    /// The rules, if the game is one of stones and lines.
    pub fn rules(&self) -> Option<Rules> {
        Rules::of(self.entry.name)
    }

    /// The side to move after a number of moves.
    pub fn side_at(&self, at: usize) -> Side {
        Side::of(match self.course.position_at(at).to_move() {
            Some(side) => side == 'O',
            None => self.course.is_seconds_turn_at(at),
        })
    }

    /// True if the side whose move led to a position is to move again.
    pub fn keeps_turn(&self, at: usize) -> bool {
        at > 0 && self.side_at(at - 1) == self.side_at(at)
    }

    /// Names of the first and of the second side in sentences.
    pub fn side_names(&self) -> [&'static str; 2] {
        match self.start().to_move() {
            Some(_) => ["X", "O"],
            None => ["the first player", "the second player"],
        }
    }

    pub fn is_endless(&self) -> bool {
        self.start().plies_left().is_none()
    }

    pub fn write(&self, moves: &[&str]) -> String {
        let separator = self.start().info().separator;
        let mut text = moves.join(separator);
        // A separator at the end says that "12" is one move.
        if moves.len() == 1 && text.len() > 1 && self.rules().is_some() {
            text.push_str(separator);
        }
        text
    }

    pub fn query(&self, moves: &[&str]) -> Vec<(String, String)> {
        let mut pairs = self.parameters.clone();
        if !moves.is_empty() {
            pairs.push(("moves".to_owned(), self.write(moves)));
        }
        pairs
    }

    /// The value of a parameter of the start, if the address has one.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let given = self.parameters.iter().find(|(other, _)| other == name);
        given.map(|(_, value)| &value[..])
    }
}

fn three_numbers(text: &str) -> Result<[u8; 3], ApiError> {
    let numbers: Option<Vec<u8>> = text.split('-').map(|number| number.parse().ok()).collect();
    let numbers = numbers.and_then(|numbers| <[u8; 3]>::try_from(numbers).ok());
    numbers.ok_or_else(|| invalid("parameters", text, "three numbers, such as 3-3-1"))
}
