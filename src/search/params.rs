//! The numbers of the search that can be tuned: value, range, and the formula that uses them.
//!
//! Most values come from simultaneous perturbation (<https://www.chessprogramming.org/SPSA>) in games of the engine
//! against itself at 5,000 nodes a move.

/// Declares the parameters once: field, default and range.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal ..= $max:literal;)*) => {
        /// The numbers of the search. Margins are in centipawns, depths in plies, reductions in 1024ths of a ply.
        #[derive(Clone, Debug)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// The values the engine plays with.
            pub const DEFAULT: Params = Params { $($name: $default,)* };

            /// Name, default, minimum and maximum of every parameter.
            #[cfg(any(test, feature = "tune"))]
            pub const TABLE: &'static [Parameter] = &[$(Parameter {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
            },)*];

            /// Sets the parameter called `name`; `None` if there is none.
            #[cfg(any(test, feature = "tune"))]
            pub fn set(&mut self, name: &str, value: i32) -> Option<()> {
                match name {
                    $(stringify!($name) => self.$name = value.clamp($min, $max),)*
                    _ => return None,
                }
                Some(())
            }
        }
    };
}

/// A parameter as a tuner sees it.
#[cfg(any(test, feature = "tune"))]
#[derive(Copy, Clone, Debug)]
pub struct Parameter {
    /// Its name in [`Params`].
    pub name: &'static str,
    /// The value in use.
    pub default: i32,
    /// The smallest value worth trying.
    pub min: i32,
    /// The largest value worth trying.
    pub max: i32,
}

parameters! {
    /// Half the first aspiration window.
    aspiration_window = 20, 4 ..= 60;
    /// Growth of the window after each failure, in percent.
    aspiration_growth = 82, 10 ..= 200;

    /// Correction by pawn structure at its strongest.
    correction_pawn = 88, 0 ..= 250;
    /// Correction by one side's pieces at its strongest.
    correction_non_pawn = 98, 0 ..= 250;
    /// Correction by minor pieces at its strongest.
    correction_minor = 58, 0 ..= 250;
    /// Correction by major pieces at its strongest.
    correction_major = 57, 0 ..= 250;
    /// Correction by the last two moves at its strongest.
    correction_continuation = 60, 0 ..= 250;
    /// A surprise of one centipawn at depth one moves a correction by one part in so many.
    correction_bonus_divisor = 5, 2 ..= 32;

    /// A history bonus for each ply of depth.
    history_bonus_slope = 227, 50 ..= 400;
    /// What is taken off the bonus.
    history_bonus_offset = 92, 0 ..= 400;
    /// The largest bonus.
    history_bonus_max = 1424, 500 ..= 4000;
    /// The malus for each ply of depth of a move that was tried before the one that cut off.
    history_malus_slope = 302, 50 ..= 500;
    /// What is taken off the malus.
    history_malus_offset = 32, 0 ..= 400;
    /// The largest malus.
    history_malus_max = 2316, 300 ..= 4000;
    /// The bonus of a move that has no good answer, in percent of that for a cut-off.
    prior_move_bonus = 215, 0 ..= 300;
    /// The bonus of a move for each centipawn that it gains in evaluation.
    evaluation_bonus = 7, 0 ..= 40;
    /// The largest bonus of that kind.
    evaluation_bonus_max = 1379, 100 ..= 3000;
    /// The bonus of a table move that cuts off without search, in percent of that after a search.
    table_cutoff_bonus = 35, 0 ..= 300;

    /// What a quiet move that gives check is worth in the order, in the scale of histories.
    check_order = 10812, 0 ..= 20000;
    /// The same for a piece that leaves a square where something of less worth attacks it, less for one that enters
    /// such a square.
    escape_order = 6607, 0 ..= 20000;

    /// Deepest node for reverse futility pruning.
    reverse_futility_depth = 8, 2 ..= 14;
    /// Its margin for each ply.
    reverse_futility_margin = 64, 30 ..= 150;

    /// Less margin when the opponent's last move made its evaluation worse.
    worsening_margin = 17, 0 ..= 60;

    /// Deepest node for razoring.
    razoring_depth = 3, 1 ..= 6;
    /// Its margin for each ply.
    razoring_margin = 190, 100 ..= 500;

    /// Shallowest node for a null move.
    null_move_depth = 3, 1 ..= 6;
    /// Base reduction of the null move.
    null_move_base = 5, 2 ..= 6;
    /// One ply more for this many plies of depth.
    null_move_divisor = 4, 2 ..= 8;
    /// One ply more for every so many centipawns above beta.
    null_move_eval_divisor = 192, 60 ..= 400;
    /// At most so many plies for that.
    null_move_eval_max = 4, 0 ..= 6;
    /// How far the static evaluation must be above beta for a null move, without depth.
    null_move_surplus = 216, 0 ..= 400;
    /// So much less for each ply of depth.
    null_move_surplus_slope = 24, 0 ..= 60;
    /// From this depth a null move's fail-high is verified.
    null_move_verification_depth = 12, 6 ..= 20;

    /// Shallowest node for ProbCut.
    probcut_depth = 4, 3 ..= 9;
    /// How far above beta a shallow search must come.
    probcut_margin = 221, 80 ..= 400;

    /// Shallowest node for internal iterative reduction.
    internal_reduction_depth = 5, 2 ..= 8;

    /// A reduction before this node of at least so many plies makes hindsight look at it.
    hindsight_reduction = 3, 1 ..= 6;
    /// Both evaluations together say that the move before lost this much: a ply less.
    hindsight_worse = 177, 0 ..= 400;

    /// Moves always searched by late move pruning.
    late_move_pruning_base = 3, 1 ..= 8;
    /// Deepest reduced depth for futility pruning of quiet moves.
    futility_depth = 8, 2 ..= 14;
    /// Its margin without depth.
    futility_base = 86, 0 ..= 300;
    /// Its margin for each ply.
    futility_margin = 88, 30 ..= 200;
    /// Deepest reduced depth for history pruning.
    history_pruning_depth = 4, 1 ..= 8;
    /// A quiet move whose history is below minus this for each ply of depth is left out.
    history_pruning_margin = 3725, 1000 ..= 10000;
    /// Exchange pruning of quiet moves, for the square of the reduced depth.
    see_quiet_margin = 23, 5 ..= 60;
    /// Exchange pruning of captures, for each ply of depth.
    see_capture_margin = 71, 30 ..= 200;

    /// Deepest node for the check extension.
    check_extension_depth = 64, -1 ..= 64;

    /// Shallowest node for a singular search.
    singular_depth = 6, 4 ..= 10;
    /// The singular margin for each ply of depth, in hundredths of a centipawn.
    singular_margin = 154, 30 ..= 400;
    /// A move better than all others by so much more is extended twice.
    double_extension_margin = 19, 0 ..= 60;
    /// A quiet move better than all others by so much more is extended three times.
    triple_extension_margin = 85, 0 ..= 300;

    /// Base of the logarithmic reduction of quiet moves.
    reduction_quiet_base = 1045, 0 ..= 2048;
    /// Divisor of that reduction, in hundredths.
    reduction_quiet_divisor = 235, 120 ..= 400;
    /// Base of the logarithmic reduction of captures.
    reduction_noisy_base = 171, 0 ..= 2048;
    /// Divisor of that reduction, in hundredths.
    reduction_noisy_divisor = 337, 120 ..= 600;
    /// More where a cut-off is expected.
    reduction_cut_node = 1263, 0 ..= 3072;
    /// More when the table move is a capture.
    reduction_table_capture = 968, 0 ..= 2048;
    /// More when the position does not improve.
    reduction_not_improving = 852, 0 ..= 2048;
    /// More often than so many times means that replies keep failing high.
    cutoff_count = 5, 1 ..= 8;
    /// More when the replies keep failing high.
    reduction_child_cutoffs = 834, 0 ..= 2048;
    /// Less at the root, where a mistake cannot be made good.
    reduction_root = 1874, 0 ..= 4096;
    /// Less on a principal variation.
    reduction_pv = 1102, 0 ..= 2048;
    /// Less where the table remembers a principal variation.
    reduction_was_pv = 1142, 0 ..= 2048;
    /// Less for a check.
    reduction_check = 1987, 0 ..= 4096;
    /// Less for each centipawn by which the evaluation had to be corrected.
    reduction_correction = 4, 0 ..= 30;
    /// History worth one ply of reduction for quiet moves.
    reduction_quiet_history = 10077, 3000 ..= 30000;
    /// History worth one ply of reduction for captures.
    reduction_noisy_history = 7902, 3000 ..= 30000;

    /// A fail-high by more than this after a reduction searches one ply deeper.
    deeper_margin = 42, 0 ..= 150;

    /// Quiescence: a capture must bring the score to within this of alpha.
    quiescence_futility = 132, 30 ..= 400;
}

impl Params {
    /// The history bonus for a cut-off at `depth` plies.
    #[inline]
    pub fn history_bonus(&self, depth: i32) -> i32 {
        (self.history_bonus_slope * depth - self.history_bonus_offset)
            .clamp(0, self.history_bonus_max)
    }

    /// The malus for a move that failed to cut off at `depth` plies.
    #[inline]
    pub fn history_malus(&self, depth: i32) -> i32 {
        (self.history_malus_slope * depth - self.history_malus_offset)
            .clamp(0, self.history_malus_max)
    }

    /// How far above beta the evaluation must be to stop at once.
    #[inline]
    pub fn reverse_futility_margin(&self, depth: i32, improving: bool) -> i32 {
        self.reverse_futility_margin * (depth - i32::from(improving))
    }

    /// How far above beta the static evaluation must be to try a null move.
    #[inline]
    pub fn null_move_surplus(&self, depth: i32) -> i32 {
        self.null_move_surplus - self.null_move_surplus_slope * depth
    }

    /// Depth by which a null move is reduced, for an evaluation `surplus` centipawns above beta.
    #[inline]
    pub fn null_move_reduction(&self, depth: i32, surplus: i32) -> i32 {
        self.null_move_base
            + depth / self.null_move_divisor
            + (surplus / self.null_move_eval_divisor).clamp(0, self.null_move_eval_max)
    }

    /// Moves searched before late move pruning leaves out the quiet rest.
    #[inline]
    pub fn late_move_limit(&self, depth: i32, improving: bool) -> i32 {
        // Half as many when not improving; a shift, since a division takes long.
        (self.late_move_pruning_base + depth * depth) >> i32::from(!improving)
    }

    /// What a quiet move may add to the evaluation at a reduced depth.
    #[inline]
    pub fn futility_margin(&self, depth: i32) -> i32 {
        self.futility_base + self.futility_margin * depth
    }

    /// How far below the table's score all other moves must stay for its move to be singular.
    #[inline]
    pub fn singular_margin(&self, depth: i32) -> i32 {
        self.singular_margin * depth / 100
    }
}

/// Depths and move counts the reduction table covers.
const REDUCTION_ENTRIES: usize = 64;
/// Reductions are counted in fractions of a ply: so many are one ply.
pub const REDUCTION_ONE_PLY: i32 = 1024;

type ReductionTable = Box<[[i32; REDUCTION_ENTRIES]; REDUCTION_ENTRIES]>;

/// The logarithmic part of late move reductions, in 1024ths of a ply, by depth and move count
/// (<https://www.chessprogramming.org/Late_Move_Reductions>).
#[derive(Clone, Debug)]
pub struct Reductions {
    quiet: ReductionTable,
    noisy: ReductionTable,
}

impl Reductions {
    /// The tables for `params`.
    pub fn new(params: &Params) -> Reductions {
        Reductions {
            quiet: logarithmic(params.reduction_quiet_base, params.reduction_quiet_divisor),
            noisy: logarithmic(params.reduction_noisy_base, params.reduction_noisy_divisor),
        }
    }

    /// The reduction of the quiet move number `count`.
    #[inline]
    pub fn quiet(&self, depth: i32, count: usize) -> i32 {
        self.quiet[row(depth)][count.min(REDUCTION_ENTRIES - 1)]
    }

    /// The reduction of the capture or promotion number `count`.
    #[inline]
    pub fn noisy(&self, depth: i32, count: usize) -> i32 {
        self.noisy[row(depth)][count.min(REDUCTION_ENTRIES - 1)]
    }
}

#[inline]
fn row(depth: i32) -> usize {
    depth.clamp(0, REDUCTION_ENTRIES as i32 - 1) as usize
}

fn logarithmic(base: i32, divisor: i32) -> ReductionTable {
    let ply = f64::from(REDUCTION_ONE_PLY);
    let divisor = f64::from(divisor) / 100.0;
    let mut table = Box::new([[0; REDUCTION_ENTRIES]; REDUCTION_ENTRIES]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (count, cell) in row.iter_mut().enumerate().skip(1) {
            let logarithms = (depth as f64).ln() * (count as f64).ln();
            *cell = (f64::from(base) + ply * logarithms / divisor) as i32;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_lies_in_its_range_and_can_be_set() {
        let mut params = Params::DEFAULT;
        for parameter in Params::TABLE {
            assert!(
                parameter.min <= parameter.default && parameter.default <= parameter.max,
                "{parameter:?}"
            );
            assert_eq!(params.set(parameter.name, parameter.max), Some(()));
        }
        assert_eq!(params.set("nonsense", 1), None);
        assert_eq!(params.reverse_futility_depth, 14);
    }

    #[test]
    fn reductions_grow_with_depth_and_count() {
        let reductions = Reductions::new(&Params::DEFAULT);
        assert!(reductions.quiet(10, 20) > reductions.quiet(10, 5));
        assert!(reductions.quiet(20, 10) > reductions.quiet(5, 10));
        assert!(reductions.noisy(10, 10) < reductions.quiet(10, 10));
        assert_eq!(reductions.quiet(1000, 1000), reductions.quiet(63, 63));
    }
}
