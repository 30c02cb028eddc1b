//! Positions as the tuner needs them: how often each weight counts in each, in long flat arrays.

use std::io;
use std::path::Path;
use std::thread;

use shakmaty::Position as _;

use super::read::{self, Report};
use super::sample::{GameResult, Sample};
use crate::chess::eval::{Coefficients, Weights, coefficients, psqt};
use crate::chess::position::Position;

/// Samples that are worked on together.
const CHUNK: usize = 16_384;

/// A weight's number in the flat list of [`Weights`], and how often it counts.
pub type Entry = (u16, i16);

/// A position.
#[derive(Clone, Debug)]
pub struct Row {
    /// The place of its first entry.
    first: u32,
    /// Entries that count for White less Black, then those of the danger to White's king, then to Black's.
    linear: u16,
    danger: [u16; 2],
    /// The phase of the game.
    pub phase: u8,
    /// How much the middlegame and the endgame count when White and when Black is ahead: see `blend::Scale`.
    pub scale: [[u8; 2]; 2],
    /// How the game ended.
    pub result: GameResult,
    /// What a search said, in centipawns from White's view.
    pub score: Option<i16>,
    /// The number of its game, from 0.
    pub game: u32,
}

/// The entries of a position.
#[derive(Copy, Clone, Debug)]
pub struct Entries<'a> {
    /// White's counts less Black's.
    pub linear: &'a [Entry],
    /// Counts in the danger to White's and to Black's king.
    pub danger: [&'a [Entry]; 2],
}

/// Many positions.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    entries: Vec<Entry>,
    /// The positions, game by game.
    pub rows: Vec<Row>,
    /// Number of games.
    pub games: u32,
    /// Positions left out because no weight decides them: in check, or known endings.
    pub left_out: u64,
}

impl Dataset {
    /// The entries of a position of this set.
    #[inline]
    pub fn entries(&self, row: &Row) -> Entries<'_> {
        let [white, black] = row.danger.map(usize::from);
        let first = row.first as usize;
        let (linear, rest) = self.entries[first..].split_at(row.linear.into());
        Entries {
            linear,
            danger: [&rest[..white], &rest[white..white + black]],
        }
    }

    /// Memory used, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.entries[..]) + size_of_val(&self.rows[..])
    }

    fn push(&mut self, found: &Coefficients, sample: &Sample) {
        let [white, black] = &found.danger;
        self.rows.push(Row {
            // `add` makes sure that it fits.
            first: self.entries.len() as u32,
            linear: found.linear.len() as u16,
            danger: [white.len() as u16, black.len() as u16],
            phase: found.phase as u8,
            scale: found
                .scale
                .map(|scale| [scale.middlegame as u8, scale.endgame as u8]),
            result: sample.result,
            score: sample.score,
            game: self.games.saturating_sub(1),
        });
        self.entries.extend(&found.linear);
        self.entries.extend(white);
        self.entries.extend(black);
    }

    /// Adds positions in their order, found out by `threads` threads.
    ///
    /// # Errors
    ///
    /// When there are too many.
    pub fn add(&mut self, samples: &[Sample], threads: usize) -> io::Result<()> {
        let share = samples.len().div_ceil(threads.max(1)).max(1);
        let found: Vec<Option<Coefficients>> = thread::scope(|scope| {
            let parts = samples.chunks(share);
            let workers: Vec<_> = parts.map(|part| scope.spawn(|| find_all(part))).collect();
            let parts = workers.into_iter().map(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            parts.flatten().collect()
        });
        for (sample, found) in samples.iter().zip(&found) {
            self.games += u32::from(sample.starts_game || self.games == 0);
            match found {
                Some(found) => self.push(found, sample),
                None => self.left_out += 1,
            }
        }
        if u32::try_from(self.entries.len()).is_err() {
            return Err(io::Error::other("too many positions for one run"));
        }
        Ok(())
    }

    /// Adds the positions of a file. `tell` hears how many the set has.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or has too many positions.
    pub fn add_file(
        &mut self,
        path: &Path,
        threads: usize,
        tell: &mut dyn FnMut(usize),
    ) -> io::Result<Report> {
        let mut waiting = Vec::with_capacity(CHUNK);
        let report = read::read(path, &mut |sample| {
            waiting.push(sample);
            if waiting.len() == CHUNK {
                self.add(&waiting, threads)?;
                waiting.clear();
                tell(self.rows.len());
            }
            Ok(())
        })?;
        self.add(&waiting, threads)?;
        tell(self.rows.len());
        Ok(report)
    }
}

/// The coefficients of each sample; `None` for one that is left out.
fn find_all(samples: &[Sample]) -> Vec<Option<Coefficients>> {
    let table = psqt::table(&Weights::ZERO);
    let find = |sample: &Sample| {
        if sample.chess.is_check() {
            return None;
        }
        let position = Position::new(sample.chess.clone(), &table);
        Some(coefficients(&position)).filter(|found| !found.known)
    };
    samples.iter().map(find).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::chess::eval::Evaluator;
    use crate::chess::movegen::legal_moves;
    use crate::tune::random::Random;

    /// Positions of games of random moves, all drawn.
    pub fn random_samples(games: u64, plies: usize) -> Vec<Sample> {
        let evaluator = Evaluator::new();
        let mut samples = Vec::new();
        for game in 0..games {
            let mut random = Random::new(game, 0);
            let mut position = Position::initial(evaluator.table());
            for ply in 0..plies {
                let moves = legal_moves(&position);
                let Some(&m) = moves.get(random.below(moves.len())) else {
                    break;
                };
                position = position.child(m, evaluator.table());
                samples.push(Sample {
                    chess: position.chess().clone(),
                    score: None,
                    result: GameResult::Draw,
                    starts_game: ply == 0,
                    ends_game: false,
                });
            }
        }
        samples
    }

    #[test]
    fn rows_have_the_coefficients_of_their_positions() {
        let samples = random_samples(5, 90);
        let mut set = Dataset::default();
        set.add(&samples, 3).expect("not too many");
        assert_eq!(set.games, 5);
        assert_eq!(set.rows.len() + set.left_out as usize, samples.len());
        assert!(set.rows.is_sorted_by_key(|row| row.game));
        let quiet = samples.iter().filter(|sample| !sample.chess.is_check());
        let evaluator = Evaluator::new();
        for (row, sample) in set.rows.iter().zip(quiet) {
            let position = Position::new(sample.chess.clone(), evaluator.table());
            let found = coefficients(&position);
            let entries = set.entries(row);
            assert_eq!(entries.linear, found.linear);
            assert_eq!(entries.danger, [&found.danger[0][..], &found.danger[1]]);
            assert_eq!(i32::from(row.phase), found.phase);
        }
    }
}
