//! The rules in which the games of stones that fall differ.

use std::fmt::Debug;

use super::Drops;
use crate::game::{Parameter, ParameterKind};

/// The rules in which these games differ.
pub trait DropRules: Copy + Debug + Default + Send + Sync + 'static {
    const NAME: &'static str;
    const ABOUT: &'static str;
    const PARAMETERS: &'static [Parameter];
    /// True if stones may be taken out of the bottom row.
    const POPS: bool = false;
    /// The rules that always hold: `CYLINDER` or `MISERE`.
    const RULES: u8 = 0;
}

/// Rules under which play ends: no stone leaves the board.
pub trait EndingRules: DropRules {}

/// The bit of the third parameter for [`ROUND`].
pub(super) const CYLINDER: u8 = 1 << 6;
/// The bit of the third parameter for [`LOSES`].
pub(super) const MISERE: u8 = 1 << 7;

const LINE: Parameter = Parameter {
    name: "line",
    help: "How many in a row make a line",
    kind: ParameterKind::Number { usual: 4, least: 2, most: 21 },
};
const ROUND: Parameter = Parameter::rule("cylinder", "The last column is next to the first");
const LOSES: Parameter = Parameter::rule("misere", "A line loses");

#[derive(Clone, Copy, Debug, Default)]
pub struct PopRules;

#[derive(Clone, Copy, Debug, Default)]
pub struct CylinderRules;

#[derive(Clone, Copy, Debug, Default)]
pub struct MisereRules;

pub type PopOut = Drops<PopRules>;
pub type CylinderFour = Drops<CylinderRules>;
pub type MisereFour = Drops<MisereRules>;

impl DropRules for PopRules {
    const NAME: &'static str = "popout";
    const ABOUT: &'static str = "PopOut: Connect Four in which stones leave at the bottom";
    const PARAMETERS: &'static [Parameter] = &[Parameter::size(4, 4), LINE, ROUND, LOSES];
    const POPS: bool = true;
}

impl DropRules for CylinderRules {
    const NAME: &'static str = "cylinder4";
    const ABOUT: &'static str = "Connect Four on a cylinder";
    const PARAMETERS: &'static [Parameter] = &[Parameter::size(5, 4), LINE, LOSES];
    const RULES: u8 = CYLINDER;
}

impl DropRules for MisereRules {
    const NAME: &'static str = "misere4";
    const ABOUT: &'static str = "Misère Connect Four: four in a row lose";
    const PARAMETERS: &'static [Parameter] = &[Parameter::size(5, 4), LINE];
    const RULES: u8 = MISERE;
}

impl EndingRules for CylinderRules {}
impl EndingRules for MisereRules {}
