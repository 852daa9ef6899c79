//! Plies asked for on the command line.

use std::str::FromStr;

/// Plies asked for, as ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Plies(Vec<(u8, u8)>);

impl Plies {
    pub fn contains(&self, ply: u8) -> bool {
        self.0.iter().any(|&(first, last)| (first..=last).contains(&ply))
    }

    /// The one ply asked for, if it is one.
    pub fn single(&self) -> Option<u8> {
        let mut plies = (0..=u8::MAX).filter(|&ply| self.contains(ply));
        plies.next().filter(|_| plies.next().is_none())
    }
}

impl FromStr for Plies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| match text.parse::<u8>() {
            Ok(ply) if ply <= 64 && text.bytes().all(|b| b.is_ascii_digit()) => Ok(ply),
            _ => Err(format!("'{text}' is no ply: write 8, 0-8 or 4,6-8")),
        };
        let range = |part: &str| match part.split_once('-') {
            None => number(part).map(|ply| (ply, ply)),
            Some((first, last)) => match (number(first)?, number(last)?) {
                (first, last) if first <= last => Ok((first, last)),
                _ => Err(format!("'{part}' has no ply: the lower one comes first")),
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
        let plies: Plies = "4,6-8".parse().unwrap();
        let contained: Vec<u8> = (0..20).filter(|&ply| plies.contains(ply)).collect();
        assert_eq!(contained, [4, 6, 7, 8]);
        assert_eq!(plies.single(), None);
        assert_eq!("8".parse::<Plies>().unwrap().single(), Some(8));
        for wrong in ["", "x", "8-", "-8", "8-4", "65", "+8", "1,,2", "1.5"] {
            assert!(wrong.parse::<Plies>().is_err(), "{wrong}");
        }
    }
}
