use std::net::Ipv4Addr;

use super::*;

fn client(last: u8) -> Client {
    Client(IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)))
}

/// Runs a test with workers of one thread each, for a minute at most.
fn with_workers<F: Future<Output = ()>>(searches: usize, test: impl FnOnce(Arc<Workers>) -> F) {
    let workers = Arc::new(Workers::new(searches, 1, Duration::from_secs(60)).unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let turning = Arc::clone(&workers);
        tokio::spawn(async move { turning.keep_turning().await });
        test(Arc::clone(&workers)).await;
        let state = workers.lock();
        assert!(state.open.is_empty() && state.begun == 0, "{state:?}");
        assert!(state.spare.len() <= searches);
    });
}

/// Work that only a stop ends; tells how many times it looked.
fn endless(control: &Control) -> u64 {
    let mut looks = 0;
    while control.check().is_ok() {
        looks += 1;
        std::thread::sleep(Duration::from_millis(1));
    }
    looks
}

/// Begins endless work; the handle gives what it returned.
fn begin(workers: &Arc<Workers>, last: u8) -> (tokio::task::JoinHandle<u64>, StopOnDrop) {
    let (control, guard) = workers.control(None);
    let workers = Arc::clone(workers);
    let work = async move { workers.run(client(last), control, endless).await.unwrap() };
    (tokio::spawn(work), guard)
}

/// Asks what is answered at once.
async fn short(workers: &Arc<Workers>, last: u8) -> bool {
    let (control, _guard) = workers.control(None);
    workers.run(client(last), control, |control| control.check().is_ok()).await.unwrap()
}

async fn ends(work: Vec<(tokio::task::JoinHandle<u64>, StopOnDrop)>) -> Vec<u64> {
    let mut looks = Vec::new();
    for (work, guard) in work {
        drop(guard);
        looks.push(work.await.unwrap());
    }
    looks
}

#[test]
fn long_work_makes_room_for_short_work_and_takes_turns() {
    with_workers(1, async |workers| {
        let long: Vec<_> = (0..3).map(|_| begin(&workers, 1)).collect();
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(short(&workers, 1).await && short(&workers, 2).await);
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(long.iter().all(|(work, _)| !work.is_finished()));
        let looks = ends(long).await;
        assert!(looks.iter().all(|&looks| looks > 0), "{looks:?}");
    });
}

#[test]
fn the_client_with_most_ends_one_where_no_more_can_begin() {
    with_workers(1, async |workers| {
        let other = begin(&workers, 1);
        // One turn, so eight are begun at most.
        let many: Vec<_> = (0..7).map(|_| begin(&workers, 2)).collect();
        while workers.lock().begun < 8 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert!(short(&workers, 3).await && short(&workers, 2).await);
        let ended = many.iter().filter(|(work, _)| work.is_finished()).count();
        assert!((1..=2).contains(&ended), "{ended} ended early");
        assert!(!other.0.is_finished());
        ends(many).await;
        ends(vec![other]).await;
    });
}

#[test]
fn clients_that_go_away_leave_nothing_behind() {
    with_workers(1, async |workers| {
        let kept = begin(&workers, 1);
        let gone: Vec<_> = (0..20).map(|_| begin(&workers, 2)).collect();
        tokio::time::sleep(Duration::from_millis(200)).await;
        for (work, guard) in gone {
            work.abort();
            drop(guard);
        }
        while workers.lock().open.len() > 1 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert!(short(&workers, 3).await && !kept.0.is_finished());
        ends(vec![kept]).await;
    });
}

#[test]
fn a_panic_is_told_and_its_threads_go_on() {
    with_workers(1, async |workers| {
        for _ in 0..3 {
            let (control, _guard) = workers.control(None);
            let failed = workers.run(client(1), control, |_| panic!("for the test"));
            assert!(failed.await.map(|(): ()| ()).is_err());
            assert!(short(&workers, 1).await);
        }
    });
}

#[test]
fn work_whose_time_is_up_begins_without_a_turn() {
    with_workers(1, async |workers| {
        let (control, _guard) = workers.control(Some(Duration::ZERO));
        let work = |control: &Control| control.check().is_err();
        assert!(workers.run(client(1), control, work).await.unwrap());
    });
}
