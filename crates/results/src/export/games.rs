//! The JSON document of the games of a program, on the command line and over HTTP.

use schemars::JsonSchema;
use serde::Serialize;

use super::MoveName;
use everyply_core::game::{Chosen, Parameter, ParameterKind, Unreadable};
use everyply_registry::registry::{Entry, Registry};

#[derive(JsonSchema, Serialize)]
pub struct GamesDocument {
    pub games: Vec<GameRow>,
}

/// A game of the registry, with its usual start.
#[derive(JsonSchema, Serialize)]
pub struct GameRow {
    pub game: &'static str,
    pub title: String,
    pub about: &'static str,
    pub options: Vec<OptionRow>,
    /// The way in which positions are written.
    pub positions: &'static str,
    /// The word for the thing that a move chooses.
    pub move_word: &'static str,
    /// The text between two moves.
    pub separator: &'static str,
    pub first_moves: Vec<MoveName>,
    pub can: Vec<&'static str>,
    /// The commands that take the game; absent over HTTP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commands: Option<Vec<String>>,
}

#[derive(JsonSchema, Serialize)]
pub struct OptionRow {
    name: &'static str,
    about: &'static str,
    #[serde(flatten)]
    kind: OptionKind,
}

#[derive(JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum OptionKind {
    Size { usual: String },
    Number { usual: u8, least: u8, most: u8 },
    Rule,
}

impl GameRow {
    /// Describes a game of the registry.
    ///
    /// # Errors
    /// If the game has no usual start.
    pub fn new(entry: &Entry) -> Result<Self, Unreadable> {
        let start = entry.choose(&Chosen::default())?;
        let first = start.branches();
        Ok(Self {
            game: entry.name,
            title: start.info().title.clone(),
            about: entry.about,
            options: entry.parameters.iter().map(OptionRow::new).collect(),
            positions: entry.position_help,
            move_word: entry.move_style.word(),
            separator: start.info().separator,
            first_moves: first.iter().map(|b| MoveName::new(start.as_ref(), &b.text)).collect(),
            can: start.info().capabilities.iter().map(|c| c.word()).collect(),
            commands: None,
        })
    }
}

impl OptionRow {
    fn new(parameter: &Parameter) -> Self {
        let kind = match parameter.kind {
            ParameterKind::Size(width, height) => {
                OptionKind::Size { usual: format!("{width}x{height}") }
            }
            ParameterKind::Number { usual, least, most } => {
                OptionKind::Number { usual, least, most }
            }
            ParameterKind::Rule => OptionKind::Rule,
        };
        Self { name: parameter.name, about: parameter.help, kind }
    }
}

impl GamesDocument {
    /// Describes the games of a registry.
    ///
    /// # Errors
    /// If a game has no usual start.
    pub fn new(registry: &Registry) -> Result<Self, Unreadable> {
        let games: Result<_, _> = registry.entries().iter().map(GameRow::new).collect();
        Ok(Self { games: games? })
    }
}
