//! Games in PGN with evaluations in their comments, read with [pgn-reader](https://crates.io/crates/pgn-reader).
//!
//! Two forms are known. Match managers write the score of the mover before the move, in pawns, as `{+0.35/12 1.2s}`.
//! Web sites write White's score after the move as `{[%eval 0.35]}`. Positions are kept when they are quiet (not in
//! check, and the move played is neither capture nor promotion) and have a score that is no mate.

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Move, Outcome, Position as _};

use super::super::sample::{GameResult, Sample};
use super::report::{Report, Sink};
use crate::chess::fen;
use crate::chess::position::initial_chess;

/// Reads all games. One without a result, or with a move that is not legal, is a fault.
pub(super) fn read(reader: impl BufRead, sink: &mut Sink<'_>) -> io::Result<Report> {
    let mut games = Reader::new(reader);
    let mut report = Report::default();
    for number in 1_u64.. {
        match games.read_game(&mut Games)? {
            None => break,
            Some(Ok(samples)) => {
                for sample in samples {
                    report.positions += 1;
                    sink(sample)?;
                }
            }
            Some(Err(text)) => report.fault(|| format!("game {number}: {text}")),
        }
    }
    Ok(report)
}

struct Games;

/// What the headers say.
#[derive(Default)]
struct Headers {
    start: Option<Chess>,
    result: Option<GameResult>,
}

/// A game as far as it was read.
struct Game {
    result: Option<GameResult>,
    position: Chess,
    /// The position before the last move, and that move, until it is known what to do with it.
    last: Option<(Chess, Move)>,
    /// The score of a web site is about the position after the move: it belongs to the next one.
    next_score: Option<i16>,
    kept: Vec<(Chess, i16)>,
}

impl Game {
    /// Keeps the last position before a move, if it is quiet.
    fn keep(&mut self, score: i16) {
        if let Some((chess, m)) = self.last.take()
            && !chess.is_check()
            && !m.is_capture()
            && !m.is_promotion()
        {
            self.kept.push((chess, score));
        }
    }

    fn finish(self) -> Result<Vec<Sample>, String> {
        let result = self.result.ok_or("no result")?;
        let numbered = self.kept.into_iter().enumerate();
        let samples = numbered.map(|(index, (chess, score))| Sample {
            chess,
            score: Some(score),
            result,
            starts_game: index == 0,
            ends_game: false,
        });
        Ok(samples.collect())
    }
}

impl Visitor for Games {
    type Tags = Headers;
    type Movetext = Game;
    type Output = Result<Vec<Sample>, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Headers> {
        ControlFlow::Continue(Headers::default())
    }

    fn tag(
        &mut self,
        headers: &mut Headers,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let value = value.decode_utf8_lossy();
        match name {
            b"FEN" => match fen::parse(&value) {
                Ok(chess) => headers.start = Some(chess),
                Err(error) => return ControlFlow::Break(Err(error.to_string())),
            },
            b"Result" => headers.result = result_of(&value),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, headers: Headers) -> ControlFlow<Self::Output, Game> {
        ControlFlow::Continue(Game {
            result: headers.result,
            position: headers.start.unwrap_or_else(initial_chess),
            last: None,
            next_score: None,
            kept: Vec::new(),
        })
    }

    fn san(&mut self, game: &mut Game, san_plus: SanPlus) -> ControlFlow<Self::Output> {
        match san_plus.san.to_move(&game.position) {
            Ok(m) => {
                game.last = Some((game.position.clone(), m));
                if let Some(score) = game.next_score.take() {
                    game.keep(score);
                }
                game.position.play_unchecked(m);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(format!("{san_plus}: {error}"))),
        }
    }

    fn comment(&mut self, game: &mut Game, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        let text = String::from_utf8_lossy(comment.as_bytes());
        if let Some(score) = web_site_score(&text) {
            game.next_score = Some(score);
        } else if let Some(score) = match_manager_score(&text) {
            let white = (!game.position.turn()).fold_wb(score, -score);
            game.keep(white);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut Game, outcome: Outcome) -> ControlFlow<Self::Output> {
        game.result = result_of(&outcome.to_string()).or(game.result);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Self::Output {
        game.finish()
    }
}

fn result_of(text: &str) -> Option<GameResult> {
    match text {
        "1-0" => Some(GameResult::WhiteWins),
        "0-1" => Some(GameResult::BlackWins),
        "1/2-1/2" => Some(GameResult::Draw),
        _ => None,
    }
}

/// The score in `+0.35/12 1.2s`, in centipawns.
fn match_manager_score(text: &str) -> Option<i16> {
    centipawns(text.trim().split_once('/')?.0)
}

/// The score in `[%eval 0.35]` or `[%eval 0.35,20]`, in centipawns.
fn web_site_score(text: &str) -> Option<i16> {
    let rest = text.split_once("[%eval")?.1;
    let end = rest.find([',', ']'])?;
    centipawns(rest[..end].trim())
}

/// Pawns as text; mates are no numbers.
fn centipawns(pawns: &str) -> Option<i16> {
    let number: f64 = pawns
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())?;
    Some(((100.0 * number).round() as i16).max(-i16::MAX))
}

#[cfg(test)]
mod tests {
    use super::super::tests::contents;
    use super::*;

    fn summary(text: &str) -> Vec<(String, Option<i16>, f32)> {
        let (samples, _) = contents("pgn", text.as_bytes());
        let line = |sample: &Sample| {
            let board = fen::write(&sample.chess);
            let words: Vec<&str> = board.split(' ').collect();
            (
                format!("{} {}", words[1], words[5]),
                sample.score,
                sample.result.points(),
            )
        };
        samples.iter().map(line).collect()
    }

    #[test]
    fn a_match_managers_scores_are_the_movers() {
        let text = "\
[Event \"x\"]
[Result \"0-1\"]

1. e4 {+0.35/12 0.1s} e5 {book} 2. Nf3 {+0.20/9 0.1s} Nc6 {-0.15/10 0.1s, odd} 3. Bb5 {+M5/20 0.1s}
a6 {(ignored) -0.30/8} 4. Bxc6 {+0.10/7 1s} dxc6 {0.00/7 1s} 5. O-O {0.00/7 1s} 0-1
";
        let expected = [
            ("w 1", Some(35), 0.0),
            ("w 2", Some(20), 0.0),
            ("b 2", Some(15), 0.0),
            ("w 5", Some(0), 0.0),
        ];
        let expected = expected.map(|(place, score, points)| (place.to_string(), score, points));
        assert_eq!(summary(text), expected);
    }

    #[test]
    fn a_web_sites_scores_are_whites_and_come_after_the_move() {
        let text = "\
[Result \"1/2-1/2\"]

1. e4 { [%eval 0.17] [%clk 0:05:00] } 1... d5 { [%eval 0.8,20] } 2. exd5 { [%eval -0.3] }
2... Nf6 { [%eval #3] } 3. d4 { [%eval 0.2] } 1/2-1/2
";
        let expected = [("b 1", Some(17), 0.5), ("b 2", Some(-30), 0.5)];
        let expected = expected.map(|(place, score, points)| (place.to_string(), score, points));
        assert_eq!(summary(text), expected);
    }

    #[test]
    fn bad_games_are_passed_over() {
        let text = "\
[Result \"1-0\"]

1. e4 {+0.35/12 0.1s} e4 1-0

[Result \"*\"]

1. e4 {+0.35/12 0.1s} *

[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]
[Result \"1-0\"]

1. e4 {+1.35/12 0.1s} Ke7 {-1.20/11 0.1s} 1-0
";
        let (samples, report) = contents("bad-pgn", text.as_bytes());
        let scores: Vec<_> = samples.iter().map(|sample| sample.score).collect();
        assert_eq!(scores, [Some(135), Some(120)]);
        assert_eq!((report.positions, report.faults), (2, 2));
        assert!(samples[0].starts_game && !samples[1].starts_game);
    }
}
