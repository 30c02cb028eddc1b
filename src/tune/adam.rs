//! Adam: steps down a noisy slope, each parameter with a pace of its own
//! (Kingma, Ba: Adam: a method for stochastic optimization, 2014).

use super::model::Pair;

const MEAN_MEMORY: f32 = 0.9;
const SQUARE_MEMORY: f32 = 0.999;
const TINY: f32 = 1e-10;

/// The memory of the optimiser.
#[derive(Clone, Debug)]
pub struct Adam {
    mean: Vec<Pair>,
    square: Vec<Pair>,
    steps: Vec<i32>,
}

impl Adam {
    /// For so many parameters.
    pub fn new(len: usize) -> Adam {
        Adam {
            mean: vec![[0.0; 2]; len],
            square: vec![[0.0; 2]; len],
            steps: vec![0; len],
        }
    }

    /// Moves parameter `index` one step of about `rate` down the slope `gradient`.
    #[inline]
    pub fn step(&mut self, index: usize, parameter: &mut Pair, gradient: Pair, rate: f32) {
        let steps = &mut self.steps[index];
        *steps += 1;
        let mean_bias = 1.0 - MEAN_MEMORY.powi(*steps);
        let square_bias = 1.0 - SQUARE_MEMORY.powi(*steps);
        for half in 0..2 {
            let slope = gradient[half];
            let mean = &mut self.mean[index][half];
            let square = &mut self.square[index][half];
            *mean = MEAN_MEMORY * *mean + (1.0 - MEAN_MEMORY) * slope;
            *square = SQUARE_MEMORY * *square + (1.0 - SQUARE_MEMORY) * slope * slope;
            let pace = (*square / square_bias).sqrt() + TINY;
            parameter[half] -= rate * (*mean / mean_bias) / pace;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_bowl() {
        let mut adam = Adam::new(1);
        let mut place = [50.0, -300.0];
        for step in 0..5000 {
            let slope = [2e-6 * (place[0] - 3.0), 5e3 * (place[1] + 7.0)];
            adam.step(0, &mut place, slope, 2.0 * 0.9985_f32.powi(step));
        }
        assert!(
            (place[0] - 3.0).abs() < 0.1 && (place[1] + 7.0).abs() < 0.1,
            "{place:?}"
        );
    }
}
