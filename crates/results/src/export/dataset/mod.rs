//! Data sets of positions: each column with its field of a position, and a file for each format.

#[cfg(feature = "parquet")]
mod parquet;

use std::borrow::Cow;
use std::io::{self, Write};

use serde::{Serialize, Serializer as _};

use super::format::PositionFormat;
use super::known::KnownPosition;
use super::scoring::Scoring;
use everyply_connect_four::solver::score_of;
use everyply_core::game::{Move, MoveSet, PartialValue, csv_list_of};
use everyply_registry::registry::Position;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Key,
    Number,
    Text,
    /// Texts; one text in a format without lists.
    List,
}

struct Column {
    name: String,
    kind: Kind,
    nullable: bool,
    /// The field of a position, of the kind of the column.
    field: Box<dyn Fn(&KnownPosition) -> Field + Send + Sync>,
}

/// A field of a row, of its column's kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(super) enum Field {
    Key(u64),
    Number(Option<i32>),
    Text(Option<Cow<'static, str>>),
    List(Option<List>),
}

/// Moves, or a value for each of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct List {
    text: String,
    /// The text between two of them; it may be empty.
    #[serde(skip)]
    separator: &'static str,
}

impl List {
    fn of(items: impl IntoIterator<Item = String>) -> Self {
        Self { text: items.into_iter().collect::<Vec<_>>().join(" "), separator: " " }
    }
}

impl Field {
    fn text(text: impl Into<Cow<'static, str>>) -> Self {
        Self::Text(Some(text.into()))
    }

    /// Returns the field as text; `None` if it is unknown.
    fn as_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Key(key) => Some(key.to_string().into()),
            Self::Number(number) => number.map(|number| number.to_string().into()),
            Self::Text(text) => text.as_deref().map(Cow::Borrowed),
            Self::List(list) => list.as_ref().map(|list| Cow::Borrowed(&*list.text)),
        }
    }
}

/// The columns of a data set, as docs/formats.md describes them. Values that are not stored are
/// unknown; the remoteness of a draw is always known if all draws take equally many plies.
pub struct Schema {
    columns: Vec<Column>,
    /// The number of the first column or cell; `None` if none are numbered.
    pub(super) index_base: Option<u8>,
}

impl Schema {
    pub fn new(game: &dyn Position, all_moves: bool) -> Self {
        let (lines, info) = (game.lines(), game.info());
        let mut schema = Self { columns: Vec::new(), index_base: lines.map(|_| 1) };
        schema.add("key", Kind::Key, false, |known| {
            Field::Key(known.position.key().expect("keys of 64 bits are stored").0)
        });
        schema.add("ply", Kind::Number, false, |known| {
            Field::Number(Some(known.position.tier().0.into()))
        });
        let separator = info.separator;
        schema.add("moves", Kind::List, true, move |known| {
            Field::List(known.way.clone().map(|text| List { text, separator }))
        });
        let picture = if lines.is_some() { "board" } else { "position" };
        schema.add(picture, Kind::Text, false, |known| Field::text(known.position.picture()));
        if lines.is_some() {
            schema.add("to_move", Kind::Text, false, |known| {
                Field::text(known.position.to_move().map_or_else(String::new, String::from))
            });
        }
        schema.add("outcome", Kind::Text, false, |known| Field::text(known.value.outcome.word()));
        schema.add("remoteness", Kind::Number, true, |known| known.plies(known.value));
        if info.counts_points {
            schema.add("points", Kind::Number, true, |known| {
                Field::Number(known.points.as_ref().map(|points| points.best))
            });
        }
        if lines.is_some_and(|(rules, _)| rules.stones_fall()) {
            schema.add("pons_score", Kind::Number, true, |known| {
                let left = known.position.plies_left().unwrap_or_default() as i32;
                let exact = known.position.whole(known.value).exact();
                Field::Number(exact.map(|value| score_of(value, left)))
            });
        }
        schema.add("best", Kind::List, true, |known| {
            Field::List(known.best.map(|best| List::of(known.position.texts(best))))
        });
        if all_moves && lines.is_some() {
            schema.add_numbered_moves(game);
        } else if all_moves {
            schema.add_legal_moves(info.counts_points);
        }
        schema
    }

    fn add(
        &mut self,
        name: &str,
        kind: Kind,
        nullable: bool,
        field: impl Fn(&KnownPosition) -> Field + Send + Sync + 'static,
    ) {
        let (name, field) = (name.to_owned(), Box::new(field));
        self.columns.push(Column { name, kind, nullable, field });
    }

    /// Adds the values of the moves of a board, two columns for each column or cell.
    fn add_numbered_moves(&mut self, game: &dyn Position) {
        let place = game.info().move_style.word();
        for m in (0..game.numbered_moves().unwrap_or(0) as u8).map(Move) {
            let name = format!("{place}_{}", m.number());
            let value = move |known: &KnownPosition| {
                let (_, value) = known.moves.iter().find(|(bit, _)| *bit == u32::from(m.0))?;
                *value
            };
            self.add(&format!("{name}_outcome"), Kind::Text, true, move |known| {
                Field::Text(value(known).map(|value| value.outcome.word().into()))
            });
            self.add(&format!("{name}_remoteness"), Kind::Number, true, move |known| {
                value(known).map_or(Field::Number(None), |value| known.plies(value))
            });
        }
    }

    /// Adds the legal moves and their values, each column a list.
    fn add_legal_moves(&mut self, counts_points: bool) {
        self.add("legal_moves", Kind::List, false, |known| {
            let bits = known.moves.iter().fold(0, |bits, (bit, _)| bits | 1 << bit);
            Field::List(Some(List::of(known.position.texts(MoveSet(bits)))))
        });
        self.add("legal_outcomes", Kind::List, false, |known| {
            known.of_each_move(|value| Some(value.outcome.to_string()))
        });
        self.add("legal_remotenesses", Kind::List, false, |known| {
            known
                .of_each_move(|value| known.position.whole(value).remoteness.map(|r| r.to_string()))
        });
        if counts_points {
            self.add("legal_points", Kind::List, true, |known| {
                let list = |moves: &[(u32, i32)]| List::of(moves.iter().map(|m| m.1.to_string()));
                Field::List(known.points.as_ref().map(|points| list(&points.moves)))
            });
        }
    }

    /// Removes the column `moves`.
    pub(super) fn without_ways(mut self) -> Self {
        self.columns.retain(|column| column.name != "moves");
        self
    }

    /// Adds `score` before `best`, by a convention that counts the cells of the board.
    pub(super) fn with_score(mut self, scoring: Scoring, cells: u32) -> Self {
        self.add("score", Kind::Text, true, move |known| {
            let exact = known.position.whole(known.value).exact();
            Field::Text(exact.map(|value| scoring.score(value, cells).to_string().into()))
        });
        let best = self.columns.iter().position(|column| column.name == "best");
        self.columns[best.unwrap_or(0)..].rotate_right(1);
        self
    }

    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// Returns the fields of a position, one for each column.
    pub(super) fn row(&self, known: &KnownPosition) -> Vec<Field> {
        self.columns.iter().map(|column| (column.field)(known)).collect()
    }
}

impl KnownPosition {
    /// Returns the plies to the end by a value of the position or of a move.
    fn plies(&self, value: PartialValue) -> Field {
        Field::Number(self.position.whole(value).remoteness.map(|plies| plies.0.into()))
    }

    /// Returns the texts of the values of all moves.
    fn of_each_move(&self, text: impl Fn(PartialValue) -> Option<String>) -> Field {
        let text = |value: &Option<PartialValue>| value.and_then(&text).unwrap_or("-".to_owned());
        Field::List(Some(List::of(self.moves.iter().map(|(_, value)| text(value)))))
    }
}

#[derive(Clone, Debug)]
pub struct DataColumn {
    pub name: String,
    pub data: ColumnData,
}

/// The rows of a column of a data set in memory; `None` is unknown.
#[derive(Clone, Debug)]
pub enum ColumnData {
    Key(Vec<u64>),
    Number(Vec<Option<i8>>),
    Text(Vec<Option<String>>),
}

impl DataColumn {
    /// Returns the columns of a data set without rows.
    pub(super) fn all(schema: &Schema) -> Vec<Self> {
        let column = |Column { name, kind, .. }: &Column| Self {
            name: name.clone(),
            data: match kind {
                Kind::Key => ColumnData::Key(Vec::new()),
                Kind::Number => ColumnData::Number(Vec::new()),
                Kind::Text | Kind::List => ColumnData::Text(Vec::new()),
            },
        };
        schema.columns.iter().map(column).collect()
    }

    pub(super) fn push(&mut self, field: &Field) {
        match (&mut self.data, field) {
            (ColumnData::Key(keys), Field::Key(key)) => keys.push(*key),
            (ColumnData::Number(numbers), Field::Number(number)) => {
                numbers.push(number.and_then(|number| number.try_into().ok()));
            }
            (ColumnData::Text(texts), field) => texts.push(field.as_text().map(Cow::into_owned)),
            _ => unreachable!("a field is of its column's kind"),
        }
    }
}

type Output<'w> = &'w mut (dyn Write + Send);

pub(super) enum DatasetWriter<'w> {
    Csv(Box<csv::Writer<Output<'w>>>),
    /// An object a line, with the names of the columns.
    JsonLines(Vec<String>, Output<'w>),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::Writer<Output<'w>>>),
}

impl<'w> DatasetWriter<'w> {
    pub fn new(format: PositionFormat, schema: &Schema, to: Output<'w>) -> io::Result<Self> {
        Ok(match format {
            PositionFormat::Csv => {
                let mut csv = csv::Writer::from_writer(to);
                csv.write_record(schema.names())?;
                Self::Csv(Box::new(csv))
            }
            PositionFormat::JsonLines => Self::JsonLines(schema.names(), to),
            #[cfg(feature = "parquet")]
            PositionFormat::Parquet => Self::Parquet(Box::new(parquet::Writer::new(schema, to)?)),
            PositionFormat::Uci | PositionFormat::Pons => unreachable!("it has columns of its own"),
        })
    }

    pub(super) fn row(&mut self, fields: &[Field]) -> io::Result<()> {
        match self {
            Self::Csv(csv) => {
                for field in fields {
                    let text = match field {
                        Field::List(Some(list)) => csv_list_of(&list.text, list.separator).into(),
                        field => field.as_text().unwrap_or_default(),
                    };
                    csv.write_field(&*text)?;
                }
                Ok(csv.write_record(None::<&[u8]>)?)
            }
            Self::JsonLines(names, to) => {
                serde_json::Serializer::new(&mut *to).collect_map(names.iter().zip(fields))?;
                to.write_all(b"\n")
            }
            #[cfg(feature = "parquet")]
            Self::Parquet(file) => file.row(fields),
        }
    }

    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Csv(mut csv) => csv.flush(),
            Self::JsonLines(_, to) => to.flush(),
            #[cfg(feature = "parquet")]
            Self::Parquet(file) => file.finish(),
        }
    }
}
