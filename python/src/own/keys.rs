//! Keys of positions of a game written in Python, each with its number.

use std::hash::BuildHasherDefault;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};
use rustc_hash::FxHasher;

type Map<K> = std::collections::HashMap<K, u32, BuildHasherDefault<FxHasher>>;

/// Numbers by key. All keys of a game are of one kind.
#[derive(Default)]
pub enum Keys {
    #[default]
    Empty,
    /// Whole numbers of 64 bits, and larger ones as bytes.
    Numbers(Map<i64>, Map<Box<[u8]>>),
    Bytes(Map<Box<[u8]>>),
}

enum Read<'py> {
    Number(i64),
    Large(Box<[u8]>),
    Bytes(Bound<'py, PyBytes>),
}

impl Keys {
    /// Returns the number of a key, and true if the key is new: then it has the next number.
    pub fn number(&mut self, key: &Bound<'_, PyAny>) -> PyResult<(u32, bool)> {
        let read = self.read(key)?;
        let next = self.len() as u32;
        if matches!(self, Self::Empty) {
            *self = match read {
                Read::Bytes(_) => Self::Bytes(Map::default()),
                _ => Self::Numbers(Map::default(), Map::default()),
            };
        }
        let number = match (self, read) {
            (Self::Numbers(small, _), Read::Number(key)) => *small.entry(key).or_insert(next),
            (Self::Numbers(_, large), Read::Large(key)) => *large.entry(key).or_insert(next),
            (Self::Bytes(map), Read::Bytes(key)) => match map.get(key.as_bytes()) {
                Some(&number) => number,
                None => *map.entry(key.as_bytes().into()).or_insert(next),
            },
            _ => unreachable!("keys are read as what they are kept as"),
        };
        Ok((number, number == next))
    }

    /// Returns the number of a key; `None` if no position has it.
    pub fn get(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        Ok(match (self, self.read(key)?) {
            (Self::Numbers(small, _), Read::Number(key)) => small.get(&key),
            (Self::Numbers(_, large), Read::Large(key)) => large.get(&key),
            (Self::Bytes(map), Read::Bytes(key)) => map.get(key.as_bytes()),
            _ => None,
        }
        .copied())
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Empty => 0,
            Self::Numbers(small, large) => small.len() + large.len(),
            Self::Bytes(map) => map.len(),
        }
    }

    fn read<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Read<'py>> {
        let bytes = matches!(self, Self::Empty | Self::Bytes(_));
        let numbers = matches!(self, Self::Empty | Self::Numbers(..));
        if bytes && let Ok(key) = key.cast::<PyBytes>() {
            return Ok(Read::Bytes(key.clone()));
        }
        if numbers {
            if let Ok(number) = key.extract::<i64>() {
                return Ok(Read::Number(number));
            }
            if let Ok(number) = key.cast::<PyInt>() {
                let length = number.call_method0("bit_length")?.extract::<usize>()? / 8 + 1;
                let signed = pyo3::types::PyDict::new(key.py());
                signed.set_item("signed", true)?;
                let word = number.call_method("to_bytes", (length, "little"), Some(&signed))?;
                return Ok(Read::Large(word.cast::<PyBytes>()?.as_bytes().into()));
            }
        }
        let wanted = match self {
            Self::Empty => "an int or bytes",
            Self::Numbers(..) => "an int, as those of other positions are",
            Self::Bytes(_) => "bytes, as those of other positions are",
        };
        let kind = key.get_type().name()?;
        Err(PyTypeError::new_err(format!("a key is {wanted}, not {kind}")))
    }
}
