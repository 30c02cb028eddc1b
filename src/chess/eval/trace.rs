//! The evaluation explained to a person: each term for both sides.

use std::fmt;

use super::blend::{self, FULL_SCALE, Scale, penalty};
use super::endings::Known;
use super::evaluator::Evaluator;
use super::layout::{Group, Part, Weights};
use super::percent::Percent;
use super::phase::{phase, sign};
use super::terms;
use super::tracer::Counts;
use super::worth::{self, Worth};
use crate::chess::position::Position;
use crate::score::{MAX_PHASE, Score, Tapered};

/// The parts of an evaluation. Its `Display` is the table that `eval` prints, without a final line end.
#[derive(Clone, Debug)]
pub struct Trace {
    worths: Vec<Worth>,
    rows: Vec<Row>,
    phase: i32,
    /// The endgame scale, when knowledge of endgames counts.
    scale: Option<Scale>,
    known: Option<Known>,
    score: Score,
    /// The score from White's view, in centipawns.
    white: i32,
}

/// A term for both sides.
#[derive(Clone, Debug, Default)]
struct Row {
    name: &'static str,
    white: Tapered,
    black: Tapered,
    /// What it adds to the score, in centipawns from White's view: scaled, tapered, and rounded so that all rows add up.
    adds: i32,
}

/// A row of the table: its name, the groups of weights it shows, and the part they belong to.
struct Term {
    name: &'static str,
    part: Part,
    groups: &'static [&'static str],
}

const fn term(name: &'static str, part: Part, groups: &'static [&'static str]) -> Term {
    Term { name, part, groups }
}

/// The table without the row of danger, whose groups are not summed as they are.
const TERMS: &[Term] = &[
    term("Material", Part::Material, &["material"]),
    term(
        "Imbalance",
        Part::Material,
        &[
            "bishop_pair",
            "knight_pawns",
            "bishop_pawns",
            "rook_pawns",
            "queen_pawns",
            "pawn_count",
            "pairs",
            "against",
        ],
    ),
    term(
        "Position",
        Part::Position,
        &["square", "own_king", "enemy_king"],
    ),
    term("Tempo", Part::Position, &["tempo"]),
    term(
        "Mobility",
        Part::Mobility,
        &[
            "knight_mobility",
            "bishop_mobility",
            "rook_mobility",
            "queen_mobility",
        ],
    ),
    term(
        "Rooks",
        Part::Mobility,
        &["rook_open_file", "rook_half_open_file", "rook_seventh"],
    ),
    term(
        "Minor pieces",
        Part::Mobility,
        &[
            "bishop_own_pawns",
            "bishop_outpost",
            "knight_outpost",
            "knight_near_outpost",
            "minor_behind_pawn",
            "bishop_long_diagonal",
            "bishop_enemy_pawns",
        ],
    ),
    term(
        "Threats",
        Part::Mobility,
        &[
            "threat_by_pawn",
            "threat_by_minor",
            "threat_by_rook",
            "threat_by_king",
            "hanging",
            "push_threat",
            "knight_on_queen",
            "slider_on_queen",
            "restricted",
        ],
    ),
    term("Space", Part::Mobility, &["space"]),
    term(
        "Pawns",
        Part::PawnStructure,
        &[
            "pawn_isolated",
            "pawn_doubled",
            "pawn_backward",
            "pawn_weak_open",
            "pawn_phalanx",
            "pawn_defended",
            "pawn_lever",
            "pawn_candidate",
        ],
    ),
    term(
        "Passed pawns",
        Part::PawnStructure,
        &[
            "passed",
            "passed_connected",
            "passed_own_king",
            "passed_enemy_king",
            "passed_blocked",
            "passed_free",
            "passed_safe",
            "passed_supported",
            "passed_own_rook",
            "passed_enemy_rook",
            "passed_unstoppable",
        ],
    ),
    term(
        "King shelter",
        Part::KingSafety,
        &["shelter", "storm", "storm_blocked", "pawnless_flank"],
    ),
];

const DANGER: &str = "King danger";
const KNOWN: &str = "Known ending";

impl Evaluator {
    /// The static value with its parts, for a person.
    pub fn trace(&self, position: &Position) -> Trace {
        let mut counts = Counts::default();
        let sums = terms::walk_all(position, &self.weights, &mut counts);
        let total = sums.total();
        let score = self.evaluate(position);
        let scale = self.scale(position.board(), total);
        let phase = phase(position.board());
        let mut rows = rows(self, &counts, sums.danger);
        let added = taper_rows(&mut rows, phase, scale);
        let white = score.raw() * sign(position.turn());
        let known = self.known(position);
        if known.is_some() {
            // What is known takes the place of the sum.
            rows.push(Row {
                name: KNOWN,
                adds: white - added,
                ..Row::default()
            });
        }
        Trace {
            worths: worth::worths(self, position),
            rows,
            phase,
            scale: (self.percent.endgame > 0).then_some(scale),
            known,
            score,
            white,
        }
    }
}

/// The rows of the parts that have a weight.
fn rows(evaluator: &Evaluator, counts: &Counts, danger: [Tapered; 2]) -> Vec<Row> {
    let flat = evaluator.weights.to_flat();
    let percent: &Percent = &evaluator.percent;
    let shown = TERMS.iter().filter(|term| percent.of(term.part) > 0);
    let mut rows: Vec<Row> = shown.map(|term| row(term, &flat, counts)).collect();
    if percent.king_safety > 0 {
        rows.push(Row {
            name: DANGER,
            white: -penalty(danger[0]),
            black: -penalty(danger[1]),
            ..Row::default()
        });
    }
    rows
}

/// Gives each row its part of the score, and returns their sum. A row adds what the score of all rows up to it has more than
/// that of those before it, so that no centipawn is lost in rounding.
fn taper_rows(rows: &mut [Row], phase: i32, scale: Scale) -> i32 {
    let (mut sum, mut before) = (Tapered::default(), 0);
    for row in rows {
        sum += row.total();
        let now = blend::taper(sum, phase, scale);
        row.adds = now - before;
        before = now;
    }
    before
}

fn row(term: &Term, flat: &[Tapered], counts: &Counts) -> Row {
    let mut row = Row {
        name: term.name,
        ..Row::default()
    };
    let is_here = |group: &&Group| term.groups.contains(&group.name);
    for group in Weights::GROUPS.iter().filter(is_here) {
        let here = group.offset..group.offset + group.len();
        for (&weight, [white, black]) in flat[here.clone()].iter().zip(&counts.linear[here]) {
            row.white += weight * *white;
            row.black += weight * *black;
        }
    }
    row
}

impl Row {
    fn total(&self) -> Tapered {
        self.white - self.black
    }
}

impl Trace {
    /// The score in centipawns from the side to move: what the search sees.
    pub fn score(&self) -> Score {
        self.score
    }

    /// The score in centipawns from White's view.
    pub fn white_score(&self) -> Score {
        Score::from_centipawns(self.white)
    }

    /// The sum of it all, in one sentence.
    pub fn summary(&self) -> String {
        let white = self.white;
        format!(
            "Evaluation: {:+.2} pawns for White ({white} centipawns)",
            pawns(white)
        )
    }

    /// The names of all terms, as [`Evaluator::picture`] knows them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TERMS.iter().map(|term| term.name).chain([DANGER])
    }

    /// The total of the term called `name` (in capitals or not), from White's view.
    pub(super) fn term(&self, name: &str) -> Option<Tapered> {
        let row = self
            .rows
            .iter()
            .find(|row| row.name.eq_ignore_ascii_case(name));
        row.map(Row::total)
    }

    pub(super) fn worths(&self) -> &[Worth] {
        &self.worths
    }

    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RULE: &str =
            "-------------+-----------------+-----------------+-----------------+--------";
        writeln!(
            f,
            "Term         |      White      |      Black      |  White - Black  | Score"
        )?;
        writeln!(
            f,
            "             |    MG      EG   |    MG      EG   |    MG      EG   |"
        )?;
        writeln!(f, "{RULE}")?;
        let mut sum = Row {
            name: "Total",
            ..Row::default()
        };
        for row in &self.rows {
            write_row(f, row)?;
            sum.white += row.white;
            sum.black += row.black;
            sum.adds += row.adds;
        }
        writeln!(f, "{RULE}")?;
        write_row(f, &sum)
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", worth::board(&self.worths))?;
        self.write_table(f)?;
        writeln!(
            f,
            "MG and EG are pawns in the middlegame and in the endgame; Score is what counts now."
        )?;
        let percent = |part: i32, whole: i32| (100 * part + whole / 2) / whole;
        let middlegame = percent(self.phase, MAX_PHASE);
        writeln!(
            f,
            "Phase {} of {MAX_PHASE}: middlegame {middlegame} %, endgame {} %",
            self.phase,
            100 - middlegame
        )?;
        if let Some(scale) = self.scale {
            writeln!(
                f,
                "Chances to win: {} % of the middlegame value and {} % of the endgame value count",
                percent(scale.middlegame, FULL_SCALE),
                percent(scale.endgame, FULL_SCALE)
            )?;
        }
        if let Some(known) = self.known {
            writeln!(
                f,
                "Known ending: {}, {:+.2} pawns for White",
                known.name,
                pawns(known.value)
            )?;
        }
        f.write_str(&self.summary())
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
    let cell = |value: Tapered| {
        format!(
            "{:>7.2} {:>7.2} ",
            pawns(value.middlegame()),
            pawns(value.endgame())
        )
    };
    writeln!(
        f,
        "{:<12} | {}| {}| {}| {:>6.2}",
        row.name,
        cell(row.white),
        cell(row.black),
        cell(row.total()),
        pawns(row.adds)
    )
}

fn pawns(centipawns: i32) -> f64 {
    f64::from(centipawns) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_is_in_one_row() {
        for group in Weights::GROUPS {
            let rows: Vec<&Term> = TERMS
                .iter()
                .filter(|term| term.groups.contains(&group.name))
                .collect();
            assert_eq!(
                rows.len(),
                usize::from(!group.is_danger()),
                "{}",
                group.name
            );
            assert!(
                rows.iter().all(|term| term.part == group.part),
                "{}",
                group.name
            );
        }
        let named = TERMS.iter().flat_map(|term| term.groups);
        assert_eq!(
            named.count(),
            Weights::GROUPS
                .iter()
                .filter(|group| !group.is_danger())
                .count()
        );
    }
}
