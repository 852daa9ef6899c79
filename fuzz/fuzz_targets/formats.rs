//! Lines and records of other programs' formats: no panic, and accepted input reads back from
//! every format that can be written of it.
#![no_main]

use everyply::games::line::ConnectFour;
use everyply::connect_four::formats::bit_bully::{BitBullyBook, BookRecords};
use everyply::connect_four::formats::{LineFormat, Records, uci};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&choice, rest)) = input.split_first() else { return };
    let game = ConnectFour::new(uci::SIZE).expect("the standard board fits");
    let choice = usize::from(choice);
    if choice < 32 {
        let book = BitBullyBook::ALL[choice % BitBullyBook::ALL.len()];
        for record in BookRecords::new(&game, book, "fuzz", rest).flatten() {
            assert_eq!(record.1.position.ply(), book.ply());
        }
        return;
    }
    let format = LineFormat::ALL[choice % LineFormat::ALL.len()];
    for (_, record) in Records::new(&game, format, "fuzz", rest).flatten() {
        for to in LineFormat::ALL {
            if let Ok(line) = to.write(&game, &record) {
                let back = to.read(&game, &line).expect("what was written can be read");
                assert_eq!(back.position, record.position);
            }
        }
    }
});
