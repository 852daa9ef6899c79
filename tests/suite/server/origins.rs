//! Whom the server answers: its own hosts, and pages elsewhere only where that was asked for.

use std::io::Write;

use super::{Server, answer};
use crate::support::Place;

/// Status and the whole answer to a request of these lines.
fn ask(server: &Server, lines: &[&str]) -> (u16, String) {
    let mut stream = server.connect();
    let request = format!("{}\r\nConnection: close\r\n\r\n", lines.join("\r\n"));
    stream.write_all(request.as_bytes()).unwrap();
    answer(&mut stream)
}

/// The head of an answer, in lower case.
fn head(server: &Server, target: &str, origin: &str) -> String {
    use std::io::Read;
    let mut stream = server.connect();
    let request = format!(
        "GET {target} HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\nConnection: close\r\n\r\n",
        server.address
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text.split("\r\n\r\n").next().unwrap().to_lowercase()
}

#[test]
fn requests_for_other_hosts_are_refused() {
    let server = Server::start(&[]);
    let port = server.address.port();
    for target in
        ["/", "/solve?pos=", "/api/v1/position?game=ttt", "/nowhere", "/assets/explorer.js"]
    {
        let line = format!("GET {target} HTTP/1.1");
        for host in [format!("evil.example:{port}"), "127.0.0.1:1".into(), "localhost".into()] {
            let (status, body) = ask(&server, &[&line, &format!("Host: {host}")]);
            assert_eq!(status, 421, "{target} of {host}: {body}");
            assert!(body.contains(&format!("with {host} as an allowed host")), "{body}");
        }
        let local = format!("Host: localhost:{port}");
        assert_eq!(ask(&server, &[&line]).0, 400, "{target}");
        assert_eq!(ask(&server, &[&line, &local, &local]).0, 400, "{target}");
        assert_eq!(ask(&server, &[&line, "Host: a b"]).0, 400, "{target}");
        assert_ne!(ask(&server, &[&line, &local]).0 / 100, 5, "{target}");
    }
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")]
    {
        let (status, body) = ask(&server, &["GET / HTTP/1.1", &format!("Host: {host}")]);
        assert_eq!(status, 200, "{host}: {body}");
    }
    // No browser speaks HTTP/1.0, which knows no Host.
    assert_eq!(ask(&server, &["GET / HTTP/1.0"]).0, 200);
    // A target may name a host of its own.
    let host = format!("Host: localhost:{port}");
    let line = format!("GET http://evil.example:{port}/ HTTP/1.1");
    assert_eq!(ask(&server, &[&line, &host]).0, 421);
}

#[test]
fn hosts_are_allowed_by_name() {
    let server = Server::start(&["--allow-host", "games.lan", "--allow-host", "play.lan:80"]);
    let status = |host: &str| ask(&server, &["GET / HTTP/1.1", &format!("Host: {host}")]).0;
    assert_eq!(status("games.lan"), 200);
    assert_eq!(status("GAMES.lan:1234"), 200);
    assert_eq!(status("play.lan:80"), 200);
    assert_eq!(status("play.lan:81"), 421);
    assert_eq!(status(&server.address.to_string()), 200);
    let place = Place::new();
    for bad in ["serve --allow-host http://x", "serve --allow-host a/b", "serve --cors example.org"]
    {
        place.run(bad).code(2);
    }
}

#[test]
fn pages_elsewhere_read_answers_only_where_that_was_asked_for() {
    const HEADER: &str = "access-control-allow-origin";
    let targets = [
        "/solve?pos=44455554221",
        "/solve?pos=x",
        "/api/v1/position?game=ttt",
        "/api/v1/watch?game=ttt",
        "/api/v1/game?game=ttt&moves=1",
        "/api/v1/reply?game=ttt&moves=1",
    ];
    let plain = Server::start(&[]);
    let some = ["--cors", "https://a.example", "--cors", "http://localhost:8000"];
    let some = Server::start(&some);
    let every = Server::start(&["--cors", "*"]);
    for target in targets {
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
