//! Heat maps: the more a field is worth the redder it is, the less the bluer.

use super::svg::Picture;
use crate::score::Tapered;

const CELL: f64 = 34.0;
const GAP: f64 = 24.0;
const TITLE: f64 = 30.0;
const CAPTION: f64 = 18.0;
const NUMBER_SIZE: f64 = 11.0;
const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
/// A name and how a half of a pair is got.
type Half = (&'static str, fn(Tapered) -> i32);
const HALVES: [Half; 2] = [
    ("middlegame", Tapered::middlegame),
    ("endgame", Tapered::endgame),
];
/// Red for what is good, blue for what is bad.
const GOOD: [f64; 3] = [214.0, 69.0, 65.0];
const BAD: [f64; 3] = [69.0, 117.0, 214.0];

/// Piece-square tables, six roles of 64 squares: a row for each half of the game, the last rank on top.
pub(super) fn boards(title: &str, values: &[Tapered]) -> String {
    let side = 8.0 * CELL;
    let (across, down) = (side + GAP, side + CAPTION + GAP);
    let width = ROLES.len() as f64 * across + GAP;
    let mut picture = Picture::new(width, TITLE + 2.0 * down);
    picture.text((GAP, 20.0), 16.0, "start", title);
    for (column, (role, table)) in ROLES.iter().zip(values.chunks(64)).enumerate() {
        for (row, (name, half)) in HALVES.iter().enumerate() {
            let corner = (GAP + column as f64 * across, TITLE + row as f64 * down);
            let numbers: Vec<Vec<i32>> = table
                .chunks(8)
                .rev()
                .map(|rank| rank.iter().map(|&v| half(v)).collect())
                .collect();
            map(&mut picture, corner, &format!("{role}, {name}"), &numbers);
        }
    }
    picture.finish()
}

/// A table with two dimensions, the first one downwards.
pub(super) fn grid(title: &str, values: &[Tapered], columns: usize) -> String {
    let rows = values.len() / columns.max(1);
    let (across, down) = (
        columns as f64 * CELL + GAP,
        rows as f64 * CELL + CAPTION + GAP,
    );
    let mut picture = Picture::new(2.0 * across + GAP, TITLE + down);
    picture.text((GAP, 20.0), 16.0, "start", title);
    for (column, (name, half)) in HALVES.iter().enumerate() {
        let numbers: Vec<Vec<i32>> = values
            .chunks(columns.max(1))
            .map(|row| row.iter().map(|&v| half(v)).collect())
            .collect();
        map(
            &mut picture,
            (GAP + column as f64 * across, TITLE),
            name,
            &numbers,
        );
    }
    picture.finish()
}

fn map(picture: &mut Picture, corner: (f64, f64), caption: &str, numbers: &[Vec<i32>]) {
    picture.text((corner.0, corner.1 + 12.0), 12.0, "start", caption);
    let greatest = numbers
        .iter()
        .flatten()
        .map(|number| number.abs())
        .max()
        .unwrap_or(0)
        .max(1);
    for (row, line) in numbers.iter().enumerate() {
        for (column, &number) in line.iter().enumerate() {
            let x = corner.0 + column as f64 * CELL;
            let y = corner.1 + CAPTION + row as f64 * CELL;
            let share = f64::from(number) / f64::from(greatest);
            picture.rectangle((x, y), (CELL - 1.0, CELL - 1.0), &colour(share));
            let place = (x + CELL / 2.0, y + CELL / 2.0 + 4.0);
            picture.text(place, NUMBER_SIZE, "middle", &number.to_string());
        }
    }
}

/// The colour of a share from -1 to 1: white in the middle.
fn colour(share: f64) -> String {
    let end = if share > 0.0 { GOOD } else { BAD };
    let [red, green, blue] = end.map(|end| (255.0 + (end - 255.0) * share.abs()).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_blue_through_white_to_red() {
        assert_eq!(colour(0.0), "#ffffff");
        assert_eq!(colour(1.0), "#d64541");
        assert_eq!(colour(-1.0), "#4575d6");
    }

    #[test]
    fn the_last_rank_is_on_top() {
        let mut values = vec![Tapered::new(0, 0); 6 * 64];
        values[63] = Tapered::new(77, 0);
        let text = boards("square", &values);
        let place = |text: &str, what: &str| text.find(what).expect("a number");
        assert!(place(&text, ">77<") < place(&text, "pawn, endgame"));
        assert_eq!(text.matches(">77<").count(), 1);
    }
}
