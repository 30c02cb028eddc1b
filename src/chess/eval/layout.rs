//! The shape of the weights: every group of numbers that the evaluation has, declared once.
//!
//! From the one list below come the struct [`Weights`], the place of each group in the flat list of all weights, and
//! the description that the tuner and the trace read. The values are in `weights`.

use crate::chess::piece_square::KING_BUCKETS;
use crate::score::Tapered;

/// What a user's weight in percent can change. Every group belongs to one part.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Part {
    /// What the pieces are worth, and which go well together.
    Material,
    /// Where they stand, and whose turn it is.
    Position,
    /// What they can do: mobility, files, outposts, threats, space.
    Mobility,
    /// Shelter and attack.
    KingSafety,
    /// Weak, strong and passed pawns.
    PawnStructure,
    /// Known endings and scaling. It has no group: see `endgame`.
    Endgame,
}

impl Part {
    /// All parts.
    pub const ALL: [Part; 6] = [
        Part::Material,
        Part::Position,
        Part::Mobility,
        Part::KingSafety,
        Part::PawnStructure,
        Part::Endgame,
    ];

    /// What the pieces are and where they stand: all that needs no look at attacks or pawn structure.
    pub fn is_core(self) -> bool {
        matches!(self, Part::Material | Part::Position)
    }
}

/// A group of weights of one kind.
#[derive(Copy, Clone, Debug)]
pub struct Group {
    /// The name of the field in [`Weights`].
    pub name: &'static str,
    /// The place of its first weight in the flat list.
    pub offset: usize,
    /// The sizes of its dimensions; empty for a single weight.
    pub shape: &'static [usize],
    /// What it stands for and how it is indexed.
    pub doc: &'static str,
    /// The part it belongs to.
    pub part: Part,
}

impl Group {
    /// The number of weights.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether there is none. There is always one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the weights count as danger to a king, which is squared (see `blend`).
    pub fn is_danger(&self) -> bool {
        self.name.starts_with("danger_")
    }

    /// The group that the weight number `index` is in.
    pub fn of(index: usize) -> Option<&'static Group> {
        let end = Weights::GROUPS.partition_point(|group| group.offset <= index);
        (index < Weights::LEN).then(|| Weights::GROUPS.get(end.wrapping_sub(1)))?
    }
}

/// A weight, for the files of weights.
pub(super) const fn t(middlegame: i32, endgame: i32) -> Tapered {
    Tapered::new(middlegame, endgame)
}

/// A board of weights, as the files of weights have it: for each rank, the last one first, the middlegame and the endgame.
pub(super) const fn board(ranks: [([i16; 8], [i16; 8]); 8]) -> [Tapered; 64] {
    let mut squares = [Tapered::new(0, 0); 64];
    let mut square = 0;
    while square < 64 {
        let (middlegame, endgame) = &ranks[7 - square / 8];
        let file = square % 8;
        squares[square] = t(middlegame[file] as i32, endgame[file] as i32);
        square += 1;
    }
    squares
}

/// A weight, or an array of what is made of weights.
pub(super) trait Flat: Sized {
    const LEN: usize;
    const ZERO: Self;
    fn push_to(&self, flat: &mut Vec<Tapered>);
    fn fill_from(&mut self, flat: &mut impl Iterator<Item = Tapered>) -> Option<()>;
}

impl Flat for Tapered {
    const LEN: usize = 1;
    const ZERO: Tapered = Tapered::new(0, 0);

    fn push_to(&self, flat: &mut Vec<Tapered>) {
        flat.push(*self);
    }

    fn fill_from(&mut self, flat: &mut impl Iterator<Item = Tapered>) -> Option<()> {
        *self = flat.next()?;
        Some(())
    }
}

impl<T: Flat, const N: usize> Flat for [T; N] {
    const LEN: usize = N * T::LEN;
    const ZERO: [T; N] = [T::ZERO; N];

    fn push_to(&self, flat: &mut Vec<Tapered>) {
        self.iter().for_each(|item| item.push_to(flat));
    }

    fn fill_from(&mut self, flat: &mut impl Iterator<Item = Tapered>) -> Option<()> {
        self.iter_mut().try_for_each(|item| item.fill_from(flat))
    }
}

/// How far apart two neighbours in an array are in the flat list.
#[inline(always)]
pub(super) const fn stride<T: Flat, const N: usize>(_: &[T; N]) -> usize {
    T::LEN
}

macro_rules! nested {
    () => { Tapered };
    ($first:literal $($rest:tt)*) => { [nested!($($rest)*); $first] };
    ($first:ident $($rest:tt)*) => { [nested!($($rest)*); $first] };
}

macro_rules! weights {
    ($($(#[doc = $doc:literal])+ $name:ident: [$($size:tt)*] $part:ident,)+) => {
        /// The numbers of the evaluation. Roles are in the order pawn, knight, bishop, rook, queen, king; squares and
        /// ranks are seen from the own back rank.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Weights {
            $($(#[doc = $doc])+ pub $name: nested!($($size)*),)+
        }

        /// The place of each group in the flat list.
        pub(super) struct Offsets {
            $(pub $name: usize,)+
        }

        #[allow(unused_assignments)]
        pub(super) const OFFSETS: Offsets = {
            let mut next = 0;
            Offsets {
                $($name: {
                    let here = next;
                    next += <nested!($($size)*) as Flat>::LEN;
                    here
                },)+
            }
        };

        impl Weights {
            /// The number of weights.
            pub const LEN: usize = 0 $(+ <nested!($($size)*) as Flat>::LEN)+;

            /// All weights zero.
            pub const ZERO: Weights = Weights {
                $($name: <nested!($($size)*) as Flat>::ZERO,)+
            };

            /// The groups in the order of the flat list.
            pub const GROUPS: &'static [Group] = &[
                $(Group {
                    name: stringify!($name),
                    offset: OFFSETS.$name,
                    shape: &[$($size),*],
                    doc: concat!($($doc),+),
                    part: Part::$part,
                },)+
            ];

            /// All weights in one list.
            pub fn to_flat(&self) -> Vec<Tapered> {
                let mut flat = Vec::with_capacity(Weights::LEN);
                $(self.$name.push_to(&mut flat);)+
                flat
            }

            /// Whether any weight that is not of the core (see [`Part::is_core`]) is more than zero or less.
            pub fn have_extras(&self) -> bool {
                let flat = self.to_flat();
                let mut extras = Weights::GROUPS.iter().filter(|group| !group.part.is_core());
                extras.any(|group| {
                    let values = &flat[group.offset..group.offset + group.len()];
                    values.iter().any(|&value| value != Tapered::default())
                })
            }

            /// The inverse of [`Weights::to_flat`]; `None` when the list has another length.
            pub fn from_flat(flat: &[Tapered]) -> Option<Weights> {
                if flat.len() != Weights::LEN {
                    return None;
                }
                let mut values = flat.iter().copied();
                let mut weights = Weights::ZERO;
                $(weights.$name.fill_from(&mut values)?;)+
                Some(weights)
            }
        }
    };
}

weights! {
    /// The worth of a piece, by role without the king.
    material: [5] Material,
    /// Having both bishops.
    bishop_pair: [] Material,
    /// A knight, by the number of own pawns: it likes a closed board.
    knight_pawns: [9] Material,
    /// A bishop, by the number of own pawns.
    bishop_pawns: [9] Material,
    /// A rook, by the number of own pawns.
    rook_pawns: [9] Material,
    /// A queen, by the number of own pawns.
    queen_pawns: [9] Material,
    /// All own pawns together, by their number.
    pawn_count: [9] Material,
    /// Having two knights or more, two rooks or more, and a queen with a rook.
    pairs: [3] Material,
    /// An own rook for each enemy minor piece, an own queen for each, and an own queen for each enemy rook.
    against: [3] Material,

    /// A piece on a square, by role and square, whatever the kings do.
    square: [6 64] Position,
    /// What is different with the own king in a bucket, by bucket, role without the king and square, mirrored to bring the
    /// own king to the left.
    own_king: [KING_BUCKETS 5 64] Position,
    /// What is different with the enemy king in a bucket, by bucket, role and square, mirrored to bring the enemy king
    /// to the left.
    enemy_king: [KING_BUCKETS 6 64] Position,
    /// Being the side to move.
    tempo: [] Position,

    /// Safe squares a knight can go to.
    knight_mobility: [9] Mobility,
    /// Safe squares a bishop can go to.
    bishop_mobility: [14] Mobility,
    /// Safe squares a rook can go to.
    rook_mobility: [15] Mobility,
    /// Safe squares a queen can go to.
    queen_mobility: [28] Mobility,
    /// A rook on a file without pawns.
    rook_open_file: [] Mobility,
    /// A rook on a file without own pawns.
    rook_half_open_file: [] Mobility,
    /// A rook on the seventh rank with the enemy king behind it or pawns on it.
    rook_seventh: [] Mobility,
    /// A bishop, by the number of own pawns on its colour.
    bishop_own_pawns: [9] Mobility,
    /// A bishop on a square that no pawn can chase it from, defended by a pawn.
    bishop_outpost: [] Mobility,
    /// A knight on a square that no pawn can chase it from, defended by a pawn.
    knight_outpost: [] Mobility,
    /// A knight that can go to such a square.
    knight_near_outpost: [] Mobility,
    /// A knight or bishop right behind a pawn.
    minor_behind_pawn: [] Mobility,
    /// A bishop that sees both centre squares of a long diagonal past everything but pawns.
    bishop_long_diagonal: [] Mobility,
    /// An enemy pawn on the diagonals of a bishop, whatever stands between.
    bishop_enemy_pawns: [] Mobility,
    /// A piece attacked by a pawn, by role.
    threat_by_pawn: [6] Mobility,
    /// A piece attacked by a knight or bishop, by role.
    threat_by_minor: [6] Mobility,
    /// A piece attacked by a rook, by role.
    threat_by_rook: [6] Mobility,
    /// A piece attacked by the king and not well defended.
    threat_by_king: [] Mobility,
    /// A piece attacked and not defended, or one that is no pawn, attacked twice and not well defended.
    hanging: [] Mobility,
    /// A piece that a pawn can attack by a safe push.
    push_threat: [] Mobility,
    /// A safe square from which a knight attacks the queen.
    knight_on_queen: [] Mobility,
    /// A safe square from which a slider attacks the queen, defended once more.
    slider_on_queen: [] Mobility,
    /// A square the enemy attacks and we contest.
    restricted: [] Mobility,
    /// A safe square in the centre of the own side; one behind the own pawns counts twice.
    space: [] Mobility,

    /// A pawn without own pawns on the neighbouring files, by distance of its file from the edge.
    pawn_isolated: [4] PawnStructure,
    /// A pawn with an own pawn ahead on the file and none to defend it.
    pawn_doubled: [] PawnStructure,
    /// A pawn whose neighbours have gone ahead and whose next square is attacked or taken by a pawn.
    pawn_backward: [] PawnStructure,
    /// The same, or an isolated pawn, on a file without enemy pawns ahead.
    pawn_weak_open: [] PawnStructure,
    /// A pawn with an own pawn beside it, by rank.
    pawn_phalanx: [8] PawnStructure,
    /// A pawn defended by a pawn, by rank.
    pawn_defended: [8] PawnStructure,
    /// A pawn that attacks an enemy pawn, by rank.
    pawn_lever: [8] PawnStructure,
    /// A pawn that can become passed with the help of its neighbours, by rank.
    pawn_candidate: [8] PawnStructure,
    /// A pawn with no pawn ahead on its file and no enemy pawn ahead on the neighbouring ones, by rank.
    passed: [8] PawnStructure,
    /// A passed pawn defended by a pawn or beside another passed one, by rank.
    passed_connected: [8] PawnStructure,
    /// A passed pawn, by rank and distance of the own king from the square in front of it.
    passed_own_king: [8 8] PawnStructure,
    /// A passed pawn, by rank and distance of the enemy king from the square in front of it.
    passed_enemy_king: [8 8] PawnStructure,
    /// A passed pawn with an enemy piece in front of it, by rank.
    passed_blocked: [8] PawnStructure,
    /// A passed pawn with nothing on its way, by rank.
    passed_free: [8] PawnStructure,
    /// A passed pawn with no attacked square on its way, by rank.
    passed_safe: [8] PawnStructure,
    /// A passed pawn whose next square is defended, by rank.
    passed_supported: [8] PawnStructure,
    /// A passed pawn with an own rook behind it, by rank.
    passed_own_rook: [8] PawnStructure,
    /// A passed pawn with an enemy rook behind it, by rank.
    passed_enemy_rook: [8] PawnStructure,
    /// A passed pawn that a lone king cannot catch.
    passed_unstoppable: [] PawnStructure,

    /// The own pawn in front of the king on its file or a neighbouring one, by distance of the file from the edge and
    /// rank; rank 0 when there is none.
    shelter: [4 8] KingSafety,
    /// The foremost enemy pawn there, by distance of the file from the edge and its rank seen from the king's side.
    storm: [4 8] KingSafety,
    /// The same when an own pawn stops it, by its rank.
    storm_blocked: [8] KingSafety,
    /// A king with no pawns on its wing.
    pawnless_flank: [] KingSafety,
    /// Danger of every king.
    danger_base: [] KingSafety,
    /// Danger of a file at the king without own pawns.
    danger_open_file: [] KingSafety,
    /// Danger of a piece that attacks the king's surroundings: knight, bishop, rook, queen.
    danger_attacker: [4] KingSafety,
    /// Danger of each square of the surroundings it attacks: knight, bishop, rook, queen.
    danger_ring_attack: [4] KingSafety,
    /// Danger of a check on a safe square: knight, bishop, rook, queen.
    danger_safe_check: [4] KingSafety,
    /// Danger of a check on another square: knight, bishop, rook, queen.
    danger_unsafe_check: [4] KingSafety,
    /// Danger of a square of the surroundings that is attacked and weakly defended.
    danger_weak_ring: [] KingSafety,
    /// Danger of an attacked square on the king's wing.
    danger_flank_attack: [] KingSafety,
    /// Danger of a square on the king's wing attacked twice.
    danger_flank_double: [] KingSafety,
    /// Danger taken away by a defended square on the king's wing.
    danger_flank_defence: [] KingSafety,
    /// Danger of a piece of either side that alone stands between the king and an enemy slider.
    danger_blocker: [] KingSafety,
    /// Danger taken away when the enemy has no queen.
    danger_no_queen: [] KingSafety,
    /// Danger taken away by a knight that defends the king.
    danger_knight_defender: [] KingSafety,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flat_list_goes_there_and_back() {
        let flat: Vec<Tapered> = (0..Weights::LEN)
            .map(|i| Tapered::new(i as i32 % 1000, -(i as i32 % 777)))
            .collect();
        let weights = Weights::from_flat(&flat).expect("the right length");
        assert_eq!(weights.to_flat(), flat);
        assert_eq!(
            weights.passed_own_king[3][2],
            flat[OFFSETS.passed_own_king + 3 * 8 + 2]
        );
        assert!(Weights::from_flat(&flat[1..]).is_none());
    }

    #[test]
    fn groups_follow_each_other() {
        let mut next = 0;
        for group in Weights::GROUPS {
            assert_eq!(group.offset, next, "{}", group.name);
            assert!(group.doc.trim().ends_with('.'), "{}", group.name);
            next += group.len();
        }
        assert_eq!(next, Weights::LEN);
        assert!(Weights::LEN <= usize::from(u16::MAX));
        let name = |index| Group::of(index).map(|group| group.name);
        assert_eq!(name(OFFSETS.passed_own_king + 63), Some("passed_own_king"));
        assert_eq!(name(0), Some("material"));
        assert_eq!(name(Weights::LEN), None);
    }
}
