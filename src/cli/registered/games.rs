//! `analyze games`: the games there are, what can be chosen, and what each can do.

use std::fmt::Write;

use crate::cli::failure::Failure;
use crate::cli::text;
use crate::game::Chosen;
use crate::games::line::Rules;
use crate::registry::Registry;

pub(in crate::cli) fn run(registry: &Registry) -> Result<(), Failure> {
    let mut text = String::new();
    for rules in Rules::ALL {
        let _ = writeln!(text, "{}: {}", rules.word(), rules.about());
        let _ = writeln!(text, "  options   --size WxH, --line K");
        let _ = writeln!(text, "  position  the moves played, as 4453, or --board PICTURE");
        let _ = writeln!(text, "  can       tiered (play always ends), symmetric, lines\n");
    }
    for entry in registry.others() {
        let _ = writeln!(text, "{}: {}", entry.name, entry.about);
        let size = entry.usual_size().map(|(w, h)| format!("--size WxH (usual: {w}x{h})"));
        let flags = entry.rules().map(|rule| format!("--{} ({})", rule.name, rule.help));
        let options: Vec<String> = size.into_iter().chain(flags).collect();
        let options = if options.is_empty() { "none".to_owned() } else { options.join(", ") };
        let _ = writeln!(text, "  options   {options}");
        let usual = entry.choose(&Chosen::default()).map_err(Failure::usage)?;
        let _ = writeln!(text, "  position  {}", usual.position_help());
        let can: Vec<String> = usual.capabilities().iter().map(ToString::to_string).collect();
        let can = if can.is_empty() { "rules and keys alone".to_owned() } else { can.join(", ") };
        let _ = writeln!(text, "  can       {can}\n");
    }
    text::print(text.trim_end_matches('\n').to_owned().as_str()).and_then(|()| text::print("\n"))
}
