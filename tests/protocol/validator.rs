//! What must hold for the output of every search, whatever the search was.

use std::collections::HashSet;
use std::str::SplitWhitespace;
use std::time::Duration;

use shakmaty::Position;

use crate::game::Game;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Centipawns(i64),
    Mate(i64),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    #[default]
    Exact,
    Lower,
    Upper,
}

/// One `info` line, except `info string`.
#[derive(Clone, Debug, Default)]
pub struct Info {
    pub line: String,
    pub depth: Option<u64>,
    pub multipv: Option<u64>,
    pub score: Option<Score>,
    pub bound: Bound,
    pub wdl: Option<[u64; 3]>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub time: Option<u64>,
    pub pv: Vec<String>,
}

impl Info {
    /// 1 for the best line, also when the engine leaves the word out.
    pub fn rank(&self) -> u64 {
        self.multipv.unwrap_or(1)
    }

    pub fn is_exact(&self) -> bool {
        self.score.is_some() && self.bound == Bound::Exact
    }

    pub fn mate(&self) -> Option<i64> {
        match self.score {
            Some(Score::Mate(moves)) if self.is_exact() => Some(moves),
            _ => None,
        }
    }

    /// Reads a line, and complains of what clients stumble over.
    pub fn parse(line: &str) -> Result<Info, String> {
        let mut info = Info {
            line: line.to_string(),
            ..Info::default()
        };
        let mut words = line.split_whitespace().peekable();
        let mut seen = HashSet::new();
        if words.next() != Some("info") {
            return Err("not an info line".to_string());
        }
        while let Some(word) = words.next() {
            if !seen.insert(word) {
                return Err(format!("the word {word} stands twice"));
            }
            match word {
                "depth" => info.depth = Some(integer(words.next())?),
                "multipv" => info.multipv = Some(integer(words.next())?),
                "nodes" => info.nodes = Some(integer(words.next())?),
                "nps" => info.nps = Some(integer(words.next())?),
                "time" => info.time = Some(integer(words.next())?),
                "hashfull" => {
                    if integer(words.next())? > 1000 {
                        return Err("hashfull above 1000".to_string());
                    }
                }
                "seldepth" | "tbhits" | "cpuload" | "currmovenumber" => {
                    integer(words.next())?;
                }
                "currmove" => {
                    words.next().ok_or("currmove without a move")?;
                }
                "wdl" => {
                    let mut part = || integer(words.next());
                    info.wdl = Some([part()?, part()?, part()?]);
                }
                "score" => {
                    info.score = Some(match words.next() {
                        Some("cp") => Score::Centipawns(signed(words.next())?),
                        Some("mate") => Score::Mate(signed(words.next())?),
                        other => return Err(format!("score {other:?}")),
                    });
                    info.bound = match words.peek() {
                        Some(&"lowerbound") => Bound::Lower,
                        Some(&"upperbound") => Bound::Upper,
                        _ => Bound::Exact,
                    };
                    if info.bound != Bound::Exact {
                        words.next();
                    }
                }
                "lowerbound" | "upperbound" => {
                    return Err(format!("{word} does not follow the value of the score"));
                }
                "pv" => {
                    if info.score.is_none() {
                        return Err("pv without a score before it".to_string());
                    }
                    info.pv = words.by_ref().map(str::to_string).collect();
                    if info.pv.is_empty() {
                        return Err("an empty pv".to_string());
                    }
                }
                "string" => words.by_ref().for_each(drop),
                other => return Err(format!("unknown word `{other}`")),
            }
        }
        Ok(info)
    }

    fn check(&self, game: &Game) -> Result<(), String> {
        if let Some(wdl) = self.wdl
            && wdl.iter().sum::<u64>() != 1000
        {
            return Err("wdl does not sum to 1000".to_string());
        }
        if self.multipv == Some(0) {
            return Err("multipv counts from 1".to_string());
        }
        let last = game.replay(&self.pv)?;
        if let Some(moves) = self.mate() {
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            if self.pv.len() as i64 != plies {
                return Err(format!(
                    "mate {moves} needs a pv of {plies} plies, not {}",
                    self.pv.len()
                ));
            }
            if !last.is_checkmate() {
                return Err("the pv of a mate does not end in mate".to_string());
            }
        }
        Ok(())
    }
}

/// A finished search: its info lines and its answer.
pub struct Search {
    pub infos: Vec<Info>,
    /// `None` stands for `(none)`.
    pub best: Option<String>,
    pub ponder: Option<String>,
    pub elapsed: Duration,
}

impl Search {
    /// Reads and checks the output of a search of the last position of `game`.
    pub fn check(
        game: &Game,
        lines: &[String],
        bestmove: &str,
        elapsed: Duration,
    ) -> Result<Search, String> {
        let mut infos = Vec::new();
        for line in lines.iter().filter(|line| !is_comment(line)) {
            let explain = |why: String| format!("{why}\nin the line: {line}");
            let info = Info::parse(line).map_err(explain)?;
            info.check(game).map_err(explain)?;
            infos.push(info);
        }
        let timed: Vec<&Info> = infos.iter().filter(|info| info.time.is_some()).collect();
        if let Some(pair) = timed.windows(2).find(|pair| pair[1].time < pair[0].time) {
            return Err(format!(
                "time runs backwards\nin the line: {}",
                pair[1].line
            ));
        }
        let (best, ponder) = read_bestmove(bestmove.split_whitespace())?;
        let search = Search {
            infos,
            best,
            ponder,
            elapsed,
        };
        search.check_answer(game)?;
        Ok(search)
    }

    fn check_answer(&self, game: &Game) -> Result<(), String> {
        let Some(best) = &self.best else {
            return if game.is_over() {
                Ok(())
            } else {
                Err("`bestmove (none)` though there are legal moves".to_string())
            };
        };
        game.legal(best)?;
        if let Some(ponder) = &self.ponder {
            game.replay(&[best.clone(), ponder.clone()])?;
        }
        if self.infos.iter().all(|info| info.pv.is_empty()) {
            return Ok(());
        }
        // A fail low may come last, and the move may have changed with it or not.
        let opened = |info: &&Info| info.pv[0] == *best;
        let Some(line) = self.last().filter(opened).or(self.newest().filter(opened)) else {
            return Err(format!("bestmove {best} does not open the last pv"));
        };
        match (&self.ponder, line.pv.get(1)) {
            (Some(ponder), Some(second)) if ponder != second => Err(format!(
                "ponder {ponder} is not the second move of the last pv: {}",
                line.line
            )),
            (Some(_), None) => Err(format!("no ponder move in the last pv: {}", line.line)),
            _ => Ok(()),
        }
    }

    fn newest(&self) -> Option<&Info> {
        let best_line = |info: &&Info| info.rank() == 1 && !info.pv.is_empty();
        self.infos.iter().rev().find(best_line)
    }

    /// The last line with a pv for the best move. A fail low says nothing about the move, so it does not count.
    pub fn last(&self) -> Option<&Info> {
        self.infos
            .iter()
            .rev()
            .find(|info| info.rank() == 1 && !info.pv.is_empty() && info.bound != Bound::Upper)
    }

    /// The same, for a search that had the time to report something.
    #[track_caller]
    pub fn result(&self) -> &Info {
        self.last().expect("a line with score and pv")
    }

    #[track_caller]
    pub fn best(&self) -> &str {
        self.best.as_deref().expect("a move, not (none)")
    }
}

pub fn is_comment(line: &str) -> bool {
    line == "info string" || line.starts_with("info string ")
}

fn read_bestmove(
    mut words: SplitWhitespace<'_>,
) -> Result<(Option<String>, Option<String>), String> {
    words.next();
    let best = match words.next() {
        None => return Err("bestmove without a move".to_string()),
        Some("(none)") => None,
        Some(word) => Some(word.to_string()),
    };
    let ponder = match words.next() {
        None => None,
        Some("ponder") if best.is_some() => {
            Some(words.next().ok_or("ponder without a move")?.to_string())
        }
        Some(other) => return Err(format!("`{other}` after bestmove")),
    };
    match words.next() {
        None => Ok((best, ponder)),
        Some(other) => Err(format!("`{other}` at the end of bestmove")),
    }
}

fn integer(word: Option<&str>) -> Result<u64, String> {
    let word = word.ok_or("a number is missing")?;
    word.parse()
        .map_err(|_| format!("`{word}` is not a whole number of at least 0"))
}

fn signed(word: Option<&str>) -> Result<i64, String> {
    let word = word.ok_or("a number is missing")?;
    word.parse()
        .map_err(|_| format!("`{word}` is not a whole number"))
}
