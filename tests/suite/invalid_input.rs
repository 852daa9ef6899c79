//! The corpus of invalid input in `data/invalid/`, every line of it through the binary, and the
//! odd input in `data/odd-but-valid.txt`, which is not to be refused.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::support::Place;

/// A line of a corpus; the files say what its fields are.
struct Case {
    /// File and line number.
    place: String,
    arguments: Vec<OsString>,
    /// The third field.
    expected: String,
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

fn cases(path: &Path) -> Vec<Case> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().enumerate().filter(|(_, l)| !l.is_empty() && !l.starts_with('#'));
    let case = |(index, line): (usize, &str)| {
        let place = format!("{}:{}", path.display(), index + 1);
        let fields: Vec<&str> = line.split('\t').collect();
        let [words, input, expected] = fields[..] else {
            panic!("{place}: {} fields", fields.len());
        };
        assert!(!expected.is_empty(), "{place}: an empty message is in every message");
        let input = bytes(input).unwrap_or_else(|| panic!("{place}: a broken escape"));
        let filled = |word: &str| match word.split_once("{}") {
            Some((before, after)) => {
                os_string([before.as_bytes(), input.as_slice(), after.as_bytes()].concat())
            }
            None => word.into(),
        };
        assert_eq!(words.contains("{}"), input != b"-", "{place}: an input that goes nowhere");
        Case {
            arguments: words.split(' ').map(filled).collect(),
            expected: expected.to_owned(),
            place,
        }
    };
    lines.map(case).collect()
}

/// The bytes of an input field; `None` if an escape is broken.
fn bytes(mut field: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some(c) = field.chars().next() {
        if let Some(rest) = field.strip_prefix("{repeat ") {
            let (arguments, rest) = rest.split_once('}')?;
            let (text, times) = arguments.rsplit_once(' ')?;
            bytes.extend(text.repeat(times.parse().ok()?).bytes());
            field = rest;
        } else if c == '\\' {
            let (byte, length) = match field.as_bytes().get(1)? {
                b'n' => (b'\n', 2),
                b't' => (b'\t', 2),
                b'\\' => (b'\\', 2),
                b'x' => (u8::from_str_radix(field.get(2..4)?, 16).ok()?, 4),
                _ => return None,
            };
            bytes.push(byte);
            field = &field[length..];
        } else {
            let length = c.len_utf8();
            bytes.extend(field[..length].bytes());
            field = &field[length..];
        }
    }
    Some(bytes)
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

/// Elsewhere arguments are not bytes: what is not UTF-8 becomes another invalid input.
#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Runs a check on every case, several at a time, and reports all that fail.
fn check_all(cases: &[Case], check: impl Fn(&Case) -> Result<(), String> + Sync) {
    let failure = |case: &Case| Some(format!("{}\n  {}", case.place, check(case).err()?));
    let failures: Vec<String> = cases.par_iter().filter_map(failure).collect();
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

fn refused(case: &Case) -> Result<(), String> {
    let place = Place::new();
    let output = place.analyze().args(&case.arguments).output().map_err(|e| e.to_string())?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let said: String = stderr.chars().take(600).collect();
    if output.status.code() != Some(2) {
        return Err(format!("{}, not exit code 2: {said}", output.status));
    }
    if !stderr.contains(&case.expected) {
        return Err(format!("no \"{}\" in: {said}", case.expected));
    }
    if stderr.contains("panicked") || stderr.contains("RUST_BACKTRACE") {
        return Err(format!("panicked: {said}"));
    }
    // The parser of options repeats a value whole; our own messages shorten it.
    if stderr.len() > 4000 && !stderr.contains("invalid value") {
        return Err(format!("a message of {} bytes", stderr.len()));
    }
    if !output.stdout.is_empty() {
        return Err(format!("{} bytes on stdout", output.stdout.len()));
    }
    nothing_left(&place)
}

fn nothing_left(place: &Place) -> Result<(), String> {
    match place.entries() {
        left if left.is_empty() => Ok(()),
        left => Err(format!("left behind: {left:?}")),
    }
}

#[test]
fn every_invalid_input_is_refused_with_its_reason() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(data("invalid")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let cases: Vec<Case> = files.iter().flat_map(|path| cases(path)).collect();
    assert!(cases.len() >= 400, "only {} cases", cases.len());
    check_all(&cases, refused);
}

#[test]
fn odd_but_valid_input_is_understood() {
    let cases = cases(&data("odd-but-valid.txt"));
    assert!(cases.len() >= 30, "only {} cases", cases.len());
    check_all(&cases, |case| {
        let place = Place::new();
        let mut command = place.analyze();
        let output = command.args(&case.arguments).args(["--json", "--no-db"]).output();
        let output = output.map_err(|error| error.to_string())?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() || !stderr.is_empty() {
            return Err(format!("{}: {stderr}", output.status));
        }
        let document: serde_json::Value =
            serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        if document["position"] != *case.expected {
            return Err(format!("understood as {}, not {}", document["position"], case.expected));
        }
        nothing_left(&place)
    });
}
