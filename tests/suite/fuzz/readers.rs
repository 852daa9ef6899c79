//! Inputs of users: move strings, pictures, batch lines, files of other programs, value files and
//! comparisons. Each is refused with a message, or read and written back.

use std::path::Path;

use everyply::connect_four::formats::bit_bully::{BitBullyBook, BookRecords};
use everyply::connect_four::formats::{
    InterchangeError, LineFormat, Records, ValueFile, ValueFormat, uci,
};
use everyply::control::Control;
use everyply::games::line::notation::{
    parse_moves, parse_picture, picture, some_moves_to, write_moves,
};
use everyply::games::line::{ConnectFour, LineGame, Mnk, Size, Stones, TicTacToe};
use everyply::report::gather;

use super::fuzz;
use crate::bit_bully::encode;
use crate::support::Place;

fn standard() -> ConnectFour {
    ConnectFour::new(uci::SIZE).unwrap()
}

fn sound(inputs: &[&str]) -> Vec<Vec<u8>> {
    inputs.iter().map(|input| input.as_bytes().to_vec()).collect()
}

/// Checks that an accepted position is read back from its moves, key and picture.
fn round_trip<G: LineGame>(game: &G, position: Stones) {
    let moves = some_moves_to(game, position).unwrap();
    assert_eq!(moves.len(), usize::from(position.ply().0));
    assert_eq!(game.position_of(game.key(position)), Some(position));
    assert_eq!(parse_picture(game, &picture(game, position)), Ok((position, moves.clone())));
    assert_eq!(parse_moves(game, &write_moves(game, &moves)), Ok(position));
}

fn read_moves<G: LineGame>(game: &G, text: &str) {
    match parse_moves(game, text) {
        Ok(position) => round_trip(game, position),
        Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
    }
}

fn read_picture<G: LineGame>(game: &G, text: &str) {
    match parse_picture(game, text) {
        Ok((position, _)) => {
            let rows = usize::from(game.size().height);
            if text.matches('/').count() + 1 == rows && text.bytes().all(|b| b"XO./".contains(&b)) {
                assert_eq!(picture(game, position), text);
            }
            round_trip(game, position);
        }
        Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
    }
}

/// A board of a size that the first bytes choose, with both rules.
fn boards(input: &[u8]) -> Option<(ConnectFour, Mnk)> {
    let [width, height, line] = *input.first_chunk()?;
    let size = Size::new(width % 9 + 1, height % 8 + 1, line % 6 + 1).ok()?;
    Some((ConnectFour::new(size).ok()?, Mnk::new(size).ok()?))
}

/// A picture whose cells are pairs of bits: random texts seldom have the right number of rows.
fn picture_of_bits(size: Size, bytes: &[u8]) -> String {
    let cell =
        |i: usize| b".XO."[usize::from(bytes.get(i / 4).map_or(0, |b| b >> (2 * (i % 4)) & 3))];
    let width = usize::from(size.width);
    let cells: Vec<u8> = (0..width * usize::from(size.height)).map(cell).collect();
    let rows = cells.chunks(width).map(String::from_utf8_lossy);
    rows.collect::<Vec<_>>().join("/")
}

#[test]
fn moves_fuzz_target() {
    let inputs = ["", "4453", "159", "44444326", "12,1,7", "1,2,3,10,11", "1524", "1234567"];
    let large = Mnk::new(Size::new(6, 6, 5).unwrap()).unwrap();
    let wide = ConnectFour::new(Size::new(10, 5, 4).unwrap()).unwrap();
    fuzz("moves", &sound(&inputs), |input| {
        let text = String::from_utf8_lossy(input);
        read_moves(&standard(), &text);
        read_moves(&TicTacToe::fixed(), &text);
        read_moves(&large, &text);
        read_moves(&wide, &text);
        if let Some((drops, places)) = boards(input) {
            read_moves(&drops, &text);
            read_moves(&places, &text);
        }
    });
}

#[test]
fn picture_fuzz_target() {
    let inputs = [
        "X.O/.X./..O",
        ".../.../...",
        "......./......./......./......./...O.../...X...",
        "......./......./......./...X.../..OXO../..XOX..",
        "XOXOXOX/OXOXOXO/XOXOXOX/OXOXOXO/XOXOXOX/OXOXOXO",
    ];
    fuzz("picture", &sound(&inputs), |input| {
        let text = String::from_utf8_lossy(input);
        read_picture(&standard(), &text);
        read_picture(&TicTacToe::fixed(), &text);
        if let Some((drops, places)) = boards(input) {
            read_picture(&drops, &picture_of_bits(drops.size(), &input[3..]));
            read_picture(&places, &picture_of_bits(places.size(), &input[3..]));
        }
    });
}

/// Some lines of every format, as this program writes them.
fn lines_of_every_form() -> Vec<Vec<u8>> {
    let game = standard();
    let read = |line: &str| LineFormat::Pons.read(&game, line).unwrap();
    let records = ["4455 18", "44455554221 -15", "4444 0", "1234567 -2"].map(read);
    let lines = |format: LineFormat| {
        let lines = records.iter().filter_map(|record| format.write(&game, record).ok());
        lines.map(|line| line + "\n").collect::<String>()
    };
    let printed = ".......\n.......\n.......\n.......\n...o...\n...x...\n\n".repeat(2);
    let texts = LineFormat::ALL.map(lines).into_iter().chain([printed]);
    texts.map(String::into_bytes).collect()
}

#[test]
fn records_fuzz_target() {
    let game = standard();
    fuzz("records", &lines_of_every_form(), |input| {
        for format in LineFormat::ALL {
            for record in Records::new(&game, format, "fuzz", input) {
                let (_, record) = match record {
                    Ok(record) => record,
                    Err(error) => {
                        let said = error.to_string();
                        let is_whole = said.starts_with("fuzz: it seems to be");
                        assert!(is_whole || said.starts_with("fuzz, line "), "{said}");
                        continue;
                    }
                };
                for to in LineFormat::ALL {
                    if let Ok(line) = to.write(&game, &record) {
                        let back = to.read(&game, &line).unwrap();
                        assert_eq!(back.position, record.position);
                    }
                }
            }
        }
        for book in BitBullyBook::ALL {
            for (_, record) in BookRecords::new(&game, book, "fuzz", input).flatten() {
                assert_eq!(record.position.ply(), book.ply());
            }
        }
    });
}

/// A file of values, in the format it shows and in all others.
fn read_values(path: &Path) {
    const FORMATS: [Option<ValueFormat>; 6] = [
        None,
        Some(ValueFormat::Uci),
        Some(ValueFormat::Pons),
        Some(ValueFormat::BitBully8),
        Some(ValueFormat::BitBully12),
        Some(ValueFormat::BitBully12Distances),
    ];
    let game = standard();
    for format in FORMATS {
        let mut seen = 0;
        let read = ValueFile::open(path, format, &game)
            .and_then(|file| file.visit(&game, &Control::default(), |_, _, _| seen += 1));
        match read {
            Ok(records) => assert_eq!(records, seen),
            Err(InterchangeError::Io(_, source)) => panic!("{source}"),
            Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
        }
    }
}

#[test]
fn value_file_fuzz_target() {
    let game = standard();
    let value = everyply::connect_four::solver::value_of(18, 38);
    let positions = ["12345671", "44335511", "12121276"].map(|m| parse_moves(&game, m).unwrap());
    let lost = everyply::connect_four::solver::value_of(-3, 34);
    let book = encode(BitBullyBook::Ply8, &game, positions.map(|position| (position, lost)));
    let distances = encode(
        BitBullyBook::Ply12Distances,
        &game,
        ["111222555666", "333444777111"].map(|m| (parse_moves(&game, m).unwrap(), value)),
    );
    let mut inputs = lines_of_every_form();
    inputs.extend([book, distances]);
    let place = Place::new();
    let path = place.path("values");
    fuzz("value_file", &inputs, |input| {
        std::fs::write(&path, input).unwrap();
        read_values(&path);
    });
}

#[test]
fn comparison_fuzz_target() {
    let place = Place::new();
    place.run("compare ttt --depth 4 --csv out").success();
    let written = place.read("out/compare.csv");
    let header = b"algorithm,depth,threads,score,nodes,leaf_evaluations,\
                   effective_branching_factor,saved_factor,elapsed_s,skipped\n"
        .to_vec();
    let odd =
        [header.clone(), b"x,1,1,,nan,,inf,-0,1e999,\nx,4294967295,1,-1,0,0,0,0,0,\n".to_vec()];
    let path = place.path("fuzzed.csv");
    fuzz("comparison", &[written, header, odd.concat()], |input| {
        std::fs::write(&path, input).unwrap();
        let gathered = gather(
            &[path.clone(), path.clone()],
            &everyply::registry::builtin(),
            &Control::default(),
        );
        match gathered {
            Ok(sections) => drop(everyply::report::page("", &sections)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    });
}

#[test]
fn batch_fuzz_target() {
    let place = Place::new();
    let inputs = ["1234 \n", "1122334\n11 1\n44x\n\n", "1\r\n2\t3\r\n4 5 6", "1234123 -1\n"];
    fuzz("batch", &sound(&inputs), |input| {
        let run = place
            .analyze()
            .args(
                "connect4 --size 4x4 --input - --value-only --threads 1 --table-size 1".split(' '),
            )
            .write_stdin(input)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(matches!(run.status.code(), Some(0 | 1 | 3)), "{}: {said}", run.status);
        assert!(!said.contains("panicked"), "{said}");
        let ends = input.iter().filter(|byte| b"\r\n".contains(byte)).count();
        let ends = ends - input.windows(2).filter(|pair| pair == b"\r\n").count();
        let last = usize::from(input.last().is_some_and(|byte| !b"\r\n".contains(byte)));
        let mut rows = csv::Reader::from_reader(&run.stdout[..]);
        assert_eq!(rows.headers().unwrap().len(), 10);
        let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
        // A file of another kind is refused as a whole.
        let lines = if said.contains("it seems to be") { 0 } else { ends + last };
        assert_eq!(rows.len(), lines);
        assert!(rows.iter().all(|row| row[1].is_empty() != row[7].is_empty()));
    });
}
