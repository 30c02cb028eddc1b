//! A picture of an evaluation as SVG: the board with what each piece is worth, or what it contributes to one term.

use std::fmt::Write as _;

use shakmaty::{Color, File, Role, Square};

use super::evaluator::Evaluator;
use super::phase::sign;
use super::worth::{Worth, pawns_of};
use crate::chess::position::Position;

/// The side of a square, in pixels.
const SQUARE: u32 = 80;
/// Room round the board for the coordinates.
const MARGIN: u32 = 30;
/// The side of the board with its margins.
const BOARD: u32 = 8 * SQUARE + 2 * MARGIN;
/// Height of a line of text below the board.
const LINE: u32 = 26;
/// The size of that text.
const TEXT: u32 = 18;
/// Room below the last line.
const FOOT: u32 = 12;

const LIGHT: &str = "#f0e6d2";
const DARK: &str = "#c9ae88";
/// What helps the side of a piece, and what hurts it.
const GOOD: &str = "#2f8f46";
const BAD: &str = "#c0392b";
/// A contribution of so many centipawns has the full colour.
const FULL_COLOUR: f64 = 100.0;

impl Evaluator {
    /// A picture of `position` as the text of an SVG file: the board, on each piece its worth where it stands, and `notes`
    /// below. With the name of a term (see [`Trace::names`](super::Trace::names)) instead what each piece contributes to
    /// it, as colour and as a number. `None` when there is no such term.
    pub fn picture(
        &self,
        position: &Position,
        term: Option<&str>,
        notes: &[String],
    ) -> Option<String> {
        let trace = self.trace(position);
        let Some(term) = term else {
            let meaning = "worth of the piece on its square, in pawns";
            return Some(draw(trace.worths(), &[], meaning, notes));
        };
        let contributions = self.contributions(position, term)?;
        let meaning = format!("what the piece adds to \"{term}\" for its side, in pawns");
        let kings = trace
            .worths()
            .iter()
            .filter(|worth| worth.piece.role == Role::King);
        let kings: Vec<Worth> = kings.copied().collect();
        Some(draw(&contributions, &kings, &meaning, notes))
    }
}

/// The picture. Pieces with a number, pieces without, what the numbers mean, and more lines of text.
fn draw(numbered: &[Worth], plain: &[Worth], meaning: &str, notes: &[String]) -> String {
    let lines = 1 + notes.len() as u32;
    let height = BOARD + LINE * lines + FOOT;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{BOARD}\" height=\"{height}\" \
         viewBox=\"0 0 {BOARD} {height}\" font-family=\"sans-serif\">\n\
         <defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" \
         orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"#1f4e9c\"/></marker></defs>\n\
         <rect width=\"{BOARD}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for square in Square::ALL {
        draw_square(&mut text, square);
    }
    draw_coordinates(&mut text);
    if !plain.is_empty() {
        numbered
            .iter()
            .for_each(|worth| draw_heat(&mut text, worth));
    }
    for worth in plain {
        draw_piece(&mut text, worth);
    }
    for worth in numbered {
        draw_piece(&mut text, worth);
        draw_number(&mut text, worth);
    }
    draw_meaning(&mut text, numbered, meaning);
    for (number, note) in (2..).zip(notes) {
        draw_line(&mut text, MARGIN, "start", number, note);
    }
    text.push_str("</svg>\n");
    text
}

/// A line of text below the board, counted from 1. A long one is written smaller.
fn draw_line(text: &mut String, x: u32, anchor: &str, number: u32, line: &str) {
    /// A letter is so wide, in hundredths of its size.
    const WIDTH: u32 = 62;
    let y = BOARD + LINE * number - 6;
    let room = BOARD - 2 * MARGIN;
    let size = TEXT.min(100 * room / (WIDTH * line.chars().count().max(1) as u32));
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{}</text>",
        escaped(line)
    );
}

/// What the numbers mean, with an arrow to one of them: that of the piece nearest to the text. It passes between the letters
/// of the files.
fn draw_meaning(text: &mut String, numbered: &[Worth], meaning: &str) {
    let nearest = numbered
        .iter()
        .min_by_key(|worth| (worth.square.rank() as u32, worth.square.file() as u32));
    let Some(worth) = nearest else {
        return;
    };
    let (x, y) = corner(worth.square);
    let (along, from, to) = (x + 8, BOARD + LINE - 12, y + SQUARE - 4);
    let _ = writeln!(
        text,
        "<path d=\"M{along} {from}V{to}\" stroke=\"#1f4e9c\" stroke-width=\"2\" fill=\"none\" marker-end=\"url(#head)\"/>"
    );
    if worth.square.file() <= File::D {
        draw_line(text, along + 8, "start", 1, meaning);
    } else {
        draw_line(text, along - 8, "end", 1, meaning);
    }
}

/// Colour behind a piece: the more it contributes the stronger.
fn draw_heat(text: &mut String, worth: &Worth) {
    let (x, y) = corner(worth.square);
    let own = worth.centipawns * sign(worth.piece.color);
    let fill = if own >= 0 { GOOD } else { BAD };
    let strength = (f64::from(own.abs()) / FULL_COLOUR).min(1.0) * 0.85;
    let _ = writeln!(
        text,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\" \
         fill-opacity=\"{strength:.2}\"/>"
    );
}

/// The upper left corner of a square.
fn corner(square: Square) -> (u32, u32) {
    let (file, rank) = (square.file() as u32, square.rank() as u32);
    (MARGIN + file * SQUARE, MARGIN + (7 - rank) * SQUARE)
}

fn draw_square(text: &mut String, square: Square) {
    let (x, y) = corner(square);
    let fill = if square.is_light() { LIGHT } else { DARK };
    let _ = writeln!(
        text,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"/>"
    );
}

fn draw_coordinates(text: &mut String) {
    for (number, file) in (0..8).zip('a'..='h') {
        let rank = number + 1;
        let along = MARGIN + number * SQUARE + SQUARE / 2;
        let (below, up) = (BOARD - MARGIN + 21, BOARD - along + 6);
        let left = MARGIN / 2;
        let _ = writeln!(
            text,
            "<text x=\"{along}\" y=\"{below}\" font-size=\"{TEXT}\" text-anchor=\"middle\">{file}</text>\n\
             <text x=\"{left}\" y=\"{up}\" font-size=\"{TEXT}\" text-anchor=\"middle\">{rank}</text>"
        );
    }
}

/// The piece as a chess letter.
fn draw_piece(text: &mut String, worth: &Worth) {
    let (x, y) = corner(worth.square);
    let (middle, base) = (x + SQUARE / 2, y + 49);
    let fill = match worth.piece.color {
        Color::White => "#ffffff",
        Color::Black => "#202020",
    };
    let letter = chess_letter(worth.piece.role);
    let _ = writeln!(
        text,
        "<text x=\"{middle}\" y=\"{base}\" font-size=\"52\" text-anchor=\"middle\" fill=\"{fill}\" \
         stroke=\"#202020\" stroke-width=\"1\">{letter}</text>"
    );
}

/// Its number below, with a bright edge so that it can be read on any square.
fn draw_number(text: &mut String, worth: &Worth) {
    let (x, y) = corner(worth.square);
    let (middle, base) = (x + SQUARE / 2, y + SQUARE - 6);
    let pawns = pawns_of(worth);
    let _ = writeln!(
        text,
        "<text x=\"{middle}\" y=\"{base}\" font-size=\"23\" font-weight=\"bold\" text-anchor=\"middle\" \
         stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\" fill=\"#202020\">{pawns}</text>"
    );
}

/// The filled shape, followed by a mark that asks for text rather than a coloured emoji.
fn chess_letter(role: Role) -> &'static str {
    match role {
        Role::King => "\u{265a}\u{fe0e}",
        Role::Queen => "\u{265b}\u{fe0e}",
        Role::Rook => "\u{265c}\u{fe0e}",
        Role::Bishop => "\u{265d}\u{fe0e}",
        Role::Knight => "\u{265e}\u{fe0e}",
        Role::Pawn => "\u{265f}\u{fe0e}",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
