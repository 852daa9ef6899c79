//! The requests that the documentation shows, with their answers.

use super::Server;

/// Text without the space between words.
fn plain(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn the_answers_in_the_documentation_are_those_of_the_server() {
    let server = Server::start(&[]);
    let pages = [include_str!("../../../docs/api.md"), include_str!("../../../docs/explorer.md")];
    let mut shown = 0;
    for block in pages.iter().flat_map(|page| page.split("```console\n").skip(1)) {
        let block = block.split("```").next().unwrap();
        let Some((command, expected)) =
            block.strip_prefix("$ curl 'http://127.0.0.1:4453").and_then(|b| b.split_once('\n'))
        else {
            continue;
        };
        let (target, rest) = command.split_once('\'').unwrap();
        let body = rest.strip_prefix(" -d '").map(|body| body.strip_suffix('\'').unwrap());
        let (_, answer) = match body {
            Some(body) => server.post(target, body),
            None => server.get(target),
        };
        for part in expected.split("...\n") {
            assert!(plain(&answer).contains(&plain(part)), "{target}: {part}\nnot in {answer}");
        }
        shown += 1;
    }
    assert_eq!(shown, 5);
}
