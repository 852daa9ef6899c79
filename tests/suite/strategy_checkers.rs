//! The two checkers of strategies, this program's and `tools/check_strategy.py`, on crafted files.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use everyply::connect_four::strategy::{check, read};
use everyply::control::Control;

use crate::support::Place;

/// Small strategies, as text.
const SAMPLES: [&str; 3] = ["5x5-first-draw", "5x5-second-draw", "5x6-second-draw"];
/// Sections of few lines, in which most changes matter.
const TINY: [&str; 5] = [
    "everyply strategy 1\nboard 2x2\nline 2\nside first\nscore 1\nmoves \npositions 1\nx/ -\n",
    "everyply strategy 1\nboard 2x2\nline 2\nside second\nscore -1\nmoves 11\npositions 1\nxo/ b\n",
    "everyply strategy 1\nboard 2x2\nline 1\nside first\nscore 2\nmoves \npositions 0\n",
    "everyply strategy 1\nboard 3x3\nline 3\nside second\nscore -4\nmoves \npositions 1\n// -\n",
    "everyply strategy 1\nboard 12x1\nline 4\nside first\nscore 0\nmoves 10,\npositions 1\n\
     //x///////// - a1g b1g d1e e1b f1g g1f h1f i1j j1i k1b l1a\n",
];

/// The checker in Python, which reads paths and answers each with its exit code.
struct Other(Child);

impl Other {
    fn start() -> Self {
        let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools");
        let script = format!(
            "import contextlib, io, sys\n\
             sys.path.insert(0, {tools:?})\n\
             import check_strategy\n\
             for line in sys.stdin:\n    \
                 with contextlib.redirect_stdout(io.StringIO()), \
             contextlib.redirect_stderr(io.StringIO()):\n        \
                     code = check_strategy.main([line.rstrip('\\n'), '--strict'])\n    \
                 print(code, flush=True)\n"
        );
        let python = Command::new("python3")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        Self(python.expect("python3"))
    }

    fn accepts(&mut self, path: &Path) -> bool {
        writeln!(self.0.stdin.as_mut().unwrap(), "{}", path.display()).unwrap();
        let mut code = String::new();
        BufReader::with_capacity(1, self.0.stdout.as_mut().unwrap()).read_line(&mut code).unwrap();
        match code.trim() {
            "0" => true,
            "1" | "2" | "3" => false,
            code => panic!("exit code {code:?}"),
        }
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

fn accepts(text: &[u8]) -> bool {
    let bytes = zstd::encode_all(text, 1).unwrap();
    let control = Control::default();
    read(&bytes).is_ok_and(|strategies| strategies.iter().all(|s| check(s, &control).is_ok()))
}

/// The mirror image of the line of a position.
fn mirrored(row: &str) -> String {
    let mut words = row.split(' ');
    let stones: Vec<&str> = words.next().unwrap_or_default().split('/').collect();
    let last = b'a' + stones.len() as u8 - 1;
    let turn = |c: char| match u8::try_from(c) {
        Ok(letter) if (b'a'..=last).contains(&letter) => char::from(b'a' + last - letter),
        _ => c,
    };
    let turned = |word: &str| word.chars().map(turn).collect::<String>();
    let exits: String = turned(words.next().unwrap_or_default()).chars().rev().collect();
    let mut answers: Vec<String> = words.map(turned).collect();
    answers.sort();
    let stones: Vec<&str> = stones.into_iter().rev().collect();
    [vec![stones.join("/"), exits], answers].concat().join(" ")
}

/// Texts in the place of others, at the first or a later occurrence.
const SWAPS: [(&str, &str); 26] = [
    ("x", "o"),
    ("o", "x"),
    ("/", "x/"),
    ("/", "/o"),
    (" -", " a"),
    (" -", " e"),
    ("score 0", "score 1"),
    ("score 0", "score -0"),
    ("score 0", "score -3"),
    ("score", "score -"),
    ("score 0", "score +0"),
    ("score 0", "score 65"),
    ("moves ", "moves"),
    ("moves ", "moves \t"),
    ("moves ", "moves \r"),
    ("moves ", "moves 3"),
    ("moves ", "moves 3,3"),
    ("moves ", "moves 33 "),
    ("board ", "board 0"),
    ("line 4", "line 5"),
    ("line ", "line 0"),
    ("side first", "side second"),
    ("side second", "side first"),
    ("positions ", "positions 0"),
    ("\n", "\r\n"),
    ("\n", " \n"),
];

/// One change of a text.
fn change(text: &str, random: &mut fastrand::Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let row = random.usize(7.min(lines.len() - 1)..lines.len());
    match random.u8(..10) {
        0 => drop(lines.remove(row)),
        1 => lines.insert(row, lines[row].clone()),
        2 => {
            let other = random.usize(7.min(lines.len() - 1)..lines.len());
            lines.swap(row, other);
        }
        3 | 4 => lines[row] = mirrored(&lines[row]),
        // Leave out, or exchange, a character.
        5 | 6 => {
            let mut bytes = lines[row].clone().into_bytes();
            if !bytes.is_empty() {
                let at = random.usize(..bytes.len());
                match random.bool() {
                    true => drop(bytes.remove(at)),
                    false => bytes[at] = b"xo/-abcde 123"[random.usize(..13)],
                }
            }
            lines[row] = String::from_utf8(bytes).unwrap();
        }
        _ => {
            let (from, to) = SWAPS[random.usize(..SWAPS.len())];
            let places: Vec<usize> = text.match_indices(from).map(|(at, _)| at).collect();
            let Some(&at) = places.get(random.usize(..places.len().max(1))) else {
                return text.to_owned();
            };
            return format!("{}{to}{}", &text[..at], &text[at + from.len()..]);
        }
    }
    // Half of the time in order and counted right: these faults would hide others.
    if random.bool() && lines.len() > 7 {
        lines[7..].sort();
        lines[6] = format!("positions {}", lines.len() - 7);
    }
    lines.join("\n") + "\n"
}

fn crafted_files_are_judged_alike(files: usize) {
    let place = Place::new();
    let path = place.path("a.strategy");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/strategies");
    let sample = |name| std::fs::read_to_string(data.join(format!("{name}.strategy"))).unwrap();
    let mut texts: Vec<String> = SAMPLES.map(sample).into();
    texts.extend(TINY.map(String::from));
    let mut other = Other::start();
    let mut random = fastrand::Rng::with_seed(38);
    let mut accepted = 0;
    for file in 0..files {
        let mut text = texts[random.usize(..texts.len())].clone();
        let changes = if file < texts.len() { 0 } else { random.usize(1..=3) };
        text = if changes == 0 { texts[file].clone() } else { text };
        for _ in 0..changes {
            text = change(&text, &mut random);
        }
        std::fs::write(&path, &text).unwrap();
        let [ours, theirs] = [accepts(text.as_bytes()), other.accepts(&path)];
        assert_eq!(ours, theirs, "file {file}: we and check_strategy.py differ on\n{text}");
        assert!(ours || changes > 0, "{text}");
        accepted += usize::from(ours);
    }
    eprintln!("{files} files, {accepted} accepted by both");
    assert!(accepted > files / 50, "{accepted}");
}

#[test]
fn some_crafted_strategies_are_judged_alike() {
    crafted_files_are_judged_alike(40);
}

#[test]
#[ignore = "5,000 files, most of them played through in Python: minutes"]
fn five_thousand_crafted_strategies_are_judged_alike() {
    crafted_files_are_judged_alike(5000);
}
