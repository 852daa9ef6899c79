//! `analyze games`: the list of games, with their options and capabilities.

use std::fmt::Write;

use super::failure::Failure;
use super::text;
use crate::game::{Chosen, Parameter, ParameterKind};
use crate::registry::Registry;

pub(super) fn run(registry: &Registry) -> Result<(), Failure> {
    let mut text = String::new();
    for entry in registry.entries() {
        let _ = writeln!(text, "{}: {}", entry.name, entry.about);
        let option = |parameter: &Parameter| {
            let Parameter { name, help, kind } = parameter;
            match kind {
                ParameterKind::Size(width, height) => {
                    format!("--{name} WxH (usual: {width}x{height})")
                }
                ParameterKind::Number { usual, .. } => format!("--{name} K (usual: {usual})"),
                ParameterKind::Rule => format!("--{name} ({help})"),
            }
        };
        let options: Vec<String> = entry.parameters.iter().map(option).collect();
        let options = if options.is_empty() { "none".to_owned() } else { options.join(", ") };
        let _ = writeln!(text, "  options   {options}");
        let usual = entry.choose(&Chosen::default()).map_err(Failure::usage)?;
        let _ = writeln!(text, "  position  {}", usual.position_help());
        let can: Vec<String> = usual.capabilities().iter().map(ToString::to_string).collect();
        let can = if can.is_empty() { "rules and keys alone".to_owned() } else { can.join(", ") };
        let _ = writeln!(text, "  can       {can}\n");
    }
    text::print(&format!("{}\n", text.trim_end()))
}
