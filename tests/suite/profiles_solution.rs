//! Solution files: every value, every byte, every kind of damage.

use std::fs;
use std::path::Path;

use everyply::connect_four::profiles::{Board, Memory, SolutionError, SolutionFile, solve};
use everyply::control::Control;
use everyply::game::{Game, Keyed, Outcome};
use everyply::games::line::LineGame;

use crate::profiles::{board, oracle};

fn write(board: &Board, path: &Path) {
    let solved = solve(board, &Memory::new(), path, &Control::default()).unwrap();
    assert_eq!(solved.bytes, fs::metadata(path).unwrap().len());
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
            .and_then(|solution| solution.verify(&Memory::new(), &Control::default()));
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
    newer[8] = 2;
    assert!(refused(&newer).contains("has version 2 of the format"));
    newer[8] = 1;
    newer.push(0);
    assert!(refused(&newer).contains("not of its full length"));
    let missing = SolutionFile::open(&folder.path().join("none"));
    assert!(matches!(missing, Err(SolutionError::File { .. })));
    let nowhere = folder.path().join("no folder/solution");
    let board = board(2, 2, 2);
    let nowhere = solve(&board, &Memory::new(), &nowhere, &Control::default());
    assert!(matches!(nowhere, Err(SolutionError::Output(_))), "{nowhere:?}");
}

/// Gives header and tables the checksums of their present content.
pub fn sign(file: &mut [u8]) {
    let tables = number(file, 40, 8) as usize;
    let checksum = crc32fast::hash(file.get(tables..).unwrap_or_default());
    file[56..60].copy_from_slice(&checksum.to_le_bytes());
    let checksum = crc32fast::hash(&file[16..64]);
    file[12..16].copy_from_slice(&checksum.to_le_bytes());
}

#[test]
fn numbers_beyond_the_limits_under_right_checksums_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    write(&board(4, 3, 4), &path);
    let whole = fs::read(&path).unwrap();
    let refusal = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        sign(&mut bytes);
        assert_ne!(bytes, whole);
        fs::write(&path, &bytes).unwrap();
        let refused = SolutionFile::open(&path).map(drop).unwrap_err();
        assert!(matches!(refused, SolutionError::Damaged { .. }), "{refused}");
        refused.to_string()
    };
    // Columns, rows, stones in a line.
    for at in 16..19 {
        assert!(refusal(&|bytes| bytes[at] = 0).contains("must be at least 1"), "byte {at}");
    }
    for at in 16..18 {
        assert!(refusal(&|bytes| bytes[at] = 255).contains("too large"), "byte {at}");
    }
    // The detail, of which there are two kinds; the rest of the header's numbers.
    refusal(&|bytes| bytes[19] = 2);
    for at in (20..56).chain(60..64) {
        for bits in [1, 128, 255] {
            refusal(&|bytes| bytes[at] ^= bits);
        }
    }
    // The first numbers of the tables: of the second profile, and the place of a block.
    let tables = number(&whole, 40, 8) as usize;
    for at in (tables..tables + 24).chain(whole.len() - 16..whole.len() - 4) {
        for bits in [1, 128, 255] {
            refusal(&|bytes| bytes[at] ^= bits);
        }
    }
    let far = refusal(&|bytes| bytes[tables + 16..tables + 24].fill(255));
    assert!(far.contains("none of the board") || far.contains("out of order"), "{far}");
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
        let refused = solution.value(game.initial()).unwrap_err();
        assert!(matches!(refused, SolutionError::Damaged { .. }), "{refused}");
        let message = refused.to_string();
        assert!(message.contains(path.to_str().unwrap()), "{message}");
        let refused = solution.verify(&Memory::new(), &Control::default());
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
    assert!(wrong(&solution).contains("block 0 at byte 64 has a wrong checksum"));
}

/// A reader made from `docs/solution-format.md` alone, without the engine.
struct ByTheDocument {
    file: Vec<u8>,
    profiles: Vec<[u64; 2]>,
    /// Offset and length of each block.
    blocks: Vec<[u64; 2]>,
}

fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    bytes[at..at + length].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

impl ByTheDocument {
    fn open(path: &Path) -> Self {
        let file = fs::read(path).unwrap();
        let (profiles, blocks) = (number(&file, 24, 8) as usize, number(&file, 32, 8) as usize);
        let tables = number(&file, 40, 8) as usize;
        let at = |entry: usize| tables + 16 * entry;
        let profiles_table =
            (0..profiles).map(|i| [number(&file, at(i), 8), number(&file, at(i) + 8, 8)]);
        let blocks_table = (profiles..profiles + blocks)
            .map(|i| [number(&file, at(i), 8), number(&file, at(i) + 8, 4)]);
        Self { profiles: profiles_table.collect(), blocks: blocks_table.collect(), file }
    }

    /// The block and the place in it of a position given as columns of colours (true: first
    /// player), from the left, each from the bottom.
    fn place(&self, columns: &[Vec<bool>]) -> (usize, usize) {
        let (w, h) = (columns.len(), u64::from(self.file[17]));
        let profile_of = |columns: &[Vec<bool>]| {
            columns.iter().rev().fold(0, |sum, column| sum * (h + 1) + column.len() as u64)
        };
        let mut columns = columns.to_vec();
        let mirrored: Vec<_> = columns.iter().rev().cloned().collect();
        if profile_of(&mirrored) < profile_of(&columns) {
            columns = mirrored;
        }
        let (mut stone, mut ones, mut slot) = (0u64, 0u64, 0u64);
        for row in 0..h as usize {
            for i in 0..w {
                let column = if i % 2 == 0 { i / 2 } else { w - 1 - i / 2 };
                if let Some(&first) = columns[column].get(row) {
                    if first {
                        ones += 1;
                        // stone choose ones
                        let mut choose = u64::from(stone >= ones);
                        for j in 0..ones {
                            choose = choose * stone.saturating_sub(j) / (j + 1);
                        }
                        slot += choose;
                    }
                    stone += 1;
                }
            }
        }
        let profile = profile_of(&columns);
        let first = self.profiles.iter().find(|entry| entry[0] == profile).unwrap()[1];
        ((first + slot / 16384) as usize, (slot % 16384) as usize)
    }

    fn block(&self, block: usize) -> Vec<u8> {
        let [offset, length] = self.blocks[block];
        let packed = &self.file[offset as usize..(offset + length) as usize];
        zstd::stream::decode_all(packed).unwrap()
    }

    /// The outcome and remoteness of a code.
    fn decode(&self, n: u64, code: u64) -> (Outcome, u64) {
        let [w, h, k] = [16, 17, 18].map(|at| u64::from(self.file[at]));
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
            assert_eq!(solution.value(position).unwrap(), Some(value), "{key:?}");
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
            let (block, at) = document.place(&(0..width).map(column).collect::<Vec<_>>());
            let code = document.block(block)[at];
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
    // The first block has one rank, the empty board: turn its draw into a loss, and rewrite the
    // file around it.
    let empty = document.place(&vec![Vec::new(); 4]);
    assert_eq!((empty, document.block(0).len()), ((0, 0), 1));
    let mut file = document.file[..64].to_vec();
    let mut table = Vec::new();
    for block in 0..document.blocks.len() {
        let mut bytes = document.block(block);
        if block == 0 {
            bytes[0] = 0;
        }
        let packed = zstd::bulk::compress(&bytes, 3).unwrap();
        table.extend((file.len() as u64).to_le_bytes());
        table.extend((packed.len() as u32).to_le_bytes());
        table.extend(crc32fast::hash(&packed).to_le_bytes());
        file.extend(packed);
    }
    let tables = file.len();
    let profiles = number(&document.file, 40, 8) as usize;
    file.extend(&document.file[profiles..profiles + 16 * document.profiles.len()]);
    file.extend(table);
    let length = file.len() as u64;
    file[40..48].copy_from_slice(&(tables as u64).to_le_bytes());
    file[48..56].copy_from_slice(&length.to_le_bytes());
    sign(&mut file);
    fs::write(&path, &file).unwrap();

    let solution = SolutionFile::open(&path).unwrap();
    let game = board.game();
    let start = solution.value(game.initial()).unwrap().unwrap();
    assert_eq!(start.outcome, Outcome::Loss);
    let error = solution.verify(&Memory::new(), &Control::default()).unwrap_err();
    assert!(error.to_string().contains("block 0 (ply 0, profile 0)"), "{error}");
}
