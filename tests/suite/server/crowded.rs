//! Many clients at once.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::Server;

/// Long enough for a machine under load, and far below the time limit of the searches.
const SOON: Duration = Duration::from_secs(10);

/// Sends a question whose search takes longer than any limit here, without waiting for the answer.
fn ask_hard(server: &Server, number: usize) -> TcpStream {
    let targets = [
        "/api/v1/position?game=connect4&size=8x7",
        "/api/v1/watch?game=connect4&size=8x7&moves=4",
        "/api/v1/position?game=connect4&size=7x7&moves=12",
    ];
    let mut stream = server.connect();
    stream.write_all(server.request(targets[number % targets.len()]).as_bytes()).unwrap();
    stream
}

fn answers_soon(server: &Server, target: &str) {
    let begun = Instant::now();
    let (status, body) = server.get(target);
    let took = begun.elapsed();
    assert!(status == 200 && !body.contains("partial"), "{target}: {status} {body}");
    assert!(took < SOON, "{target} took {took:?}");
}

/// True if the answer has not ended.
fn is_pending(mut stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let mut bytes = [0; 1 << 16];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return false,
            // Lines of an answer that continues.
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return true,
            Err(_) => return false,
        }
    }
}

#[test]
fn short_questions_are_answered_beside_long_ones() {
    // Four searches run at a time.
    let hard = 3;
    let server = Server::start(&["--limit", "60", "--threads", "2", "--table-size", "16"]);
    let waiting: Vec<_> = (0..hard).map(|number| ask_hard(&server, number)).collect();
    std::thread::sleep(Duration::from_secs(1));
    for target in ["/ttt?moves=15", "/solve?pos=44455554221", "/api/v1/position?game=ttt"] {
        answers_soon(&server, target);
    }
    let pending = waiting.iter().filter(|stream| is_pending(stream)).count();
    assert_eq!(pending, hard, "answered early");
}

#[test]
fn connections_left_open_delay_no_other() {
    let server = Server::start(&[]);
    let half_open: Vec<_> = (0..200)
        .map(|number| {
            let mut stream = server.connect();
            // Half of them send nothing, the others a part of a head.
            if number % 2 == 0 {
                stream.write_all(b"GET / HTTP/1.1\r\nHos").unwrap();
            }
            stream
        })
        .collect();
    for target in ["/", "/ttt?moves=15", "/solve?pos=44455554221"] {
        answers_soon(&server, target);
    }
    drop(half_open);
}
