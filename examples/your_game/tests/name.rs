//! The program bears its own name.

use std::process::Command;

/// What the program prints on stdout and stderr.
fn printed(arguments: &str) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_your_game"));
    let output = program.args(arguments.split(' ')).output().unwrap();
    [output.stdout, output.stderr].map(|said| String::from_utf8(said).unwrap()).concat()
}

#[test]
fn help_messages_and_completions_have_the_name_of_the_program() {
    assert!(printed("--version").starts_with("your_game (everyply "), "{}", printed("--version"));
    let help = printed("query --help");
    assert!(help.contains("\n  your_game query everyply.db 4453 "), "{help}");
    let help = printed("treblecross --help");
    assert!(help.contains("\n  your_game treblecross\n"), "{help}");
    let refused = printed("query none.db");
    assert!(refused.contains("`your_game GAME` and `your_game book` write"), "{refused}");
    let completions = printed("completions bash");
    assert!(completions.contains("_your_game()") && !completions.contains("analyze()"));
    for arguments in ["--help", "help export", "completions fish"] {
        let text = printed(arguments);
        assert!(!text.contains("analyze "), "{arguments}: {text}");
    }
}
