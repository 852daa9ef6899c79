//! The games of stones that fall: the rules in which they differ.

use super::Drops;
use crate::game::{Chosen, Parameter, Registered, Unreadable};

/// The bit of the third parameter for [`ROUND`].
pub(super) const CYLINDER: u8 = 1 << 6;
/// The bit of the third parameter for [`LOSES`].
pub(super) const MISERE: u8 = 1 << 7;

const LINE: Parameter = Parameter::number("line", "How many in a row make a line", 4, 2..=21);
const ROUND: Parameter = Parameter::rule("cylinder", "The last column is next to the first");
const LOSES: Parameter = Parameter::rule("misere", "A line loses");

pub struct CylinderFour;
pub struct MisereFour;

registered!(
    PopOut: Drops<true> = "popout",
    "PopOut: Connect Four in which stones leave at the bottom",
    &[Parameter::size(4, 4), LINE, ROUND, LOSES],
    |parameters| Drops::new(Self::NAME, parameters),
    "the moves played, separated by commas: 4 drops a stone into column 4, p4 takes one out"
);

impl Registered for CylinderFour {
    type Game = Drops<false>;

    const NAME: &'static str = "cylinder4";
    const ABOUT: &'static str = "Connect Four on a cylinder";
    const PARAMETERS: &'static [Parameter] = &[Parameter::size(5, 4), LINE, LOSES];

    fn choices(game: &Drops<false>) -> Chosen {
        game.choices_without(CYLINDER, Self::PARAMETERS)
    }

    fn of_parameters([width, height, line]: [u8; 3]) -> Result<Drops<false>, Unreadable> {
        Drops::new(Self::NAME, [width, height, line | CYLINDER])
    }
}

impl Registered for MisereFour {
    type Game = Drops<false>;

    const NAME: &'static str = "misere4";
    const ABOUT: &'static str = "Misère Connect Four: four in a row lose";
    const PARAMETERS: &'static [Parameter] = &[Parameter::size(5, 4), LINE];

    fn choices(game: &Drops<false>) -> Chosen {
        game.choices_without(MISERE, Self::PARAMETERS)
    }

    fn of_parameters([width, height, line]: [u8; 3]) -> Result<Drops<false>, Unreadable> {
        Drops::new(Self::NAME, [width, height, line | MISERE])
    }
}
