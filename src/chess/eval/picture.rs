//! A picture of an evaluation: the board with each piece's worth in its place, as SVG.

use std::fmt::Write as _;

use shakmaty::{Color, Role, Square};

use super::trace::Trace;
use super::worth::{Worth, pawns_of};

/// The side of a square, in pixels.
const SQUARE: u32 = 80;
/// Room for the coordinates and below the board.
const MARGIN: u32 = 24;
/// Height of a line of text below the board.
const LINE: u32 = 22;

const LIGHT: &str = "#f0e6d2";
const DARK: &str = "#c4a67f";

impl Trace {
    /// A picture: the board with each piece's worth in its place, and `notes` below it, as the text of an SVG file.
    pub fn svg(&self, notes: &[String]) -> String {
        let width = 8 * SQUARE + 2 * MARGIN;
        let height = width + LINE * notes.len() as u32;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        for square in Square::ALL {
            draw_square(&mut text, square);
        }
        draw_coordinates(&mut text);
        for worth in self.worths() {
            draw_piece(&mut text, worth);
        }
        for (number, note) in (0..).zip(notes) {
            let y = width + LINE * number;
            let note = escaped(note);
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "<text x=\"{MARGIN}\" y=\"{y}\" font-size=\"14\">{note}</text>"
            );
        }
        text.push_str("</svg>\n");
        text
    }
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
        let (below, up) = (
            8 * SQUARE + 2 * MARGIN - 7,
            8 * SQUARE + 2 * MARGIN - along + 5,
        );
        let _ = writeln!(
            text,
            "<text x=\"{along}\" y=\"{below}\" font-size=\"14\" text-anchor=\"middle\">{file}</text>\n\
             <text x=\"12\" y=\"{up}\" font-size=\"14\" text-anchor=\"middle\">{rank}</text>"
        );
    }
}

/// The piece as a chess letter, and its worth below.
fn draw_piece(text: &mut String, worth: &Worth) {
    let (x, y) = corner(worth.square);
    let middle = x + SQUARE / 2;
    let (fill, edge) = match worth.piece.color {
        Color::White => ("#ffffff", "#202020"),
        Color::Black => ("#202020", "#202020"),
    };
    let (letter, pawns) = (chess_letter(worth.piece.role), pawns_of(worth));
    let (letter_y, worth_y) = (y + 52, y + SQUARE - 7);
    let _ = writeln!(
        text,
        "<text x=\"{middle}\" y=\"{letter_y}\" font-size=\"52\" text-anchor=\"middle\" fill=\"{fill}\" \
         stroke=\"{edge}\" stroke-width=\"1\">{letter}</text>\n\
         <text x=\"{middle}\" y=\"{worth_y}\" font-size=\"15\" text-anchor=\"middle\">{pawns}</text>"
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
