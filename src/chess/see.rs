//! Static exchange evaluation: what a series of captures on one square is worth
//! (<https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>).

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::chess::compact::CompactMove;
use crate::chess::eval::psqt::exchange_value;
use crate::chess::position::Position;

/// Whether the exchange that `m` begins wins at least `threshold` centipawns for the side to move.
///
/// Pieces of the side to move that are pinned take part only along their line; whether the pinning piece still stands is
/// not asked.
pub fn see_at_least(position: &Position, m: CompactMove, threshold: i32) -> bool {
    if m.is_castle() {
        // Castling moves no piece into danger.
        return threshold <= 0;
    }
    let promotion = m.promotion();
    let gain = m.capture().map_or(0, exchange_value)
        + promotion.map_or(0, |role| exchange_value(role) - exchange_value(Role::Pawn));
    let balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    let at_risk = exchange_value(promotion.unwrap_or(m.role()));
    if balance >= at_risk {
        return true;
    }
    let (from, to) = (m.from(), m.to());
    let mut occupied = position.board().occupied().without(from).with(to);
    if m.is_en_passant() {
        occupied.discard(Square::from_coords(to.file(), from.rank()));
    }
    let balance = balance - at_risk;
    // Most exchanges that lose are lost to a pawn at once, which is seen without a look at any line.
    if balance + exchange_value(Role::Pawn) < 0 && pawn_takes_back(position, to) {
        return false;
    }
    Exchange::new(position, to, occupied).survives(balance, !position.turn())
}

/// Whether the opponent has a pawn that attacks `target`.
#[inline(always)]
fn pawn_takes_back(position: &Position, target: Square) -> bool {
    let (board, us) = (position.board(), position.turn());
    let pawns = board.pawns() & board.by_color(!us);
    (attacks::pawn_attacks(us, target) & pawns).any()
}

/// The state of an exchange on one square.
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
    occupied: Bitboard,
    attackers: Bitboard,
}

impl<'a> Exchange<'a> {
    fn new(position: &'a Position, target: Square, occupied: Bitboard) -> Exchange<'a> {
        let board = position.board();
        let (white, black) = (board.white(), board.black());
        let attackers = (attacks::rook_attacks(target, occupied) & board.rooks_and_queens())
            | (attacks::bishop_attacks(target, occupied) & board.bishops_and_queens())
            | (attacks::knight_attacks(target) & board.knights())
            | (attacks::king_attacks(target) & board.kings())
            | (attacks::pawn_attacks(Color::Black, target) & board.pawns() & white)
            | (attacks::pawn_attacks(Color::White, target) & board.pawns() & black);
        Exchange {
            position,
            target,
            occupied,
            attackers: attackers & occupied,
        }
    }

    /// Plays out the exchange and says whether the side that began it comes out ahead.
    ///
    /// `balance` is what that side has won should its piece on the target be lost for nothing; `side` recaptures.
    fn survives(mut self, mut balance: i32, mut side: Color) -> bool {
        let beginner = !side;
        if balance >= 0 {
            return true;
        }
        let board = self.position.board();
        loop {
            let ours = self.without_pinned(self.attackers & board.by_color(side), side);
            let Some((role, from)) = self.least_valuable(ours) else {
                break;
            };
            side = !side;
            // Seen from the side that has to go on: what it has lost, less the piece it may take now.
            balance = -balance - 1 - exchange_value(role);
            if balance >= 0 {
                // A king cannot take what is still defended: the capture before was the last.
                if role == Role::King && (self.attackers & board.by_color(side)).any() {
                    side = !side;
                }
                break;
            }
            self.remove(from, role);
        }
        side != beginner
    }

    fn without_pinned(&self, ours: Bitboard, side: Color) -> Bitboard {
        // Pins are known for the side to move only; for the other side they are not worth finding.
        if side == self.position.turn() && (self.position.pinned() & ours).any() {
            let king = self.position.king(side);
            let along_pin = attacks::ray(king, self.target);
            return ours & (!self.position.pinned() | along_pin);
        }
        ours
    }

    fn least_valuable(&self, ours: Bitboard) -> Option<(Role, Square)> {
        let board = self.position.board();
        Role::ALL.into_iter().find_map(|role| {
            (ours & board.by_role(role))
                .first()
                .map(|from| (role, from))
        })
    }

    /// Takes the piece off and lets the sliders behind it join in.
    fn remove(&mut self, from: Square, role: Role) {
        let board = self.position.board();
        self.occupied.discard(from);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            self.attackers |=
                attacks::bishop_attacks(self.target, self.occupied) & board.bishops_and_queens();
        }
        if matches!(role, Role::Rook | Role::Queen) {
            self.attackers |=
                attacks::rook_attacks(self.target, self.occupied) & board.rooks_and_queens();
        }
        self.attackers &= self.occupied;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::Evaluator;
    use crate::chess::fen;
    use shakmaty::uci::UciMove;

    /// The exact value of the exchange, found by bisection over thresholds.
    fn see(fen: &str, uci: &str) -> i32 {
        let evaluator = Evaluator::new();
        let position = Position::new(fen::parse(fen).unwrap(), evaluator.table());
        let m = uci
            .parse::<UciMove>()
            .unwrap()
            .to_move(position.chess())
            .unwrap()
            .into();
        (-2000..=2000)
            .rev()
            .find(|&threshold| see_at_least(&position, m, threshold))
            .unwrap()
    }

    #[test]
    fn exchanges_worked_out_by_hand() {
        let cases = [
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
            ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "d1d5", 320),
            ("3rk3/8/8/3n4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 320),
            ("3rk3/3r4/8/3n4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 320 - 500),
            ("4k3/8/8/8/8/2b5/3Q4/4K3 w - - 0 1", "d2c3", 330),
            ("4k3/8/8/8/1b6/2p5/3Q4/4K3 w - - 0 1", "d2c3", 100 - 900),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 800),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 500 + 800),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", 0),
            ("8/8/8/3pk3/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
            ("8/8/4k3/3p4/4P3/2N5/8/4K3 w - - 0 1", "e4d5", 100),
        ];
        for (fen, uci, value) in cases {
            assert_eq!(see(fen, uci), value, "{uci} in {fen}");
        }
    }
}
