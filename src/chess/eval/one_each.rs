//! Endings in which each side has a king and one piece or pawn.
//!
//! Most of them are drawn or won by a move or two, which few rules can see. But distances, and whose turn it is, give the
//! chance to win. The sums called `odds` are logistic regressions on the results, with perfect play, of 20,000 quiet random
//! positions of the ending, in hundredths of the logarithm of the odds.

use shakmaty::{Bitboard, Color, File, Role, Square, attacks};

use super::bits::{
    distance, edge_distance, path, promotion_square, relative_rank, with_knight_moves,
};
use super::ending::{DRAW, Ending, NEARLY_DRAWN, outside};
use super::kpk::Bitbase;

/// An ending that is as often won as drawn, in centipawns.
const EVEN_ODDS: i32 = 100;
/// Logarithmic odds of so many hundredths are worth one centipawn.
const ODDS_DIVISOR: i32 = 2;
/// No ending of this kind is worth more: the piece or the queen is still to be won.
const MOST: i32 = 400;

/// What the side that tries to win can hope for, by its piece and that of the other side; `None` when nothing is known but
/// what the pieces are worth.
pub(super) fn known(ending: &Ending<'_>, bitbase: &Bitbase) -> Option<(&'static str, i32)> {
    let (own, enemy) = (role(ending, ending.own)?, role(ending, ending.enemy)?);
    match (own, enemy) {
        (Role::Rook, Role::Knight) => Some(("rook against knight", rook_against_knight(ending))),
        (Role::Rook, Role::Bishop) => Some(("rook against bishop", rook_against_bishop(ending))),
        (Role::Queen, Role::Queen) => Some(("queen against queen", DRAW)),
        (Role::Rook, Role::Rook) => Some(("rook against rook", DRAW)),
        (Role::Pawn, Role::Pawn) => Some(("pawn against pawn", pawn_race(ending, bitbase))),
        (Role::Pawn, Role::Knight) => Some(("knight against pawn", pawn_against_knight(ending)?)),
        (Role::Pawn, Role::Bishop) => Some(("bishop against pawn", pawn_against_bishop(ending)?)),
        (Role::Rook, Role::Pawn) => {
            drawn_by(rook_against_pawn(ending)?).map(|value| ("rook against pawn", value))
        }
        (Role::Queen, Role::Pawn) => {
            queen_against_pawn(ending).map(|value| ("queen against pawn", value))
        }
        _ => None,
    }
}

/// The piece of a side that has one.
fn role(ending: &Ending<'_>, side: Bitboard) -> Option<Role> {
    let piece = (side & !ending.board.kings()).single_square()?;
    ending.board.role_at(piece)
}

/// Centipawns for the chance to win.
fn value(odds: i32) -> i32 {
    (EVEN_ODDS + odds / ODDS_DIVISOR).clamp(DRAW, MOST)
}

/// The value when a draw is more likely than a win. A win is counted by the worth of the pieces.
fn drawn_by(odds: i32) -> Option<i32> {
    (odds <= 0).then(|| value(odds))
}

/// A condition as a number.
fn if_so(condition: bool, odds: i32) -> i32 {
    if condition { odds } else { 0 }
}

/// A knight that is far from its king is lost (<https://www.chessprogramming.org/KRKN>).
fn rook_against_knight(ending: &Ending<'_>) -> i32 {
    let Some(knight) = ending.board.knights().first() else {
        return NEARLY_DRAWN;
    };
    let Ending {
        king, weak_king, ..
    } = *ending;
    let odds = 78 * distance(weak_king, knight) as i32
        - 57 * distance(king, knight) as i32
        - 61 * distance(king, weak_king) as i32
        + 38 * outside(knight)
        + 55 * outside(weak_king)
        + if_so(ending.turn == ending.strong, 239)
        - 478;
    value(odds).max(NEARLY_DRAWN)
}

/// Drawn as a rule; a king at the edge has to be careful.
fn rook_against_bishop(ending: &Ending<'_>) -> i32 {
    NEARLY_DRAWN + 3 * outside(ending.weak_king)
}

/// A pawn whose owner tries to win or to draw.
struct Runner {
    /// The square of promotion.
    goal: Square,
    /// Steps to it.
    steps: i32,
    /// All squares in front of it.
    way: Bitboard,
    pawn: Square,
}

/// The pawn of `color`, which has one.
fn runner(ending: &Ending<'_>, color: Color) -> Option<Runner> {
    let pawn = (ending.board.pawns() & ending.board.by_color(color)).single_square()?;
    Some(Runner {
        goal: promotion_square(pawn.file(), color),
        steps: 7 - relative_rank(pawn, color) as i32,
        way: path(pawn, color),
        pawn,
    })
}

/// A knight stops a pawn when it comes in front of it in time.
fn pawn_against_knight(ending: &Ending<'_>) -> Option<i32> {
    let Runner {
        goal, steps, way, ..
    } = runner(ending, ending.strong)?;
    let knight = ending.board.knights().first()?;
    let odds = -205 * steps - if_so(ending.turn != ending.strong, 273)
        + 66 * distance(ending.weak_king, goal) as i32
        + 200 * knight_moves(knight, way)
        - 342;
    Some(value(odds))
}

/// How many moves a knight needs to one of `targets` on an empty board.
fn knight_moves(knight: Square, targets: Bitboard) -> i32 {
    /// No square is further.
    const MOST_MOVES: i32 = 6;
    let mut reached = Bitboard::from_square(knight);
    for moves in 0..MOST_MOVES {
        if (reached & targets).any() {
            return moves;
        }
        reached = with_knight_moves(reached);
    }
    MOST_MOVES
}

/// A bishop stops a pawn when it attacks its way, at once or with its next move.
fn pawn_against_bishop(ending: &Ending<'_>) -> Option<i32> {
    let Runner {
        goal, steps, way, ..
    } = runner(ending, ending.strong)?;
    let bishop = ending.board.bishops().first()?;
    let reach = |from| attacks::bishop_attacks(from, ending.board.occupied());
    let holds = |from: Square| ((reach(from) | Bitboard::from_square(from)) & way).any();
    let moves = if holds(bishop) {
        0
    } else if reach(bishop).into_iter().any(holds) {
        1
    } else {
        2
    };
    let waits = (moves - i32::from(ending.turn != ending.strong)).max(0);
    let odds = -218 * steps + 32 * distance(ending.weak_king, goal) as i32 - if_so(moves == 0, 920)
        + 264 * waits
        - 81;
    Some(value(odds))
}

/// Rook against pawn is drawn when the pawn is far advanced, its king is beside it and the strong king is too far away
/// (<https://www.chessprogramming.org/KRKP>).
fn rook_against_pawn(ending: &Ending<'_>) -> Option<i32> {
    let Runner {
        goal,
        steps,
        way,
        pawn,
    } = runner(ending, !ending.strong)?;
    let rook = ending.board.rooks().first()?;
    let odds = 125 * steps + if_so(ending.turn == ending.strong, 238)
        - 115 * distance(ending.king, goal) as i32
        + 147 * distance(ending.weak_king, pawn) as i32
        + 96 * distance(ending.weak_king, goal) as i32
        + if_so(way.contains(ending.king), 647)
        + if_so(rook.file() == pawn.file(), 155)
        - 415;
    Some(odds)
}

/// Queen against a pawn on the seventh rank is won on the files b, d, e and g. On the others there is stalemate in the
/// corner: what counts is how near the strong king is, and for a bishop's pawn on which side the other king stands
/// (<https://www.chessprogramming.org/KQKP>). The distances are those at which most positions are drawn.
fn queen_against_pawn(ending: &Ending<'_>) -> Option<i32> {
    let Runner {
        goal, steps, pawn, ..
    } = runner(ending, !ending.strong)?;
    if steps > 1 || ending.own(Role::Queen).contains(goal) {
        return None;
    }
    let inside = |square: Square| edge_distance(square.file()) > edge_distance(pawn.file());
    let from_goal = distance(ending.weak_king, goal);
    let drawn_from = match (pawn.file(), from_goal) {
        (File::A | File::H, 0) => 5,
        (File::A | File::H, 1) => 4,
        (File::C | File::F, 0) => 3,
        (File::C | File::F, 1) if inside(ending.weak_king) => 4,
        (File::C | File::F, 1) => 2,
        (File::C | File::F, 2) if !inside(ending.weak_king) => 4,
        _ => return None,
    };
    let to_move = usize::from(ending.turn == ending.strong);
    let far = distance(ending.king, goal).saturating_sub(to_move);
    (far >= drawn_from).then_some(DRAW)
}

/// A pawn that the other king cannot catch beats one that comes two moves later or can be caught; otherwise the king and
/// pawn endings that would be left say who may hope.
fn pawn_race(ending: &Ending<'_>, bitbase: &Bitbase) -> i32 {
    /// Ahead by a move and more: the queen stops the other pawn.
    const AHEAD: i32 = 350;
    /// Only this pawn runs through, but the other king and pawn are dangerous.
    const LIKELY: i32 = 200;
    /// The king and pawn ending would be won, if the other pawn were not there.
    const HOPE: i32 = 80;
    let weak = Ending {
        strong: !ending.strong,
        king: ending.weak_king,
        weak_king: ending.king,
        own: ending.enemy,
        enemy: ending.own,
        ..*ending
    };
    let (own_run, enemy_run) = (plies_to_promote(ending), plies_to_promote(&weak));
    let wins = |ending: &Ending<'_>| {
        let pawn = ending.own(Role::Pawn).single_square();
        pawn.is_some_and(|pawn| ending.king_and_pawn(bitbase, pawn) > DRAW)
    };
    let (own_wins, enemy_wins) = (wins(ending), wins(&weak));
    match (own_run, enemy_run) {
        (Some(own), Some(enemy)) if own + 2 < enemy => AHEAD,
        (Some(own), Some(enemy)) if enemy + 2 < own => -AHEAD,
        (Some(_), Some(_)) => DRAW,
        (Some(_), None) => {
            if enemy_wins {
                LIKELY
            } else {
                AHEAD
            }
        }
        (None, Some(_)) => {
            if own_wins {
                -LIKELY
            } else {
                -AHEAD
            }
        }
        (None, None) => HOPE * (i32::from(own_wins) - i32::from(enemy_wins)),
    }
}

/// After how many plies the own pawn promotes when it runs and the other king cannot catch it
/// (<https://www.chessprogramming.org/Rule_of_the_Square>).
fn plies_to_promote(ending: &Ending<'_>) -> Option<i32> {
    let Runner {
        goal,
        steps,
        way,
        pawn,
    } = runner(ending, ending.strong)?;
    // A pawn at home saves a move by its double step.
    let steps = steps - i32::from(relative_rank(pawn, ending.strong) == 1);
    let to_move = ending.turn == ending.strong;
    let free = (way & ending.board.occupied()).is_empty();
    let caught = distance(ending.weak_king, goal) as i32 <= steps + i32::from(!to_move);
    (free && !caught).then_some(2 * steps - i32::from(to_move))
}
