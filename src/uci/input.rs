//! Standard input, read line by line on a thread of its own.

use std::io::{self, BufRead, Read};
use std::thread;

use crossbeam_channel::{Receiver, unbounded};

/// Longer lines are ignored, in bytes. A game of ten thousand moves takes a fortieth of it.
const MAX_LINE: u64 = 4 << 20;

/// What comes in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Input {
    /// A line, without its end. What is not UTF-8 has become the replacement character.
    Line(String),
    /// A line that was too long to be read.
    TooLong,
    /// Nothing more will come.
    End,
}

/// Starts to read standard input.
///
/// # Errors
///
/// When the system will give no thread.
pub fn spawn() -> io::Result<Receiver<Input>> {
    let (sender, receiver) = unbounded();
    thread::Builder::new()
        .name("input".to_string())
        .spawn(move || {
            read(io::stdin().lock(), |input| sender.send(input).is_ok());
        })?;
    Ok(receiver)
}

/// Reads until the end, or until `send` says that nobody listens.
fn read(mut source: impl BufRead, mut send: impl FnMut(Input) -> bool) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let length = source.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes);
        let whole = bytes.last() == Some(&b'\n');
        let input = match length {
            Ok(0) | Err(_) => Input::End,
            Ok(length) if !whole && length as u64 == MAX_LINE => {
                skip_line(&mut source);
                Input::TooLong
            }
            Ok(_) => Input::Line(String::from_utf8_lossy(&bytes).trim_end().to_string()),
        };
        let ended = input == Input::End;
        if !send(input) || ended {
            return;
        }
    }
}

fn skip_line(source: &mut impl BufRead) {
    while let Ok(buffer) = source.fill_buf() {
        if buffer.is_empty() {
            return;
        }
        match buffer.iter().position(|&byte| byte == b'\n') {
            Some(index) => return source.consume(index + 1),
            None => {
                let length = buffer.len();
                source.consume(length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Input> {
        let mut inputs = Vec::new();
        read(bytes, |input| {
            inputs.push(input);
            true
        });
        inputs
    }

    fn line(text: &str) -> Input {
        Input::Line(text.to_string())
    }

    #[test]
    fn line_ends_of_all_kinds() {
        assert_eq!(
            all(b"uci\r\n\nquit"),
            [line("uci"), line(""), line("quit"), Input::End]
        );
        assert_eq!(all(b""), [Input::End]);
    }

    #[test]
    fn bytes_that_are_no_text() {
        assert_eq!(
            all(b"a\xff\xfe\0b\nuci\n"),
            [line("a\u{fffd}\u{fffd}\0b"), line("uci"), Input::End]
        );
    }

    #[test]
    fn endless_lines_are_passed_over() {
        let mut bytes = vec![b'x'; MAX_LINE as usize * 2 + 5];
        bytes.extend_from_slice(b"\nuci\n");
        assert_eq!(all(&bytes), [Input::TooLong, line("uci"), Input::End]);
    }
}
