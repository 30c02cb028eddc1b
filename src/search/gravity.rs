//! Learned values: tables that report when there is no memory for them, and updates that keep a value in its range.

use std::collections::TryReserveError;

/// A table of `len` times `zero`, or an error where `vec!` would end the program.
///
/// # Errors
///
/// When there is no memory for it.
pub fn zeroed<T: Clone>(zero: T, len: usize) -> Result<Vec<T>, TryReserveError> {
    let mut table = Vec::new();
    table.try_reserve_exact(len)?;
    table.resize(len, zero);
    Ok(table)
}

/// Adds `bonus` to `value`, which stays within plus and minus `LIMIT`: the nearer the value is to the limit, the less
/// of the bonus counts ("gravity", <https://www.chessprogramming.org/History_Heuristic#History_Bonuses>).
#[inline]
pub fn update<const LIMIT: i32>(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_never_leaves_its_range() {
        const LIMIT: i32 = 16_384;
        let mut value = 0;
        for _ in 0..10_000 {
            update::<LIMIT>(&mut value, 1600);
        }
        assert!(i32::from(value) <= LIMIT && i32::from(value) > LIMIT * 9 / 10);
        for _ in 0..10_000 {
            update::<LIMIT>(&mut value, -3 * LIMIT);
        }
        assert_eq!(i32::from(value), -LIMIT);
    }

    #[test]
    fn the_nearer_the_limit_the_less_of_a_bonus_counts() {
        let updated = |mut value: i16, bonus: i32| {
            update::<1000>(&mut value, bonus);
            value
        };
        assert_eq!((updated(0, 100), updated(0, -100)), (100, -100));
        assert_eq!((updated(500, 100), updated(500, -100)), (550, 350));
        assert_eq!((updated(-500, 100), updated(1000, 100)), (-350, 1000));
        assert_eq!(updated(500, 9000), 1000);
    }
}
