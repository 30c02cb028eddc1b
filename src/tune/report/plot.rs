//! The losses of all epochs as lines.

use super::super::train::Losses;
use super::svg::Picture;

const SIZE: (f64, f64) = (760.0, 420.0);
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
const TICKS: usize = 5;
const AXIS: &str = "#808080";
const GRID: &str = "#e4e4e4";
/// A name, a colour, and what is drawn.
type Line = (&'static str, &'static str, fn(&Losses) -> f64);
const LINES: [Line; 3] = [
    ("learned from", "#4575d6", |loss| loss.learned),
    ("held out", "#d64541", |loss| loss.held_out),
    ("held out, results only", "#3a9a5b", |loss| loss.results),
];

/// The plot. The line of results alone has a range of its own, as its losses are of another size.
pub(super) fn losses(losses: &[Losses]) -> String {
    let mut picture = Picture::new(SIZE.0, SIZE.1);
    picture.text((LEFT, 22.0), 15.0, "start", "Mean squared error by epoch");
    let both = losses.iter().flat_map(|loss| [loss.learned, loss.held_out]);
    let range = Range::of(both);
    axes(&mut picture, losses, range);
    for (number, (name, colour, value)) in LINES.into_iter().enumerate() {
        let own = Range::of(losses.iter().map(value));
        let range = if number < 2 { range } else { own };
        let points: Vec<(f64, f64)> = losses
            .iter()
            .enumerate()
            .map(|(index, loss)| (x(index, losses.len()), range.y(value(loss))))
            .collect();
        picture.line(&points, colour, 2.0);
        let mut label = name.to_string();
        if number == 2 {
            label += &format!(" ({:.5} to {:.5})", own.low, own.high);
        }
        let y = TOP + 16.0 * number as f64 + 10.0;
        picture.line(
            &[(SIZE.0 - 330.0, y - 4.0), (SIZE.0 - 305.0, y - 4.0)],
            colour,
            3.0,
        );
        picture.text((SIZE.0 - 300.0, y), 12.0, "start", &label);
    }
    picture.finish()
}

fn axes(picture: &mut Picture, losses: &[Losses], range: Range) {
    let bottom = SIZE.1 - BOTTOM;
    for tick in 0..=TICKS {
        let share = tick as f64 / TICKS as f64;
        let value = range.low + share * (range.high - range.low);
        let y = range.y(value);
        picture.line(&[(LEFT, y), (SIZE.0 - RIGHT, y)], GRID, 1.0);
        picture.text((LEFT - 8.0, y + 4.0), 11.0, "end", &format!("{value:.5}"));
        let index = (share * losses.len().saturating_sub(1) as f64).round() as usize;
        let epoch = losses.get(index).map_or(0, |loss| loss.epoch);
        picture.text(
            (x(index, losses.len()), bottom + 18.0),
            11.0,
            "middle",
            &epoch.to_string(),
        );
    }
    picture.line(
        &[(LEFT, TOP), (LEFT, bottom), (SIZE.0 - RIGHT, bottom)],
        AXIS,
        1.0,
    );
    picture.text((SIZE.0 / 2.0, SIZE.1 - 10.0), 12.0, "middle", "epoch");
}

fn x(index: usize, count: usize) -> f64 {
    LEFT + index as f64 / count.saturating_sub(1).max(1) as f64 * (SIZE.0 - LEFT - RIGHT)
}

#[derive(Copy, Clone)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn of(values: impl Iterator<Item = f64>) -> Range {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        if low < high {
            Range { low, high }
        } else {
            Range {
                low: 0.0,
                high: 1.0,
            }
        }
    }

    fn y(self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        SIZE.1 - BOTTOM - share.clamp(0.0, 1.0) * (SIZE.1 - TOP - BOTTOM)
    }
}
