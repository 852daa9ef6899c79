//! Solution files: every value, every byte, every kind of damage.

use std::fs;
use std::path::Path;

use everyply::connect_four::profiles::{Board, Memory};
use everyply::control::Control;
use everyply::game::{Game, Keyed, Outcome};
use everyply::games::line::LineGame;
use everyply::solutions::{SolutionError, SolutionFile};

use crate::profiles::{board, oracle, solve};

fn write(board: &Board, path: &Path) {
    solve(board, &Memory::new(), path, &Control::default()).unwrap();
}

#[test]
fn a_flipped_bit_anywhere_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    write(&board(2, 3, 3), &path);
    let bytes = fs::read(&path).unwrap();
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &flipped).unwrap();
        let verified = SolutionFile::open(&path)
            .and_then(|solution| solution.verify_board(&Memory::new(), &Control::default()));
        assert!(verified.is_err(), "bit {bit}");
    }
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        assert!(SolutionFile::open(&path).is_err(), "{length} bytes");
    }
}

#[test]
fn other_files_are_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        SolutionFile::open(&path).unwrap_err().to_string()
    };
    assert!(
        refused(b"a text file that is longer than the header, which has 64 bytes......")
            .contains("is not a solution file: write one with")
    );
    write(&board(2, 2, 2), &path);
    let mut newer = fs::read(&path).unwrap();
    newer[8] = 1;
    assert!(refused(&newer).contains("has version 1 of the format"));
    newer[8] = 2;
    newer.push(0);
    assert!(refused(&newer).contains("not of its full length"));
    let missing = SolutionFile::open(&folder.path().join("none"));
    assert!(matches!(missing, Err(SolutionError::File { .. })));
    let nowhere = folder.path().join("no folder/solution");
    let board = board(2, 2, 2);
    let nowhere = solve(&board, &Memory::new(), &nowhere, &Control::default());
    assert!(matches!(nowhere, Err(SolutionError::Output(_))), "{nowhere:?}");
}

/// Gives header, directory and description the checksums of their present content.
pub fn sign(file: &mut [u8]) {
    let [directory, description] = [32, 40].map(|at| number(file, at, 8) as usize);
    let sum = |range| crc32fast::hash(file.get(range).unwrap_or_default()).to_le_bytes();
    let sums = [sum(directory..description), sum(description..file.len())];
    file[56..64].copy_from_slice(&sums.concat());
    let checksum = crc32fast::hash(&file[16..64]);
    file[12..16].copy_from_slice(&checksum.to_le_bytes());
}

#[test]
fn another_board_under_right_checksums_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    write(&board(4, 3, 4), &path);
    let whole = fs::read(&path).unwrap();
    let description = number(&whole, 40, 8) as usize;
    let text = std::str::from_utf8(&whole[description..]).unwrap();
    let refusal = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        let changed = text.replacen(from, to, 1);
        let mut bytes = [&whole[..description], changed.as_bytes()].concat();
        let length = bytes.len() as u64;
        bytes[48..56].copy_from_slice(&length.to_le_bytes());
        sign(&mut bytes);
        fs::write(&path, &bytes).unwrap();
        let verified = SolutionFile::open(&path)
            .and_then(|file| file.verify_board(&Memory::new(), &Control::default()));
        verified.expect_err(to).to_string()
    };
    for parameters in ["[0,3,4]", "[4,0,4]", "[4,3,0]", "[255,3,4]", "[12,4,4]", "[5,3,4]"] {
        refusal("[4,3,4]", parameters);
    }
    for (name, digit) in [("root", "\"root\":"), ("entries", "\"entries\":"), ("wins", "\"wins\":")]
    {
        let refused = refusal(digit, &format!("{digit}9"));
        assert!(refused.contains("is damaged"), "{name}: {refused}");
    }
    assert!(refusal("\"connect4\"", "\"connect5\"").contains("of no board"));
    refusal("\"profiles\"", "\"ranked\"");
    refusal("\"profiles\"", "\"listed\"");
}

#[test]
fn a_file_that_is_cut_or_changed_while_it_is_open_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    let board = board(4, 4, 4);
    write(&board, &path);
    let whole = fs::read(&path).unwrap();
    let game = board.game();
    let wrong = |solution: &SolutionFile| {
        let refused = solution.value_of_stones(game.initial()).unwrap_err();
        assert!(matches!(refused, SolutionError::Damaged { .. }), "{refused}");
        let message = refused.to_string();
        assert!(message.contains(path.to_str().unwrap()), "{message}");
        let refused = solution.verify_board(&Memory::new(), &Control::default());
        assert!(matches!(refused, Err(SolutionError::Damaged { .. })), "{refused:?}");
        message
    };
    // With a mapped file, a signal would end the process here.
    for length in [0, 64, 70] {
        fs::write(&path, &whole).unwrap();
        let solution = SolutionFile::open(&path).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
        let message = wrong(&solution);
        assert!(message.contains("was cut off after the file was opened"), "{message}");
    }
    fs::write(&path, &whole).unwrap();
    let solution = SolutionFile::open(&path).unwrap();
    fs::write(&path, vec![b'x'; whole.len()]).unwrap();
    assert!(wrong(&solution).contains("chunk 0 at byte 64 has a wrong checksum"));
}

/// A reader made from `docs/solution-format.md` alone, without the engine.
struct ByTheDocument {
    file: Vec<u8>,
    /// Columns, rows, and stones in a line.
    parameters: [u64; 3],
    /// Profiles of each number of stones, and the first chunk of each.
    plies: Vec<(Vec<u64>, usize)>,
    /// Offset and length of each chunk.
    chunks: Vec<[u64; 2]>,
}

fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    bytes[at..at + length].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The number of a profile given by its heights.
fn profile_of(heights: impl DoubleEndedIterator<Item = u64>, h: u64) -> u64 {
    heights.rev().fold(0, |sum, height| sum * (h + 1) + height)
}

impl ByTheDocument {
    fn open(path: &Path) -> Self {
        let file = fs::read(path).unwrap();
        let [chunks, directory, description] = [24, 32, 40].map(|at| number(&file, at, 8) as usize);
        let at = |entry: usize| directory + 32 * entry;
        let chunk = |i| [number(&file, at(i), 8), number(&file, at(i) + 20, 4)];
        let chunks: Vec<[u64; 2]> = (0..chunks).map(chunk).collect();
        let text: serde_json::Value = serde_json::from_slice(&file[description..]).unwrap();
        assert_eq!(text["numbering"], "profiles");
        let parameters = [0, 1, 2].map(|i| text["parameters"][i].as_u64().unwrap());
        let [w, h, _] = parameters;
        let heights = |profile: u64| (0..w as u32).map(move |c| profile / (h + 1).pow(c) % (h + 1));
        let mut plies = vec![(Vec::new(), 0); (w * h) as usize + 1];
        for profile in 0..(h + 1).pow(w as u32) {
            if profile <= profile_of(heights(profile).rev(), h) {
                plies[heights(profile).sum::<u64>() as usize].0.push(profile);
            }
        }
        let mut first = 0;
        for (ply, (_, begin)) in plies.iter_mut().enumerate() {
            *begin = first;
            let entries = text["tiers"][ply]["entries"].as_u64().unwrap();
            first += entries.div_ceil(65536) as usize;
        }
        assert_eq!(first, chunks.len());
        Self { file, parameters, plies, chunks }
    }

    /// The chunk and the place in it of a position given as columns of colours (true: first
    /// player), from the left, each from the bottom.
    fn place(&self, columns: &[Vec<bool>]) -> (usize, usize) {
        let (w, h) = (columns.len(), self.parameters[1]);
        let number =
            |columns: &[Vec<bool>]| profile_of(columns.iter().map(|column| column.len() as u64), h);
        let mut columns = columns.to_vec();
        let mirrored: Vec<_> = columns.iter().rev().cloned().collect();
        if number(&mirrored) < number(&columns) {
            columns = mirrored;
        }
        let choose = |n: u64, k: u64| (0..k).fold(1, |c, j| c * n.saturating_sub(j) / (j + 1));
        let (mut stone, mut ones, mut rank) = (0u64, 0u64, 0u64);
        for row in 0..h as usize {
            for i in 0..w {
                let column = if i % 2 == 0 { i / 2 } else { w - 1 - i / 2 };
                if let Some(&first) = columns[column].get(row) {
                    if first {
                        ones += 1;
                        rank += choose(stone, ones);
                    }
                    stone += 1;
                }
            }
        }
        let (profiles, first) = &self.plies[stone as usize];
        let before = profiles.iter().position(|other| *other == number(&columns)).unwrap() as u64;
        let rank = before * choose(stone, stone.div_ceil(2)) + rank;
        (first + (rank / 65536) as usize, (rank % 65536) as usize)
    }

    fn chunk(&self, chunk: usize) -> Vec<u8> {
        let [offset, length] = self.chunks[chunk];
        let packed = &self.file[offset as usize..(offset + length) as usize];
        zstd::stream::decode_all(packed).unwrap()
    }

    /// The outcome and remoteness of a code.
    fn decode(&self, n: u64, code: u64) -> (Outcome, u64) {
        let [w, h, k] = self.parameters;
        let last = w * h;
        let first = (2 * k - 1).min(last) / 2;
        let p = 1 + (last / 2 - first + 2).next_power_of_two().trailing_zeros();
        let d = (1 << (p - 1)) - 1;
        let end = |number: u64, parity: u64| 2 * (number + first) + parity % 2 - n;
        match code {
            code if code == d || code == d + 1 => (Outcome::Draw, last - n),
            code if code < d => (Outcome::Loss, end(code, n)),
            code => (Outcome::Win, end((1 << p) - 1 - code, n + 1)),
        }
    }
}

#[test]
fn a_reader_made_from_the_document_finds_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    for (width, height, line) in [(4u8, 3u8, 4), (3, 4, 3), (2, 5, 4), (6, 2, 4)] {
        let board = board(width, height, line);
        let game = board.game();
        write(&board, &path);
        let (solution, document) = (SolutionFile::open(&path).unwrap(), ByTheDocument::open(&path));
        let mut stored = 0;
        for (key, value) in oracle(game).into_iter().flatten() {
            let position = game.position_of(key).unwrap();
            assert_eq!(solution.value_of_stones(position).unwrap(), Some(value), "{key:?}");
            if value.remoteness.0 <= 3 && value.outcome != Outcome::Draw
                || game.result(position).is_some()
            {
                continue;
            }
            let (first, second) = position.by_player();
            let column = |c: u8| -> Vec<bool> {
                let cells = (0..height).rev().map(|row| game.cell(c.into(), row.into()));
                cells.filter(|c| (first | second) & c != 0).map(|c| first & c != 0).collect()
            };
            let (chunk, at) = document.place(&(0..width).map(column).collect::<Vec<_>>());
            let code = document.chunk(chunk)[at];
            let found = document.decode(position.ply().0.into(), code.into());
            assert_eq!(found, (value.outcome, value.remoteness.0.into()), "{key:?}");
            stored += 1;
        }
        assert!(stored > 50, "{stored}");
    }
}

#[test]
fn a_wrong_value_under_right_checksums_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    let board = board(4, 3, 4);
    write(&board, &path);
    let document = ByTheDocument::open(&path);
    // The first chunk has one rank, the empty board: turn its draw into a loss, and rewrite the
    // file around it.
    let empty = document.place(&vec![Vec::new(); 4]);
    assert_eq!((empty, document.chunk(0).len()), ((0, 0), 1));
    let [directory, description] = [32, 40].map(|at| number(&document.file, at, 8) as usize);
    let mut file = document.file[..64].to_vec();
    let mut entries = Vec::new();
    for chunk in 0..document.chunks.len() {
        let mut bytes = document.chunk(chunk);
        if chunk == 0 {
            bytes[0] = 0;
        }
        let packed = zstd::bulk::compress(&bytes, 3).unwrap();
        entries.extend([file.len() as u64, 0].map(u64::to_le_bytes).concat());
        let words = [0, packed.len() as u32, 0, crc32fast::hash(&packed)];
        entries.extend(words.map(u32::to_le_bytes).concat());
        file.extend(packed);
    }
    assert_eq!(entries.len(), description - directory);
    let begin = file.len() as u64;
    file.extend(&entries);
    file.extend(&document.file[description..]);
    let words = [begin, begin + entries.len() as u64, file.len() as u64];
    file[32..56].copy_from_slice(&words.map(u64::to_le_bytes).concat());
    sign(&mut file);
    fs::write(&path, &file).unwrap();

    let solution = SolutionFile::open(&path).unwrap();
    let game = board.game();
    let start = solution.value_of_stones(game.initial()).unwrap().unwrap();
    assert_eq!(start.outcome, Outcome::Loss);
    let error = solution.verify_board(&Memory::new(), &Control::default()).unwrap_err();
    assert!(error.to_string().contains("chunk 0 (ply 0)"), "{error}");
}
