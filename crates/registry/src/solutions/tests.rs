use std::path::Path;
use std::sync::Arc;

use super::chunk::{CHUNK, code_of, pack, unpack};
use super::layout::{ChunkEntry, Layout, Numbering};
use super::write::Writer;
use super::*;
use crate::registry::{Position, Registry};
use everyply_core::control::Control;
use everyply_core::exhaustive::Code;
use everyply_core::game::{Chosen, Key, Outcome, PartialValue, Remoteness, TierId, Value};
use everyply_core::games::{Awari, Dao, Dots, Hexapawn, Morris, Nim, Pong, PopOut};
use everyply_core::random::Random;
use everyply_files::disk::NewFile;
use everyply_test_support::{Simulated, Trouble};

/// The games of these tests.
pub(crate) fn games() -> Registry {
    Registry::new()
        .with::<Nim>()
        .with::<Hexapawn>()
        .with::<Dots>()
        .with_endless::<Pong>()
        .with_endless::<PopOut>()
        .with_ranked::<Morris>()
        .with_ranked::<Dao>()
        .with_ranked::<Awari>()
}

pub(crate) fn start(name: &str, numbers: &[(&str, u8)]) -> Box<dyn Position> {
    let numbers = numbers.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect();
    games().find(name).unwrap().choose(&Chosen { numbers, ..Chosen::default() }).unwrap()
}

pub(super) const OUT: &str = "/game.solution";

/// The work folder, if there is one.
pub(super) const FOLDER: &str = "/work";

const MOST: u64 = 1 << 22;

pub(super) const MEMORY: u64 = 1 << 30;

/// Solves a game into a file on a simulated disk, and returns its bytes.
pub(super) fn written(root: &dyn Position) -> Vec<u8> {
    let disk = Simulated::new(Trouble::None);
    solve_on(&disk, root).unwrap();
    disk.contents()[Path::new(OUT)].clone()
}

fn solve_on(disk: &Simulated, root: &dyn Position) -> Result<WrittenGame, WriteError> {
    let file = NewFile::create_on(Arc::new(disk.clone()), Path::new(OUT));
    solve(root, MEMORY, None, file.map_err(SolutionError::from)?, &Control::default())
}

/// Writes a file of any values.
fn made(root: &dyn Position, values: &[(Key, PartialValue)]) -> Vec<u8> {
    let disk = Simulated::new(Trouble::None);
    let mut file = NewFile::create_on(Arc::new(disk.clone()), Path::new(OUT)).unwrap();
    let mut writer = Writer::new(root, Numbering::of(root), &mut file).unwrap();
    let positions = values.iter().map(|(key, value)| (key.0, code_of(*value)));
    writer.add(positions, &Control::default()).unwrap();
    writer.end_tier("all").unwrap();
    writer.finish(values[0].1).unwrap();
    file.commit().unwrap();
    disk.contents()[Path::new(OUT)].clone()
}

fn opened(bytes: &[u8]) -> Result<SolutionFile, SolutionError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.solution");
    std::fs::write(&path, bytes).unwrap();
    SolutionFile::open(&path)
}

fn values_of(root: &dyn Position) -> Vec<(Key, PartialValue)> {
    let mut all = Vec::new();
    root.solve(MOST, &Control::default()).unwrap().values(&mut |part| all.extend_from_slice(part));
    all
}

/// Checks the values of a position's moves against the positions after them.
fn moves_are_those_of_the_children(file: &SolutionFile, position: &dyn Position) {
    let children = position.branches().into_iter().map(|branch| {
        let there = match branch.to.result() {
            Some(outcome) => Some(Value::over(outcome).into()),
            None => file.value(&*branch.to).unwrap(),
        };
        (branch.bit, there.map(|there: PartialValue| there.one_ply_earlier(branch.keeps_turn)))
    });
    assert_eq!(
        file.moves(position).unwrap(),
        children.collect::<Vec<_>>(),
        "{}",
        position.picture()
    );
}

/// Moves lead to all parts of a file: a part that is unpacked stays in memory.
#[test]
fn parts_of_a_file_are_unpacked_once() {
    let values =
        (0..40 * CHUNK as u64).map(|key| (Key(key), PartialValue::of_outcome(Outcome::Win)));
    let file = opened(&made(start("nim", &[]).as_ref(), &values.collect::<Vec<_>>())).unwrap();
    assert_eq!(file.chunks(), 40);
    let first = file.chunk(0).unwrap();
    (1..40).for_each(|chunk| drop(file.chunk(chunk).unwrap()));
    assert!(Arc::ptr_eq(&first, &file.chunk(0).unwrap()));
}

#[test]
fn files_of_every_kind_of_game_hold_the_values_and_prove_them() {
    for root in [
        start("ttt", &[]),
        start("nim", &[]),
        start("pong", &[]),
        start("popout", &[("line", 3)]),
        start("hexapawn", &[]),
        start("morris", &[("men", 3)]),
        start("dao", &[]),
        start("awari", &[]),
        start("nim", &[]).read("1,2,0").unwrap(),
    ] {
        let (root, control) = (root.as_ref(), Control::default());
        let answers = root.solve(MOST, &control).unwrap();
        let file = opened(&written(root)).unwrap();
        let (mut known, mut longest) = (0, 0);
        root.rows(&answers, &mut |rows| {
            for row in rows {
                let position = root.of_key(row.key).unwrap();
                assert_eq!(
                    file.value(&*position).unwrap(),
                    Some(row.value),
                    "{}",
                    position.picture()
                );
                known += 1;
                if known % 8 == 0 {
                    moves_are_those_of_the_children(&file, &*position);
                }
                let plies = row.value.remoteness.filter(|_| row.value.outcome != Outcome::Draw);
                longest = longest.max(plies.map_or(0, |plies| plies.0.into()));
            }
        });
        assert_eq!(file.game_id(), &root.game_id());
        file.verify(root, &control).unwrap();
        let all: Vec<_> =
            (0..file.chunks()).flat_map(|chunk| file.values(root, chunk).unwrap()).collect();
        assert_eq!(all.len() as u64, file.positions());
        // A game that numbers its positions has numbers for others as well.
        assert_eq!(file.is_ranked(), !root.ranked_tiers().is_empty());
        assert_eq!(file.is_scored(), root.info().name == "awari");
        if !file.is_ranked() {
            assert_eq!(file.tiers()[0].longest, longest);
            assert_eq!(file.positions() < known, file.leaves_out());
            assert_eq!(file.leaves_out(), ["pong", "popout"].contains(&root.info().name));
            assert_eq!(file.value_of_key(Key(1 << 63)).unwrap(), None);
        }
    }
}

#[test]
fn bytes_do_not_depend_on_threads() {
    let root = start("nim", &[]);
    let many = (0..3 * CHUNK as u64 + 7).map(|key| {
        let value = Value::new(Outcome::Win, Remoteness((key % 200) as u8));
        (Key(key * key), value.into())
    });
    let many: Vec<_> = many.collect();
    let bytes = [1, 2, 8].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| made(root.as_ref(), &many))
    });
    assert!(bytes[0] == bytes[1] && bytes[0] == bytes[2]);
    let file = opened(&bytes[0]).unwrap();
    assert_eq!(file.chunks(), 4);
    for (key, value) in &many {
        if key.0 % 97 == 0 {
            assert_eq!(file.value_of_key(*key).unwrap(), Some(*value));
        }
    }
    assert_eq!(file.value_of_key(Key(2)).unwrap(), None);
    let values = |chunk| file.values(root.as_ref(), chunk).unwrap();
    assert!((0..4).flat_map(values).collect::<Vec<_>>() == many);
}

#[test]
fn chunks_hold_all_distances_and_keys() {
    let mut random = Random::new(3);
    for (count, longest) in [(1, 3u32), (2, 255), (9, 256), (1000, 1 << 14)] {
        for endless in [0, 1u32] {
            let mut key = random.below(5u64);
            let (keys, codes): (Vec<u64>, Vec<Code>) = (0..count)
                .map(|_| {
                    key += 1 + (random.next() >> 24 >> random.below(32u32));
                    let outcome = 1 - endless as u16 + random.below(3 + endless) as u16;
                    let distance = if outcome == 0 { 0 } else { random.below(longest) as u16 };
                    (key, Code(outcome << 14 | distance))
                })
                .unzip();
            for keys in [Some(&keys[..]), None] {
                let packed = pack(keys, &codes).unwrap();
                let first = keys.map(|keys| keys[0]);
                let again = |count| unpack(&packed.bytes, packed.lengths, count, first);
                let unpacked = again(count).unwrap();
                assert_eq!((&unpacked.keys[..], &unpacked.codes), (keys.unwrap_or(&[]), &codes));
                assert!(again(count + 4).is_err());
            }
        }
    }
}

#[test]
fn every_damaged_byte_is_noticed() {
    for root in [start("nim", &[]).read("1,2,0").unwrap(), start("morris", &[("men", 3)])] {
        let whole = written(root.as_ref());
        let step = 1 + whole.len() / 600;
        for (at, bit) in (0..whole.len()).step_by(step).flat_map(|at| [(at, 1), (at, 128)]) {
            let mut bytes = whole.clone();
            bytes[at] ^= bit;
            let Ok(file) = opened(&bytes) else { continue };
            let checked = file.check(&Control::default());
            let message = checked.expect_err(&format!("byte {at}")).to_string();
            assert!(message.contains("is damaged: chunk"), "{message}");
        }
        for length in (0..whole.len()).step_by(3) {
            assert!(opened(&whole[..length]).is_err(), "{length} bytes");
        }
        opened(&whole).unwrap().check(&Control::default()).unwrap();
    }
}

/// A file with this layout and these chunks.
fn joined(mut layout: Layout, chunks: &[Vec<Code>]) -> Vec<u8> {
    let mut bytes = vec![0; 64];
    layout.chunks.clear();
    for codes in chunks {
        let (packed, offset) = (pack(None, codes).unwrap(), bytes.len() as u64);
        let checksum = crc32fast::hash(&packed.bytes);
        layout.chunks.push(ChunkEntry { offset, first: 0, lengths: packed.lengths, checksum });
        bytes.extend(&packed.bytes);
    }
    let tables = layout.tables();
    bytes[..64].copy_from_slice(&layout.header(&tables));
    tables.iter().for_each(|table| bytes.extend(table));
    bytes
}

/// The codes of all chunks.
fn chunks_of(file: &SolutionFile) -> Vec<Vec<Code>> {
    (0..file.chunks()).map(|chunk| file.unpack(chunk).unwrap().codes).collect()
}

#[test]
fn a_tier_that_is_there_twice_is_refused() {
    let root = start("morris", &[("men", 3)]);
    let whole = opened(&written(root.as_ref())).unwrap();
    let (mut layout, mut chunks) = (whole.layout.clone(), chunks_of(&whole));
    assert!(opened(&joined(layout.clone(), &chunks)).unwrap().root(root.as_ref()).is_ok());
    let tiers = &mut layout.description.tiers;
    assert_eq!(tiers.len(), chunks.len());
    tiers.push(tiers[0].clone());
    chunks.push(chunks[0].clone());
    let twice = opened(&joined(layout, &chunks)).unwrap();
    assert!(matches!(twice.root(root.as_ref()), Err(SolutionError::OtherRules(..))));
}

/// Writes the checksums of the header, the directory and the description anew.
fn sign(bytes: &mut [u8]) {
    let at = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let length = bytes.len();
    let (directory, description) = (at(32).min(length), at(40).min(length));
    let sums = [&bytes[directory.min(description)..description], &bytes[description..]]
        .map(|table| crc32fast::hash(table).to_le_bytes());
    bytes[56..60].copy_from_slice(&sums[0]);
    bytes[60..64].copy_from_slice(&sums[1]);
    let header = crc32fast::hash(&bytes[16..64]).to_le_bytes();
    bytes[12..16].copy_from_slice(&header);
}

#[test]
fn crafted_numbers_under_right_checksums_are_refused() {
    for root in [start("nim", &[]), start("morris", &[("men", 3)])] {
        let whole = written(root.as_ref());
        let accepts = |bytes: &[u8]| {
            opened(bytes).is_ok_and(|file| file.verify(&*root, &Control::default()).is_ok())
        };
        assert!(accepts(&whole));
        let directory = u64::from_le_bytes(whole[32..40].try_into().unwrap()) as usize;
        let description = u64::from_le_bytes(whole[40..48].try_into().unwrap()) as usize;
        let words = (16..56).step_by(8).chain((directory..description).step_by(4));
        for (at, crafted) in words.flat_map(|at| [0, 7, 1 << 31, u64::MAX].map(|word| (at, word))) {
            let mut bytes = whole.clone();
            let length = if at < 64 { 8 } else { 4 };
            bytes[at..at + length].copy_from_slice(&crafted.to_le_bytes()[..length]);
            sign(&mut bytes);
            assert!(bytes == whole || !accepts(&bytes), "{crafted} at byte {at}");
        }
        let text = String::from_utf8(whole[description..].to_vec()).unwrap();
        for name in ["root", "entries", "wins", "draws", "endless", "losses", "longest"] {
            let begin = text.find(&format!("\"{name}\":")).unwrap() + name.len() + 3;
            let end = begin + text[begin..].find(|c: char| !c.is_ascii_digit()).unwrap();
            for number in ["1000000007", "18446744073709551615", "-1", "1e3", "[]"] {
                let crafted = format!("{}{number}{}", &text[..begin], &text[end..]);
                let mut bytes = [&whole[..description], crafted.as_bytes()].concat();
                let length = bytes.len() as u64;
                bytes[48..56].copy_from_slice(&length.to_le_bytes());
                sign(&mut bytes);
                assert!(!accepts(&bytes), "{name}: {number}");
            }
        }
    }
}

#[test]
fn values_that_do_not_follow_are_found_though_checksums_are_right() {
    let root = start("hexapawn", &[]);
    let values = values_of(root.as_ref());
    let check = |values: Vec<(Key, PartialValue)>| {
        let file = opened(&made(root.as_ref(), &values)).unwrap();
        file.check(&Control::default()).unwrap();
        file.verify(root.as_ref(), &Control::default())
    };
    check(values.clone()).unwrap();
    for at in 0..values.len() {
        let (mut other, mut farther, mut less) = (values.clone(), values.clone(), values.clone());
        other[at].1.outcome = -other[at].1.outcome;
        farther[at].1.remoteness = farther[at].1.remoteness.map(|r| Remoteness(r.0 + 2));
        // The value of a finished game follows from the rules alone.
        if less.remove(at).1.remoteness == Some(Remoteness(0)) {
            less = other.clone();
        }
        for wrong in [other, farther, less] {
            let message = check(wrong).unwrap_err().to_string();
            let words = ["is called a", "is missing"];
            assert!(words.iter().any(|words| message.contains(words)), "{message}");
        }
    }
}

#[test]
fn a_file_of_other_rules_or_another_game_is_refused() {
    let (root, other) = (start("nim", &[]), start("hexapawn", &[]));
    let mut bytes = written(root.as_ref());
    let file = opened(&bytes).unwrap();
    assert!(matches!(file.value(other.as_ref()), Err(SolutionError::OtherRules(..))));
    bytes[20] ^= 1;
    sign(&mut bytes);
    let file = opened(&bytes).unwrap();
    let refused = file.value(root.as_ref()).unwrap_err().to_string();
    assert!(refused.contains("other rules of nim"), "{refused}");
    assert!(file.verify(root.as_ref(), &Control::default()).is_err());
    bytes[8] = 3;
    let refused = opened(&bytes).unwrap_err().to_string();
    assert!(refused.contains("version 3"), "{refused}");
}

#[test]
fn a_list_of_a_few_large_keys_is_searched() {
    let root = start("nim", &[]);
    let key = root.canonical().unwrap().0;
    let values = [key, Key(1 << 63), Key(u64::MAX)].map(|key| (key, PartialValue::ENDLESS));
    let file = opened(&made(root.as_ref(), &values)).unwrap();
    let message = file.verify(root.as_ref(), &Control::default()).unwrap_err().to_string();
    assert!(message.contains("is missing"), "{message}");
}

/// Disturbs work at every `step`-th operation of its disk, which then breaks, is full, or loses
/// power: the error names the file or the work folder, no half of a file is left, and work that
/// begins again ends with the same files.
pub(super) fn survives(
    work: &dyn Fn(&Simulated) -> Result<(), WriteError>,
    step: usize,
    seeds: u64,
) {
    let (undisturbed, out) = (Simulated::new(Trouble::None), Path::new(OUT));
    work(&undisturbed).unwrap();
    let (expected, operations) = (undisturbed.contents(), undisturbed.operations());
    let continues = |disk: &Simulated, what: &str| {
        let left = disk.contents();
        assert!(
            left.get(out).is_none_or(|bytes| *bytes == expected[out]),
            "{what}: half of a file"
        );
        work(disk).unwrap_or_else(|error| panic!("{what}: {error}"));
        // The same files, without temporary ones of the first run.
        assert!(disk.contents() == expected, "{what}: {:?}", disk.contents().keys());
    };
    for at in (0..operations).step_by(step) {
        for trouble in [Trouble::Broken(at), Trouble::Full(at)] {
            let disk = Simulated::new(trouble);
            match work(&disk) {
                // The failed operation may be the removal of a leftover, or need no room.
                Ok(()) => assert!(disk.contents()[out] == expected[out], "{trouble:?}"),
                Err(error) => {
                    let message = error.to_string();
                    assert!(message.contains(FOLDER) || message.contains(OUT), "{message}");
                }
            }
            disk.set_trouble(Trouble::None);
            continues(&disk, &format!("{trouble:?}"));
        }
        let disk = Simulated::new(Trouble::PowerLoss(at));
        // A run may do fewer operations than the first one did: two threads that look for a table
        // of chunks at once both read it. A run that succeeds has no operation after the lost one.
        let ended = work(&disk);
        assert!(ended.is_err() || disk.operations() <= at + 1, "{at} of {}", disk.operations());
        for seed in 0..seeds {
            continues(&disk.reboot(seed), &format!("power lost in operation {at}, seed {seed}"));
        }
    }
}

#[test]
fn a_failing_disk_leaves_no_half_of_a_file() {
    let root = start("nim", &[]);
    survives(&|disk| solve_on(disk, root.as_ref()).map(drop), 1, 3);
}

/// The tiers of the whole game that lead to one do not count if the file does not hold them.
#[test]
fn verifying_ranks_takes_the_memory_of_the_tiers_in_use() {
    let game = start("morris", &[("men", 4)]);
    let last = game.ranked_tiers().iter().position(|tier| tier.name == "4-4").unwrap();
    let first = |rank| game.of_rank(TierId(last as u32), rank);
    let moving = (0..).find_map(first).unwrap();
    for root in [&*game, &*moving] {
        let file = opened(&written(root)).unwrap();
        let largest = file.tiers().iter().map(|tier| tier.entries).max().unwrap();
        let bytes = file.bytes_to_verify(root);
        assert!((2 * largest..2 * file.entries()).contains(&bytes), "{bytes}");
        file.verify(root, &Control::default()).unwrap();
    }
}

#[test]
fn a_wrong_value_at_a_rank_is_found_though_checksums_are_right() {
    for (root, words) in [
        (start("morris", &[("men", 3)]), "its children make it"),
        (start("awari", &[]), "+7 points, and solving it anew makes it"),
    ] {
        let root = root.as_ref();
        let whole = opened(&written(root)).unwrap();
        let tiers = root.ranked_tiers();
        let mut found = 0;
        for (number, tier) in whole.tiers().iter().enumerate() {
            let id = tiers.iter().position(|there| there.name == tier.name).unwrap();
            let is_position = |rank: &u64| root.of_rank(TierId(id as u32), *rank).is_some();
            let Some(rank) = (0..tier.entries).find(is_position) else { continue };
            let mut chunks = chunks_of(&whole);
            let outcome = if whole.is_scored() { Outcome::Win } else { Outcome::Draw };
            chunks[number][rank as usize] = Code::new(outcome, 7);
            let wrong = opened(&joined(whole.layout.clone(), &chunks)).unwrap();
            wrong.check(&Control::default()).unwrap();
            let message = wrong.verify(root, &Control::default()).unwrap_err().to_string();
            assert!(message.contains(words), "{message}");
            found += 1;
        }
        assert!(found > 3, "{found}");
    }
}
