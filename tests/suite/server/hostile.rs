//! Hostile clients: none can crash the server or make it grow.

use std::io::Write;
use std::time::Duration;

use fastrand::Rng;

use super::{Server, answer};

/// Up to `most` characters of an alphabet.
fn text(random: &mut Rng, alphabet: &[u8], most: usize) -> String {
    let length = random.usize(0..=most);
    (0..length).map(|_| char::from(*random.choice(alphabet).unwrap())).collect()
}

/// A request target of any kind: near misses of good ones, and noise.
fn target(random: &mut Rng) -> String {
    const PATHS: &str = "/api/v1/position /api/v1/position /api/v1/position /solve /solve /api/v1/openapi.json \
        /api/v1/games /api/v1/positions /api/v1/reply /api/v1/reply /api/v1/game /api/v1/watch /ttt /ttt /connect4 \
        /part/line /part/graph /part/why /move";
    const NAMES: &str =
        "game size line moves board pos level at side hints paste timeout all-moves scoring zzz";
    let word = |random: &mut Rng, words: &str| {
        let words: Vec<&str> = words.split(' ').filter(|word| !word.is_empty()).collect();
        (*random.choice(words).unwrap()).to_owned()
    };
    // All printable characters but '#', which ends the target.
    let printed: Vec<u8> = (b'!'..=b'~').filter(|byte| *byte != b'#').collect();
    let path = match random.u8(0..20) {
        0 => format!("/{}", text(random, &printed, 30)),
        _ => word(random, PATHS),
    };
    let mut query = String::new();
    for _ in 0..random.usize(0..5) {
        let value = match random.u8(0..8) {
            0 => text(random, b"0123456789,", 40),
            1 => text(random, b"XO./", 60),
            2 => {
                format!("-{}x{}", text(random, b"0123456789", 20), text(random, b"0123456789", 20))
            }
            3 => format!("%{}", text(random, b"%0123456789abcdefABCDEFZ", 36)),
            4 => text(random, &printed, 60),
            5 => word(random, "ttt connect4"),
            _ => text(random, b"0123456789", 50),
        };
        query += &format!("&{}={value}", word(random, NAMES));
    }
    format!("{path}?bad{query}")
}

#[test]
fn malformed_requests_are_refused_and_forgotten() {
    let server = Server::start(&["--limit", "1"]);
    let random = &mut Rng::with_seed(4453);
    let mut after_warm_up = 0;
    for number in 0..3_000 {
        let target = target(random);
        // Sometimes no HTTP at all.
        if number % 50 == 0 {
            let mut stream = server.connect();
            let noise: Vec<u8> =
                target.bytes().map(|b| b.wrapping_mul(31) ^ number as u8).collect();
            let _ = stream.write_all(&noise);
            let _ = stream.write_all(b"\r\n\r\n");
            let status = answer(&mut stream).0;
            assert!(status < 500, "{status} for noise");
            continue;
        }
        let (status, body) = server.get(&target);
        assert!((400..500).contains(&status), "{status} for {target}: {body}");
        #[cfg(target_os = "linux")]
        if number == 1_001 {
            after_warm_up = server.memory();
        }
    }
    #[cfg(target_os = "linux")]
    {
        let grown = server.memory().saturating_sub(after_warm_up);
        assert!(grown < 4096, "{grown} KiB more after 3,000 requests than after 1,000");
    }
    assert_eq!(server.get("/solve?pos=44455554221").0, 200);
}

#[cfg(target_os = "linux")]
#[test]
fn a_search_ends_when_its_client_goes_away() {
    let server = Server::start(&["--limit", "60"]);
    for target in
        ["/api/v1/position?game=connect4&size=8x7", "/api/v1/watch?game=connect4&size=8x7"]
    {
        let mut stream = server.connect();
        let request = format!("GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
        stream.write_all(request.as_bytes()).unwrap();
        let begun = server.ticks();
        while server.ticks() < begun + 20 {
            std::thread::sleep(Duration::from_millis(20));
        }
        drop(stream);
        // Idle again within half a minute: no processor time for a while.
        let idle = (0..100).any(|_| {
            let before = server.ticks();
            std::thread::sleep(Duration::from_millis(300));
            server.ticks() - before <= 1
        });
        assert!(idle, "{target}: still searching");
    }
}

#[test]
fn pictures_that_are_hard_to_disprove_end_in_time() {
    let server = Server::start(&[]);
    // On 16x3 every column begins with O, so X never had a first move; there are 4^16 ways back.
    let ask = |rows: [String; 2]| {
        let picture = format!("{}/{}", ".".repeat(16), rows.join("/"));
        server.get(&format!("/api/v1/position?game=connect4&size=16x3&board={picture}"))
    };
    let (status, said) = ask(["XO".repeat(8), "OX".repeat(8)]);
    assert!(status == 400 || status == 200, "{status} {said}");
    let (status, said) = ask(["X".repeat(16), "O".repeat(16)]);
    assert_eq!(status, 400, "{said}");
}
