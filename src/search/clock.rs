//! How long to think: a soft limit at which no new iteration begins, a hard one at which the search ends.

use std::time::{Duration, Instant};

use super::control::Control;
use super::limits::{Clock, Limits};

/// Without a given number of moves, the clock is planned for this many more.
const MOVES_AHEAD: i64 = 24;
/// Share of the increment that is planned for the move, in percent.
const INCREMENT_SHARE: i64 = 75;
/// The soft limit as a share of the planned time, in percent, before the search has its say.
const SOFT_SHARE: i64 = 70;
/// The hard limit as a multiple of the planned time, in percent.
const HARD_SHARE: i64 = 350;
/// No move uses more than this share of what is left, in percent.
const MOST_OF_CLOCK: i64 = 75;
/// With more than one move to the control, no move uses more than this share, in percent.
const MOST_BEFORE_CONTROL: i64 = 60;
/// A busy system can hold a process up for so long, in milliseconds. No move plans with that time, unless it is more than
/// half of what is left: at the end of a long game with a small increment, so much stays on the clock.
const RESERVE: i64 = 100;

/// The time limits of one search.
#[derive(Copy, Clone, Debug)]
pub struct TimeBudget {
    start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
    pondering: bool,
}

impl TimeBudget {
    /// The budget for `limits`, counted from `start`, with `overhead` kept back for the way to the opponent.
    pub fn new(limits: &Limits, overhead: Duration, start: Instant) -> TimeBudget {
        let mut budget = TimeBudget {
            start,
            soft: None,
            hard: None,
            pondering: limits.ponder,
        };
        if let Some(clock) = limits.clock {
            let (soft, hard) = plan(clock, overhead);
            budget.soft = Some(soft);
            budget.hard = Some(hard);
        }
        if let Some(move_time) = limits.move_time {
            let exact = move_time.saturating_sub(transmission(move_time, overhead));
            budget.hard = Some(budget.hard.map_or(exact, |hard| hard.min(exact)));
        }
        budget
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether time can end this search.
    pub fn is_limited(&self) -> bool {
        self.hard.is_some()
    }

    /// Whether the time is used up.
    pub fn is_over(&self, control: &Control) -> bool {
        let Some(hard) = self.hard else {
            return false;
        };
        match self.clock_start(control) {
            Some(start) => start.elapsed() >= hard,
            None => false,
        }
    }

    /// Whether another iteration is not worth beginning. `scale` stretches the soft limit: above 1 for a hard
    /// move, below for an easy one. Time spent pondering counts as thought.
    pub fn is_enough(&self, control: &Control, scale: f64) -> bool {
        self.is_running(control) && self.would_be_enough(scale)
    }

    /// The same, whether the clock runs or the search still ponders.
    pub fn would_be_enough(&self, scale: f64) -> bool {
        let (Some(soft), Some(hard)) = (self.soft, self.hard) else {
            return false;
        };
        self.elapsed() >= soft.mul_f64(scale).min(hard)
    }

    /// Whether the clock runs: not while pondering.
    pub fn is_running(&self, control: &Control) -> bool {
        self.clock_start(control).is_some()
    }

    /// When the clock began to run: at once, or at the ponder hit.
    fn clock_start(&self, control: &Control) -> Option<Instant> {
        if self.pondering {
            control.ponder_hit_at()
        } else {
            Some(self.start)
        }
    }
}

/// A fixed move time is meant to be used; only a sliver of it goes to the overhead.
fn transmission(move_time: Duration, overhead: Duration) -> Duration {
    const SHARE: u32 = 50;
    const LONGEST: Duration = Duration::from_millis(2);
    (move_time / SHARE).min(overhead).min(LONGEST)
}

/// The soft and hard limit for a clock.
fn plan(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    let overhead = i64::try_from(overhead.as_millis()).unwrap_or(i64::MAX);
    let left = clock.remaining.saturating_sub(overhead).max(0);
    let left = (left - RESERVE).max(left / 2);
    let increment = clock.increment.max(0);
    let moves = clock
        .moves_to_go
        .map_or(MOVES_AHEAD, |moves| i64::from(moves.clamp(1, 50)));
    let planned = (left / moves).saturating_add(percent(increment, INCREMENT_SHARE));
    let most = match clock.moves_to_go {
        Some(1) => left,
        Some(_) => percent(left, MOST_BEFORE_CONTROL),
        None => percent(left, MOST_OF_CLOCK),
    };
    let soft = percent(planned, SOFT_SHARE).min(most);
    let hard = percent(planned, HARD_SHARE).min(most);
    (milliseconds(soft), milliseconds(hard))
}

fn percent(value: i64, share: i64) -> i64 {
    let part = i128::from(value) * i128::from(share) / 100;
    i64::try_from(part).unwrap_or(i64::MAX)
}

fn milliseconds(value: i64) -> Duration {
    Duration::from_millis(value.max(0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(remaining: i64, increment: i64, moves_to_go: Option<u32>) -> (u128, u128) {
        let (soft, hard) = plan(
            Clock {
                remaining,
                increment,
                moves_to_go,
            },
            Duration::from_millis(10),
        );
        (soft.as_millis(), hard.as_millis())
    }

    #[test]
    fn the_clock_is_never_overdrawn() {
        for remaining in [-50, 0, 1, 5, 11, 20, 100, 1000, 60_000, i64::MAX] {
            for increment in [-5, 0, 10, 1000, i64::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let (soft, hard) = limits(remaining, increment, moves_to_go);
                    assert!(soft <= hard);
                    assert!(hard <= remaining.saturating_sub(10).max(0) as u128);
                }
            }
        }
    }

    #[test]
    fn a_reserve_stays_on_the_clock() {
        let left_after = |remaining, moves| remaining as u128 - limits(remaining, 10, moves).1;
        for moves in [None, Some(1), Some(2), Some(40)] {
            assert!(left_after(400, moves) >= 110);
            assert!(left_after(60, moves) >= 35);
        }
    }

    #[test]
    fn an_unearned_increment_is_not_spent() {
        assert_eq!(limits(1, 1000, None), (0, 0));
    }

    #[test]
    fn more_time_is_thought_longer() {
        assert!(limits(60_000, 0, None).0 > limits(30_000, 0, None).0);
        assert!(limits(30_000, 500, None).0 > limits(30_000, 0, None).0);
        assert!(limits(30_000, 0, Some(5)).0 > limits(30_000, 0, Some(40)).0);
    }

    #[test]
    fn pondering_time_runs_from_the_ponder_hit() {
        let control = Control::new();
        let clock = Some(Clock {
            remaining: 11,
            increment: 0,
            moves_to_go: None,
        });
        let limits = Limits {
            clock,
            ponder: true,
            ..Limits::default()
        };
        let budget = TimeBudget::new(&limits, Duration::from_millis(10), Instant::now());
        std::thread::sleep(Duration::from_millis(5));
        assert!(!budget.is_over(&control) && !budget.is_enough(&control, 1.0));
        control.ponder_hit();
        std::thread::sleep(Duration::from_millis(5));
        assert!(budget.is_over(&control) && budget.is_enough(&control, 1.0));
    }

    #[test]
    fn the_limits_of_a_clock() {
        // Overhead 10, reserve 100; a share of 24, of which 70 and 350 percent, but no more than 75 percent of the clock.
        assert_eq!(limits(24_110, 0, None), (700, 3500));
        // 75 percent of the increment come on top.
        assert_eq!(limits(24_110, 400, None), (910, 4550));
        assert_eq!(limits(2510, 1000, None), (595, 1800));
        // Ten moves to go, and 60 percent at most; one move to go, and all of it.
        assert_eq!(limits(10_110, 0, Some(10)), (700, 3500));
        assert_eq!(limits(10_110, 0, Some(2)), (3500, 6000));
        assert_eq!(limits(10_110, 0, Some(1)), (7000, 10_000));
        // With very little left, half of it is the reserve.
        assert_eq!(limits(110, 0, Some(1)), (35, 50));
    }

    #[test]
    fn a_fixed_time_is_used_up_to_a_fiftieth() {
        let hard = |move_time: u64, overhead: u64| {
            let limits = Limits::move_time(move_time);
            let overhead = Duration::from_millis(overhead);
            let budget = TimeBudget::new(&limits, overhead, Instant::now());
            assert!(budget.is_limited() && budget.soft.is_none());
            budget.hard.map(|hard| hard.as_micros())
        };
        assert_eq!(hard(1000, 10), Some(998_000));
        assert_eq!(hard(1000, 1), Some(999_000));
        assert_eq!(hard(50, 10), Some(49_000));
        let free = TimeBudget::new(&Limits::depth(3), Duration::ZERO, Instant::now());
        assert!(!free.is_limited());
    }

    #[test]
    fn the_shorter_of_clock_and_move_time_counts() {
        let clock = Some(Clock {
            remaining: 24_110,
            increment: 0,
            moves_to_go: None,
        });
        let hard = |move_time: u64| {
            let limits = Limits {
                clock,
                ..Limits::move_time(move_time)
            };
            let overhead = Duration::from_millis(10);
            TimeBudget::new(&limits, overhead, Instant::now()).hard
        };
        assert_eq!(hard(1000), Some(Duration::from_millis(998)));
        assert_eq!(hard(9000), Some(Duration::from_millis(3500)));
    }

    #[test]
    fn a_budget_ends_at_its_limits() {
        // A search that began a minute ago; nothing here takes a minute more.
        let start = Instant::now().checked_sub(Duration::from_secs(60));
        let start = start.expect("a clock older than a minute");
        let control = Control::new();
        let budget = |soft: u64, hard: u64, pondering: bool| TimeBudget {
            start,
            soft: Some(Duration::from_secs(soft)),
            hard: Some(Duration::from_secs(hard)),
            pondering,
        };
        assert!(budget(30, 50, false).is_over(&control));
        assert!(!budget(30, 180, false).is_over(&control));
        assert!(budget(30, 180, false).is_enough(&control, 1.0));
        assert!(!budget(30, 1800, false).is_enough(&control, 10.0));
        assert!(budget(30, 50, false).is_enough(&control, 10.0));
        assert!(!budget(130, 180, false).is_enough(&control, 1.0));
        assert!(budget(30, 180, true).would_be_enough(1.0));
        assert!(!budget(30, 180, true).is_enough(&control, 1.0));
        assert!(!budget(30, 180, true).is_running(&control));
        assert!(budget(30, 180, false).is_running(&control));
        assert!(budget(30, 50, false).elapsed() >= Duration::from_secs(60));
        control.ponder_hit();
        assert!(budget(30, 180, true).is_running(&control));
    }
}
