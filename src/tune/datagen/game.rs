//! One game of the engine against itself, and the positions kept of it.

use std::time::Instant;

use shakmaty::{Chess, Color, Move, Position as _};

use super::super::random::Random;
use super::super::sample::{GameResult, Sample};
use crate::chess::keys::KeyPath;
use crate::chess::movegen::legal_moves;
use crate::chess::position::{Position, initial_chess};
use crate::score::Score;
use crate::search::{Control, Job, Limits, Search, Settings};

/// A game that is longer is a draw, in plies. The fifty-move rule ends nearly all before.
const LONGEST_GAME: usize = 1000;
/// Openings, and games, tried before the rules are given up as impossible.
const MOST_TRIES: usize = 1000;
/// For how many plies the score must say the same before a game is adjudicated.
const ADJUDICATION_PLIES: usize = 8;
/// A game is not called a draw before this ply.
const FIRST_DRAW_PLY: usize = 80;

/// How games are played and what is kept.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Nodes for each move.
    pub nodes: u64,
    /// Random plies before the game begins; every other game has one more, so that both sides begin.
    pub random_plies: usize,
    /// An opening with a score beyond this is dropped, in centipawns.
    pub opening_limit: i32,
    /// A position with a score beyond this is not kept, in centipawns.
    pub score_limit: i32,
    /// At most this many positions of a game are kept.
    pub samples: usize,
    /// Nodes for the score of a position that is kept; 0 leaves it the score of its move.
    pub score_nodes: u64,
    /// A position is not kept when captures change its static value by more than this, in centipawns.
    pub quiet_limit: i32,
    /// Ends a game as soon as both sides have agreed for some moves.
    pub adjudication: Option<Adjudication>,
}

/// When a game ends before its end.
#[derive(Copy, Clone, Debug)]
pub struct Adjudication {
    /// A score beyond this wins, in centipawns.
    pub win: i32,
    /// A score within this draws, in centipawns.
    pub draw: i32,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            nodes: 5000,
            random_plies: 8,
            opening_limit: 300,
            score_limit: 1500,
            samples: 20,
            score_nodes: 10_000,
            quiet_limit: 60,
            adjudication: None,
        }
    }
}

/// Why no game came of it.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct ImpossibleRules;

impl std::fmt::Display for ImpossibleRules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no game keeps to these rules: all were dropped")
    }
}

impl std::error::Error for ImpossibleRules {}

/// Plays game number `number` and returns the positions kept of it, at least one, in the order of the game.
///
/// The same search settings, book, rules, seed and number give the same game on every machine. Openings that are not
/// balanced are dropped, and so is a game without a position worth keeping.
///
/// # Errors
///
/// [`ImpossibleRules`] when that is all there is.
pub fn play(
    search: &mut Search,
    book: &[Chess],
    rules: &Rules,
    seed: u64,
    number: u64,
) -> Result<Vec<Sample>, ImpossibleRules> {
    let mut random = Random::new(seed, number);
    for _ in 0..MOST_TRIES {
        let start = random_opening(book, rules, &mut random);
        search.new_game();
        let mut game = Game::new(search, rules, start);
        let Some(result) = game.play_out() else {
            continue;
        };
        let candidates = std::mem::take(&mut game.candidates);
        let kept = game.score_anew(choose(candidates, rules.samples, &mut random));
        if !kept.is_empty() {
            return Ok(finish(kept, result));
        }
    }
    Err(ImpossibleRules)
}

/// A position after random moves, with at least one legal move. The book's, should random moves always end the game.
fn random_opening(book: &[Chess], rules: &Rules, random: &mut Random) -> Chess {
    let mut start = initial_chess();
    for _ in 0..MOST_TRIES {
        if !book.is_empty() {
            start = book[random.below(book.len())].clone();
        }
        let plies = rules.random_plies + random.below(2);
        if let Some(opening) = random_moves(&start, plies, random) {
            return opening;
        }
    }
    start
}

fn random_moves(start: &Chess, plies: usize, random: &mut Random) -> Option<Chess> {
    let mut chess = start.clone();
    for _ in 0..plies {
        let moves = chess.legal_moves();
        chess.play_unchecked(*moves.get(random.below(moves.len()))?);
    }
    (!chess.is_game_over()).then_some(chess)
}

/// A game that is being played.
struct Game<'a> {
    search: &'a mut Search,
    rules: &'a Rules,
    position: Position,
    path: KeyPath,
    /// Positions worth keeping, with their scores.
    candidates: Vec<(Chess, i16)>,
    /// White's scores so far.
    scores: Vec<i32>,
}

impl<'a> Game<'a> {
    fn new(search: &'a mut Search, rules: &'a Rules, start: Chess) -> Game<'a> {
        let position = Position::new(start, search.evaluator().table());
        Game {
            search,
            rules,
            position,
            path: KeyPath::default(),
            candidates: Vec::new(),
            scores: Vec::new(),
        }
    }

    /// Plays until the game is over and returns the result; `None` when the opening is not balanced.
    fn play_out(&mut self) -> Option<GameResult> {
        loop {
            if let Some(result) = self.result() {
                return Some(result);
            }
            let (best, score) = self.think();
            let Some(best) = best else {
                return Some(GameResult::Draw);
            };
            if self.scores.is_empty() && score.raw().abs() > self.rules.opening_limit {
                return None;
            }
            let white = score.raw() * self.position.turn().fold_wb(1, -1);
            self.scores.push(white);
            self.consider(best, white);
            self.path.push(self.position.key());
            self.position = self.position.child(best, self.search.evaluator().table());
        }
    }

    /// The result when the game is over.
    fn result(&self) -> Option<GameResult> {
        if legal_moves(&self.position).is_empty() {
            let winner = GameResult::win_of(!self.position.turn());
            return Some(if self.position.in_check() {
                winner
            } else {
                GameResult::Draw
            });
        }
        if self.scores.len() >= LONGEST_GAME || self.path.is_draw(&self.position, 0) {
            return Some(GameResult::Draw);
        }
        adjudicate(&self.scores, self.rules.adjudication?)
    }

    fn think(&mut self) -> (Option<Move>, Score) {
        let job = job(&self.position, self.path.clone(), self.rules.nodes);
        let outcome = self.search.run(&job, &Control::new(), &mut |_| ());
        (outcome.best, outcome.score)
    }

    /// Notes a quiet position: a static evaluation can only learn from those. Mate is no evaluation either.
    fn consider(&mut self, best: Move, white: i32) {
        if self.is_quiet(&self.position.clone(), best) {
            self.candidates.extend(self.sample(&self.position, white));
        }
    }

    /// Whether nothing is about to change by force: neither the move that was found nor captures change the static value.
    fn is_quiet(&mut self, position: &Position, best: Move) -> bool {
        if position.in_check() || best.is_capture() || best.is_promotion() {
            return false;
        }
        let quiet = self
            .search
            .quiescence(&job(position, KeyPath::default(), 0));
        let own = self.search.evaluator().evaluate(position);
        (quiet - own).abs() <= self.rules.quiet_limit
    }

    /// The position with White's score, unless that is too far from level.
    fn sample(&self, position: &Position, white: i32) -> Option<(Chess, i16)> {
        let score = i16::try_from(white).ok()?;
        (white.abs() <= self.rules.score_limit).then(|| (position.chess().clone(), score))
    }

    /// Scores the positions that are kept with a longer search, which may find that one is not quiet.
    fn score_anew(&mut self, kept: Vec<(Chess, i16)>) -> Vec<(Chess, i16)> {
        if self.rules.score_nodes == 0 {
            return kept;
        }
        let scored = kept.into_iter().filter_map(|(chess, _)| {
            let position = Position::new(chess, self.search.evaluator().table());
            let job = job(&position, KeyPath::default(), self.rules.score_nodes);
            let outcome = self.search.run(&job, &Control::new(), &mut |_| ());
            let quiet = self.is_quiet(&position, outcome.best?);
            let white = outcome.score.raw() * position.turn().fold_wb(1, -1);
            quiet.then(|| self.sample(&position, white))?
        });
        scored.collect()
    }
}

/// A search of `position` with so many nodes; 0 for no limit.
fn job(position: &Position, path: KeyPath, nodes: u64) -> Job {
    let limits = match nodes {
        0 => Limits::default(),
        nodes => Limits::nodes(nodes),
    };
    Job {
        root: position.clone(),
        path,
        limits,
        settings: Settings::default(),
        start: Instant::now(),
    }
}

/// The result that both sides have agreed on for some moves.
fn adjudicate(scores: &[i32], limits: Adjudication) -> Option<GameResult> {
    let last = &scores[scores.len().checked_sub(ADJUDICATION_PLIES)?..];
    if last.iter().all(|&score| score > limits.win) {
        Some(GameResult::win_of(Color::White))
    } else if last.iter().all(|&score| score < -limits.win) {
        Some(GameResult::win_of(Color::Black))
    } else {
        let drawn =
            scores.len() >= FIRST_DRAW_PLY && last.iter().all(|score| score.abs() <= limits.draw);
        drawn.then_some(GameResult::Draw)
    }
}

/// At most `count` of the candidates, chosen at random, in their order.
fn choose(candidates: Vec<(Chess, i16)>, count: usize, random: &mut Random) -> Vec<(Chess, i16)> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    random.shuffle(&mut order);
    let mut chosen = vec![false; candidates.len()];
    for &index in order.iter().take(count) {
        chosen[index] = true;
    }
    let numbered = candidates.into_iter().zip(chosen);
    numbered
        .filter(|(_, chosen)| *chosen)
        .map(|(candidate, _)| candidate)
        .collect()
}

fn finish(kept: Vec<(Chess, i16)>, result: GameResult) -> Vec<Sample> {
    let last = kept.len() - 1;
    let numbered = kept.into_iter().enumerate();
    numbered
        .map(|(index, (chess, score))| Sample {
            chess,
            score: Some(score),
            result,
            starts_game: index == 0,
            ends_game: index == last,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::fen;

    fn rules() -> Rules {
        Rules {
            nodes: 300,
            samples: 4,
            score_nodes: 600,
            ..Rules::default()
        }
    }

    fn search() -> Search {
        Search::new(1, 1).expect("memory")
    }

    #[test]
    fn a_game_is_the_same_whatever_was_played_before() {
        let mut one = search();
        let first = play(&mut one, &[], &rules(), 7, 0).expect("a game");
        let second = play(&mut one, &[], &rules(), 7, 1).expect("a game");
        assert_ne!(first, second);
        assert_eq!(play(&mut search(), &[], &rules(), 7, 1), Ok(second));
        assert_ne!(play(&mut search(), &[], &rules(), 8, 0), Ok(first));
    }

    #[test]
    fn what_is_kept_is_quiet_few_and_marked() {
        let mut search = search();
        for number in 0..5 {
            let kept = play(&mut search, &[], &rules(), 1, number).expect("a game");
            assert!((1..=4).contains(&kept.len()));
            for (index, sample) in kept.iter().enumerate() {
                assert!(!sample.chess.is_check());
                assert!(sample.score.is_some_and(|score| score.abs() <= 1500));
                assert_eq!(sample.result, kept[0].result);
                assert_eq!(sample.starts_game, index == 0);
                assert_eq!(sample.ends_game, index + 1 == kept.len());
            }
            assert!(kept.is_sorted_by_key(|sample| sample.chess.fullmoves()));
        }
    }

    fn play_from(text: &str) -> Option<GameResult> {
        let rules = Rules {
            opening_limit: 32_000,
            nodes: 2000,
            ..rules()
        };
        let mut search = search();
        Game::new(&mut search, &rules, fen::parse(text).expect(text)).play_out()
    }

    #[test]
    fn games_end_as_the_rules_say() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        for (text, result) in [
            ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", WhiteWins),
            ("8/8/8/8/8/5kq1/8/7K b - - 98 90", BlackWins),
            ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", Draw),
            ("8/8/8/4k3/8/8/3BK3/8 w - - 0 1", Draw),
            ("4k3/8/4K3/4P3/8/8/8/r7 w - - 99 90", Draw),
        ] {
            assert_eq!(play_from(text), Some(result), "{text}");
        }
    }

    #[test]
    fn unbalanced_openings_are_dropped() {
        let book = [fen::parse("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1").expect("a position")];
        let rules = Rules {
            random_plies: 0,
            ..rules()
        };
        assert_eq!(
            play(&mut search(), &book, &rules, 1, 1),
            Err(ImpossibleRules)
        );
    }

    #[test]
    fn both_sides_must_agree_for_a_while() {
        let limits = Adjudication { win: 1000, draw: 5 };
        assert_eq!(adjudicate(&[1200; 7], limits), None);
        assert_eq!(adjudicate(&[1200; 8], limits), Some(GameResult::WhiteWins));
        assert_eq!(adjudicate(&[-1200; 8], limits), Some(GameResult::BlackWins));
        assert_eq!(adjudicate(&[0; 79], limits), None);
        assert_eq!(adjudicate(&[0; 80], limits), Some(GameResult::Draw));
    }
}
