//! Forced mates: a small search of its own between two iterations. Every move of the attacker gives check or threatens
//! mate with the next one; the defender tries every answer.
//!
//! The main search reduces and prunes what looks lost, so that it sees a sacrifice of the queen late even when every
//! answer to it is forced. A search that follows nothing but checks and threats is narrow and goes deep at once (idea:
//! the mate solvers of shogi engines, <https://www.chessprogramming.org/Mate_Search>). What it proves goes to the
//! transposition table, where the main search finds it. With 200,000 nodes a position it solves 256 of 296 positions of
//! Win At Chess, and 246 without this search.

use arrayvec::ArrayVec;

use super::game::{Bitboard, ByRole, CompactMove, Position, Role, movegen};
use super::probe::legal_table_move;
use super::report::{Bound, Line};
use super::tt::Record;
use super::worker::{Aborted, Worker};
use crate::score::Score;

/// Of so many nodes one goes to each kind of forced mate. Such a node costs several of the main search, but few positions have enough
/// checks and threats to use up the share.
const SHARE: u64 = 100;
/// The least number of nodes for an attempt.
const SMALLEST_BUDGET: u64 = 200;
/// The longest mate looked for, in moves.
const LONGEST: usize = 12;
/// Checks or threats kept in one position; more than any that occurs in play.
const MOST_ATTACKS: usize = 32;

/// What the attacker may do.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Forcing {
    /// Give check.
    Checks,
    /// Give check, or threaten mate with the next move.
    ChecksAndThreats,
}

/// How far the search for one kind of forced mate has come. It is continued after each iteration.
#[derive(Debug)]
pub struct Attempt {
    forcing: Forcing,
    /// The length of the mate that is looked for next, in moves.
    moves: usize,
    /// The node count of the worker at which the present attempt is given up.
    limit: u64,
    /// Nodes of all attempts.
    spent: u64,
    /// The least number of nodes for another attempt: more than the last one had, if that was not enough.
    wanted: u64,
    /// Whether some line was cut off for its length: a longer mate is possible.
    cut: bool,
}

impl Attempt {
    fn new(forcing: Forcing) -> Attempt {
        Attempt {
            forcing,
            moves: 1,
            limit: 0,
            spent: 0,
            wanted: SMALLEST_BUDGET,
            cut: true,
        }
    }

    /// The longest mate that a search of `depth` plies can follow to its end: it looks deeper in check.
    fn longest(&self, depth: i32) -> usize {
        let depth = depth.max(0) as usize;
        match self.forcing {
            Forcing::Checks => depth.min(LONGEST),
            Forcing::ChecksAndThreats => (depth / 2).min(LONGEST),
        }
    }
}

/// The searches for both kinds of forced mate; the one by checks alone goes deeper.
#[derive(Debug)]
pub struct ForcedMates([Attempt; 2]);

impl Default for ForcedMates {
    fn default() -> ForcedMates {
        ForcedMates([Forcing::Checks, Forcing::ChecksAndThreats].map(Attempt::new))
    }
}

/// Why an attempt ended without an answer.
enum Halt {
    /// The whole search is to end.
    Aborted,
    /// The nodes allowed are used up.
    Exhausted,
}

impl From<Aborted> for Halt {
    fn from(_: Aborted) -> Halt {
        Halt::Aborted
    }
}

/// A move of the attacker and how many answers it has.
struct Attack {
    m: CompactMove,
    answers: usize,
}

/// What an attempt has proven of a position.
enum Proof {
    /// The side to move mates with this move, in at most so many moves.
    Mates(CompactMove, usize),
    /// It is mated in at most so many moves.
    IsMated(usize),
}

type Attacks = ArrayVec<Attack, MOST_ATTACKS>;

impl Worker<'_> {
    /// After an iteration of `depth` plies: looks for longer and longer mates from the root, as far as the nodes allow.
    /// A mate that is found stands at once, and is searched first in the next iteration.
    ///
    /// # Errors
    ///
    /// [`Aborted`] when the search has to end.
    pub fn find_forced_mate(
        &mut self,
        ForcedMates(attempts): &mut ForcedMates,
        depth: i32,
    ) -> Result<(), Aborted> {
        // `go mate` prunes nothing and needs no help: of 100 mate problems it solved 12 within 300,000 nodes without this
        // search and 13 with it. One thread is enough for the others.
        if !self.is_main() || self.is_mate_search() || self.root_moves.is_restricted() {
            return Ok(());
        }
        attempts
            .iter_mut()
            .try_for_each(|attempt| self.continue_attempts(attempt, depth))
    }

    fn continue_attempts(&mut self, attempt: &mut Attempt, depth: i32) -> Result<(), Aborted> {
        let root = self.shared.root;
        while attempt.cut && attempt.moves <= attempt.longest(depth) {
            let allowed = (self.nodes / SHARE).saturating_sub(attempt.spent);
            if allowed < attempt.wanted || self.root_moves.best().score.is_win() {
                return Ok(());
            }
            let before = self.nodes;
            attempt.limit = before + allowed;
            attempt.cut = false;
            let result = self.attack(attempt, root, attempt.moves, 0);
            attempt.spent += self.nodes - before;
            match result {
                Ok(Some(m)) => {
                    attempt.cut = false;
                    self.report_mate(m, attempt.moves, depth);
                }
                Ok(None) => attempt.moves += 1,
                Err(Halt::Exhausted) => {
                    attempt.cut = true;
                    attempt.wanted = 2 * allowed;
                }
                Err(Halt::Aborted) => return Err(Aborted),
            }
        }
        Ok(())
    }

    /// The mate stands, whether or not there is time to see its line.
    fn report_mate(&mut self, m: CompactMove, moves: usize, depth: i32) {
        let lines = self.shared.multi_pv.min(self.root_moves.len());
        let score = Score::mate_in(2 * moves - 1);
        self.root_moves.prove(self.proof_line(m), score, lines);
        self.report_iteration(depth);
    }

    /// The line of a mate that was just proven and begins with `m`: the longest defence, as the table has it.
    fn proof_line(&self, m: CompactMove) -> Line {
        let table = self.shared.evaluator.table();
        let mut line = Line::from_iter([m.into()]);
        let mut position = self.shared.root.child(m, table);
        while line.remaining_capacity() >= 2 {
            let defences = movegen::all_moves(&position)
                .into_iter()
                .filter_map(|answer| {
                    let child = position.child(answer, table);
                    let entry = self.probe_table(&child)?;
                    let plies = entry.score(0).mate_plies()?;
                    let mate = legal_table_move(&child, entry.best)?;
                    Some((plies, answer, mate, child))
                });
            let Some((_, answer, mate, child)) = defences.max_by_key(|defence| defence.0) else {
                break;
            };
            line.push(answer.into());
            line.push(mate.into());
            position = child.child(mate, table);
        }
        line
    }

    /// The move that begins a mate in at most `moves` moves, if there is one.
    fn attack(
        &mut self,
        attempt: &mut Attempt,
        position: &Position,
        moves: usize,
        ply: usize,
    ) -> Result<Option<CompactMove>, Halt> {
        self.count_forced(attempt)?;
        let legal = movegen::all_moves(position);
        let checks = self.checks(position, &legal);
        if let Some(mate) = checks.iter().find(|check| check.answers == 0) {
            self.store_proof(position, ply, Proof::Mates(mate.m, 1));
            return Ok(Some(mate.m));
        }
        if moves == 1 {
            attempt.cut |= attempt.forcing == Forcing::ChecksAndThreats || !checks.is_empty();
            return Ok(None);
        }
        let mut mate = self.first_that_mates(attempt, position, checks, moves, ply)?;
        if mate.is_none() && attempt.forcing == Forcing::ChecksAndThreats {
            let threats = self.threats(attempt, position, &legal)?;
            mate = self.first_that_mates(attempt, position, threats, moves, ply)?;
        }
        if let Some(m) = mate {
            self.store_proof(position, ply, Proof::Mates(m, moves));
        }
        Ok(mate)
    }

    fn first_that_mates(
        &mut self,
        attempt: &mut Attempt,
        position: &Position,
        mut attacks: Attacks,
        moves: usize,
        ply: usize,
    ) -> Result<Option<CompactMove>, Halt> {
        // The fewer answers, the sooner a line ends.
        attacks.sort_by_key(|attack| attack.answers);
        for Attack { m, .. } in attacks {
            let child = position.child(m, self.shared.evaluator.table());
            self.path.push(position.key());
            let beaten = self.defend(attempt, &child, moves - 1, ply + 1);
            self.path.pop();
            if beaten? {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    /// Whether every answer is met by a mate in at most `moves` moves.
    fn defend(
        &mut self,
        attempt: &mut Attempt,
        position: &Position,
        moves: usize,
        ply: usize,
    ) -> Result<bool, Halt> {
        if self.path.is_draw(position, ply) {
            return Ok(false);
        }
        let answers = movegen::all_moves(position);
        if answers.is_empty() && !position.in_check() {
            return Ok(false);
        }
        for answer in answers {
            let child = position.child(answer, self.shared.evaluator.table());
            self.path.push(position.key());
            let beaten = self.is_beaten(attempt, &child, moves, ply + 1);
            self.path.pop();
            if !beaten? {
                return Ok(false);
            }
        }
        self.store_proof(position, ply, Proof::IsMated(moves));
        Ok(true)
    }

    /// Whether an answer that led to `position` is met by a mate in at most `moves` moves. The shortest one is found first,
    /// so that the table has the exact length.
    fn is_beaten(
        &mut self,
        attempt: &mut Attempt,
        position: &Position,
        moves: usize,
        ply: usize,
    ) -> Result<bool, Halt> {
        if self.path.is_draw(position, ply) {
            return Ok(false);
        }
        for length in 1..=moves {
            if self.attack(attempt, position, length, ply)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The checks among the `legal` moves of `position`.
    fn checks(&self, position: &Position, legal: &movegen::Moves) -> Attacks {
        let mut checks = Attacks::new();
        let candidates = Candidates::new(position);
        for &m in legal {
            if !candidates.may_check(m) {
                continue;
            }
            let child = position.child(m, self.shared.evaluator.table());
            if child.in_check() {
                let answers = movegen::all_moves(&child).len();
                let _ = checks.try_push(Attack { m, answers });
            }
        }
        checks
    }

    /// The `legal` moves that give no check but would give mate with the next move, if the opponent passed.
    fn threats(
        &mut self,
        attempt: &mut Attempt,
        position: &Position,
        legal: &movegen::Moves,
    ) -> Result<Attacks, Halt> {
        let mut threats = Attacks::new();
        for &m in legal {
            let child = position.child(m, self.shared.evaluator.table());
            let Some(passed) = child.null_child() else {
                continue;
            };
            self.count_forced(attempt)?;
            let next = movegen::all_moves(&passed);
            let checks = self.checks(&passed, &next);
            if checks.iter().any(|check| check.answers == 0) {
                let answers = movegen::all_moves(&child).len();
                let _ = threats.try_push(Attack { m, answers });
            }
        }
        Ok(threats)
    }

    fn count_forced(&mut self, attempt: &Attempt) -> Result<(), Halt> {
        self.count_node()?;
        if self.nodes >= attempt.limit {
            return Err(Halt::Exhausted);
        }
        Ok(())
    }

    /// The main search believes a mate in the table at any depth.
    fn store_proof(&self, position: &Position, ply: usize, proof: Proof) {
        let (best, score, bound, plies) = match proof {
            Proof::Mates(m, moves) => {
                let plies = 2 * moves - 1;
                (Some(m), Score::mate_in(ply + plies), Bound::Lower, plies)
            }
            Proof::IsMated(moves) => {
                let plies = 2 * moves;
                (None, Score::mated_in(ply + plies), Bound::Upper, plies)
            }
        };
        let record = Record {
            best,
            score,
            eval: Score::NONE,
            depth: plies as i32,
            bound: Some(bound),
            is_pv: false,
        };
        self.shared.store(position, ply, record);
    }
}

/// A cheap test of which moves can give check. It may say yes for one that does not.
struct Candidates {
    /// From where a piece of each role attacks the enemy king.
    targets: ByRole,
    /// Own pieces that may stand between an own slider and the king.
    screens: Bitboard,
}

impl Candidates {
    fn new(position: &Position) -> Candidates {
        let targets = position.checking_squares();
        let lines = targets[Role::Queen as usize];
        Candidates {
            targets,
            screens: lines & position.board().by_color(position.turn()),
        }
    }

    /// No when `m` surely gives no check. Rare kinds of moves are always worth a try.
    fn may_check(&self, m: CompactMove) -> bool {
        self.targets[m.role() as usize].contains(m.to())
            || self.screens.contains(m.from())
            || m.is_promotion()
            || m.is_castle()
            || m.is_en_passant()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::Evaluator;
    use crate::chess::fen;

    /// Plays at random from a position and checks that the cheap test misses no check.
    #[test]
    fn no_check_is_missed() {
        let evaluator = Evaluator::new();
        let mut random = 1_u64;
        let mut checks = 0;
        for start in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let start = Position::new(fen::parse(start).expect(start), evaluator.table());
            for _ in 0..20 {
                let mut position = start.clone();
                for _ in 0..80 {
                    let legal = movegen::all_moves(&position);
                    let candidates = Candidates::new(&position);
                    for &m in &legal {
                        let gives_check = position.child(m, evaluator.table()).in_check();
                        checks += usize::from(gives_check);
                        assert!(!gives_check || candidates.may_check(m), "{m:?}");
                    }
                    random = random
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    let Some(&m) = legal.get((random >> 33) as usize % legal.len().max(1)) else {
                        break;
                    };
                    position = position.child(m, evaluator.table());
                }
            }
        }
        assert!(checks > 1000, "{checks}");
    }

    /// The first move and the length of the mate that a search of `depth` plies may look for, with a node count that
    /// allows `budget` nodes.
    fn forced(fen: &str, depth: i32, budget: u64) -> Option<(String, i32)> {
        use crate::search::worker::testbed::on;
        on(fen, |worker, _| {
            worker.nodes = SHARE * budget;
            let mut attempts = ForcedMates::default();
            assert!(worker.find_forced_mate(&mut attempts, depth).is_ok());
            assert!(worker.path.is_empty());
            let best = worker.root_moves.best();
            let moves = best.score.mate_moves()?;
            assert_eq!(best.pv.len() as i32, 2 * moves - 1);
            Some((
                best.pv[0]
                    .to_uci(shakmaty::CastlingMode::Standard)
                    .to_string(),
                moves,
            ))
        })
    }

    #[test]
    fn a_mate_by_checks_and_one_by_threats_are_found() {
        let found = |uci: &str, moves| Some((uci.to_string(), moves));
        // The back rank; a smothered mate, Qg8+ and Nf7.
        let back_rank = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
        assert_eq!(forced(back_rank, 1, 10_000), found("a1a8", 1));
        let smothered = "r6k/6pp/7N/8/2Q5/8/8/4K3 w - - 0 1";
        assert_eq!(forced(smothered, 2, 10_000), found("c4g8", 2));
        assert_eq!(forced(smothered, 1, 10_000), None);
        // Ra6+ f6, Bxf6+ Rg7, Rxa8.
        let long = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
        assert_eq!(forced(long, 3, 50_000), found("f6a6", 3));
        // Both Kg6 and Kf7 threaten mate by the rook.
        let quiet = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
        let moves = |depth| forced(quiet, depth, 100_000).map(|(_, moves)| moves);
        assert_eq!((moves(4), moves(3)), (Some(2), None));
    }

    #[test]
    fn without_enough_nodes_no_mate_is_looked_for() {
        let back_rank = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
        assert!(forced(back_rank, 2, SMALLEST_BUDGET).is_some());
        assert!(forced(back_rank, 2, SMALLEST_BUDGET - 1).is_none());
    }

    #[test]
    fn a_draw_is_no_mate() {
        // After Kg6 Black has no move, and is not in check.
        assert_eq!(forced("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", 2, 10_000), None);
        let bare = "8/8/8/8/8/5k2/8/4R1K1 w - - 0 1";
        assert_eq!(forced(bare, 6, 10_000), None);
    }

    #[test]
    fn rare_kinds_of_moves_may_give_check() {
        use crate::search::worker::testbed::{legal, on};
        for (fen, uci) in [
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1"),
            ("8/8/8/k1pP3R/8/8/8/4K3 w - c6 0 1", "d5c6"),
            ("8/1P6/8/8/8/1k6/8/4K3 w - - 0 1", "b7b8q"),
        ] {
            on(fen, |worker, position| {
                let m = legal(position, uci);
                let child = position.child(m, worker.shared.evaluator.table());
                assert!(
                    child.in_check() && Candidates::new(position).may_check(m),
                    "{uci}"
                );
            });
        }
        on("4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1", |_, position| {
            assert!(!Candidates::new(position).may_check(legal(position, "g1f3")));
        });
    }

    #[test]
    fn a_mate_by_a_move_that_may_not_be_played_is_not_looked_for() {
        use crate::search::game::Group;
        use crate::search::root::RootMoves;
        use crate::search::worker::testbed::{legal, on};
        let found = |allowed: &str| {
            on("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", |worker, position| {
                let group = Group {
                    moves: vec![legal(position, allowed).into()],
                    verdict: None,
                };
                worker.root_moves = RootMoves::new(position, &[group]);
                worker.nodes = SHARE * 10_000;
                assert!(
                    worker
                        .find_forced_mate(&mut ForcedMates::default(), 4)
                        .is_ok()
                );
                worker.root_moves.best().score.is_mate()
            })
        };
        assert!(!found("e1e2") && !found("a1a8"));
    }
}
