//! Database files: opened, and then right, or refused, and then as they were.

use everyply::database::{Database, DatabaseError};

use super::fuzz;
use crate::damage::{Content, content};
use crate::support::Place;

type Open = fn(&std::path::Path) -> Result<Database, DatabaseError>;

#[test]
fn database_fuzz_target() {
    let sound: Vec<Vec<u8>> = ["ttt --db my.db", "connect4 --size 4x4 --db-plies 4 --db my.db"]
        .map(|command| {
            let place = Place::new();
            place.run(command).success();
            place.read("my.db")
        })
        .into();
    let place = Place::new();
    let path = place.path("fuzz.db");
    let expected: Vec<Content> = sound
        .iter()
        .map(|bytes| {
            std::fs::write(&path, bytes).unwrap();
            content(&Database::open(&path).unwrap()).unwrap()
        })
        .collect();
    fuzz("database", &sound, |input| {
        let ways: [(&str, Open); 2] =
            [("read", Database::open), ("write", Database::create_or_open)];
        for (way, open) in ways {
            std::fs::write(&path, input).unwrap();
            match open(&path) {
                Ok(database) => match content(&database) {
                    // An empty file becomes a new database.
                    Ok(read) if input.is_empty() => assert!(!expected.contains(&read)),
                    Ok(read) => assert!(expected.contains(&read), "{way}: another answer"),
                    Err(error) => assert!(error.to_string().contains("fuzz.db"), "{error}"),
                },
                Err(error) => {
                    assert!(error.to_string().contains("fuzz.db"), "{error}");
                    let kept = std::fs::read(&path).unwrap() == input;
                    assert!(kept, "{way}: {error}: the file was changed");
                }
            }
            assert_eq!(place.entries(), ["fuzz.db"], "{way}");
        }
    });
}
