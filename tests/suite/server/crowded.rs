//! Many at once: nobody waits for what others ask, nor for connections they leave open.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::{Server, answer};

/// Long enough for a machine under load, and far below the time limit of the searches.
const SOON: Duration = Duration::from_secs(10);

/// Asks what takes longer than any limit here, and does not wait for the answer.
fn ask_hard(server: &Server, number: usize) -> TcpStream {
    let targets = [
        "/api/v1/position?game=connect4&size=8x7",
        "/api/v1/position?game=connect4&size=8x7&all-moves=true",
        "/api/v1/position?game=connect4&size=7x7&moves=12",
        "/api/v1/watch?game=connect4&size=8x7&moves=4",
    ];
    let mut stream = server.connect();
    stream.write_all(server.request(targets[number % targets.len()]).as_bytes()).unwrap();
    stream
}

/// True if nothing but lines of an answer in pieces has come, and its connection is open.
fn is_pending(mut stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let mut bytes = [0; 1 << 16];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return false,
            // An answer in pieces ends with a piece of no bytes.
            Ok(read) if bytes[..read].ends_with(b"\r\n0\r\n\r\n") => return false,
            Ok(read) if bytes.starts_with(b"HTTP/1.1 200") && !has(&bytes[..read], b"chunked") => {
                return false;
            }
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return true,
            Err(_) => return false,
        }
    }
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn short_questions_do_not_wait_for_long_ones() {
    for hard in [4, 16] {
        let server = Server::start(&["--limit", "60", "--threads", "2", "--table-size", "16"]);
        let waiting: Vec<_> = (0..hard).map(|number| ask_hard(&server, number)).collect();
        std::thread::sleep(Duration::from_secs(1));
        for target in ["/ttt?moves=15", "/solve?pos=44455554221", "/api/v1/position?game=ttt"] {
            let begun = Instant::now();
            let (status, body) = server.get(target);
            let took = begun.elapsed();
            eprintln!("{hard} hard questions, {target}: {took:?}");
            assert_eq!(status, 200, "{target}: {body}");
            assert!(!body.contains("partial"), "{target}: {body}");
            assert!(took < SOON, "{target} took {took:?} beside {hard} hard questions");
        }
        let pending = waiting.iter().filter(|stream| is_pending(stream)).count();
        assert_eq!(pending, hard, "answered early");
    }
}

#[test]
fn long_questions_without_number_are_told_what_is_proved() {
    // Four more than may be begun at a time: as many are answered early.
    let server = Server::start(&["--limit", "8", "--searches", "2", "--threads", "1"]);
    let target = "/api/v1/position?game=connect4&size=8x7&all-moves=true";
    let mut waiting: Vec<_> = (0..20).map(|_| server.connect()).collect();
    for stream in &mut waiting {
        stream.write_all(server.request(target).as_bytes()).unwrap();
    }
    for mut stream in waiting {
        let (status, body) = answer(&mut stream);
        assert_eq!(status, 200, "{body}");
        let told: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(told["interrupted"], true);
        assert!(told["bounds"]["worst"]["outcome"].is_string(), "{body}");
    }
    assert_eq!(server.get("/solve?pos=44455554221").0, 200);
}

#[cfg(target_os = "linux")]
#[test]
fn a_client_with_many_questions_leaves_the_others_their_share() {
    let server = Server::start(&["--limit", "60", "--searches", "1", "--threads", "1"]);
    let many: Vec<_> = (0..6).map(|_| ask_hard(&server, 0)).collect();
    std::thread::sleep(Duration::from_secs(3));
    // About a second of work, from another address.
    let other = connect_from([127, 0, 0, 2], &server);
    let mut other = other.expect("every address of 127/8 is this machine");
    let target = "/solve?pos=4444445";
    other.write_all(server.request(target).as_bytes()).unwrap();
    let (status, body) = answer(&mut other);
    assert!(status == 200 && !body.contains("partial"), "{status} {body}");
    assert_eq!(many.iter().filter(|stream| is_pending(stream)).count(), 6);
}

/// Connects from an address of one's own choice.
#[cfg(target_os = "linux")]
fn connect_from(address: [u8; 4], server: &Server) -> std::io::Result<TcpStream> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind((address, 0).into())?;
        let stream = socket.connect(server.address).await?.into_std()?;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(stream)
    })
}

#[test]
fn connections_left_open_hold_up_nobody() {
    let server = Server::start(&[]);
    let half_open: Vec<_> = (0..600)
        .map(|number| {
            let mut stream = server.connect();
            // Some send nothing, some a part of a head. A few are closed already.
            if number % 2 == 0 {
                let _ = stream.write_all(b"GET / HTTP/1.1\r\nHos");
            }
            stream
        })
        .collect();
    for target in ["/", "/ttt?moves=15", "/solve?pos=44455554221"] {
        let begun = Instant::now();
        let (status, body) = server.get(target);
        let took = begun.elapsed();
        eprintln!("600 half-open connections, {target}: {took:?}");
        assert_eq!(status, 200, "{target}: {body}");
        assert!(took < SOON, "{target} took {took:?}");
    }
    drop(half_open);
}

#[test]
fn a_client_at_work_keeps_its_connection() {
    let server = Server::start(&["--limit", "60"]);
    let hard = ask_hard(&server, 0);
    let watching = ask_hard(&server, 3);
    let half_open: Vec<_> = (0..600).map(|_| server.connect()).collect();
    assert_eq!(server.get("/").0, 200);
    assert!(is_pending(&hard) && is_pending(&watching));
    drop(half_open);
}
