//! Signals to a running search: stop, and ponder hit.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The stop flag and the ponder state of one search, shared between its threads and the engine.
#[derive(Debug)]
pub struct Control {
    stopped: AtomicBool,
    created: Instant,
    /// Microseconds from `created` to the ponder hit, plus one; 0 before it.
    ponder_hit: AtomicU64,
}

impl Default for Control {
    fn default() -> Control {
        Control::new()
    }
}

impl Control {
    /// A control for a search that may run.
    pub fn new() -> Control {
        Control {
            stopped: AtomicBool::new(false),
            created: Instant::now(),
            ponder_hit: AtomicU64::new(0),
        }
    }

    /// Asks the search to end at once.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether [`Control::stop`] was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The opponent played the expected move: pondering becomes thinking, and the clock counts from now.
    pub fn ponder_hit(&self) {
        let micros = u64::try_from(self.created.elapsed().as_micros()).unwrap_or(u64::MAX - 1);
        // Only the first one counts.
        let _ =
            self.ponder_hit
                .compare_exchange(0, micros + 1, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// When the ponder hit came, if it came.
    pub fn ponder_hit_at(&self) -> Option<Instant> {
        match self.ponder_hit.load(Ordering::Relaxed) {
            0 => None,
            micros => Some(self.created + Duration::from_micros(micros - 1)),
        }
    }
}
