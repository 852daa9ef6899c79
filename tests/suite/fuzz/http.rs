//! HTTP requests, over real connections to a server in this process.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use everyply::oracle::{Oracle, OracleFiles};
use everyply::web::{Admission, Limits, Shown, serve};

use super::fuzz;

/// For an answer. Searches have a small part of it.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that ends with the value.
struct Served {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    fn start() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let (tell, told) = channel();
        let thread = std::thread::spawn(move || {
            let oracle = Oracle::new(OracleFiles::default(), 4);
            let longest = Duration::from_millis(20);
            let limits = Limits { searches: 2, threads: 1, longest };
            let ready = |address| tell.send(address).unwrap();
            let address = ([127, 0, 0, 1], 0).into();
            let admission = Admission::default();
            let registry = everyply::registry::builtin();
            let shown = Shown { oracle, registry, strategies: Vec::new() };
            serve(address, shown, limits, admission, ready, || asked.load(Relaxed)).unwrap();
        });
        Self { address: told.recv().unwrap(), stop, thread: Some(thread) }
    }

    /// What comes back for these bytes. After the first of it nothing more is sent.
    fn ask(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let mut answer = Vec::new();
        if stream.write_all(bytes).is_err() {
            return answer;
        }
        let whole = ends_a_head(bytes) && !PREFACE.starts_with(bytes);
        let begun = Instant::now();
        let mut open = true;
        let mut part = [0; 4096];
        loop {
            match stream.read(&mut part) {
                Ok(0) => return answer,
                Ok(read) => answer.extend_from_slice(&part[..read]),
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    assert!(begun.elapsed() < PATIENCE, "neither an answer nor an end");
                    // Half a head is waited for, unless no more can come.
                    if open && (!whole || !answer.is_empty()) {
                        open = false;
                        let _ = stream.shutdown(Shutdown::Write);
                    }
                }
                // Closed with something unread.
                Err(_) => return answer,
            }
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The first bytes of a connection of HTTP/2, of which the server waits for the rest.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

fn ends_a_head(bytes: &[u8]) -> bool {
    bytes.windows(4).any(|part| part == b"\r\n\r\n")
}

/// Checks the first answer, and returns its status; `None` if there is none.
fn checked(answer: &[u8]) -> Option<u16> {
    if answer.is_empty() {
        return None;
    }
    let text = String::from_utf8(answer.to_vec()).expect("every answer is UTF-8");
    let (head, body) = text.split_once("\r\n\r\n").expect("an answer has a whole head");
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap().splitn(3, ' ');
    assert!(matches!(first.next(), Some("HTTP/1.0" | "HTTP/1.1")), "{head}");
    let status: u16 = first.next().unwrap().parse().unwrap();
    assert!((200..500).contains(&status), "{text}");
    let mut length = None;
    let mut chunked = false;
    for line in lines {
        let (name, value) = line.split_once(": ").unwrap_or_else(|| panic!("{head}"));
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'), "{head}");
        assert!(value.bytes().all(|b| (b' '..=b'~').contains(&b)), "{head}");
        match name.to_lowercase().as_str() {
            "content-length" => length = Some(value.parse::<usize>().unwrap()),
            "transfer-encoding" => chunked = value == "chunked",
            "access-control-allow-origin" => panic!("nobody asked for it: {head}"),
            _ => {}
        }
    }
    // Of an answer in pieces or to HEAD, or one cut off by the next request, only the head is told.
    if let Some(length) = length.filter(|_| !chunked && status == 400) {
        assert!(body.len() >= length || body.is_empty(), "{text}");
    }
    Some(status)
}

#[test]
fn http_requests_fuzz_target() {
    let server = Served::start();
    let host = format!("Host: {}", server.address);
    let get = |target: &str, more: &str| {
        format!("GET {target} HTTP/1.1\r\n{host}\r\n{more}Connection: close\r\n\r\n").into_bytes()
    };
    let mut sound: Vec<Vec<u8>> = [
        "/",
        "/ttt?moves=15&hints=on&level=perfect&side=second&at=1",
        "/connect4?moves=4455&paste=X.O",
        "/game/ttt?size=4x3&line=3",
        "/move?game=ttt&size=3x3&line=3&moves=1&level=casual",
        "/part/line?game=ttt&size=3x3&line=3&moves=15",
        "/part/graph?game=connect4&size=4x4&line=4&moves=1122",
        "/part/why?game=connect4&size=5x4&moves=1122",
        "/part/why?game=nim&position=1,2",
        "/api/v1/position?game=ttt&board=X.O/.X./..O&scoring=ten",
        "/api/v1/position?game=connect4&size=5x4&line=3&all-moves=true&timeout=0.01",
        "/api/v1/position?game=connect4&board=......./......./......./......./......./...X...",
        "/api/v1/watch?game=connect4&moves=44455554221&timeout=0.01",
        "/api/v1/game?game=ttt&moves=1524",
        "/api/v1/reply?game=ttt&moves=1524&level=beginner",
        "/game/nim?position=3,5,7&misere=true&moves=1-1,2-3&at=1&wait=true",
        "/game/dots?parameters=2-2-1&moves=1,6",
        "/part/values?game=pong&moves=4,1",
        "/api/v1/position?game=hexapawn&size=3x3&moves=a1a2&timeout=0.01",
        "/api/v1/reply?game=dots&size=2x1&moves=1&level=casual",
        "/solve?pos=44455554221",
        "/solve?pos=%34%34",
        "/assets/explorer.css",
    ]
    .iter()
    .map(|target| get(target, ""))
    .collect();
    sound.push(get("/", "Origin: https://a.example\r\nx-part: main\r\nAccept: */*\r\n"));
    sound.push(get("/solve?pos=4", "Content-Length: 4\r\n"));
    sound.push(get("/solve?pos=4", "Transfer-Encoding: chunked\r\n"));
    sound.push(get("/solve?pos=4", "Expect: 100-continue\r\nContent-Length: 1\r\n"));
    sound.push(get("/", "Upgrade: h2c\r\n"));
    sound.push(format!("HEAD /ttt HTTP/1.1\r\n{host}\r\nConnection: close\r\n\r\n").into_bytes());
    sound.push(format!("OPTIONS * HTTP/1.1\r\n{host}\r\nConnection: close\r\n\r\n").into_bytes());
    sound.push(b"GET / HTTP/1.0\r\n\r\n".to_vec());
    sound.push(format!("GET http://{}/ HTTP/1.1\r\n{host}\r\n\r\n", server.address).into_bytes());
    sound.push(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec());
    let twice = get("/", "").repeat(2);
    let lasting = String::from_utf8(twice).unwrap().replace("close", "keep-alive").into_bytes();
    sound.push(lasting);

    let mut statuses = std::collections::BTreeMap::new();
    let mut count = 0_u64;
    fuzz("http", &sound, |input| {
        let status = checked(&server.ask(input));
        *statuses.entry(status).or_insert(0_u64) += 1;
        count += 1;
        if count.is_multiple_of(64) {
            assert_eq!(checked(&server.ask(&get("/ttt?moves=15", ""))), Some(200));
        }
    });
    eprintln!("answers: {statuses:?}");
    // Not all is refused: the inputs do reach what is behind the door.
    for status in [Some(200), Some(400)] {
        assert!(statuses.contains_key(&status), "{statuses:?}");
    }
    assert_eq!(checked(&server.ask(&get("/solve?pos=44455554221", ""))), Some(200));
}
