//! The games of the program through the registry, as users of the library get them.

use everyply::control::Control;
use everyply::game::{Chosen, ParameterKind};
use everyply::registry::{Course, GameLength, RandomGames, builtin};

fn keys(name: &str, seed: u64, number: usize, length: GameLength<'_>) -> Vec<u64> {
    let start = builtin().find(name).unwrap().choose(&Chosen::default()).unwrap();
    let mut keys = Vec::new();
    let mut games = RandomGames::new(start.as_ref(), seed, true);
    let found = games.find(number, length, &Control::default(), &mut |position| {
        assert!(position.result().is_none(), "{name}");
        if let GameLength::Tiers(tiers) = length {
            assert!(tiers.contains(&position.tier().0), "{name}");
        }
        keys.push(position.canonical().unwrap().0.0);
    });
    assert_eq!(found.unwrap(), keys.len());
    keys
}

#[test]
fn positions_differ_and_the_seed_settles_them() {
    for (name, number, length) in [
        ("connect4", 30, GameLength::Tiers(&[8, 20])),
        ("nim", 30, GameLength::Tiers(&[12, 13, 14])),
        ("pong", 10, GameLength::Moves(&[1, 2, 3, 30])),
    ] {
        let found = keys(name, 7, number, length);
        assert_eq!(found.len(), number, "{name}");
        assert_eq!(found, keys(name, 7, number, length), "{name}");
        assert_ne!(found, keys(name, 8, number, length), "{name}");
    }
}

/// Every position of random games is read by its picture, and every move by its text.
#[test]
fn pictures_and_moves_are_read_as_they_are_written() {
    for entry in builtin().entries() {
        let start = entry.choose(&Chosen::default()).unwrap();
        let mut seen = 0;
        let mut games = RandomGames::new(start.as_ref(), 57, true);
        let length = GameLength::Moves(&[0, 1, 2, 3, 5, 9, 20, 40]);
        let control = Control::default();
        games
            .find(200, length, &control, &mut |position| {
                let picture = position.picture();
                let read = start.read(&picture).unwrap_or_else(|e| panic!("{picture}: {e}"));
                assert_eq!(read.identity(), position.identity(), "{picture}");
                for branch in position.branches() {
                    let after = Course::new(position.boxed()).play(&branch.text).is_ok();
                    assert!(after, "{picture}: {}", branch.text);
                }
                seen += 1;
            })
            .unwrap();
        assert!(seen > 2, "{}: {seen}", entry.name);
    }
    let read = |game: &str, text: &str| {
        let start = builtin().find(game).unwrap().choose(&Chosen::default()).unwrap();
        start.read(text).map(|position| position.picture()).map_err(|error| error.to_string())
    };
    for (game, text, same) in [
        ("hexapawn", "a2,bxa2", "a1a2,b3a2"),
        ("hexapawn", "a1-a2 b3xa2", "a1a2,b3a2"),
        ("othello", "2", "b1"),
    ] {
        assert_eq!(read(game, text), read(game, same), "{game} {text}");
        assert!(read(game, same).is_ok(), "{game}");
    }
    for (game, text) in [
        ("breakthrough", "XXXX/OOOO/..../..../XXXX"),
        ("hexapawn", "OOO/.../XXX"),
        ("kalah", "3 3 3 0/3 3 3 1:X"),
        ("othello", "XO/OX"),
    ] {
        let refused = read(game, text).unwrap_err();
        assert!(refused.contains(&format!("no position of {game}")), "{game}: {refused}");
    }
}

#[test]
fn no_more_are_found_than_there_are() {
    // Up to symmetry tic-tac-toe has one position of ply 0 and three of ply 1.
    assert_eq!(keys("ttt", 1, 10, GameLength::Tiers(&[1])).len(), 3);
    assert_eq!(keys("ttt", 1, 10, GameLength::Tiers(&[0, 1])).len(), 4);
    assert_eq!(keys("ttt", 1, 10, GameLength::Tiers(&[9])).len(), 0);
}

#[test]
fn choices_of_a_game_choose_it_again() {
    let games = builtin();
    let mut tried = 0;
    for entry in games.entries() {
        let mut all = vec![Chosen::default()];
        for parameter in entry.parameters {
            let values: Vec<Chosen> = match parameter.kind {
                ParameterKind::Size(..) => [(3, 3), (4, 4), (5, 4), (2, 2)]
                    .map(|size| Chosen { size: Some(size), ..Chosen::default() })
                    .into(),
                ParameterKind::Number { least, most, .. } => (least..=most.min(least + 5))
                    .map(|n| Chosen {
                        numbers: vec![(parameter.name.to_owned(), n)],
                        ..Chosen::default()
                    })
                    .collect(),
                ParameterKind::Rule => {
                    vec![Chosen { rules: vec![parameter.name.to_owned()], ..Chosen::default() }]
                }
            };
            let joined = |a: &Chosen, b: &Chosen| Chosen {
                size: b.size.or(a.size),
                numbers: a.numbers.iter().chain(&b.numbers).cloned().collect(),
                rules: a.rules.iter().chain(&b.rules).cloned().collect(),
                position: None,
            };
            let more = all.iter().flat_map(|a| values.iter().map(|b| joined(a, b)));
            all.extend(more.collect::<Vec<_>>());
        }
        for chosen in all {
            let Ok(start) = entry.choose(&chosen) else { continue };
            let choices = start.info().choices.clone();
            assert!(choices.includes(&chosen), "{} {chosen:?}: {choices:?}", entry.name);
            let again = entry.choose(&choices).unwrap();
            assert_eq!(again.game_id(), start.game_id(), "{choices:?}");
            for parameter in entry.parameters.iter().filter(|p| p.is_rule()) {
                assert_eq!(choices.has(parameter.name), chosen.has(parameter.name));
            }
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn an_extra_move_keeps_the_turn() {
    let chosen = Chosen { size: Some((1, 1)), ..Chosen::default() };
    let dots = builtin().find("dots").unwrap().choose(&chosen).unwrap();
    let mut course = Course::new(dots);
    let turns: Vec<bool> = ["1", "2", "3", "4"]
        .into_iter()
        .map(|m| {
            course.play(m).unwrap();
            course.is_seconds_turn()
        })
        .collect();
    // The fourth edge wins the box, and its side would move again.
    assert_eq!(turns, [true, false, true, true]);
    assert!(course.play("1").unwrap_err().to_string().contains("one too many"));
    course.truncate(1);
    let refused = course.play("1").unwrap_err().to_string();
    assert_eq!(refused, "move 2, '1', is not possible there: choose one of 2 3 4");
    assert_eq!(course.moves().collect::<Vec<_>>(), ["1"]);
}

#[test]
fn keys_lead_to_positions_and_moves_as_positions_have_them() {
    for (name, size) in [("ttt", None), ("nim", None), ("dots", Some((2, 1))), ("pong", None)] {
        let chosen = Chosen { size, ..Default::default() };
        let start = builtin().find(name).unwrap().choose(&chosen).unwrap();
        let solved = start.solve(1 << 20, &Control::default()).unwrap();
        let mut keys = Vec::new();
        start.rows(&solved, &mut |rows| keys.extend(rows.iter().map(|row| row.key)));
        let mut moves = Vec::new();
        for key in keys.iter().copied().step_by(1 + keys.len() / 500) {
            let position = start.of_key(key).unwrap();
            let found = start.look_at_key(key, &mut moves).unwrap();
            assert!(found.unreached.is_none() && found.canonical == key, "{name}");
            assert_eq!(found.images, position.images().len() as u64, "{name}");
            let told =
                (found.state.result, found.state.to_move, found.state.plies_left, found.state.tier);
            let known =
                (position.result(), position.to_move(), position.plies_left(), position.tier());
            assert_eq!(told, known, "{name}");
            assert_eq!(moves, position.successors(), "{name}");
        }
    }
}

#[test]
fn sets_have_room_for_the_moves_of_nine_men_and_games_with_more_are_refused() {
    let nine = Chosen { numbers: vec![("men".to_owned(), 9)], ..Chosen::default() };
    let registry = builtin();
    let heaps = Chosen { position: Some("100,29".to_owned()), ..Chosen::default() };
    let refused = registry.find("nim").unwrap().choose(&heaps).err().unwrap().to_string();
    assert!(refused.contains("up to 129 moves, and sets of moves hold 128"), "{refused}");
    assert!(registry.find("nim").unwrap().of_parameters([2, 65, 1]).is_err());
    let start = registry.find("morris").unwrap().choose(&nine).unwrap();
    assert_eq!(start.branches().len(), 24);
    assert!(start.solve(1 << 20, &Control::default()).is_err());
    let cost = start.ranked_cost().unwrap();
    assert_eq!((cost.tiers.len(), cost.ranks()), (512, 27_905_737_777));
}

#[test]
fn boards_show_where_moves_land() {
    let chosen = Chosen { position: Some("4453".to_owned()), ..Chosen::default() };
    let board = builtin().find("connect4").unwrap().position(&chosen).unwrap().drawing().board;
    assert_eq!(board.rows[4][3], 'O');
    assert_eq!((board.rows.len(), board.rows[0].len()), (6, 7));
    let landing: Vec<_> = board.moves.iter().map(|(bit, way)| (*bit, way[0])).collect();
    let expected = [(0, 5), (1, 5), (2, 4), (3, 3), (4, 4), (5, 5), (6, 5)].into_iter().enumerate();
    assert_eq!(landing, expected.map(|(bit, at)| (bit as u32, at)).collect::<Vec<_>>());
}

#[test]
fn wide_boards_have_positions_without_stored_keys() {
    let games = builtin();
    let entry = games.find("connect4").unwrap();
    let chosen = Chosen { size: Some((9, 8)), ..Default::default() };
    let start = entry.choose(&chosen).unwrap();
    assert_eq!((start.key(), start.lines().is_none()), (None, true));
    let line = start.parse_line("123").unwrap();
    assert_eq!(line, ["1", "2", "3"]);
    assert!(start.any_lines().is_some());
    assert_ne!(start.identity(), start.branches()[0].to.identity());
}
