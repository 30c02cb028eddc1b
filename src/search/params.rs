//! Every number of the search: its value, its range, and the formula that uses it.

/// Declares the parameters once: field, default and range.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal ..= $max:literal;)*) => {
        /// The numbers of the search. Margins are in centipawns, depths in plies.
        #[derive(Clone, Debug)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// The values the engine plays with.
            pub const DEFAULT: Params = Params { $($name: $default,)* };

            /// Name, default, minimum and maximum of every parameter.
            pub const TABLE: &'static [(&'static str, i32, i32, i32)] =
                &[$((stringify!($name), $default, $min, $max),)*];
        }
    };
}

parameters! {
    /// Half the first aspiration window.
    aspiration_window = 14, 5 ..= 60;
    /// Growth of the window after each failure, in percent.
    aspiration_growth = 60, 10 ..= 200;

    /// Deepest node for reverse futility pruning.
    reverse_futility_depth = 8, 2 ..= 14;
    /// Its margin for each ply.
    reverse_futility_margin = 75, 30 ..= 150;

    /// Shallowest node for a null move.
    null_move_depth = 3, 1 ..= 6;
    /// Base reduction of the null move.
    null_move_base = 4, 2 ..= 6;
    /// One ply more for this many plies of depth.
    null_move_divisor = 4, 2 ..= 8;

    /// Shallowest node for internal iterative reduction.
    internal_reduction_depth = 4, 2 ..= 8;

    /// Deepest node for late move pruning.
    late_move_pruning_depth = 8, 2 ..= 14;
    /// Moves always searched there.
    late_move_pruning_base = 3, 1 ..= 8;

    /// Base of the logarithmic reduction, in hundredths of a ply.
    late_move_base = 75, 0 ..= 200;
    /// Divisor of the logarithmic reduction, in hundredths.
    late_move_divisor = 230, 120 ..= 400;
}

/// Depths and move counts the reduction table covers.
const REDUCTION_ENTRIES: usize = 64;

/// The logarithmic part of late move reductions, in plies, by depth and move count
/// (<https://www.chessprogramming.org/Late_Move_Reductions>).
#[derive(Clone, Debug)]
pub struct Reductions {
    table: Box<[[i32; REDUCTION_ENTRIES]; REDUCTION_ENTRIES]>,
}

impl Reductions {
    /// The table for `params`.
    pub fn new(params: &Params) -> Reductions {
        let base = f64::from(params.late_move_base) / 100.0;
        let divisor = f64::from(params.late_move_divisor) / 100.0;
        let mut table = Box::new([[0; REDUCTION_ENTRIES]; REDUCTION_ENTRIES]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (count, cell) in row.iter_mut().enumerate().skip(1) {
                *cell = (base + (depth as f64).ln() * (count as f64).ln() / divisor) as i32;
            }
        }
        Reductions { table }
    }

    /// The reduction in plies.
    #[inline]
    pub fn get(&self, depth: i32, count: usize) -> i32 {
        let depth = depth.clamp(0, REDUCTION_ENTRIES as i32 - 1) as usize;
        self.table[depth][count.min(REDUCTION_ENTRIES - 1)]
    }
}
