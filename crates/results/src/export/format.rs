//! The formats of positions.

use everyply_connect_four::formats::LineFormat;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionFormat {
    Csv,
    JsonLines,
    #[cfg(feature = "parquet")]
    Parquet,
    Uci,
    Pons,
}

impl PositionFormat {
    pub const ALL: &'static [Self] = &[
        Self::Csv,
        Self::JsonLines,
        #[cfg(feature = "parquet")]
        Self::Parquet,
        Self::Uci,
        Self::Pons,
    ];

    /// Returns the name on the command line and in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::JsonLines => "jsonl",
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
            Self::Uci => "uci",
            Self::Pons => "pons",
        }
    }

    /// Returns the usual extension of a file.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Uci => "uci.data",
            Self::Pons => "pons.txt",
            other => other.name(),
        }
    }

    /// Returns the line format of another program's files, which have fixed columns; `None` for
    /// data sets.
    pub const fn exchange(self) -> Option<LineFormat> {
        match self {
            Self::Uci => Some(LineFormat::Uci),
            Self::Pons => Some(LineFormat::Pons),
            _ => None,
        }
    }
}
