//! The server answers its own hosts, and pages of other origins only on request (`--cors`). Unit
//! tests of `web::origin` have all forms of hosts and origins.

use super::Server;
use crate::support::Place;

/// The answer to a request with these header lines, in lower case.
fn ask(server: &Server, target: &str, lines: &[String]) -> String {
    let request =
        format!("GET {target} HTTP/1.1\r\n{}\r\nConnection: close\r\n\r\n", lines.join("\r\n"));
    server.whole_answer(&request).to_lowercase()
}

#[test]
fn requests_for_other_hosts_are_refused() {
    let server = Server::start(&["--allow-host", "games.lan"]);
    let port = server.address.port();
    for target in ["/", "/api/v1/position?game=ttt", "/nowhere", "/assets/explorer.js"] {
        for (host, status) in [
            (format!("evil.example:{port}"), 421),
            ("localhost".to_owned(), 421),
            ("a b".to_owned(), 400),
        ] {
            let answer = ask(&server, target, &[format!("Host: {host}")]);
            assert!(
                answer.starts_with(&format!("http/1.1 {status}")),
                "{target} of {host}: {answer}"
            );
            let said = format!("with {host} as an allowed host");
            assert_eq!(answer.contains(&said), status == 421, "{answer}");
        }
    }
    for host in [format!("localhost:{port}"), server.address.to_string(), "GAMES.lan:1".to_owned()]
    {
        let answer = ask(&server, "/", &[format!("Host: {host}")]);
        assert!(answer.starts_with("http/1.1 200"), "{host}: {answer}");
    }
    let place = Place::new();
    place.run("serve --allow-host http://x").code(2);
    for bad in ["a.example", "ftp://a.example", "https://a.example/x", "null", "https://"] {
        place.run(&format!("serve --cors {bad}")).code(2);
    }
}

#[test]
fn pages_elsewhere_read_answers_only_where_that_was_asked_for() {
    const HEADER: &str = "access-control-allow-origin";
    let plain = Server::start(&[]);
    let some = Server::start(&["--cors", "https://a.example", "--cors", "http://localhost:8000"]);
    let every = Server::start(&["--cors", "*"]);
    let head = |server: &Server, target: &str, origin: &str| {
        let host = server.address;
        let lines = [format!("Host: {host}"), format!("Origin: {origin}")];
        ask(server, target, &lines).split("\r\n\r\n").next().unwrap().to_owned()
    };
    for target in ["/solve?pos=44455554221", "/solve?pos=x", "/api/v1/watch?game=ttt"] {
        assert!(!head(&plain, target, "https://a.example").contains(HEADER), "{target}");
        let told = head(&some, target, "https://a.example");
        assert!(told.contains(&format!("{HEADER}: https://a.example")), "{target}: {told}");
        assert!(told.contains("vary: origin"), "{target}: {told}");
        assert!(!head(&some, target, "https://b.example").contains(HEADER), "{target}");
        let told = head(&every, target, "https://b.example");
        assert!(told.contains(&format!("{HEADER}: *")), "{target}: {told}");
    }
    // Pages are for people.
    assert!(!head(&every, "/ttt", "https://b.example").contains(HEADER));
}
