//! The threads of one search, and how they agree on a move (<https://www.chessprogramming.org/Lazy_SMP>).

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};

use crossbeam_channel::bounded;

use super::history::Histories;
use super::probe::legal_table_move;
use super::report::{Outcome, Report, Variation};
use super::root::RootMove;
use super::shared::Shared;
use super::worker::Worker;
use crate::score::Score;

/// Stack of a search thread, in bytes: the deepest line fits several times over.
const STACK_SIZE: usize = 8 << 20;

/// What one thread has found.
struct Finding {
    best: RootMove,
    /// The last iteration it finished, in plies.
    depth: i32,
}

/// Runs one worker for each set of histories. The first one watches the limits and reports; when it is done the
/// others are ended, and all of them vote.
pub(super) fn run(
    shared: &Shared<'_>,
    histories: &mut [Histories],
    report: &mut (dyn FnMut(Report) + Send),
) -> Outcome {
    let Some((main, helpers)) = histories.split_first_mut() else {
        return no_move(shared);
    };
    let mut last_reported = None;
    let mut forward = |news: Report| {
        if let Report::Variation(variation) = &news
            && variation.multi_pv == 1
        {
            last_reported = Some(variation.clone());
        }
        report(news);
    };
    // Ends the helpers also when it panics.
    let finish = Finish(&shared.finished);
    let lead = || {
        let _finish = finish;
        find(shared, main, &mut forward, 0)
    };
    // The work is done once: by the thread that is made for it, or by this one when the system gives no thread.
    let (give, take) = bounded(1);
    let _ = give.send(lead);
    let lead = || take.try_recv().ok().and_then(|lead| lead());
    let findings = thread::scope(|scope| {
        let leader = spawn(scope, lead);
        let helpers: Vec<_> = helpers
            .iter_mut()
            .enumerate()
            // A short search is over before all of many threads are made.
            .take_while(|_| !shared.is_stopped() && !shared.budget.is_over(shared.control))
            .map(|(index, histories)| {
                spawn(scope, move || {
                    find(shared, histories, &mut |_| (), index + 1)
                })
            })
            // A thread the system will not give is one helper less.
            .filter_map(Result::ok)
            .collect();
        let join = |thread: ScopedJoinHandle<'_, Option<Finding>>| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        // When the system will give no thread at all, this one searches.
        let led = leader.map_or_else(|_| lead(), join);
        let helped = helpers.into_iter().map(join);
        [led].into_iter().chain(helped).collect::<Vec<_>>()
    });
    drop((give, take));
    let findings: Vec<Finding> = findings.into_iter().flatten().collect();
    conclude(shared, &findings, last_reported, report)
}

fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> Option<Finding> + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, Option<Finding>>> {
    let builder = thread::Builder::new().stack_size(STACK_SIZE);
    builder.spawn_scoped(scope, work)
}

/// Ends all threads when it is dropped.
struct Finish<'a>(&'a AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// One thread's work: deepen until a limit ends it. `None` when there is no move at all.
fn find(
    shared: &Shared<'_>,
    histories: &mut Histories,
    report: &mut (dyn FnMut(Report) + Send),
    index: usize,
) -> Option<Finding> {
    let mut worker = Worker::new(shared, histories, report, index);
    worker.deepen();
    worker.publish_nodes();
    (worker.root_moves.len() > 0).then(|| Finding {
        best: worker.root_moves.best().clone(),
        depth: worker.completed_depth,
    })
}

/// The outcome of all findings. It is reported once more if it differs from the last reported line.
fn conclude(
    shared: &Shared<'_>,
    findings: &[Finding],
    last_reported: Option<Variation>,
    report: &mut (dyn FnMut(Report) + Send),
) -> Outcome {
    let limits = shared.limits;
    // A depth, a mate or several lines were asked for: that is the first thread's answer.
    let may_vote = shared.multi_pv == 1 && limits.depth.is_none() && limits.mate.is_none();
    let voters = if may_vote {
        findings
    } else {
        findings.get(..1).unwrap_or_default()
    };
    let Some(chosen) = elected(voters) else {
        return no_move(shared);
    };
    // An iteration that was cut short may have found the move.
    let depth = chosen.depth.max(chosen.best.depth).max(1);
    let mut best = chosen.best.clone();
    if best.score == -Score::INFINITE {
        best.score = shared.evaluator.evaluate(shared.root);
    }
    add_ponder_move(shared, &mut best);
    let variation = shared.variation(depth, 0, &best);
    let figures = variation.figures;
    let is_news = |told: Variation| {
        let facts = |variation: &Variation| (variation.depth, variation.score, variation.bound);
        told.moves != best.pv || facts(&told) != facts(&variation)
    };
    if last_reported.is_none_or(is_news) {
        report(Report::Variation(variation));
    }
    Outcome {
        best: Some(best.m),
        ponder: best.pv.get(1).copied(),
        score: best.reported_score(),
        depth: depth as u32,
        figures,
    }
}

/// The finding that wins the vote. Each thread votes for its move, with a weight that grows with its depth and with
/// its score above the lowest one. A proven win needs no vote: the shortest counts (idea: Stockfish, 2018).
fn elected(findings: &[Finding]) -> Option<&Finding> {
    /// Weight of the thread with the lowest score, in centipawns.
    const BASE: i32 = 14;
    let finished = |finding: &&Finding| finding.depth > 0;
    let lowest = findings
        .iter()
        .filter(finished)
        .map(|finding| finding.best.score)
        .min();
    let weight = |finding: &Finding| {
        let above = lowest.map_or(0, |lowest| finding.best.score - lowest);
        i64::from(above + BASE) * i64::from(finding.depth)
    };
    let mut votes = HashMap::new();
    for finding in findings {
        *votes.entry(finding.best.m).or_insert(0) += weight(finding);
    }
    let rank = |finding: &Finding| {
        let score = finding.best.score;
        let proven = if score.is_win() { score } else { Score::DRAW };
        (proven, votes[&finding.best.m], weight(finding))
    };
    let (first, others) = findings.split_first()?;
    let better = |best, other| {
        if rank(other) > rank(best) {
            other
        } else {
            best
        }
    };
    Some(others.iter().filter(finished).fold(first, better))
}

/// A line that ends after its first move, as after a fail-high, gets the table's reply, so that there is a move to
/// ponder on. Without one there is none: a guess would be a waste of the opponent's time.
fn add_ponder_move(shared: &Shared<'_>, best: &mut RootMove) {
    if best.pv.len() != 1 || best.score.is_mate() {
        return;
    }
    let child = shared.root.child(best.m, shared.evaluator.table());
    let mut path = shared.path.clone();
    path.push(shared.root.key());
    if path.is_draw(&child, 1) {
        return;
    }
    let reply = shared
        .probe(&child)
        .and_then(|entry| legal_table_move(&child, entry.best));
    if let Some(reply) = reply {
        best.pv.push(reply.into());
    }
}

/// The root has no legal move: mated, or stalemate.
fn no_move(shared: &Shared<'_>) -> Outcome {
    let score = if shared.root.in_check() {
        Score::mated_in(0)
    } else {
        Score::DRAW
    };
    Outcome {
        best: None,
        ponder: None,
        score,
        depth: 0,
        figures: shared.figures(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use shakmaty::{Move, Role, Square};

    use super::*;
    use crate::chess::eval::Evaluator;
    use crate::chess::keys::KeyPath;
    use crate::chess::position::Position;
    use crate::search::{Control, Job, Limits, Search, Settings};

    fn finding(to: Square, score: Score, depth: i32) -> Finding {
        let m = Move::Normal {
            role: Role::Knight,
            from: Square::G1,
            capture: None,
            to,
            promotion: None,
        };
        let best = RootMove {
            score,
            ..RootMove::new(m)
        };
        Finding { best, depth }
    }

    fn elected_square(findings: &[Finding]) -> Square {
        elected(findings).unwrap().best.m.to()
    }

    #[test]
    fn a_thread_that_would_come_too_late_is_not_made() {
        let stopped_at_once = |threads| {
            let mut search = Search::new(1, threads).unwrap();
            let job = Job {
                root: Position::initial(Evaluator::new().table()),
                path: KeyPath::default(),
                limits: Limits::default(),
                settings: Settings::default(),
                start: Instant::now(),
            };
            let control = Control::new();
            control.stop();
            search.run(&job, &control, &mut |_| ()).figures.nodes
        };
        assert_eq!(stopped_at_once(8), stopped_at_once(1));
    }

    #[test]
    fn two_threads_outvote_one_of_the_same_depth() {
        let score = Score::from_centipawns(20);
        let mut findings = vec![
            finding(Square::F3, score, 10),
            finding(Square::H3, score, 10),
        ];
        assert_eq!(elected_square(&findings), Square::F3);
        findings.push(finding(Square::H3, score, 10));
        assert_eq!(elected_square(&findings), Square::H3);
    }

    #[test]
    fn a_nearer_mate_wins_and_an_unfinished_thread_has_no_say() {
        let findings = [
            finding(Square::F3, Score::mate_in(9), 10),
            finding(Square::H3, Score::mate_in(5), 8),
            finding(Square::E2, Score::mate_in(1), 0),
        ];
        assert_eq!(elected_square(&findings), Square::H3);
        assert!(elected(&[]).is_none());
    }

    #[test]
    fn depth_and_score_give_a_vote_its_weight() {
        let cp = Score::from_centipawns;
        // Of two moves with one vote each: the deeper, then the better.
        let deeper = [
            finding(Square::F3, cp(20), 10),
            finding(Square::H3, cp(20), 11),
        ];
        assert_eq!(elected_square(&deeper), Square::H3);
        let better = [
            finding(Square::F3, cp(20), 10),
            finding(Square::H3, cp(21), 10),
        ];
        assert_eq!(elected_square(&better), Square::H3);
        // 14 centipawns above the lowest weigh as much as a second vote at the bottom.
        let against_two = |above: i32| {
            let strong = finding(Square::H3, cp(20 + above), 10);
            let weak = || finding(Square::F3, cp(20), 10);
            elected_square(&[strong, weak(), weak()])
        };
        assert_eq!(against_two(15), Square::H3);
        assert_eq!(against_two(13), Square::F3);
    }

    #[test]
    fn of_the_threads_with_the_chosen_move_the_heaviest_speaks() {
        let cp = Score::from_centipawns;
        let findings = [
            finding(Square::F3, cp(20), 10),
            finding(Square::F3, cp(20), 12),
        ];
        assert_eq!(elected(&findings).unwrap().depth, 12);
    }
}
