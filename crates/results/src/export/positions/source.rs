//! Sources of positions: a database or a solution file of any game, or the opening book of a board.

use std::cell::{Cell, OnceCell, RefCell};

use super::super::known::KnownPosition;
use super::super::tree::points_of;
use super::error::ExportError;
use super::job::Job;
use crate::database::{Database, Neighbours, PositionRow};
use crate::stored::{Content, StoredError, StoredFile};
use everyply_connect_four::OpeningBook;
use everyply_connect_four::profiles::Board;
use everyply_core::control::{Control, Stopped};
use everyply_core::game::{
    Game, GameId, Key, Keyed, MoveSet, PartialValue, Ply, Symmetric, Unreached, Value,
    shortest_moves,
};
use everyply_core::games::line::Stones;
use everyply_core::games::line::notation::write_moves;
use everyply_core::parallel::map_parts;
use everyply_registry::registry::{Points, Position, SolvedGame, Successor, WayOfKey};
use everyply_registry::solutions::SolutionFile;

/// A game, given by its start, with the file that holds its positions.
pub struct PositionSource {
    start: Box<dyn Position>,
    store: PositionStore,
}

/// A file with positions of a game.
enum PositionStore {
    Database(Database),
    /// Every position that the root of a game leads to.
    Solution(Box<SolutionFile>),
    /// Every such position up to a ply whose game is not over.
    Book(Box<OpeningBook>),
}

/// A function that takes the positions of a source, one after the other.
pub(super) type Consumer<'c> = dyn FnMut(&KnownPosition) -> Result<(), ExportError> + 'c;

/// A function that gives the value of a position, if it is known.
pub(super) type Values<'s> =
    dyn FnMut(&dyn Position) -> Result<Option<PartialValue>, ExportError> + 's;

const BY_RANK: &str = "ply, then profile and rank, as docs/solution-format.md numbers them";

/// Colourings of a solution file that are in memory at a time.
const PIECE: usize = 1 << 14;

impl PositionSource {
    /// The positions of a game, given by its start, in a file.
    ///
    /// # Errors
    /// If the file is a strategy.
    pub fn new(start: Box<dyn Position>, file: StoredFile) -> Result<Self, StoredError> {
        let path = file.path().to_owned();
        let store = match file.into_content() {
            Content::Database(database) => PositionStore::Database(database.into_inner()),
            Content::Solution(solution) => PositionStore::Solution(solution),
            Content::Book(book) => PositionStore::Book(book),
            Content::Strategies(_) => return Err(StoredError::WithoutValues(path)),
        };
        Ok(Self { start, store })
    }

    pub fn start(&self) -> &dyn Position {
        self.start.as_ref()
    }

    pub fn game_id(&self) -> GameId {
        self.start.game_id()
    }

    /// The order of the rows, in words.
    pub(super) fn order(&self) -> &'static str {
        match &self.store {
            PositionStore::Solution(file) if file.is_ranked() => "ply, then tier and rank",
            PositionStore::Solution(file) if file.board().is_some() => BY_RANK,
            PositionStore::Database(_) | PositionStore::Solution(_) => {
                "ply, then key of the canonical image as an unsigned number"
            }
            PositionStore::Book(_) => BY_RANK,
        }
    }

    /// The positions that a solution file holds, in words; `None` of other files.
    pub(super) fn holds(&self) -> Option<&'static str> {
        match &self.store {
            PositionStore::Solution(solution) => Some(solution.holds()),
            _ => None,
        }
    }

    /// Looks up the values of positions, one after the other.
    pub(super) fn values(&self) -> Result<Box<Values<'_>>, ExportError> {
        Ok(match &self.store {
            PositionStore::Database(database) => {
                let mut lookup = database.lookup(&self.game_id())?;
                Box::new(move |study| {
                    let Some((key, _)) = study.canonical() else { return Ok(None) };
                    Ok(lookup.position(key)?.map(|row| row.value))
                })
            }
            PositionStore::Solution(solution) => Box::new(|study| Ok(solution.value(study)?)),
            PositionStore::Book(book) => Box::new(|study| {
                Ok(book
                    .value(study.stones::<u64>().expect("a position of the board"))
                    .map(PartialValue::from))
            }),
        })
    }

    /// Visits the selected positions, ply by ply, with the values of their moves if they are
    /// selected. For those, two plies of a database are in memory at a time; of a solution file a
    /// piece of one ply is.
    pub(super) fn positions(
        &self,
        job: &Job<'_>,
        each: &mut Consumer<'_>,
    ) -> Result<(), ExportError> {
        let first = match &self.store {
            // A row stands for its images, and finished games may have none.
            PositionStore::Solution(solution) => 16 * solution.positions() + (1 << 16),
            _ => 0,
        };
        let ways = WayFinder::new(self.start(), first, job.control)?;
        let each = &mut |known: &KnownPosition| {
            if job.selection.mirror {
                let images = known.images(&mut |study| ways.to(study).ok().flatten());
                images.iter().try_for_each(&mut *each)
            } else {
                each(known)
            }
        };
        match &self.store {
            PositionStore::Database(database) => of_rows(&ways, job, database, each),
            PositionStore::Solution(solution) => match solution.board() {
                None => of_keys(&ways, job, solution, each),
                Some(board) => {
                    let value = |at| Ok(solution.value_of_stones(at)?.map(PartialValue::from));
                    of_profiles(self.start(), job, board, board.last_ply(), &value, each)
                }
            },
            PositionStore::Book(book) => {
                let value = |position| Ok(book.value(position).map(PartialValue::from));
                of_profiles(self.start(), job, book.board(), book.plies(), &value, each)
            }
        }
    }
}

/// The ways to positions. A search for each is little work on boards of stones and lines, and where
/// there are few; else all are found at once.
struct WayFinder<'s> {
    start: &'s dyn Position,
    control: &'s Control,
    /// All positions solved anew for their points, which the file does not have.
    points: OnceCell<Option<Box<dyn SolvedGame>>>,
    /// The positions asked for so far.
    asked: Cell<u64>,
    all: RefCell<Option<WayOfKey<'s>>>,
    /// True if there are more ways than may be kept.
    has_too_many: Cell<bool>,
}

impl<'s> WayFinder<'s> {
    /// The most positions with ways that are kept, some 64 bytes each at most.
    const MOST: u64 = 1 << 22;

    /// The same in a game that numbers its positions.
    const MOST_RANKED: u64 = 1 << 17;

    /// Finds the ways in a game from its start: at once in a game with ranks, where a search for one may
    /// visit all positions, and of others if `first` of them or fewer are to be kept.
    fn new(start: &'s dyn Position, first: u64, control: &'s Control) -> Result<Self, Stopped> {
        let finder = Self {
            start,
            control,
            points: OnceCell::new(),
            asked: Cell::new(0),
            all: RefCell::default(),
            has_too_many: Cell::new(false),
        };
        if start.lines().is_none() && (first > 0 || start.ranks().is_some()) {
            finder.find(first)?;
        }
        Ok(finder)
    }

    /// The points of a position by a solution of all, in a game that counts them, if that is not larger than
    /// what is kept here.
    fn points(&self, study: &dyn Position) -> Result<Option<Points>, ExportError> {
        if !self.start.info().counts_points || self.start.lead().is_some() {
            return Ok(None);
        }
        let solve = || self.start.solve(Self::MOST, self.control).ok();
        match self.points.get_or_init(solve) {
            Some(answers) => Ok(points_of(study, answers.as_ref(), self.control)?),
            None => Ok(None),
        }
    }

    fn find(&self, most: u64) -> Result<(), Stopped> {
        // Ways are found without the numbers and most symmetries that make the solution of a game with ranks
        // cheap.
        let has_ranks = self.start.ranks().is_some();
        let most = if has_ranks { Self::MOST_RANKED } else { most.min(Self::MOST) };
        let ways = self.start.ways(most as usize, self.control)?;
        self.has_too_many.set(ways.is_none() && (has_ranks || most == Self::MOST));
        self.all.replace(ways);
        Ok(())
    }

    /// True if the ways to all positions are known.
    fn has_all(&self) -> bool {
        self.all.borrow().is_some()
    }

    fn to(&self, study: &dyn Position) -> Result<Option<String>, Stopped> {
        let asked = self.asked.get() + 1;
        self.asked.set(asked);
        // Now and then, with work in proportion to what is asked for.
        let is_open = !self.has_all() && !self.has_too_many.get();
        let is_time = asked >= 256 && asked.is_power_of_two() && is_open;
        if is_time && study.lines().is_none() {
            self.find(1024 * asked)?;
        }
        Ok(match &*self.all.borrow() {
            Some(way) => study.key().and_then(way),
            // A search for each of many would visit all positions again and again.
            None if self.has_too_many.get() => None,
            None => study.moves_to(),
        })
    }
}

/// Visits all positions of a solution file of any game, in its order.
fn visit(
    start: &dyn Position,
    solution: &SolutionFile,
    control: &Control,
    each: &mut dyn FnMut(Ply, Key, PartialValue) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let root = solution.root(start)?;
    let tier = root.tiers();
    for chunk in 0..solution.chunks() {
        control.check()?;
        for (key, value) in solution.values(start, chunk)? {
            each(tier(key).ok_or_else(|| solution.no_position(key))?, key, value)?;
        }
    }
    Ok(())
}

/// The positions of a file that are in memory at a time, to be sorted by ply.
const SORTED: u64 = 1 << 22;

/// Visits selected positions of a solution file of any game: the whole file once, or once for every ply if it
/// is large.
fn of_keys(
    ways: &WayFinder<'_>,
    job: &Job<'_>,
    solution: &SolutionFile,
    each: &mut Consumer<'_>,
) -> Result<(), ExportError> {
    let start = ways.start;
    let mut visit_one = |key, value| {
        job.advance()?;
        match job.wants_value(value) {
            true => each(&of_key(ways, solution, key, value)?),
            false => Ok(()),
        }
    };
    if solution.positions() <= SORTED {
        let mut all = Vec::new();
        visit(start, solution, job.control, &mut |ply, key, value| {
            if job.wants_ply(ply.0) {
                all.push((ply, key, value));
            }
            Ok(())
        })?;
        // Within a ply as in the file.
        all.sort_by_key(|(ply, ..)| *ply);
        return all.into_iter().try_for_each(|(_, key, value)| visit_one(key, value));
    }
    let mut plies = [false; 256];
    visit(start, solution, job.control, &mut |ply, _, _| {
        plies[ply.index()] = true;
        Ok(())
    })?;
    for ply in (0..=u8::MAX).filter(|ply| plies[usize::from(*ply)] && job.wants_ply(*ply)) {
        visit(start, solution, job.control, &mut |at, key, value| {
            if at == Ply(ply) { visit_one(key, value) } else { Ok(()) }
        })?;
    }
    Ok(())
}

/// A position of a solution file of any game.
fn of_key(
    ways: &WayFinder<'_>,
    solution: &SolutionFile,
    key: Key,
    value: PartialValue,
) -> Result<KnownPosition, ExportError> {
    let study = ways.start.of_key(key).ok_or_else(|| solution.no_position(key))?;
    let moves = solution.moves(&*study)?;
    let attains = |there: &Option<PartialValue>| there.is_some_and(|there| there.attains(value));
    let best = moves.iter().filter(|(_, there)| attains(there));
    let best = Some(MoveSet(best.fold(0, |set, (bit, _)| set | 1 << bit)));
    let way = ways.to(&*study)?;
    let points = match ways.points(&*study)? {
        None if solution.is_scored() => Points::of(&*study, |at| solution.points(at))?,
        points => points,
    };
    let best = points.as_ref().map(Points::best_moves).or(best);
    Ok(KnownPosition { study, way, value, points, best, moves })
}

fn of_rows(
    ways: &WayFinder<'_>,
    job: &Job<'_>,
    database: &Database,
    each: &mut Consumer<'_>,
) -> Result<(), ExportError> {
    let mut visit =
        |row: &PositionRow, moves: &mut dyn FnMut(&dyn Position) -> Result<_, ExportError>| {
            job.advance()?;
            if !job.wants_ply(row.ply.0) || !job.wants_value(row.value) {
                return Ok(());
            }
            let study = ways.start.of_key(row.key).filter(|study| study.tier() == row.ply);
            let study = study.ok_or_else(|| job.no_position(database, row))?;
            let (way, moves) = (ways.to(&*study)?, moves(study.as_ref())?);
            let points = ways.points(&*study)?;
            each(&KnownPosition { study, way, value: row.value, points, best: row.best, moves })
        };
    if !job.selection.all_moves {
        return database.positions(job.game, None, |row| visit(&row, &mut |_| Ok(Vec::new())));
    }
    database.plies(job.game, |row, near| visit(row, &mut |study| moves_of_row(study, row, near)))
}

/// The value of a position of a board, if it is known.
type ValueOf<'v> = dyn Fn(Stones) -> Result<Option<PartialValue>, ExportError> + Sync + 'v;

/// Visits selected positions of a board up to a ply.
fn of_profiles(
    start: &dyn Position,
    job: &Job<'_>,
    board: &Board,
    last: Ply,
    value: &ValueOf<'_>,
    each: &mut Consumer<'_>,
) -> Result<(), ExportError> {
    let plies = (0..=last.0).zip(board.canonical_profiles());
    for (_, profiles) in plies.filter(|(ply, _)| job.wants_ply(*ply)) {
        let mut positions = profiles.into_iter().flat_map(|profile| board.positions(profile));
        loop {
            let piece: Vec<Stones> = positions.by_ref().take(PIECE).collect();
            if piece.is_empty() {
                break;
            }
            let parts = map_parts(0..piece.len(), 64, &|part| {
                let known = piece[part].iter().map(|at| of_colouring(start, board, value, *at));
                known.filter_map(Result::transpose).collect::<Result<Vec<_>, ExportError>>()
            });
            for part in parts {
                part?
                    .iter()
                    .filter(|known| job.wants_value(known.value))
                    .try_for_each(&mut *each)?;
            }
            job.control.advance(piece.len() as u64);
            job.control.check()?;
        }
    }
    Ok(())
}

/// A position of a board; `None` if no game leads to it, its value is unknown, or its mirror image
/// stands for it. If only outcomes are known, the best moves are those that attain the outcome.
fn of_colouring(
    start: &dyn Position,
    board: &Board,
    value_of: &ValueOf<'_>,
    position: Stones,
) -> Result<Option<KnownPosition>, ExportError> {
    let game = board.game();
    let image = game.position_of(game.canonical(position).0).expect("an image is a position");
    // A profile that equals its mirror image holds both images.
    if image != position && image.occupied() == position.occupied() {
        return Ok(None);
    }
    let way = match shortest_moves(game, image) {
        Ok(way) => write_moves(game, &way),
        Err(Unreached::NoWay) => return Ok(None),
        Err(undecided) => return Err(undecided.into()),
    };
    let Some(value) = value_of(image)? else { return Ok(None) };
    let study = start.of_key(game.key(image)).expect("a position of the board");
    let mut moves = Vec::new();
    let open = if game.result(image).is_none() { game.moves(image) } else { MoveSet::EMPTY };
    for m in open {
        let next = game.play(image, m);
        let after = match game.result(next) {
            Some(outcome) => Some(Value::over(outcome).into()),
            None => value_of(next)?.or_else(|| booked(study.as_ref(), u32::from(m.0))),
        };
        moves.push((u32::from(m.0), after.map(PartialValue::for_parent)));
    }
    let attains =
        |(_, there): &&(u32, Option<PartialValue>)| there.is_some_and(|v| v.attains(value));
    let best = moves.iter().filter(attains).fold(0, |set, (bit, _)| set | 1 << bit);
    // A move of unknown value may be a best one too.
    let best = moves.iter().all(|(_, there)| there.is_some()).then_some(MoveSet(best));
    Ok(Some(KnownPosition { study, way: Some(way), value, points: None, best, moves }))
}

/// The value after a move that the opening book in the program has.
fn booked(study: &dyn Position, bit: u32) -> Option<PartialValue> {
    let to = study.branches().into_iter().find(|branch| branch.bit == bit)?.to;
    to.booked().map(PartialValue::from)
}

/// The moves of a position with their values for the side that makes them, as far as they are known. A
/// best move attains the value of the position, whether its own is stored or not.
fn moves_of_row(
    study: &dyn Position,
    row: &PositionRow,
    near: &mut Neighbours<'_, '_>,
) -> Result<Vec<(u32, Option<PartialValue>)>, ExportError> {
    // What is best for points need not be the soonest.
    let implied = match study.info().counts_points {
        true => PartialValue::of_outcome(row.value.outcome),
        false => row.value,
    };
    let mut value = |to: Successor| {
        let there = match (to.result, to.canonical) {
            (Some(outcome), _) => Some(Value::over(outcome).into()),
            (None, Some(key)) => near.row(key, to.tier)?.map(|row| row.value),
            (None, None) => None,
        };
        let there = there.or_else(|| booked(study, to.bit));
        let is_best = row.best.is_some_and(|best| best.has(to.bit));
        let known = there.map(|value| value.one_ply_earlier(to.keeps_turn));
        Ok((to.bit, known.or_else(|| is_best.then_some(implied))))
    };
    study.successors().into_iter().map(&mut value).collect()
}
