//! Syzygy endgame tables (<https://www.chessprogramming.org/Syzygy_Bases>), read by shakmaty-syzygy.
//!
//! The floor is below the search, which asks the tables inside the tree.

use std::cmp::Reverse;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use shakmaty::{Chess, Move, Position as _};
use shakmaty_syzygy::{AmbiguousWdl, Dtz, SyzygyError, Tablebase, Wdl};

use crate::chess::movegen;
use crate::chess::position::Position;
use crate::score::Score;

/// The first bytes of a win/draw/loss table.
const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
/// The first bytes of a distance-to-zeroing table.
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];

/// What the tables say of a position, for the side to move, under the fifty-move rule.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// It wins.
    Win,
    /// Neither side can win.
    Draw,
    /// It loses.
    Loss,
}

impl Verdict {
    /// The verdict as a score from the side to move, for a position that stands at `ply`.
    pub fn score(self, ply: usize) -> Score {
        match self {
            Verdict::Win => Score::tablebase_win_in(ply),
            Verdict::Draw => Score::DRAW,
            Verdict::Loss => -Score::tablebase_win_in(ply),
        }
    }
}

/// The tables found in some folders. They are opened when first needed.
#[derive(Debug)]
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: usize,
    most_pieces: usize,
    /// The first table that turned out to be damaged when it was asked.
    damage: OnceLock<String>,
}

impl Default for Tablebases {
    fn default() -> Tablebases {
        Tablebases {
            tables: Tablebase::new(),
            files: 0,
            most_pieces: 0,
            damage: OnceLock::new(),
        }
    }
}

impl Tablebases {
    /// The tables in `path`: folders separated by `;`, and by `:` where that is no part of a path. Also returns, in
    /// words for the user, what could not be read.
    pub fn load(path: &str) -> (Tablebases, Vec<String>) {
        let mut found = Tablebases::default();
        let mut problems = Vec::new();
        for folder in folders(path) {
            match tables_in(folder) {
                Ok(files) => files.iter().for_each(|file| found.add(file, &mut problems)),
                Err(error) => problems.push(format!("cannot read tables in {folder}: {error}")),
            }
        }
        found.most_pieces = found.tables.max_pieces();
        if found.files == 0 && !path.is_empty() {
            problems.push(format!("no endgame tables in {path}"));
        }
        (found, problems)
    }

    fn add(&mut self, file: &Path, problems: &mut Vec<String>) {
        let added = check_magic(file).and_then(|()| {
            self.tables
                .add_file(file)
                .map_err(|error| error.to_string())
        });
        match added {
            Ok(()) => self.files += 1,
            Err(error) => problems.push(format!("damaged table {}: {error}", file.display())),
        }
    }

    /// Number of table files.
    pub fn files(&self) -> usize {
        self.files
    }

    /// Most pieces, kings included, that any table covers; 0 without tables.
    pub fn most_pieces(&self) -> usize {
        self.most_pieces
    }

    /// Whether `position` has few enough pieces, and no castling rights, which tables know nothing of.
    #[inline]
    fn covers(&self, position: &Position) -> bool {
        self.most_pieces > 0
            && position.board().occupied().count() <= self.most_pieces
            && position.chess().castles().is_empty()
    }

    /// The verdict on `position` right after a capture or pawn move; `None` when no table covers it, and for a mate,
    /// which is more than a won ending.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Verdict> {
        if position.halfmoves() != 0 || !self.covers(position) {
            return None;
        }
        if position.in_check() && !movegen::has_legal_move(position) {
            return None;
        }
        let wdl = self.heard(self.tables.probe_wdl_after_zeroing(position.chess()))?;
        Some(match wdl {
            Wdl::Win => Verdict::Win,
            Wdl::Loss => Verdict::Loss,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Verdict::Draw,
        })
    }

    /// What is wrong with a table, in words for the user, once a search has found out.
    pub fn damage(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }

    /// The answer of a table. That there is none for a position is no news; that one cannot be read is.
    fn heard<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        if let Err(error @ SyzygyError::ProbeFailed { .. }) = &answer {
            let _ = self.damage.set(format!("damaged endgame table: {error}"));
        }
        answer.ok()
    }

    /// The moves of `position` in groups of equal value, the best first. The first group keeps the result; of winning
    /// moves it has those that make progress fastest, so that the win is not only kept but brought home. A move for
    /// which `is_drawn` holds draws by the game's history, of which tables know nothing. `None` when the tables do not
    /// cover all moves.
    pub fn ranked_moves(
        &self,
        position: &Position,
        is_drawn: impl Fn(Move) -> bool,
    ) -> Option<Vec<Group>> {
        if !self.covers(position) {
            return None;
        }
        let ranked: Option<Vec<(Rank, Move)>> = movegen::legal_moves(position)
            .into_iter()
            .map(|m| Some((self.rank(position, m, is_drawn(m))?, m)))
            .collect();
        let mut ranked = ranked?;
        ranked.sort_by_key(|&(rank, _)| Reverse(rank));
        let groups = ranked.chunk_by(|(rank, _), (next, _)| rank == next);
        Some(groups.filter_map(Group::of).collect())
    }

    fn rank(&self, position: &Position, m: Move, is_drawn: bool) -> Option<Rank> {
        if is_drawn {
            return Some(Rank {
                outcome: AmbiguousWdl::Draw,
                progress: 0,
            });
        }
        let mut child = position.chess().clone();
        child.play_unchecked(m);
        if child.is_checkmate() {
            return Some(Rank {
                outcome: AmbiguousWdl::Win,
                progress: 0,
            });
        }
        let outcome = -self.heard(self.tables.probe_wdl(&child))?;
        let Dtz(distance) = self.heard(self.tables.probe_dtz(&child))?.ignore_rounding();
        // A winner hurries, and a capture or pawn move is progress at once. A loser plays for time.
        let progress = match outcome.signum() {
            0 => 0,
            1 if m.is_zeroing() => -1,
            1 => -(distance.abs() + 1),
            _ => distance.abs(),
        };
        Some(Rank { outcome, progress })
    }
}

/// What a root move is worth: the outcome, then how well it goes towards it.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
struct Rank {
    outcome: AmbiguousWdl,
    progress: i32,
}

/// Moves of equal value.
#[derive(Clone, Debug)]
pub struct Group {
    /// The moves.
    pub moves: Vec<Move>,
    /// What they lead to; `None` when the fifty-move rule may come between.
    pub verdict: Option<Verdict>,
}

impl Group {
    fn of(ranked: &[(Rank, Move)]) -> Option<Group> {
        let (rank, _) = ranked.first()?;
        let verdict = match rank.outcome {
            AmbiguousWdl::Win => Some(Verdict::Win),
            AmbiguousWdl::CursedWin | AmbiguousWdl::Draw | AmbiguousWdl::BlessedLoss => {
                Some(Verdict::Draw)
            }
            AmbiguousWdl::Loss => Some(Verdict::Loss),
            AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => None,
        };
        let moves = ranked.iter().map(|&(_, m)| m).collect();
        Some(Group { moves, verdict })
    }
}

fn folders(path: &str) -> impl Iterator<Item = &str> {
    let separators: &[char] = if cfg!(windows) { &[';'] } else { &[';', ':'] };
    path.split(separators)
        .map(str::trim)
        .filter(|folder| !folder.is_empty())
}

/// The table files in a folder, or the file itself.
fn tables_in(folder: &str) -> std::io::Result<Vec<PathBuf>> {
    let path = Path::new(folder);
    if path.is_file() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        if file
            .extension()
            .is_some_and(|extension| extension == "rtbw" || extension == "rtbz")
        {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Tables are opened late, so that a damaged one would be noticed late: look at its first bytes now.
fn check_magic(file: &Path) -> Result<(), String> {
    let mut magic = [0; 4];
    let read = fs::File::open(file).and_then(|mut file| file.read_exact(&mut magic));
    read.map_err(|error| error.to_string())?;
    let wdl = file
        .extension()
        .is_some_and(|extension| extension == "rtbw");
    let wanted = if wdl { WDL_MAGIC } else { DTZ_MAGIC };
    if magic == wanted {
        Ok(())
    } else {
        Err("it does not begin as a table does".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_covered_without_tables() {
        let (tables, problems) = Tablebases::load("");
        assert_eq!((tables.files(), tables.most_pieces()), (0, 0));
        assert!(problems.is_empty());
        let evaluator = crate::chess::eval::Evaluator::new();
        let position = Position::initial(evaluator.table());
        assert_eq!(tables.probe(&position), None);
        assert!(tables.ranked_moves(&position, |_| false).is_none());
    }

    #[test]
    fn every_part_of_a_path_that_cannot_be_read_is_named() {
        let (tables, problems) = Tablebases::load("/nowhere/a b;/nowhere/c");
        assert_eq!(tables.files(), 0);
        assert_eq!(problems.len(), 3);
        assert!(problems[0].contains("/nowhere/a b") && problems[1].contains("/nowhere/c"));
    }
}
