//! Hostile clients: none can crash the server or make it grow.

use std::io::Write;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::{Server, answer};

/// A request line of any kind: near misses of good ones, and noise.
fn targets() -> impl Strategy<Value = String> {
    let path = prop_oneof![
        4 => Just("/api/v1/position".to_owned()),
        2 => Just("/solve".to_owned()),
        1 => Just("/api/v1/openapi.json".to_owned()),
        1 => Just("/api/v1/games".to_owned()),
        1 => Just("/api/v1/positions".to_owned()),
        2 => Just("/api/v1/reply".to_owned()),
        1 => Just("/api/v1/game".to_owned()),
        1 => Just("/api/v1/watch".to_owned()),
        2 => Just("/ttt".to_owned()),
        1 => Just("/connect4".to_owned()),
        1 => Just("/part/line".to_owned()),
        1 => Just("/part/graph".to_owned()),
        1 => Just("/part/why".to_owned()),
        1 => Just("/move".to_owned()),
        // All that is printed but '#', which ends what is asked.
        1 => "/[!\"$-~]{0,30}",
    ];
    let name = prop_oneof![
        Just("game"),
        Just("size"),
        Just("line"),
        Just("moves"),
        Just("board"),
        Just("pos"),
        Just("level"),
        Just("at"),
        Just("side"),
        Just("hints"),
        Just("paste"),
        Just("timeout"),
        Just("all-moves"),
        Just("scoring"),
        Just("zzz")
    ];
    let value = prop_oneof![
        3 => "[0-9]{0,50}",
        1 => "[0-9,]{0,40}",
        1 => "[XO./]{0,60}",
        1 => "-?[0-9]{1,20}x-?[0-9]{0,20}",
        1 => "(%[0-9a-fA-Z]{2}){0,12}",
        1 => "[!-~&&[^ #]]{0,60}",
        1 => Just("ttt".to_owned()),
        1 => Just("connect4".to_owned()),
    ];
    let query = vec((name, value), 0..5);
    (path, query).prop_map(|(path, query)| {
        let pairs: Vec<String> =
            query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{path}?bad&{}", pairs.join("&"))
    })
}

#[test]
fn malformed_requests_are_refused_and_forgotten() {
    let server = Server::start(&["--limit", "1"]);
    let mut runner = TestRunner::deterministic();
    let strategy = targets();
    let mut after_warm_up = 0;
    for number in 0..3_000 {
        let target = strategy.new_tree(&mut runner).unwrap().current();
        let mut stream = server.connect();
        // What is not even HTTP now and then.
        if number % 50 == 0 {
            let noise: Vec<u8> =
                target.bytes().map(|b| b.wrapping_mul(31) ^ number as u8).collect();
            let _ = stream.write_all(&noise);
            let _ = stream.write_all(b"\r\n\r\n");
            let status = answer(&mut stream).0;
            assert!(status < 500, "{status} for noise");
            continue;
        }
        stream.write_all(server.request(&target).as_bytes()).unwrap();
        let (status, body) = answer(&mut stream);
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
        // Idle again: no processor time for a while. It may take some looks, but not a minute.
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
    let picture = format!("{}/{}/{}", ".".repeat(16), "XO".repeat(8), "OX".repeat(8));
    let (status, said) =
        server.get(&format!("/api/v1/position?game=connect4&size=16x3&board={picture}"));
    assert!(status == 400 || status == 200, "{status} {said}");
    let picture = format!("{}/{}/{}", ".".repeat(16), "X".repeat(16), "O".repeat(16));
    let (status, said) =
        server.get(&format!("/api/v1/position?game=connect4&size=16x3&board={picture}"));
    assert_eq!(status, 400, "{said}");
}
