//! Scratch.
use everyply::{control::Control, exhaustive::profiles::*, game::Size};
fn main() {
    let a: Vec<u8> = std::env::args().skip(1).map_while(|x| x.parse().ok()).collect();
    rayon::ThreadPoolBuilder::new().num_threads(a[2] as usize).build_global().unwrap();
    let t = std::time::Instant::now();
    let mut board = Board::new(Size::new(a[0], a[1], 4).unwrap()).unwrap();
    if a.len() > 4 {
        board = board.with_processor(Processor::available()[a[4] as usize]);
    }
    let e = board.estimate(99);
    let dir = std::env::var("WORK").ok();
    let mut m;
    let mut f;
    let s: &mut dyn Storage = if let Some(d) = dir {
        f = Files::open(d.as_ref(), board.size()).unwrap();
        &mut f
    } else {
        m = Memory::new();
        &mut m
    };
    let extent = match a[3] {
        0 => Extent::Whole,
        1 => Extent::WholeWithValues,
        n => Extent::Plies(n),
    };
    let c = match count(&board, extent, s, &Control::default()) {
        Ok(c) => c,
        Err(e) => {
            println!("{e}");
            return;
        }
    };
    println!(
        "{} {} {:?}",
        c.plies.iter().map(|c| c.positions.unwrap()).sum::<u64>(),
        c.plies.iter().map(|c| c.canonical.unwrap()).sum::<u64>(),
        t.elapsed()
    );
    if std::env::var("V").is_ok() {
        println!("{e:?} {:?}", c.branching);
        for c in c.plies {
            println!("{:?}", c);
        }
        println!("{:?}", c.values);
    }
}
