//! Random numbers that are the same everywhere and always: SplitMix64
//! (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).

/// Added for every number: the golden ratio in 64 bits.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator number `stream` of `seed`.
    pub fn new(seed: u64, stream: u64) -> Random {
        Random(mix(seed).wrapping_add(mix(stream.wrapping_add(STEP))))
    }

    /// The next number, any of 64 bits.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number from 0 to `bound` - 1; 0 when the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The high half of the product is spread evenly enough for bounds far below 2^64.
        ((u128::from(self.number()) * bound as u128) >> 64) as usize
    }

    /// Brings `items` into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A number that looks random but always belongs to `value`.
pub fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_itself_and_streams_differ() {
        let numbers = |seed, stream| {
            let mut random = Random::new(seed, stream);
            [random.number(), random.number(), random.number()]
        };
        assert_eq!(numbers(1, 2), numbers(1, 2));
        assert_ne!(numbers(1, 2), numbers(1, 3));
        assert_ne!(numbers(1, 2), numbers(2, 2));
        assert_ne!(numbers(1, 2), numbers(2, 1));
    }

    #[test]
    fn bounded_numbers_fill_their_range() {
        let mut random = Random::new(5, 0);
        let mut counts = [0; 6];
        for _ in 0..6000 {
            counts[random.below(6)] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)));
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn a_shuffle_loses_nothing() {
        let mut items: Vec<u32> = (0..100).collect();
        Random::new(1, 1).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
