//! Ranges of plies and distances.

use std::fmt;
use std::str::FromStr;

/// Numbers as ranges, in text `8`, `0-8` or `4,6-8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges(Vec<(u8, u8)>);

/// The most plies a game of stones takes.
const MOST: u8 = 64;

impl Ranges {
    pub fn only(number: u8) -> Self {
        Self(vec![(number, number)])
    }

    pub fn contains(&self, number: u8) -> bool {
        self.0.iter().any(|&(first, last)| (first..=last).contains(&number))
    }

    /// Returns the number in the ranges, if it is only one.
    pub fn single(&self) -> Option<u8> {
        let mut numbers = (0..=u8::MAX).filter(|&number| self.contains(number));
        numbers.next().filter(|_| numbers.next().is_none())
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (first, last)) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { "," } else { "" })?;
            if first == last { write!(f, "{first}")? } else { write!(f, "{first}-{last}")? }
        }
        Ok(())
    }
}

impl FromStr for Ranges {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| match text.parse::<u8>() {
            Ok(number) if number <= MOST && text.bytes().all(|b| b.is_ascii_digit()) => Ok(number),
            _ => Err(format!("'{text}' is no number from 0 to {MOST}: write 8, 0-8 or 4,6-8")),
        };
        let range = |part: &str| match part.split_once('-') {
            None => number(part).map(|number| (number, number)),
            Some((first, last)) => match (number(first)?, number(last)?) {
                (first, last) if first <= last => Ok((first, last)),
                _ => Err(format!("'{part}' holds no number: the lower one comes first")),
            },
        };
        text.split(',').map(range).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_numbers_and_ranges() {
        let plies: Ranges = "4,6-8".parse().unwrap();
        let contained: Vec<u8> = (0..20).filter(|&ply| plies.contains(ply)).collect();
        assert_eq!(contained, [4, 6, 7, 8]);
        assert_eq!(plies.to_string(), "4,6-8");
        assert_eq!(plies.single(), None);
        assert_eq!("8".parse::<Ranges>().unwrap().single(), Some(8));
        for wrong in ["", "x", "8-", "-8", "8-4", "65", "+8", "1,,2", "1.5"] {
            assert!(wrong.parse::<Ranges>().is_err(), "{wrong}");
        }
    }
}
