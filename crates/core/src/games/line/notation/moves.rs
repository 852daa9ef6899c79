//! Move strings: the moves as played, counted from 1 or from 0.

use super::{IndexBase, TextBoard, move_style, occupied_word, score, side_moved_last};
use crate::game::{Move, Outcome, Unreadable, unbracketed};
use crate::games::line::{LineGame, Stones, Word};

/// Reads a move string; the empty string is the empty board. Commas or spaces may separate moves,
/// and must if a move may have two digits. A list in brackets, as in CSV files, is read as well,
/// and so are columns as letters: `dcd`, or `D_Red, C_Yellow`.
///
/// ```
/// # use everyply_core as everyply;
/// use everyply::games::line::{Standard, notation::{parse_moves, picture}};
/// let game = Standard::fixed();
/// let position = parse_moves(&game, "4453").unwrap();
/// assert_eq!(picture(&game, position), "......./......./......./......./...O.../..OXX..");
/// assert_eq!(parse_moves(&game, "ddec"), Ok(position));
/// assert_eq!(parse_moves(&game, "D_Red, D_Yellow, E_Red, C_Yellow"), Ok(position));
/// let full = parse_moves(&game, "4444444").unwrap_err();
/// assert_eq!(full.to_string(), "move 7 ('4', character 7): column 4 is full");
/// ```
pub fn parse_moves<W: Word, G: LineGame<W>>(game: &G, text: &str) -> Result<Stones<W>, Unreadable> {
    parse_moves_from(game, text, IndexBase::One).map(|(position, _)| position)
}

/// Reads a move string that counts from `base`; returns the position and the moves as played.
pub fn parse_moves_from<W: Word, G: LineGame<W>>(
    game: &G,
    text: &str,
    base: IndexBase,
) -> Result<(Stones<W>, Vec<Move>), Unreadable> {
    let board = TextBoard::of(game);
    let mut position = game.initial();
    let mut moves = Vec::new();
    for (index, written) in split_moves(board, text, base)?.into_iter().enumerate() {
        let Written { character, text: word, number } = written;
        let Some(m) = number.and_then(|n| base.move_of(board, n)) else {
            return Err(not_a_move(board, character, word, base));
        };
        let reason = match game.result(position) {
            Some(Outcome::Loss) => {
                format!("the game is over, {} won with move {index}", side_moved_last(position))
            }
            Some(_) => format!("the game is over, the board was full after move {index}"),
            None if game.moves(position).contains(m) => String::new(),
            None => format!(
                "{} {} is {}",
                move_style(game.rules()).word(),
                base.number(m),
                occupied_word(game)
            ),
        };
        if !reason.is_empty() {
            let number = index + 1;
            let place = format!("move {number} ('{word}', character {character})");
            return Err(Unreadable(format!("{place}: {reason}")));
        }
        position = game.play(position, m);
        moves.push(m);
    }
    Ok((position, moves))
}

fn not_a_move(board: TextBoard, character: usize, word: &str, base: IndexBase) -> Unreadable {
    let word: String = word.chars().take(12).flat_map(char::escape_debug).collect();
    let (place, least, most) = (move_style(board.rules).word(), base.least(), base.most(board));
    let separated = match base.digits_are_moves(board) {
        true => "",
        false => ", moves are separated by commas or spaces",
    };
    Unreadable(format!(
        "character {character} ('{word}') is no move: a move is a {place} from {least} to \
         {most}{separated}"
    ))
}

struct Written<'t> {
    character: usize,
    text: &'t str,
    number: Option<usize>,
}

/// Returns the columns of a text in letters, `dcd`, `d c d` or as a list of drops
/// `D_Red, C_Yellow`; `None` of another text, such as drops whose colours do not take turns.
fn lettered(board: TextBoard, text: &str, base: IndexBase) -> Option<Vec<Written<'_>>> {
    let columns = u32::from(board.size.width);
    let (mut written, mut last) = (Vec::new(), String::new());
    let words = unbracketed(text).unwrap_or(text);
    let words = words.split(|c: char| c.is_whitespace() || ",\"'".contains(c));
    for word in words.filter(|word| !word.is_empty()) {
        let letters = match word.split_once('_') {
            Some((letter, colour)) if letter.len() == 1 => {
                let before = std::mem::replace(&mut last, colour.to_lowercase());
                (["red", "yellow"].contains(&&last[..]) && before != last).then_some(letter)?
            }
            _ => word,
        };
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        for (at, letter) in letters.char_indices() {
            let column = u32::from(letter.to_ascii_lowercase()).checked_sub(u32::from('a'))?;
            let number = (board.rules.stones_fall() && column < columns)
                .then(|| (column + base.least()) as usize)?;
            let character = text[..start + at].chars().count() + 1;
            let text = &letters[at..=at];
            written.push(Written { character, text, number: Some(number) });
        }
    }
    (!written.is_empty()).then_some(written)
}

/// Returns the moves of a text: separated by commas or white space, or single digits.
fn split_moves(
    board: TextBoard,
    text: &str,
    base: IndexBase,
) -> Result<Vec<Written<'_>>, Unreadable> {
    let number = |word: &str| {
        let digits = word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit());
        if digits { word.parse().ok() } else { None }
    };
    let mut written = Vec::new();
    if let Some(columns) = lettered(board, text, base) {
        return Ok(columns);
    }
    if text.contains('_') && board.rules.stones_fall() {
        let why = "a list of drops is D_Red, C_Yellow: a column, and red or yellow in turn";
        return Err(Unreadable(why.to_owned()));
    }
    score::refuse(board, text)?;
    // The bracket before a list is a character too.
    let list = unbracketed(text);
    let (text, first) = (list.unwrap_or(text), 1 + usize::from(list.is_some()));
    if text.trim().is_empty() {
        return Ok(written);
    }
    if base.digits_are_moves(board) && !text.contains(',') {
        for (i, (at, c)) in text.char_indices().enumerate().filter(|(_, (_, c))| !c.is_whitespace())
        {
            let text = &text[at..at + c.len_utf8()];
            written.push(Written { character: i + first, text, number: number(text) });
        }
        return Ok(written);
    }
    // One trailing comma is allowed: it says that a single number is a single move.
    let list = text.strip_suffix(',').unwrap_or(text);
    let is_text = first == 1 && list.len() == text.len();
    if is_text && list.len() > 1 && list.bytes().all(|b| b.is_ascii_digit()) {
        let beginning: String = list.chars().take(12).collect();
        let split: Vec<String> = beginning.chars().map(String::from).collect();
        return Err(Unreadable(format!(
            "character 1 ('{beginning}') can be read as one move or as several: on this board separate \
             moves by commas, as in '{}', or write '{beginning},' for one",
            split.join(",")
        )));
    }
    let mut character = first;
    for item in list.split(',') {
        if item.trim().is_empty() {
            written.push(Written { character, text: ",", number: None });
        }
        for text in item.split(char::is_whitespace) {
            if !text.is_empty() {
                written.push(Written { character, text, number: number(text) });
            }
            character += text.chars().count() + 1;
        }
    }
    Ok(written)
}

/// Writes moves as [`parse_moves`] reads them.
pub fn write_moves<W: Word, G: LineGame<W>>(game: &G, moves: &[Move]) -> String {
    write_moves_from(game, moves, IndexBase::One)
}

/// Writes moves as [`parse_moves_from`] reads them with this base.
pub fn write_moves_from<W: Word, G: LineGame<W>>(
    game: &G,
    moves: &[Move],
    base: IndexBase,
) -> String {
    write(TextBoard::of(game), moves, base)
}

fn write(board: TextBoard, moves: &[Move], base: IndexBase) -> String {
    let numbers: Vec<String> = moves.iter().map(|&m| base.number(m).to_string()).collect();
    if base.digits_are_moves(board) {
        return numbers.concat();
    }
    let mut text = numbers.join(",");
    if moves.len() == 1 && text.len() > 1 {
        text.push(',');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;
    use crate::games::line::notation::{picture, some_moves_to};
    use crate::games::line::{ConnectFour, Mnk, Size, Standard, TicTacToe};

    fn message<T: fmt::Debug>(result: Result<T, Unreadable>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn move_strings_name_what_is_wrong() {
        let game = Standard::fixed();
        let error = |text| message(parse_moves(&game, text));
        assert_eq!(error("44x"), "character 3 ('x') is no move: a move is a column from 1 to 7");
        assert_eq!(error("48"), "character 2 ('8') is no move: a move is a column from 1 to 7");
        assert_eq!(error("0"), "character 1 ('0') is no move: a move is a column from 1 to 7");
        assert_eq!(error("4444444"), "move 7 ('4', character 7): column 4 is full");
        assert_eq!(
            error("12121213"),
            "move 8 ('3', character 8): the game is over, X won with move 7"
        );
        let game = TicTacToe::fixed();
        let error = |text| message(parse_moves(&game, text));
        assert_eq!(error("55"), "move 2 ('5', character 2): cell 5 is taken");
        assert_eq!(
            error("152934"),
            "move 6 ('4', character 6): the game is over, X won with move 5"
        );
        assert_eq!(
            error("1,2,3,5,4,6,8,7,9,1"),
            "move 10 ('1', character 19): the game is over, the board was full after move 9"
        );
    }

    #[test]
    fn boards_of_more_than_nine_cells_separate_moves_by_commas() {
        let game = Mnk::new(Size::new(4, 4, 4).unwrap()).unwrap();
        let twelve = parse_moves(&game, "12,").unwrap();
        assert_eq!(picture(&game, twelve), "..../..../...X/....");
        assert_eq!(write_moves(&game, &some_moves_to(&game, twelve).unwrap()), "12,");
        assert!(
            message(parse_moves(&game, "12")).contains("separate moves by commas, as in '1,2'")
        );
        assert_eq!(
            message(parse_moves(&game, "1,,2")),
            "character 3 (',') is no move: a move is a cell from 1 to 16, moves are separated by commas or spaces"
        );
        assert!(parse_moves(&game, "7").is_ok());
    }

    #[test]
    fn moves_may_be_separated_by_spaces() {
        let game = Standard::fixed();
        let position = parse_moves(&game, "4453");
        for text in [
            "4 4 5 3",
            " 4453 ",
            "[44 53]",
            "4,4,5,3",
            "4, 4, 5, 3",
            "4\t4,5 3,",
            "[4 4 5 3]",
            "[4,4,5,3]",
        ] {
            assert_eq!(parse_moves(&game, text), position, "{text:?}");
        }
        let drops = "[\"D_Red\", \"D_Yellow\", \"E_Red\", \"C_Yellow\"]";
        assert_eq!(parse_moves(&game, drops), position);
        assert!(message(parse_moves(&game, "D_Red, D_Red")).contains("red or yellow in turn"));
        assert!(
            message(parse_moves(&game, "4453 2")).contains("moves (44532), or moves and a score")
        );
        assert!(message(parse_moves(&game, " 1")).contains("the empty board and a score"));
        assert_eq!(parse_moves(&game, "  "), parse_moves(&game, ""));
        assert_eq!(parse_moves(&game, "[]"), parse_moves(&game, ""));
        assert!(message(parse_moves(&game, "[4 x]")).contains("character 4 ('x')"));
        assert!(message(parse_moves(&game, "[4 4")).contains("character 1 ('[')"));
        assert!(message(parse_moves(&game, "4 4 x 3")).contains("character 5 ('x')"));
        assert!(message(parse_moves(&game, "4 4, x 3")).contains("character 6 ('x')"));
        assert!(message(parse_moves(&game, "4, ,4")).contains("character 3 (',')"));
        let game = Mnk::new(Size::new(4, 4, 4).unwrap()).unwrap();
        assert_eq!(parse_moves(&game, "1 16 3"), parse_moves(&game, "1,16,3"));
        assert_eq!(parse_moves(&game, "[12]"), parse_moves(&game, "12,"));
        assert!(message(parse_moves(&game, "1 16  17")).contains("character 7 ('17')"));
    }

    #[test]
    fn counted_from_zero() {
        let game = Standard::fixed();
        let (position, moves) = parse_moves_from(&game, "3342", IndexBase::Zero).unwrap();
        assert_eq!(parse_moves(&game, "4453"), Ok(position));
        assert_eq!(write_moves(&game, &moves), "4453");
        assert_eq!(write_moves_from(&game, &moves, IndexBase::Zero), "3342");
        let error = |text| message(parse_moves_from(&game, text, IndexBase::Zero));
        assert_eq!(error("7"), "character 1 ('7') is no move: a move is a column from 0 to 6");
        assert_eq!(error("0000000"), "move 7 ('0', character 7): column 0 is full");
        // Ten columns have a digit each when counted from 0, but not from 1.
        let ten = ConnectFour::new(Size::new(10, 4, 4).unwrap()).unwrap();
        assert_eq!(write_moves_from(&ten, &[Move(9), Move(0)], IndexBase::Zero), "90");
        assert_eq!(write_moves(&ten, &[Move(9), Move(0)]), "10,1");
        assert!(parse_moves_from(&ten, "90", IndexBase::Zero).is_ok());
    }
}
