//! Which connections are open, and which of them has to go when there are too many.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

use super::workers::Client;

#[derive(Debug)]
struct Open {
    client: Client,
    /// Requests that are worked on.
    working: usize,
    /// Since when there is none.
    idle_since: Instant,
    shed: Arc<Notify>,
}

#[derive(Debug, Default)]
struct State {
    open: HashMap<u64, Open>,
    next: u64,
}

/// The connections that are open.
#[derive(Debug)]
pub struct Connections {
    state: Mutex<State>,
    most: usize,
    most_of_client: usize,
}

impl Connections {
    /// Room for a number of connections, and for a number of one client.
    pub fn new(most: usize, most_of_client: usize) -> Self {
        Self { state: Mutex::default(), most, most_of_client }
    }

    /// Lets a connection in, and sheds an idle one for it if there are too many. `None` if no
    /// other is idle.
    pub fn enter(self: &Arc<Self>, client: Client) -> Option<Place> {
        let mut state = self.lock();
        if state.of(client) >= self.most_of_client {
            state.shed(Some(client))?;
        }
        if state.open.len() >= self.most {
            state.shed(None)?;
        }
        let number = state.next;
        state.next += 1;
        let shed = Arc::new(Notify::new());
        let place = Place {
            connections: Arc::clone(self),
            number,
            shed: Arc::clone(&shed),
            busy: Notify::new(),
        };
        state.open.insert(number, Open { client, working: 0, idle_since: Instant::now(), shed });
        Some(place)
    }

    /// Sheds an idle connection, if there is one.
    pub fn shed_one(&self) {
        self.lock().shed(None);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, number: u64, change: impl FnOnce(&mut Open)) {
        if let Some(open) = self.lock().open.get_mut(&number) {
            change(open);
        }
    }
}

impl State {
    fn of(&self, client: Client) -> usize {
        self.open.values().filter(|open| open.client == client).count()
    }

    /// Closes the connection that has been idle longest, of this client or else of the one with
    /// most connections among those that have an idle one.
    fn shed(&mut self, client: Option<Client>) -> Option<()> {
        let mut counts: HashMap<Client, usize> = HashMap::new();
        for open in self.open.values() {
            *counts.entry(open.client).or_default() += 1;
        }
        let idle = self.open.iter().filter(|(_, open)| open.working == 0);
        let idle = idle.filter(|(_, open)| client.is_none_or(|client| open.client == client));
        let (&number, _) = idle.min_by_key(|(_, open)| {
            (std::cmp::Reverse(counts.get(&open.client).copied()), open.idle_since)
        })?;
        self.open.remove(&number)?.shed.notify_one();
        Some(())
    }
}

/// A connection's place among the open ones, until it is dropped.
#[derive(Debug)]
pub struct Place {
    connections: Arc<Connections>,
    number: u64,
    shed: Arc<Notify>,
    /// Told of every request.
    busy: Notify,
}

impl Place {
    /// Ends when the connection has to go.
    pub async fn shed(&self) {
        self.shed.notified().await;
    }

    /// A request is worked on as long as this is held; the connection is not idle then.
    pub fn work(self: &Arc<Self>) -> Work {
        self.connections.change(self.number, |open| open.working += 1);
        self.busy.notify_one();
        Work(Arc::clone(self))
    }

    /// Waits for a request that is worked on.
    pub async fn until_busy(&self) {
        while !self.works() {
            self.busy.notified().await;
        }
    }

    /// True while a request is worked on.
    pub fn works(&self) -> bool {
        self.connections.lock().open.get(&self.number).is_some_and(|open| open.working > 0)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.lock().open.remove(&self.number);
    }
}

/// A request that is worked on.
#[derive(Debug)]
pub struct Work(Arc<Place>);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.connections.change(self.0.number, |open| {
            open.working = open.working.saturating_sub(1);
            open.idle_since = Instant::now();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

    fn client(last: u8) -> Client {
        Client(IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)))
    }

    fn is_open(place: &Place) -> bool {
        place.connections.lock().open.contains_key(&place.number)
    }

    #[test]
    fn the_one_idle_longest_of_the_client_with_most_goes_first() {
        let connections = Arc::new(Connections::new(4, 3));
        let enter = |last| Arc::new(connections.enter(client(last)).unwrap());
        let lonely = enter(1);
        let working = enter(2);
        let work = working.work();
        let idle = [enter(2), enter(2)];
        assert!(is_open(&idle[0]));
        // A fourth one of client 2 costs its own oldest idle one.
        let new = enter(2);
        let open = [&lonely, &working, &idle[0], &idle[1], &new].map(|place| is_open(place));
        assert_eq!(open, [true, true, false, true, true]);
        // One more of anybody costs the client with most.
        let other = enter(3);
        assert!(is_open(&lonely) && !is_open(&idle[1]) && is_open(&new) && is_open(&other));
        // What was worked on a moment ago has not been idle long.
        drop(work);
        let _third = enter(2);
        assert!(!is_open(&new) && is_open(&working));
    }

    #[test]
    fn nobody_enters_where_all_work() {
        let connections = Arc::new(Connections::new(2, 2));
        let places = [1, 1].map(|last| Arc::new(connections.enter(client(last)).unwrap()));
        let work = places.each_ref().map(Place::work);
        assert!(connections.enter(client(1)).is_none());
        assert!(connections.enter(client(2)).is_none());
        drop(work);
        assert!(connections.enter(client(2)).is_some());
        drop(places);
        assert!(connections.lock().open.is_empty());
    }
}
