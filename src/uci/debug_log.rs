//! The log file: every line in and out, with the time of day.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

/// An open log file.
#[derive(Debug)]
pub struct DebugLog {
    file: File,
}

/// Which way a line went.
#[derive(Copy, Clone, Debug)]
pub enum Direction {
    /// From the client to the engine.
    In,
    /// From the engine to the client.
    Out,
}

impl DebugLog {
    /// Opens a file to append to, and makes it when it is not there.
    ///
    /// # Errors
    ///
    /// Those of opening a file, and when it is a named pipe: opening one would wait for a reader.
    pub fn open(path: &str) -> io::Result<DebugLog> {
        if is_named_pipe(path) {
            return Err(io::Error::other("it is a named pipe"));
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(DebugLog { file })
    }

    /// Adds a line: time of day (UTC), `>>` for a line in or `<<` for a line out, and the text.
    ///
    /// # Errors
    ///
    /// Those of writing to a file.
    pub fn write(&mut self, direction: Direction, text: &str) -> io::Result<()> {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
        let time = time_of_day(since_epoch.unwrap_or_default().as_millis());
        let arrow = match direction {
            Direction::In => ">>",
            Direction::Out => "<<",
        };
        self.file
            .write_all(format!("{time} {arrow} {text}\n").as_bytes())
    }
}

#[cfg(unix)]
fn is_named_pipe(path: &str) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_named_pipe(_: &str) -> bool {
    false
}

/// Hours, minutes, seconds and milliseconds of a time in milliseconds since midnight of some day.
fn time_of_day(milliseconds: u128) -> String {
    let seconds = milliseconds / 1000;
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    let (seconds, milliseconds) = (seconds % 60, milliseconds % 1000);
    format!("{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_fixed_width() {
        assert_eq!(time_of_day(0), "00:00:00.000");
        assert_eq!(time_of_day(86_400_000 * 3 + 3_723_004), "01:02:03.004");
        assert_eq!(time_of_day(86_399_999), "23:59:59.999");
    }

    #[test]
    fn lines_are_appended_with_their_direction() {
        let path = std::env::temp_dir().join(format!("lanternfish-log-{}", std::process::id()));
        let name = path.to_string_lossy();
        for (direction, text) in [(Direction::In, "uci"), (Direction::Out, "uciok")] {
            let mut log = DebugLog::open(&name).expect("a file");
            log.write(direction, text).expect("a line");
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        std::fs::remove_file(&path).expect("a file to remove");
        let ends: Vec<&str> = text.lines().filter_map(|line| line.get(12..)).collect();
        assert_eq!(ends, [" >> uci", " << uciok"]);
        assert!(DebugLog::open("/nonexistent/file").is_err());
    }
}
