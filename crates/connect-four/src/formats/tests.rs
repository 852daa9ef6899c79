//! Round trips between all formats, and refusals of every reader.

use super::*;
use everyply_core::control::Control;
use everyply_core::game::laws::random_positions;
use everyply_core::game::{Outcome, PartialValue, Remoteness, Symmetric, Tiered, Value, images};
use everyply_core::games::line::notation::parse_moves;
use everyply_core::games::line::{ConnectFour, Size, Stones};
use everyply_core::random::Random;

fn standard() -> ConnectFour {
    ConnectFour::new(uci::SIZE).unwrap()
}

fn board(width: u8, height: u8, line: u8) -> ConnectFour {
    ConnectFour::new(Size::new(width, height, line).unwrap()).unwrap()
}

/// Returns a value that a position with this many empties can have.
fn some_value(random: &mut Random, left: u32) -> Value {
    let (outcome, parity) = match random.below(3u32) {
        0 if left > 0 => (Outcome::Win, 1),
        0 | 1 => (Outcome::Loss, 0),
        _ => return Value::new(Outcome::Draw, Remoteness(left as u8)),
    };
    let plies = parity + 2 * random.below((left - parity) / 2 + 1);
    Value::new(outcome, Remoteness(plies as u8))
}

/// Converts every position from every format to every other and back, with and without a value.
fn round_trips(game: &ConnectFour, games: u32) -> u32 {
    let mut random = Random::new(2);
    let mut seen = 0;
    random_positions(game, games, |position| {
        seen += 1;
        let picture = everyply_core::games::line::notation::picture(game, position);
        let drawn = LineFormat::Picture.read(game, &picture).unwrap();
        let value = some_value(&mut random, game.plies_left(position));
        let valued = Record { value: Some(value.into()), ..drawn.clone() };
        for from in LineFormat::ALL.into_iter().filter(|format| format.check_game(game).is_ok()) {
            let source = if from.has_value() { &valued } else { &drawn };
            let written = from.write(game, source).unwrap();
            assert!(!written.contains('\n'));
            let read = from.read(game, &written).unwrap();
            assert_eq!(read.position, position, "{from:?} {written}");
            assert_eq!(from.write(game, &read).unwrap(), written, "{from:?}");
            match (from, read.value) {
                (LineFormat::Uci, read) => {
                    assert_eq!(read, Some(PartialValue::of_outcome(value.outcome)));
                }
                (LineFormat::Pons, read) => assert_eq!(read, Some(value.into())),
                (_, read) => assert_eq!(read, None),
            }
            for to in LineFormat::ALL.into_iter().filter(|format| format.check_game(game).is_ok()) {
                match to.write(game, &read) {
                    Ok(there) => {
                        let back = to.read(game, &there).unwrap();
                        assert_eq!(back.position, position, "{from:?} {to:?}: {there}");
                        assert_eq!(back.position.ply().0 as usize, back.moves.len());
                    }
                    // Only a format that needs a value can refuse.
                    Err(RecordError::NoValue { .. }) => {
                        assert_eq!(to, LineFormat::Pons, "{from:?}");
                        assert_ne!(from, LineFormat::Pons);
                    }
                    Err(error) => panic!("{from:?} {to:?}: {error}"),
                }
            }
        }
    });
    seen
}

#[test]
fn every_pair_of_formats_makes_a_round_trip() {
    assert!(round_trips(&standard(), 150) > 3000);
    for (width, height, line) in [(5, 4, 4), (10, 4, 4), (12, 3, 3), (1, 9, 4), (8, 7, 4)] {
        assert!(round_trips(&board(width, height, line), 15) > 90);
    }
}

#[test]
fn one_position_in_all_formats() {
    let game = standard();
    let read = LineFormat::Pons.read(&game, "4455 18").unwrap();
    assert_eq!(read.value, Some(Value::new(Outcome::Win, Remoteness(3)).into()));
    let written = |format: LineFormat| format.write(&game, &read).unwrap();
    assert_eq!(written(LineFormat::Moves0), "3344");
    assert_eq!(written(LineFormat::Picture), "......./......./......./......./...OO../...XX..");
    assert_eq!(
        written(LineFormat::Openspiel),
        r".......\n.......\n.......\n.......\n...oo..\n...xx..\n"
    );
    let zeros = "0,".repeat(28);
    assert_eq!(written(LineFormat::Kaggle), format!("[{zeros}0,0,0,2,2,0,0,0,0,0,1,1,0,0]"));
    let b = |n| "b,".repeat(n);
    assert_eq!(written(LineFormat::Uci), format!("{}x,o,{}x,o,{}win", b(18), b(4), b(16)));
    let key = 1u64 | 1 << 7 | 1 << 14 | 0b101 << 21 | 0b101 << 28 | 1 << 35 | 1 << 42;
    assert_eq!(written(LineFormat::Key), key.to_string());
    // UCI's class is for the first player, who is not to move after one ply more.
    let next = LineFormat::Pons.read(&game, "44553 -18").unwrap();
    assert!(LineFormat::Uci.write(&game, &next).unwrap().ends_with(",win"));
}

#[test]
fn errors_say_what_is_wrong_with_a_line() {
    let game = standard();
    let blank = "b,".repeat(42);
    let zeros = ["0"; 42].join(",");
    let rows = r".......\n".repeat(6);
    let floating = format!("[{},1,{}]", ["0"; 34].join(","), ["0"; 7].join(","));
    for (format, text, says) in [
        (LineFormat::Moves1, "440", "character 3 ('0') is no move: a move is a column from 1 to 7"),
        (LineFormat::Moves1, "4444444", "column 4 is full"),
        (LineFormat::Moves0, "337", "character 3 ('7') is no move: a move is a column from 0 to 6"),
        (LineFormat::Moves0, "0000000", "column 0 is full"),
        (LineFormat::Moves1, "12121213", "the game is over, X won with move 7"),
        (LineFormat::Picture, "X", "1 row (cells: 1), the board 6 of 7"),
        (LineFormat::Uci, "", "1 fields, not 42 and a class"),
        (LineFormat::Uci, "b,b,b", "3 fields"),
        (LineFormat::Uci, &format!("{blank}win,win"), "44 fields"),
        (LineFormat::Uci, &format!("{blank}won"), "'won' is no class: win, loss or draw"),
        (LineFormat::Uci, &format!("{blank}win "), "'win ' is no class"),
        (LineFormat::Uci, &format!("X,{}", &blank[2..83]), "field 1 (a1) ('X') is no cell"),
        (LineFormat::Uci, &format!("{}x", &blank[..82]), "the stone floats"),
        (LineFormat::Uci, &format!("o,{}", &blank[2..83]), "X has 0 stones and O 1"),
        (LineFormat::Pons, "4455", "1 field, not 2: a line is moves, a space and the score"),
        (LineFormat::Pons, "4455 x", "'x' is no score: with 38 cells empty"),
        (LineFormat::Pons, "4455 18 3", "character 7 ('8') is no move"),
        (LineFormat::Pons, "4 4 5 3", "write 4453 for moves, [4 4 5] 3 for moves and a score"),
        (LineFormat::Pons, "4455 +18", "'+18' is no score"),
        (LineFormat::Pons, "4455 20", "from -20 to 19"),
        (LineFormat::Pons, "4450 1", "character 4 ('0') is no move"),
        (LineFormat::Openspiel, &rows[9..], "5 rows (cells: 35), the board 6 of 7"),
        (
            LineFormat::Openspiel,
            &rows.replacen('.', "..", 1),
            "row 1 ('........') of the picture has 8 cells, the board 7 columns",
        ),
        (LineFormat::Openspiel, &rows.replacen('.', "x", 1), "the stone floats"),
        (LineFormat::Kaggle, &zeros[2..], "1 row (cells: 41)"),
        (LineFormat::Kaggle, &format!("[{zeros}"), "a list begins with [ and ends with ]"),
        (LineFormat::Kaggle, &format!("{zeros}]"), "a list begins with [ and ends with ]"),
        (
            LineFormat::Kaggle,
            &zeros.replacen('0', "3", 1),
            "row 1, column 1 of the picture (character 1, '3')",
        ),
        (LineFormat::Kaggle, &floating, "the stone floats"),
        (LineFormat::Key, "x", "'x' is no key"),
        (LineFormat::Key, "", "is no key"),
        (LineFormat::Key, "0", "no position of a 7x6 board has this key (0)"),
        (LineFormat::Key, "18446744073709551616", "is no key"),
    ] {
        let error = format.read(&game, text).unwrap_err().to_string();
        assert!(error.contains(says), "{format:?} {text}: {error}");
    }
    let small = board(5, 4, 4);
    assert!(LineFormat::Uci.read(&small, "").unwrap_err().to_string().contains("7x6"));
    assert!(LineFormat::Uci.check_game(&board(7, 6, 5)).is_err());
}

fn read_all(
    game: &ConnectFour,
    format: LineFormat,
    text: &[u8],
) -> Result<Vec<(u64, Stones)>, String> {
    Records::new(game, format, "in.txt", text)
        .map(|next| next.map(|(n, record)| (n, record.position)).map_err(|e| e.to_string()))
        .collect()
}

#[test]
fn files_are_read_line_by_line() {
    let game = standard();
    let position = |moves| parse_moves(&game, moves).unwrap();
    // The empty line is the empty board; either line end will do, and none at the end.
    assert_eq!(
        read_all(&game, LineFormat::Moves1, b"44\r\n\n455"),
        Ok(vec![(1, position("44")), (2, position("")), (3, position("455"))])
    );
    let error = read_all(&game, LineFormat::Moves1, b"44\n4x\n45").unwrap_err();
    assert!(error.starts_with("in.txt, line 2: character 2 ('x')"), "{error}");
    let error = read_all(&game, LineFormat::Moves1, b"44\n4\xff\n").unwrap_err();
    assert!(error.starts_with("in.txt, line 2: byte 2 (0xff) is no UTF-8"), "{error}");
    let error = read_all(&game, LineFormat::Kaggle, &[b' '; 1 << 17]).unwrap_err();
    assert!(error.starts_with("in.txt, line 1: it is longer than"), "{error}");
    // After a wrong line reading continues; a line that is too long ends it.
    let mut records = Records::new(&game, LineFormat::Moves1, "in.txt", &b"44\n4\xff\n4x\n45"[..]);
    assert!(records.next().unwrap().is_ok());
    assert!(records.next().unwrap().unwrap_err().is_of_one_record());
    assert!(records.next().unwrap().unwrap_err().is_of_one_record());
    assert_eq!(records.next().unwrap().unwrap().0, 4);
    assert!(records.next().is_none());
    let mut records = Records::new(&game, LineFormat::Moves1, "in.txt", &[0; 1 << 17][..]);
    assert!(!records.next().unwrap().unwrap_err().is_of_one_record());
    assert!(records.next().is_none());
    // Boards as OpenSpiel prints them, and on one line.
    let printed = ".......\n.......\n.......\n.......\n...o...\n...x...\n";
    let line = printed.replace('\n', r"\n");
    let text = format!("{printed}\n{printed}{line}\n");
    let both = read_all(&game, LineFormat::Openspiel, text.as_bytes()).unwrap();
    assert_eq!(both, [(1, position("44")), (8, position("44")), (14, position("44"))]);
    for format in [LineFormat::Picture, LineFormat::Kaggle] {
        let lists = printed.replace('.', "0,").replace('x', "1,").replace('o', "-1,");
        let lists = format!("[[{}]]\r", lists.trim().replace('\n', "],\r["));
        for text in [printed.to_owned() + "\n" + printed, lists.clone() + "\r" + &lists] {
            let both = read_all(&game, format, text.as_bytes()).unwrap();
            assert_eq!(both, [(1, position("44")), (8, position("44"))], "{text}");
        }
    }
    let scores = read_all(&game, LineFormat::Pons, b"\xef\xbb\xbf 1\r\n\r\n  \r4 4\n4 4 5 -3");
    let lines = [(1, position("")), (4, position("4")), (5, position("445"))];
    assert_eq!(scores.unwrap(), lines);
    let bad = [b"\xff......\n", &printed.as_bytes()[8..], b"\n", printed.as_bytes()].concat();
    let mut records = Records::new(&game, LineFormat::Openspiel, "in.txt", &bad[..]);
    let error = records.next().unwrap().unwrap_err().to_string();
    assert!(error.starts_with("in.txt, line 1: byte 1 (0xff)"), "{error}");
    let (number, record) = records.next().unwrap().unwrap();
    assert_eq!((number, record.position), (8, position("44")));
    let error = read_all(&game, LineFormat::Openspiel, &printed.as_bytes()[..20]).unwrap_err();
    assert!(error.starts_with("in.txt, line 1: the picture has 3 rows"), "{error}");
}

#[test]
fn the_data_set_has_its_rows() {
    let game = standard();
    let positions = uci::positions();
    assert_eq!(positions.len(), uci::ROWS);
    // Its first rows, as quoted by many.
    let rows: Vec<String> = positions[..14]
        .iter()
        .map(|&position| {
            let record = Record { position, moves: Vec::new(), value: None };
            LineFormat::Uci.write(&game, &record).unwrap().replace(',', "")
        })
        .collect();
    let expected = |b: &str, c: &str, a: &str, e: &str, f: &str, g: &str| {
        let column = |stones: &str| format!("{stones:b<6}");
        [a, b, c, "xoxoxo", e, f, g].map(column).concat()
    };
    assert_eq!(
        rows,
        [
            expected("", "xo", "", "", "", ""),
            expected("", "x", "", "o", "", ""),
            expected("o", "x", "", "", "", ""),
            expected("", "x", "", "", "o", ""),
            expected("", "x", "o", "", "", ""),
            expected("", "x", "", "", "", "o"),
            expected("x", "o", "", "", "", ""),
            expected("x", "", "", "o", "", ""),
            expected("xo", "", "", "", "", ""),
            expected("x", "", "", "", "o", ""),
            expected("x", "", "o", "", "", ""),
            expected("x", "", "", "", "", "o"),
            expected("", "o", "x", "", "", ""),
            expected("", "", "x", "o", "", ""),
        ]
    );
    // One of each mirrored pair; the few that are their own images have no second one.
    let mut canonical: Vec<_> = positions.iter().map(|&p| game.canonical(p).0).collect();
    canonical.sort_unstable();
    canonical.dedup();
    assert_eq!(canonical.len(), uci::ROWS);
    let unfolded: usize = positions.iter().map(|&p| images(&game, p).len()).sum();
    assert_eq!(unfolded, 134_934);
    assert!(positions.iter().all(|&p| uci::is_quiet(&game, p) && p.ply() == uci::PLY));
}

fn detected(content: &[u8], game: &ConnectFour) -> Result<ValueFormat, String> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("values");
    std::fs::write(&path, content).unwrap();
    ValueFile::open(&path, None, game).map(|file| file.format()).map_err(|e| e.to_string())
}

#[test]
fn formats_are_detected_by_their_content() {
    let game = standard();
    let row = format!("{}win\n", "b,".repeat(42));
    assert_eq!(detected(row.as_bytes(), &game), Ok(ValueFormat::Uci));
    assert_eq!(detected(b"44 1\n7 2\n", &game), Ok(ValueFormat::Pons));
    let refused = |content: &[u8]| detected(content, &game).unwrap_err();
    assert!(refused(b"").contains("is empty"));
    assert!(refused(b"moves,score\n").contains("of no known format"));
    assert!(refused(b"\x00\x01\x02").contains("neither text nor a BitBully book"));
    let small = board(5, 4, 4);
    assert!(detected(row.as_bytes(), &small).unwrap_err().contains("7x6"));
}

#[test]
fn a_row_without_its_class_has_no_value() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("rows");
    let game = standard();
    std::fs::write(&path, ["b"; 42].join(",")).unwrap();
    let file = ValueFile::open(&path, None, &game).unwrap();
    let error = file.visit(&game, &Control::default(), |_, _, _| ()).unwrap_err().to_string();
    assert!(error.contains("line 1: a row of the data set ends with its class"), "{error}");
}
