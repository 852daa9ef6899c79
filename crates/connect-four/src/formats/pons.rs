//! Lines of Pascal Pons' test sets: `moves score` (blog.gamesolver.org, "Solving Connect Four",
//! part 2).
//!
//! Columns are counted from 1. The score is for the side to move:
//! [`Score`](crate::solver::Score).

use super::{Record, RecordError};
use crate::solver::{score_of, scores, value_of};
use everyply_core::games::line::notation::{
    IndexBase, ScoreField, beginning, moves_and_score, parse_moves_from, write_moves_from,
};
use everyply_core::games::line::{LineGame, Word};

pub(super) fn read(game: &impl LineGame, text: &str) -> Result<Record, RecordError> {
    let (moves, Some(score)) = moves_and_score(game, text, ScoreField::Required)? else {
        let remedy = "a line is moves, a space and the score; moves alone are of the format moves1 \
                      or moves0";
        return Err(RecordError::count("field", 1, 2, remedy));
    };
    let (position, moves) = parse_moves_from(game, moves, IndexBase::One)?;
    let empties = game.plies_left(position) as i32;
    let possible = scores(empties);
    let score = score.trim();
    let Some(score) = integer(score).filter(|score| possible.contains(score)) else {
        let (least, most) = possible.into_inner();
        let expected =
            format_args!("with {empties} cells empty it is a whole number from {least} to {most}");
        return Err(RecordError::field("score", score, expected));
    };
    Ok(Record { position, moves, value: Some(value_of(score, empties).into()) })
}

pub(super) fn write(game: &impl LineGame, record: &Record) -> Result<String, RecordError> {
    let left = game.plies_left(record.position);
    let (needs, remedy) =
        ("a Pons line ends with a score", "convert to moves1 and solve the positions");
    let missing = |has| RecordError::NoValue { needs, has, remedy };
    let value = record.value.ok_or_else(|| missing("and the input has no values"))?;
    let has = "and the input has the outcome, but not how soon the game ends";
    let value = value.on_board(left).ok_or_else(|| missing(has))?;
    let moves = write_moves_from(game, &record.moves, IndexBase::One);
    Ok(format!("{moves} {}", score_of(value, left as i32)))
}

/// Divides a line into its moves, as text, and an optional score.
///
/// # Errors
/// The reason why the line is neither, in words.
pub fn scored_moves<'t, W: Word>(
    game: &impl LineGame<W>,
    line: &'t str,
) -> Result<(&'t str, Option<i32>), String> {
    let fields = moves_and_score(game, line, ScoreField::Optional);
    let (text, score) = fields.map_err(|error| error.to_string())?;
    let no_score = |score| format!("'{}' is no score: it is a whole number", beginning(score, 40));
    let score = score.map(|score| integer(score).ok_or_else(|| no_score(score))).transpose()?;
    Ok((text, score))
}

/// Parses a whole number without a plus sign.
fn integer(text: &str) -> Option<i32> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::{IndexBase, LineGame, parse_moves_from, scored_moves};
    use crate::formats::LineFormat;
    use everyply_core::games::line::{ConnectFour, Rules, Standard, Stones};
    use everyply_core::random::Random;

    /// Returns the position of a line, its moves as digits, and the score.
    fn read_line(
        game: &impl LineGame<u64>,
        line: &str,
    ) -> Result<(Stones, String, Option<i32>), String> {
        let (text, score) = scored_moves(game, line)?;
        let (position, moves) =
            parse_moves_from(game, text, IndexBase::One).map_err(|error| error.to_string())?;
        Ok((position, moves.iter().map(|m| m.number().to_string()).collect(), score))
    }

    /// The digits of moves in a text, by the words of the grammar; `None` if they are no moves.
    fn slow_moves(text: &str) -> Option<String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_score =
            matches!(words[..], [a, b] if a.len() > 1 && !a.ends_with(',') && !b.contains(','));
        let is_of_digits = text.contains(|c: char| c.is_ascii_digit());
        if is_score && is_of_digits { None } else { slow_list(text) }
    }

    /// The digits of moves in a text that no score can follow.
    fn slow_list(text: &str) -> Option<String> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
        if !plain.is_empty() && plain.chars().all(|c| ('a'..='g').contains(&c)) {
            return Some(plain.chars().map(|c| char::from(c as u8 - b'a' + b'1')).collect());
        }
        let list = text.strip_suffix(',').unwrap_or(text);
        // In a list a number may begin with zeros.
        let words = list.split([' ', '\t', ',']).map(|word| word.trim_start_matches('0'));
        let plain = if text.contains(',') { words.collect() } else { plain };
        let is_list = text.contains(',');
        let is_item = |item: &str| {
            !item.trim().is_empty()
                && item.split_whitespace().all(|word| word.trim_start_matches('0').len() == 1)
        };
        let is_sound = plain.chars().all(|c| ('1'..='7').contains(&c))
            && (!is_list || list.split(',').all(is_item));
        is_sound.then_some(plain)
    }

    /// A second reader of lines: every way to read a line, and the rules that choose.
    fn slow_fields(line: &str) -> Option<(String, Option<i32>)> {
        let number = |text: &str| text.parse().ok().filter(|_: &i32| !text.starts_with('+'));
        let line = line.trim_end();
        if let Some(list) = line.strip_prefix('[') {
            let (moves, rest) = list.split_once(']')?;
            let moves = slow_list(moves)?;
            return match rest.trim() {
                "" => Some((moves, None)),
                rest => number(rest).map(|score| (moves, Some(score))),
            };
        }
        if line.starts_with([' ', '\t']) {
            let score = number(line.trim()).filter(|score| (-22..=22).contains(score))?;
            return Some((String::new(), Some(score)));
        }
        let alone = if line.is_empty() { Some(String::new()) } else { slow_moves(line) };
        let Some((before, last)) = line.rsplit_once([' ', '\t']) else {
            return Some((alone?, None));
        };
        let before = before.trim_end();
        let scored = slow_list(before).zip(number(last));
        let count = before.trim_end_matches(',').len();
        let scored = scored.filter(|_| !before.ends_with(',') || count == 1);
        let is_one_word = !before.contains([' ', '\t']);
        match (alone, scored) {
            (None, None) => None,
            (Some(moves), None) => Some((moves, None)),
            (Some(_), Some((_, 1..=7))) if !is_one_word || count == 1 => None,
            (_, Some((_, score))) => slow_moves(before).map(|moves| (moves, Some(score))),
        }
    }

    #[test]
    fn a_second_reader_agrees_on_random_lines() {
        let game = ConnectFour::new(Rules::ConnectFour.usual()).unwrap();
        let mut random = Random::new(57);
        let (mut read, mut refused, mut scored) = (0, 0, 0);
        for _ in 0..10_000 {
            let mut line = String::new();
            if random.below(8u32) == 0 {
                line.push_str([" ", "\t", "[", "[4 "][random.below(4u32) as usize]);
            }
            for _ in 0..random.below(5u32) {
                let words = [
                    "4", "3", "44", "453", "8", "0", "-2", "18", "7", "d", "dc", "4,", "] ", "x",
                    "+1",
                ];
                line.push_str(words[random.below(words.len() as u32) as usize]);
                line.push_str([" ", " ", "  ", "\t", ",", ", ", ""][random.below(7u32) as usize]);
            }
            let slow = slow_fields(&line);
            let slow =
                slow.filter(|(moves, _)| parse_moves_from(&game, moves, IndexBase::One).is_ok());
            let (position, score) = match read_line(&game, &line) {
                Ok((position, moves, score)) => {
                    assert_eq!(Some((moves, score)), slow, "{line:?}");
                    read += 1;
                    scored += u32::from(score.is_some());
                    (position, score)
                }
                Err(bad) => {
                    assert_eq!(slow, None, "{line:?}: {bad}");
                    refused += u32::from(bad.contains("can be moves, or moves and a score"));
                    continue;
                }
            };
            // If the reader of Pons' format accepts the line, it agrees.
            if let Ok(pons) = LineFormat::Pons.read(&game, &line) {
                assert_eq!((position, score.is_some()), (pons.position, true), "{line:?}");
            }
        }
        assert!(read > 2500 && refused > 50 && scored > 250, "{read} {refused} {scored}");
    }

    #[test]
    fn a_line_is_moves_and_perhaps_a_score_and_means_one_thing() {
        for (line, moves, expected) in [
            ("", "", None),
            (" 1", "", Some(1)),
            ("4453", "4453", None),
            ("4453 2", "4453", Some(2)),
            ("4453\t-2 ", "4453", Some(-2)),
            ("[4,4,5] 3", "445", Some(3)),
            ("[4] 4", "4", Some(4)),
            ("4 4 5 -3", "445", Some(-3)),
            ("4 4 5 18", "445", Some(18)),
            ("ddec 0", "4453", Some(0)),
            ("d d e c", "4453", None),
            ("d d e 3", "445", Some(3)),
            ("4, 4, 5, 3", "4453", None),
            ("[D_Red, D_Yellow] 1", "44", Some(1)),
        ] {
            let read = read_line(&Standard::fixed(), line);
            let (_, digits, score) = read.unwrap_or_else(|bad| panic!("{line}: {bad}"));
            assert_eq!((&digits[..], score), (moves, expected), "{line}");
        }
        for (line, why) in [
            ("4 4", "write 44 for moves, [4] 4 for moves and a score"),
            ("4 4 5 3", "write 4453 for moves, [4 4 5] 3 for moves and a score"),
            (" 4453 2", "a line that begins with a blank is the empty board with its score"),
            ("4453 x", "character 6 ('x') is no move"),
            ("4, 4", "write 44 for moves, [4] 4 for moves and a score"),
            ("[4] x", "'x' is no score"),
            (" 44", "the empty board with its score"),
        ] {
            let bad = read_line(&Standard::fixed(), line).unwrap_err();
            assert!(bad.contains(why), "{line}: {bad}");
        }
    }
}
