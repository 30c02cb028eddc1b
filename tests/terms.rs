//! What each group of weights counts: for every group a position small enough to count by hand.

mod common;

use common::position;
use lanternfish::chess::eval::{self, Group, Weights};

/// The square of a piece in the tables, from its own back rank.
const C3: usize = 18;
const F3: usize = 21;
const KNIGHT: usize = 1;
/// The bucket of a king in the corner that the tables call a1.
const CORNER: usize = 0;

/// A position, a group of weights, the place in the group, and how often it counts for White and for Black. Danger counts
/// for the side whose king is in danger.
type Row = (&'static str, &'static str, usize, [i32; 2]);

#[rustfmt::skip]
const MATERIAL: &[Row] = &[
    ("4k3/8/8/8/8/8/PP6/1N2K2R w - - 0 1", "material", 0, [2, 0]),
    ("4k3/8/8/8/8/8/PP6/1N2K2R w - - 0 1", "material", 1, [1, 0]),
    ("4k2b/8/8/8/8/8/PP6/1N2K2R w - - 0 1", "material", 2, [0, 1]),
    ("4k3/8/8/8/8/8/PP6/1N2K2R w - - 0 1", "material", 3, [1, 0]),
    ("q3k3/q7/8/8/8/8/PP6/1N2K2R w - - 0 1", "material", 4, [0, 2]),
    ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "bishop_pair", 0, [1, 0]),
    ("4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", "bishop_pair", 0, [0, 0]),
    ("4k3/p7/8/8/8/8/PP6/N1N1K3 w - - 0 1", "knight_pawns", 2, [2, 0]),
    ("n3k3/p7/8/8/8/8/PP6/4K3 w - - 0 1", "knight_pawns", 1, [0, 1]),
    ("4k3/8/8/8/8/8/PPP5/B3K3 w - - 0 1", "bishop_pawns", 3, [1, 0]),
    ("r3k3/8/8/8/8/8/PPP5/B3K3 w - - 0 1", "rook_pawns", 0, [0, 1]),
    ("q3k3/p7/8/8/8/8/PPP5/Q3K3 w - - 0 1", "queen_pawns", 1, [0, 1]),
    ("4k3/p7/8/8/8/8/PP6/4K3 w - - 0 1", "pawn_count", 2, [1, 0]),
    ("4k3/p7/8/8/8/8/PP6/4K3 w - - 0 1", "pawn_count", 1, [0, 1]),
    ("1q2k1nn/8/8/8/8/8/8/1QRRK3 w - - 0 1", "pairs", 0, [0, 1]),
    ("1q2k1nn/8/8/8/8/8/8/1QRRK3 w - - 0 1", "pairs", 1, [1, 0]),
    ("1q2k1nn/8/8/8/8/8/8/1QRRK3 w - - 0 1", "pairs", 2, [1, 0]),
    ("1q2k1nn/8/8/8/8/8/8/1QRRK3 w - - 0 1", "against", 0, [4, 0]),
    ("1q2k1nn/8/8/8/8/8/8/1QRRK3 w - - 0 1", "against", 1, [2, 0]),
    ("1q2k1nn/8/8/8/8/8/8/1QRRK3 w - - 0 1", "against", 2, [0, 2]),
    // A king on the right half turns the board over.
    ("k7/8/5n2/8/8/2N5/8/K7 w - - 0 1", "square", 64 * KNIGHT + C3, [1, 0]),
    ("k7/8/5n2/8/8/2N5/8/K7 w - - 0 1", "square", 64 * KNIGHT + F3, [0, 1]),
    ("k7/8/8/8/8/2N5/8/7K w - - 0 1", "square", 64 * KNIGHT + F3, [1, 0]),
    ("4k3/8/8/8/8/2N5/8/K7 w - - 0 1", "own_king", 64 * (5 * CORNER + KNIGHT) + C3, [1, 0]),
    ("k7/8/5n2/8/8/8/8/4K3 w - - 0 1", "own_king", 64 * (5 * CORNER + KNIGHT) + F3, [0, 1]),
    ("7k/8/8/8/8/2N5/8/4K3 w - - 0 1", "enemy_king", 64 * (6 * CORNER + KNIGHT) + F3, [1, 0]),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "tempo", 0, [1, 0]),
    ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", "tempo", 0, [0, 1]),
];

#[rustfmt::skip]
const PIECES: &[Row] = &[
    // On d4 a knight has eight squares; a pawn guards two of them, and one is the own king's.
    ("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", "knight_mobility", 8, [1, 0]),
    ("4k3/3p4/8/8/3N4/8/8/4K3 w - - 0 1", "knight_mobility", 6, [1, 0]),
    ("4k3/8/8/8/3N4/8/4K3/8 w - - 0 1", "knight_mobility", 7, [1, 0]),
    // The long diagonal; a queen is looked through, but its own square does not count; a knight stops it.
    ("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", "bishop_mobility", 7, [1, 0]),
    ("4k3/8/8/8/3Q4/8/8/B3K3 w - - 0 1", "bishop_mobility", 6, [1, 0]),
    ("4k3/8/8/8/3N4/8/8/B3K3 w - - 0 1", "bishop_mobility", 3, [1, 0]),
    // The file, and three squares to the king; own rooks and all queens are looked through.
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "rook_mobility", 10, [1, 0]),
    ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "rook_mobility", 10, [1, 0]),
    ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "rook_mobility", 14, [1, 0]),
    ("4k3/8/8/q7/8/8/8/R3K3 w - - 0 1", "rook_mobility", 10, [1, 0]),
    ("4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1", "queen_mobility", 27, [1, 0]),
    ("4k3/8/8/3N4/3Q4/8/8/4K3 w - - 0 1", "queen_mobility", 24, [1, 0]),
    ("4k3/8/8/8/8/8/P7/1R2K3 w - - 0 1", "rook_open_file", 0, [1, 0]),
    ("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "rook_open_file", 0, [0, 0]),
    ("4k3/1p6/8/8/8/8/P7/1R2K3 w - - 0 1", "rook_open_file", 0, [0, 0]),
    ("4k3/1p6/8/8/8/8/P7/1R2K3 w - - 0 1", "rook_half_open_file", 0, [1, 0]),
    ("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "rook_half_open_file", 0, [0, 0]),
    ("4k3/R7/8/8/8/8/P7/4K3 w - - 0 1", "rook_seventh", 0, [1, 0]),
    ("8/R7/3k4/8/8/8/P7/4K3 w - - 0 1", "rook_seventh", 0, [0, 0]),
    ("8/R6p/3k4/8/8/8/P7/4K3 w - - 0 1", "rook_seventh", 0, [1, 0]),
    // Two of the three pawns stand on dark squares like the bishop.
    ("4k3/8/8/8/8/P7/1PP5/2B1K3 w - - 0 1", "bishop_own_pawns", 2, [1, 0]),
    ("4k3/7p/8/3B4/4P3/8/8/4K3 w - - 0 1", "bishop_outpost", 0, [1, 0]),
    ("4k3/2p5/8/3B4/4P3/8/8/4K3 w - - 0 1", "bishop_outpost", 0, [0, 0]),
    ("4k3/7p/8/3N4/4P3/8/8/4K3 w - - 0 1", "knight_outpost", 0, [1, 0]),
    ("4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1", "knight_outpost", 0, [0, 0]),
    ("4k3/2p5/8/8/8/3N4/4P3/4K3 w - - 0 1", "knight_outpost", 0, [0, 0]),
    ("4k3/7p/8/8/4P3/2N5/8/4K3 w - - 0 1", "knight_near_outpost", 0, [1, 0]),
    ("4k3/7p/8/3B4/4P3/2N5/8/4K3 w - - 0 1", "knight_near_outpost", 0, [0, 0]),
    ("4k3/8/8/8/2P5/2N5/8/4K3 w - - 0 1", "minor_behind_pawn", 0, [1, 0]),
    ("4k3/8/8/8/2p5/2N5/8/4K3 w - - 0 1", "minor_behind_pawn", 0, [1, 0]),
    ("4k3/8/8/8/2N5/2P5/8/4K3 w - - 0 1", "minor_behind_pawn", 0, [0, 0]),
    ("4k3/8/8/8/8/8/1B6/4K3 w - - 0 1", "bishop_long_diagonal", 0, [1, 0]),
    ("4k3/8/8/8/8/2N5/1B6/4K3 w - - 0 1", "bishop_long_diagonal", 0, [1, 0]),
    ("4k3/8/8/8/8/2P5/1B6/4K3 w - - 0 1", "bishop_long_diagonal", 0, [0, 0]),
    ("4k3/8/5p2/8/3n4/8/8/B3K3 w - - 0 1", "bishop_enemy_pawns", 0, [1, 0]),
    ("4k3/8/5P2/8/3n4/8/8/B3K3 w - - 0 1", "bishop_enemy_pawns", 0, [0, 0]),
];

#[rustfmt::skip]
const THREATS: &[Row] = &[
    ("4k3/7p/8/3q4/4P3/8/8/4K3 w - - 0 1", "threat_by_pawn", 4, [1, 0]),
    ("4k3/7p/8/3p4/4P3/8/8/4K3 w - - 0 1", "threat_by_pawn", 0, [0, 0]),
    ("4k3/7p/8/3r4/8/2N1P3/8/4K3 w - - 0 1", "threat_by_minor", 3, [1, 0]),
    // A pawn counts only when it is badly defended.
    ("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", "threat_by_minor", 0, [1, 0]),
    ("4k3/8/4p3/3p4/8/2N5/8/4K3 w - - 0 1", "threat_by_minor", 0, [0, 0]),
    ("4k3/8/8/3b4/8/8/8/3RK3 w - - 0 1", "threat_by_rook", 2, [1, 0]),
    ("4k3/8/4p3/3b4/8/8/8/3RK3 w - - 0 1", "threat_by_rook", 2, [0, 0]),
    ("4k3/8/8/8/8/8/3n4/4K3 w - - 0 1", "threat_by_king", 0, [1, 0]),
    ("4k3/8/8/8/8/2p5/3n4/4K3 w - - 0 1", "threat_by_king", 0, [0, 0]),
    ("4k3/8/8/8/8/8/3n4/4K3 w - - 0 1", "hanging", 0, [1, 0]),
    // Defended once: attacked once it does not hang, attacked twice it does.
    ("4k3/8/8/8/1b6/8/3n4/4K3 w - - 0 1", "hanging", 0, [0, 0]),
    ("4k3/8/8/8/1b6/8/3n4/3RK3 w - - 0 1", "hanging", 0, [1, 0]),
    ("4k3/7p/8/3q4/8/4PK2/8/8 w - - 0 1", "push_threat", 0, [1, 0]),
    ("4k3/7p/8/3q1p2/8/4PK2/8/8 w - - 0 1", "push_threat", 0, [0, 0]),
    // From b4 and c3 the knight would attack the queen on d5; a pawn guards one of these squares.
    ("4k3/8/8/3q4/8/8/N7/4K3 w - - 0 1", "knight_on_queen", 0, [2, 0]),
    ("4k3/8/8/p2q4/8/8/N7/4K3 w - - 0 1", "knight_on_queen", 0, [1, 0]),
    // The rook can go to d1, where the king defends it once more.
    ("4k3/8/8/3q4/8/8/8/R3K3 w - - 0 1", "slider_on_queen", 0, [1, 0]),
    ("4k3/8/8/3q4/8/8/8/R6K w - - 0 1", "slider_on_queen", 0, [0, 0]),
    // Both kings attack d4, e4 and f4; then a pawn guards e4.
    ("8/8/8/4k3/8/4K3/8/8 w - - 0 1", "restricted", 0, [3, 3]),
    ("8/8/8/3pk3/8/4K3/8/8 w - - 0 1", "restricted", 0, [2, 3]),
    // Twelve squares on the files c to f and ranks 2 to 4; a pawn on c4 stands on one, shelters c3
    // and c2, and attacks d5.
    ("4k3/8/8/8/8/8/8/K7 w - - 0 1", "space", 0, [12, 12]),
    ("4k3/8/8/8/2P5/8/8/K7 w - - 0 1", "space", 0, [13, 11]),
    ("4k3/8/8/3p4/8/8/8/K7 w - - 0 1", "space", 0, [10, 13]),
];

#[rustfmt::skip]
const PAWNS: &[Row] = &[
    ("4k3/8/8/8/8/8/P1P5/4K3 w - - 0 1", "pawn_isolated", 0, [1, 0]),
    ("4k3/8/8/8/8/8/P1P5/4K3 w - - 0 1", "pawn_isolated", 2, [1, 0]),
    ("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "pawn_isolated", 0, [0, 0]),
    ("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1", "pawn_doubled", 0, [1, 0]),
    ("4k3/8/8/8/P7/PP6/1P6/4K3 w - - 0 1", "pawn_doubled", 0, [1, 0]),
    ("4k3/8/8/4p3/2p5/4P3/3P4/4K3 w - - 0 1", "pawn_backward", 0, [1, 0]),
    ("4k3/8/8/4p3/8/4P3/3P4/4K3 w - - 0 1", "pawn_backward", 0, [0, 0]),
    ("4k3/8/8/8/8/8/P1P5/4K3 w - - 0 1", "pawn_weak_open", 0, [2, 0]),
    ("4k3/p7/8/8/8/8/P1P5/4K3 w - - 0 1", "pawn_weak_open", 0, [1, 0]),
    ("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "pawn_phalanx", 1, [2, 0]),
    ("4k3/8/8/8/8/1P6/P7/4K3 w - - 0 1", "pawn_phalanx", 1, [0, 0]),
    ("4k3/8/8/8/8/1P6/P7/4K3 w - - 0 1", "pawn_defended", 2, [1, 0]),
    ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "pawn_lever", 3, [1, 1]),
    ("4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1", "pawn_lever", 3, [0, 0]),
    ("4k3/p7/8/8/8/8/PP6/4K3 w - - 0 1", "pawn_candidate", 1, [1, 0]),
    ("4k3/p1p5/8/8/8/8/PP6/4K3 w - - 0 1", "pawn_candidate", 1, [0, 0]),
    ("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "passed", 1, [2, 0]),
    ("4k3/p7/8/8/8/8/PP6/4K3 w - - 0 1", "passed", 1, [0, 0]),
    ("4k3/7p/8/8/8/8/PP6/4K3 w - - 0 1", "passed", 1, [2, 1]),
    ("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1", "passed", 1, [0, 0]),
    ("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1", "passed", 2, [1, 0]),
    ("4k3/8/8/8/8/1P6/P7/4K3 w - - 0 1", "passed_connected", 2, [1, 0]),
    ("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "passed_connected", 1, [2, 0]),
    ("4k3/8/8/8/8/8/P1P5/4K3 w - - 0 1", "passed_connected", 1, [0, 0]),
    // The square in front is a3, four king moves from e1 and five from e8.
    ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "passed_own_king", 8 + 4, [1, 0]),
    ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "passed_enemy_king", 8 + 5, [1, 0]),
    ("4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", "passed_blocked", 1, [1, 0]),
    ("4k3/8/8/8/8/N7/P7/4K3 w - - 0 1", "passed_blocked", 1, [0, 0]),
    ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "passed_free", 1, [1, 0]),
    ("n3k3/8/8/8/8/8/P7/4K3 w - - 0 1", "passed_free", 1, [0, 0]),
    ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "passed_safe", 1, [1, 0]),
    ("4k3/8/8/7r/8/8/P7/4K3 w - - 0 1", "passed_safe", 1, [0, 0]),
    ("4k3/8/8/8/8/1R6/P7/4K3 w - - 0 1", "passed_supported", 1, [1, 0]),
    ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "passed_supported", 1, [0, 0]),
    ("4k3/8/8/8/P7/8/8/R3K3 w - - 0 1", "passed_own_rook", 3, [1, 0]),
    ("R7/4k3/8/8/P7/8/8/4K3 w - - 0 1", "passed_own_rook", 3, [0, 0]),
    ("4k3/8/8/8/P7/8/8/r3K3 w - - 0 1", "passed_enemy_rook", 3, [1, 0]),
    ("r3k3/8/8/8/P7/8/8/4K3 w - - 0 1", "passed_enemy_rook", 3, [0, 0]),
    ("8/8/8/P6k/8/8/8/4K3 b - - 0 1", "passed_unstoppable", 0, [1, 0]),
    ("8/8/8/P3k3/8/8/8/4K3 b - - 0 1", "passed_unstoppable", 0, [0, 0]),
    ("8/8/8/P3k3/8/8/8/4K3 w - - 0 1", "passed_unstoppable", 0, [1, 0]),
    ("8/8/8/P6k/8/8/8/n3K3 b - - 0 1", "passed_unstoppable", 0, [0, 0]),
];

#[rustfmt::skip]
const KINGS: &[Row] = &[
    // The files f, g and h are two, one and no step from the edge.
    ("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", "shelter", 8 * 2 + 1, [1, 0]),
    ("4k3/8/8/8/8/6P1/5P1P/6K1 w - - 0 1", "shelter", 8 + 2, [1, 0]),
    ("4k3/8/8/8/8/8/5PP1/6K1 w - - 0 1", "shelter", 0, [1, 0]),
    ("4k3/8/8/8/6p1/8/5PPP/6K1 w - - 0 1", "storm", 8 + 3, [1, 0]),
    ("4k3/8/8/8/6P1/8/5PPP/6K1 w - - 0 1", "storm", 8 + 3, [0, 0]),
    ("4k3/8/8/8/8/6p1/6P1/6K1 w - - 0 1", "storm", 8 + 2, [0, 0]),
    ("4k3/8/8/8/8/6p1/6P1/6K1 w - - 0 1", "storm_blocked", 2, [1, 0]),
    ("4k3/8/8/8/8/8/P7/6K1 w - - 0 1", "pawnless_flank", 0, [1, 1]),
    ("4k3/8/8/8/8/8/5P2/6K1 w - - 0 1", "pawnless_flank", 0, [0, 0]),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "danger_base", 0, [1, 1]),
    ("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", "danger_open_file", 0, [0, 3]),
    // From g5 a knight attacks f7 and h7 beside the king on g8, and f7 and h7 have no defender but the king.
    ("6k1/8/8/6N1/8/8/8/4K3 w - - 0 1", "danger_attacker", 0, [0, 1]),
    ("6k1/8/8/6N1/8/8/8/4K3 w - - 0 1", "danger_ring_attack", 0, [0, 2]),
    ("6k1/8/8/6N1/8/8/8/4K3 w - - 0 1", "danger_weak_ring", 0, [0, 2]),
    ("6k1/8/8/6N1/8/8/8/4K3 w - - 0 1", "danger_flank_attack", 0, [0, 4]),
    ("6k1/8/8/6N1/8/8/8/4K3 w - - 0 1", "danger_flank_double", 0, [0, 0]),
    ("6k1/8/8/6N1/2B5/8/8/4K3 b - - 0 1", "danger_flank_double", 0, [0, 2]),
    // White's king guards five squares and the knight e4 and f3; Black's king five.
    ("6k1/8/8/6N1/8/8/8/4K3 w - - 0 1", "danger_flank_defence", 0, [7, 5]),
    ("6k1/8/8/8/2B5/8/8/4K3 b - - 0 1", "danger_attacker", 1, [0, 1]),
    ("6k1/8/8/8/8/8/8/4KR2 w - - 0 1", "danger_ring_attack", 2, [0, 3]),
    ("6k1/8/8/8/8/8/5Q2/4K3 w - - 0 1", "danger_attacker", 3, [0, 1]),
    // From g4 a knight can give check on f6 and h6, unless a pawn guards them.
    ("6k1/8/8/8/6N1/8/8/4K3 w - - 0 1", "danger_safe_check", 0, [0, 2]),
    ("6k1/6p1/8/8/6N1/8/8/4K3 w - - 0 1", "danger_safe_check", 0, [0, 0]),
    ("6k1/6p1/8/8/6N1/8/8/4K3 w - - 0 1", "danger_unsafe_check", 0, [0, 2]),
    ("6k1/8/8/8/8/8/8/R3K3 w - - 0 1", "danger_safe_check", 2, [0, 1]),
    ("4k3/8/8/4n3/8/8/8/4RK2 w - - 0 1", "danger_blocker", 0, [0, 1]),
    ("4k3/4p3/8/4n3/8/8/8/4RK2 w - - 0 1", "danger_blocker", 0, [0, 0]),
    ("4k3/8/8/4N3/8/8/8/4RK2 w - - 0 1", "danger_blocker", 0, [0, 1]),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "danger_no_queen", 0, [1, 1]),
    ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "danger_no_queen", 0, [1, 0]),
    ("6k1/8/5n2/8/8/8/8/4K3 w - - 0 1", "danger_knight_defender", 0, [0, 1]),
    ("6k1/8/8/5n2/8/8/8/4K3 w - - 0 1", "danger_knight_defender", 0, [0, 1]),
    ("6k1/8/8/n7/8/8/8/4K3 w - - 0 1", "danger_knight_defender", 0, [0, 0]),
];

fn rows() -> impl Iterator<Item = Row> {
    let tables = [MATERIAL, PIECES, THREATS, PAWNS, KINGS];
    tables.into_iter().flatten().copied()
}

fn group(name: &str) -> &'static Group {
    let found = Weights::GROUPS.iter().find(|group| group.name == name);
    found.unwrap_or_else(|| panic!("no group {name}"))
}

#[test]
fn every_group_counts_what_its_name_says() {
    let mut wrong = Vec::new();
    for (fen, name, index, expected) in rows() {
        let group = group(name);
        assert!(index < group.len(), "{name} {index}");
        let counts = eval::counts(&position(fen));
        let counts = if group.is_danger() {
            counts.danger
        } else {
            counts.linear
        };
        let found = counts[group.offset + index];
        if found != expected {
            wrong.push(format!(
                "{name} {index} in {fen}: {found:?}, not {expected:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_group_has_a_row_in_which_it_counts() {
    for group in Weights::GROUPS {
        let counts = rows().any(|(_, name, _, expected)| name == group.name && expected != [0, 0]);
        assert!(counts, "{}", group.name);
    }
}
