//! Data sets of positions: the columns once, and a file for each format.

mod comma_separated;
mod json_lines;
#[cfg(feature = "parquet")]
mod parquet;

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::format::PositionFormat;
use super::known::KnownPosition;
use super::scoring::Scoring;
use everyply_connect_four::solver::score_of;
use everyply_core::game::{Move, MoveSet, PartialValue, Remoteness, csv_list_of};
use everyply_registry::registry::Position;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Key,
    Number,
    Text,
    /// Texts; one text in a format without lists.
    List,
}

#[derive(Clone, Debug)]
struct Column {
    name: String,
    kind: Kind,
    nullable: bool,
}

impl Column {
    fn new(name: &str, kind: Kind, nullable: bool) -> Self {
        Self { name: name.to_owned(), kind, nullable }
    }
}

/// A field of a row, of its column's kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Field {
    Key(u64),
    Number(Option<i32>),
    Text(Option<Cow<'static, str>>),
    List(Option<List>),
}

/// Moves, or what belongs to each of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
struct List {
    text: String,
    /// The text between two of them; it may be empty.
    #[serde(skip)]
    separator: &'static str,
}

impl List {
    fn of(items: &[String]) -> Self {
        Self { text: items.join(" "), separator: " " }
    }

    /// The texts of a list; without a separator, its letters.
    #[cfg(feature = "parquet")]
    fn items(&self) -> Vec<&str> {
        let items = self.text.split(self.separator);
        items.filter(|item| !item.is_empty()).collect()
    }

    fn in_csv(&self) -> String {
        csv_list_of(&self.text, self.separator)
    }
}

impl Field {
    /// The field as text; `None` if it is unknown.
    fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Key(key) => Some(key.to_string().into()),
            Self::Number(number) => number.map(|number| number.to_string().into()),
            Self::Text(text) => text.as_deref().map(Cow::Borrowed),
            Self::List(list) => list.as_ref().map(|list| Cow::Borrowed(&*list.text)),
        }
    }
}

/// The columns of a data set, as docs/formats.md describes them. Values that are not stored are unknown;
/// the remoteness of a draw is always known where all of them take the same time.
#[derive(Clone, Debug)]
pub struct Schema {
    columns: Vec<Column>,
    /// True if the board is one of stones and lines.
    lines: bool,
    /// True if stones fall, as Pons' score asks for.
    has_score: bool,
    has_ways: bool,
    /// The convention of the column `score`, and the cells of the board, if it is there.
    scoring: Option<(Scoring, u32)>,
    all_moves: bool,
}

impl Schema {
    pub fn new(game: &dyn Position, all_moves: bool) -> Self {
        let place = game.info().move_style.word();
        let lines = game.lines().is_some();
        let places = game.numbered_moves().filter(|_| lines).map(|count| (place, count));
        let has_score = game.lines().is_some_and(|(rules, _)| rules.stones_fall());
        let all = [
            (true, Column::new("key", Kind::Key, false)),
            (true, Column::new("ply", Kind::Number, false)),
            (true, Column::new("moves", Kind::List, true)),
            (true, Column::new(if lines { "board" } else { "position" }, Kind::Text, false)),
            (lines, Column::new("to_move", Kind::Text, false)),
            (true, Column::new("outcome", Kind::Text, false)),
            (true, Column::new("remoteness", Kind::Number, true)),
            (game.info().counts_points, Column::new("points", Kind::Number, true)),
            (has_score, Column::new("pons_score", Kind::Number, true)),
            (true, Column::new("best", Kind::List, true)),
        ];
        let mut columns: Vec<Column> =
            all.into_iter().filter_map(|(is_there, column)| is_there.then_some(column)).collect();
        match places.filter(|_| all_moves) {
            Some((place, count)) => {
                for m in (0..count as u8).map(Move) {
                    let name = |part| format!("{place}_{}_{part}", m.number());
                    columns.push(Column::new(&name("outcome"), Kind::Text, true));
                    columns.push(Column::new(&name("remoteness"), Kind::Number, true));
                }
            }
            None if all_moves => {
                let legal = ["legal_moves", "legal_outcomes", "legal_remotenesses"];
                columns.extend(legal.map(|name| Column::new(name, Kind::List, false)));
                if game.info().counts_points {
                    columns.push(Column::new("legal_points", Kind::List, true));
                }
            }
            None => {}
        }
        Self { columns, lines, has_score, has_ways: true, scoring: None, all_moves }
    }

    /// The same columns without `moves`.
    pub(super) fn without_ways(mut self) -> Self {
        self.columns.retain(|column| column.name != "moves");
        Self { has_ways: false, ..self }
    }

    /// The same columns and `score` before `best`, by a convention that counts the cells of the board.
    pub(super) fn with_score(mut self, scoring: Scoring, cells: u32) -> Self {
        let best = self.columns.iter().position(|column| column.name == "best");
        self.columns.insert(best.unwrap_or(0), Column::new("score", Kind::Text, true));
        Self { scoring: Some((scoring, cells)), ..self }
    }

    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// The number of the first column or cell; `None` if none are numbered.
    pub(super) fn index_base(&self) -> Option<u8> {
        self.lines.then_some(1)
    }

    /// The fields of a row.
    pub(super) fn row(&self, known: &KnownPosition) -> Row {
        let KnownPosition { position, way, value, points, best, moves } = known;
        let position = position.as_ref();
        let plies = |value: PartialValue| {
            Field::Number(position.whole(value).remoteness.map(|Remoteness(r)| i32::from(r)))
        };
        let outcome = |value: PartialValue| Field::Text(Some(value.outcome.word().into()));
        let text = |text: String| Field::Text(Some(text.into()));
        let mut fields = Vec::with_capacity(self.columns.len());
        fields.push(Field::Key(position.key().expect("keys of 64 bits are stored").0));
        fields.push(Field::Number(Some(i32::from(position.tier().0))));
        if self.has_ways {
            let separator = position.info().separator;
            fields.push(Field::List(way.clone().map(|text| List { text, separator })));
        }
        fields.push(text(position.picture()));
        if self.lines {
            fields.push(text(position.to_move().map_or_else(String::new, String::from)));
        }
        fields.extend([outcome(*value), plies(*value)]);
        if position.info().counts_points {
            fields.push(Field::Number(points.as_ref().map(|points| points.best)));
        }
        if self.has_score {
            let left = position.plies_left().unwrap_or_default() as i32;
            let exact = position.whole(*value).exact();
            fields.push(Field::Number(exact.map(|value| score_of(value, left))));
        }
        if let Some((scoring, cells)) = self.scoring {
            let exact = position.whole(*value).exact();
            let score = exact.map(|value| scoring.score(value, cells).to_string());
            fields.push(Field::Text(score.map(Cow::from)));
        }
        fields.push(Field::List(best.map(|best| List::of(&position.texts(best)))));
        if self.lines {
            // As many as there are columns for.
            for bit in 0..(self.columns.len() - fields.len()) as u32 / 2 {
                let known =
                    moves.iter().find(|(other, _)| *other == bit).and_then(|(_, value)| *value);
                fields.push(known.map_or(Field::Text(None), outcome));
                fields.push(known.map_or(Field::Number(None), plies));
            }
        } else if self.all_moves {
            let bits = moves.iter().fold(0, |bits, (bit, _)| bits | 1 << bit);
            let unknown = || "-".to_owned();
            let columns = [
                position.texts(MoveSet(bits)),
                each(moves, |value| value.map_or_else(unknown, |value| value.outcome.to_string())),
                each(moves, |value| {
                    let plies = value.and_then(|value| position.whole(value).remoteness);
                    plies.map_or_else(unknown, |plies| plies.to_string())
                }),
            ];
            fields.extend(columns.map(|texts| Field::List(Some(List::of(&texts)))));
            if position.info().counts_points {
                fields.push(Field::List(points.as_ref().map(|points| {
                    let texts = points.moves.iter().map(|(_, there)| there.to_string());
                    List::of(&texts.collect::<Vec<_>>())
                })));
            }
        }
        Row(fields)
    }
}

/// The fields of a position, one for each column.
pub(super) struct Row(Vec<Field>);

/// The texts of the values of moves.
fn each(
    moves: &[(u32, Option<PartialValue>)],
    text: impl Fn(Option<PartialValue>) -> String,
) -> Vec<String> {
    moves.iter().map(|(_, value)| text(*value)).collect()
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

pub(super) struct Columns {
    schema: Schema,
    data: Vec<ColumnData>,
}

impl Columns {
    pub fn new(schema: Schema) -> Self {
        let data = schema.columns.iter().map(|column| match column.kind {
            Kind::Key => ColumnData::Key(Vec::new()),
            Kind::Number => ColumnData::Number(Vec::new()),
            Kind::Text | Kind::List => ColumnData::Text(Vec::new()),
        });
        Self { data: data.collect(), schema }
    }

    pub fn row(&mut self, known: &KnownPosition) {
        for (column, field) in self.data.iter_mut().zip(self.schema.row(known).0) {
            match (column, field) {
                (ColumnData::Key(keys), Field::Key(key)) => keys.push(key),
                (ColumnData::Number(numbers), Field::Number(number)) => {
                    numbers.push(number.and_then(|number| number.try_into().ok()));
                }
                (ColumnData::Text(texts), field) => {
                    texts.push(field.text().map(Cow::into_owned));
                }
                _ => unreachable!("a field is of its column's kind"),
            }
        }
    }

    pub fn finish(self) -> Vec<DataColumn> {
        let names = self.schema.columns.into_iter().map(|column| column.name);
        names.zip(self.data).map(|(name, data)| DataColumn { name, data }).collect()
    }
}

/// Writes rows one after the other.
trait RowWriter {
    fn row(&mut self, fields: &[Field]) -> io::Result<()>;
    fn finish(self: Box<Self>) -> io::Result<()>;
}

pub struct DatasetWriter<'w>(Box<dyn RowWriter + 'w>);

impl<'w> DatasetWriter<'w> {
    pub fn new<W: Write + Send>(
        format: PositionFormat,
        schema: &Schema,
        to: &'w mut W,
    ) -> io::Result<Self> {
        let writer: Box<dyn RowWriter + 'w> = match format {
            PositionFormat::Csv => Box::new(comma_separated::Writer::new(schema, to)?),
            PositionFormat::JsonLines => Box::new(json_lines::Writer::new(schema, to)),
            #[cfg(feature = "parquet")]
            PositionFormat::Parquet => Box::new(parquet::Writer::new(schema, to)?),
            PositionFormat::Uci | PositionFormat::Pons => unreachable!("it has columns of its own"),
        };
        Ok(Self(writer))
    }

    pub fn row(&mut self, row: &Row) -> io::Result<()> {
        self.0.row(&row.0)
    }

    pub fn finish(self) -> io::Result<()> {
        self.0.finish()
    }
}
