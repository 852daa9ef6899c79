//! Data sets of positions: the columns once, and a file for each format.

mod comma_separated;
mod json_lines;
#[cfg(feature = "parquet")]
mod parquet;

use std::io::{self, Write};

use super::KnownPosition;
use super::tables::of_move;
use crate::connect_four::solver::score_of;
use crate::database::PositionRow;
use crate::game::{Move, MoveSet, Remoteness, Worth};
use crate::games::line::LineGame;
use crate::games::line::notation::{picture, place_word, side_to_move, write_moves};
use crate::registry::{Branch, Situation, Study};

/// The format of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatasetFormat {
    /// CSV with a header; an unknown value is empty.
    Csv,
    /// JSON objects, one a line; an unknown value is null.
    JsonLines,
    /// Apache Parquet, uncompressed; an unknown value is null.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Key,
    Number,
    Text,
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
#[derive(Clone, Debug, PartialEq, Eq)]
enum Field {
    Key(u64),
    Number(Option<i32>),
    Text(Option<String>),
}

impl Field {
    /// The field as text; `None` if it is unknown.
    fn text(&self) -> Option<String> {
        match self {
            Self::Key(key) => Some(key.to_string()),
            Self::Number(number) => number.map(|number| number.to_string()),
            Self::Text(text) => text.clone(),
        }
    }
}

/// The columns of the moves of a registered game, and of what each of them leads to.
pub(crate) const LEGAL_MOVES: [&str; 3] = ["legal_moves", "legal_outcomes", "legal_remotenesses"];

/// The cells of these columns: `-` for an unknown outcome, and for a remoteness that is unknown or of
/// endless play.
pub(crate) fn legal_moves(moves: impl IntoIterator<Item = (String, Option<Worth>)>) -> [String; 3] {
    let unknown = || "-".to_owned();
    let mut columns: [Vec<String>; 3] = Default::default();
    for (text, worth) in moves {
        let remoteness = worth.and_then(Worth::remoteness);
        columns[0].push(text);
        columns[1].push(worth.map_or_else(unknown, |worth| worth.outcome().to_string()));
        columns[2].push(remoteness.map_or_else(unknown, |plies| plies.to_string()));
    }
    columns.map(|texts| joined(texts.into_iter()))
}

/// The texts of moves, as every column of moves has them.
fn joined(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(" ")
}

/// The columns of a data set.
///
/// `key` (as [`Keyed::key`](crate::game::Keyed::key)), `ply`, `moves` (the lowest move string that
/// leads to the position), `board` (a picture), `to_move` (X or O), `outcome`, `remoteness` and
/// `score` (Pons') for the side to move, `best` (all best moves, counted from 1, as text); with all
/// moves, `column_1_outcome`, `column_1_remoteness` and so on (`cell_1_outcome` on m,n,k boards), the
/// value of the move for the side that plays it. Values that are not stored are unknown; the
/// remoteness of a draw is always known.
#[derive(Clone, Debug)]
pub struct Schema {
    columns: Vec<Column>,
    moves: Vec<Move>,
}

impl Schema {
    /// The columns for a board.
    #[must_use]
    pub fn new<G: LineGame>(game: &G, all_moves: bool) -> Self {
        let column = Column::new;
        let mut columns = vec![
            column("key", Kind::Key, false),
            column("ply", Kind::Number, false),
            column("moves", Kind::Text, true),
            column("board", Kind::Text, false),
            column("to_move", Kind::Text, false),
            column("outcome", Kind::Text, false),
            column("remoteness", Kind::Number, true),
            column("score", Kind::Number, true),
            column("best", Kind::Text, true),
        ];
        let count = if all_moves { game.centre_first().len() as u8 } else { 0 };
        let moves: Vec<Move> = (0..count).map(Move).collect();
        for m in &moves {
            let [outcome, remoteness] = of_move(place_word(game), *m);
            columns.push(column(&outcome, Kind::Text, true));
            columns.push(column(&remoteness, Kind::Number, true));
        }
        Self { columns, moves }
    }

    /// The columns for a game of a registry: `key`, `ply` (the tier), `moves` (the lowest of the
    /// shortest ways from the start, separated by commas), `position` (a picture),
    /// `outcome` and `remoteness` for the side to move (unknown if play is endless), `best`; with
    /// all moves, `legal_moves`, and in `legal_outcomes` and `legal_remotenesses` the value of each
    /// of them for the side that makes it: `-` if it is not stored, and for the remoteness also if
    /// play is endless.
    #[must_use]
    pub fn of_registered(all_moves: bool) -> Self {
        let mut columns = vec![
            Column::new("key", Kind::Key, false),
            Column::new("ply", Kind::Number, false),
            Column::new("moves", Kind::Text, true),
            Column::new("position", Kind::Text, false),
            Column::new("outcome", Kind::Text, false),
            Column::new("remoteness", Kind::Number, true),
            Column::new("best", Kind::Text, true),
        ];
        if all_moves {
            columns.extend(LEGAL_MOVES.map(|name| Column::new(name, Kind::Text, false)));
        }
        Self { columns, moves: Vec::new() }
    }

    /// The names of the columns.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// The fields of a row.
    fn fields<G: LineGame>(&self, game: &G, known: &KnownPosition) -> Vec<Field> {
        let KnownPosition { position, way, value, best, moves } = known;
        let left = game.plies_left(*position);
        let exact = value.on_board(left);
        let numbers = |set: MoveSet| joined(set.into_iter().map(|m| m.number().to_string()));
        let mut fields = vec![
            Field::Key(game.key(*position).0),
            Field::Number(Some(i32::from(position.ply().0))),
            Field::Text(way.as_ref().map(|way| write_moves(game, way))),
            Field::Text(Some(picture(game, *position))),
            Field::Text(Some(side_to_move(*position).to_string())),
            Field::Text(Some(value.outcome.word().to_owned())),
            Field::Number(exact.map(|value| i32::from(value.remoteness.0))),
            Field::Number(exact.map(|value| score_of(value, left as i32))),
            Field::Text(best.map(numbers)),
        ];
        for &m in &self.moves {
            let known = moves.iter().find(|(other, _)| *other == m).map(|(_, value)| value);
            let remoteness = known.and_then(|known| Some(known.on_board(left)?.remoteness));
            fields.push(Field::Text(known.map(|known| known.outcome.word().to_owned())));
            fields.push(Field::Number(remoteness.map(|Remoteness(r)| i32::from(r))));
        }
        fields
    }
}

/// Writes rows one after the other.
trait RowWriter {
    fn row(&mut self, fields: &[Field]) -> io::Result<()>;
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// A data set in the making.
pub struct DatasetWriter<'w> {
    schema: Schema,
    writer: Box<dyn RowWriter + 'w>,
}

impl<'w> DatasetWriter<'w> {
    /// Begins a data set.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new<W: Write + Send>(
        format: DatasetFormat,
        schema: Schema,
        to: &'w mut W,
    ) -> io::Result<Self> {
        let writer: Box<dyn RowWriter + 'w> = match format {
            DatasetFormat::Csv => Box::new(comma_separated::Writer::new(&schema, to)?),
            DatasetFormat::JsonLines => Box::new(json_lines::Writer::new(&schema, to)),
            #[cfg(feature = "parquet")]
            DatasetFormat::Parquet => Box::new(parquet::Writer::new(&schema, to)?),
        };
        Ok(Self { schema, writer })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn row<G: LineGame>(&mut self, game: &G, known: &KnownPosition) -> io::Result<()> {
        self.writer.row(&self.schema.fields(game, known))
    }

    /// Writes a row of a game of a registry. `ask` returns the stored values of the positions that
    /// its moves lead to; it is called only if the schema has columns for them.
    ///
    /// # Errors
    /// The errors of `ask`, or if the file cannot be written.
    pub fn registered_row<E: From<io::Error>>(
        &mut self,
        study: &dyn Study,
        row: &PositionRow,
        mut ask: impl FnMut(&dyn Study) -> Result<Option<Worth>, E>,
    ) -> Result<(), E> {
        let branches = study.branches();
        let texts = |branches: &[Branch], set: MoveSet| {
            let chosen = branches.iter().filter(|branch| set.0 >> branch.bit & 1 == 1);
            joined(chosen.map(|branch| branch.text.clone()))
        };
        let mut fields = vec![
            Field::Key(row.key.0),
            Field::Number(Some(i32::from(row.ply.0))),
            Field::Text(study.moves_to()),
            Field::Text(Some(study.picture())),
            Field::Text(Some(row.value.outcome.word().to_owned())),
            Field::Number(row.value.remoteness.map(|Remoteness(r)| i32::from(r))),
            Field::Text(row.best.map(|best| texts(&branches, best))),
        ];
        if self.schema.columns.len() > fields.len() {
            let situation = Situation::of(study, |at| {
                // Its own value is in the row.
                if at.key() == study.key() { Ok(None) } else { ask(at) }
            })?;
            let moves = situation.moves.into_iter().map(|(branch, worth)| (branch.text, worth));
            fields.extend(legal_moves(moves).map(|column| Field::Text(Some(column))));
        }
        Ok(self.writer.row(&fields)?)
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self) -> io::Result<()> {
        self.writer.finish()
    }
}
