//! Forecasts of the work that is left in a window.

use super::super::engine::{Engine, Question};
use super::*;
use crate::games::line::Fixed;

/// Stops the search of a window at a node. Returns the forecast for the rest, the answer, and the
/// nodes the rest took.
fn expected_and_true(alpha: i32, at_node: u64) -> (Forecast, bool, u64) {
    let l = Layout::<u64>::new(Size::new(6, 7, 4).unwrap());
    let mut engine = Engine::new(Fixed::<6, 7, 4>, Table::new(&l, 64).unwrap());
    engine.count_work();
    let root = Root { board: Board::new(&l, 0, 0), empties: 42 };
    let wanted = Interval { lower: alpha, upper: alpha + 1 };
    let control = Control::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let prove = || pool.install(|| engine.prove(root, wanted, &control, &mut |_| ()));
    let _ = until_node(&control, at_node, prove);
    assert!(engine.forecast().is_none(), "nothing is asked");
    engine.set_question(Some(Question { root, alpha, turned: false, empties: 42 }));
    let forecast = engine.forecast().unwrap();
    let control = Control::default();
    let (known, nodes) =
        pool.install(|| engine.prove(root, wanted, &control, &mut |_| ())).unwrap();
    let above = known.lower > alpha;
    assert!(above || known.upper <= alpha);
    (forecast, above, nodes)
}

#[test]
fn the_median_forecast_is_within_an_order_of_magnitude() {
    let mut ratios = Vec::new();
    // The first player wins with his last stone but one (score 1): above 0, and not above 1.
    for alpha in [0, 1] {
        for at_node in [1_000_000, 1_500_000] {
            let (forecast, is_yes, took) = expected_and_true(alpha, at_node);
            assert_eq!(forecast.at_least, value_of(alpha + 1, 42));
            let expected = if is_yes { forecast.yes } else { forecast.no };
            if let Some(ExpectedNodes { nodes, factor }) = expected.filter(|_| took > 100_000) {
                assert!(factor >= 1.0);
                ratios.push(nodes / took as f64);
            }
        }
    }
    ratios.sort_by(f64::total_cmp);
    assert!(ratios.len() > 1, "{ratios:?}");
    assert!((0.1..10.0).contains(&ratios[ratios.len() / 2]), "{ratios:?}");
}
