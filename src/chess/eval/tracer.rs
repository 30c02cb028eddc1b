//! How a term reads its weight and says so: the same code for play, for the trace and for the tuner.

use shakmaty::Color;

use super::layout::Weights;

/// Hears of every weight that is used.
pub trait Tracer {
    /// The weight number `index` counts `times` for `color`.
    fn count(&mut self, index: usize, color: Color, times: i32);

    /// The weight number `index` counts `times` in the danger of `king`'s king.
    fn danger(&mut self, index: usize, king: Color, times: i32);
}

/// Nobody listens; it costs nothing.
#[derive(Copy, Clone, Debug, Default)]
pub struct NoTrace;

impl Tracer for NoTrace {
    #[inline(always)]
    fn count(&mut self, _: usize, _: Color, _: i32) {}

    #[inline(always)]
    fn danger(&mut self, _: usize, _: Color, _: i32) {}
}

/// Counts the uses of every weight, for each colour.
#[derive(Clone, Debug)]
pub struct Counts {
    /// White's and Black's uses.
    pub linear: Vec<[i32; 2]>,
    /// Uses in the danger of White's and of Black's king.
    pub danger: Vec<[i32; 2]>,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts {
            linear: vec![[0; 2]; Weights::LEN],
            danger: vec![[0; 2]; Weights::LEN],
        }
    }
}

impl Tracer for Counts {
    fn count(&mut self, index: usize, color: Color, times: i32) {
        self.linear[index][color.fold_wb(0, 1)] += times;
    }

    fn danger(&mut self, index: usize, king: Color, times: i32) {
        self.danger[index][king.fold_wb(0, 1)] += times;
    }
}

/// The weights and the tracer: what every term is given.
pub(super) struct Terms<'a, T> {
    pub weights: &'a Weights,
    pub tracer: &'a mut T,
}

/// The value of a weight counted `times` for a colour: `weigh!(terms, color, times, field[index])`.
macro_rules! weigh {
    ($terms:expr, $color:expr, $times:expr, $field:ident $([$index:expr])*) => {
        $crate::chess::eval::tracer::use_weight!(count, $terms, $color, $times, $field $([$index])*)
    };
}

/// The same for danger to the king of a colour.
macro_rules! endanger {
    ($terms:expr, $king:expr, $times:expr, $field:ident $([$index:expr])*) => {
        $crate::chess::eval::tracer::use_weight!(danger, $terms, $king, $times, $field $([$index])*)
    };
}

macro_rules! use_weight {
    ($tell:ident, $terms:expr, $color:expr, $times:expr, $field:ident $([$index:expr])*) => {{
        let times: i32 = $times;
        let at = $crate::chess::eval::layout::OFFSETS.$field;
        let place = &$terms.weights.$field;
        $(
            let index: usize = $index;
            let at = at + index * $crate::chess::eval::layout::stride(place);
            let place = &place[index];
        )*
        $terms.tracer.$tell(at, $color, times);
        *place * times
    }};
}

pub(super) use {endanger, use_weight, weigh};
