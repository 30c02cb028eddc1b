//! The data file while it is being made: whole games at its end, counted, and a torn one cut off.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::super::sample::{RECORD_SIZE, Sample, game_marks};

/// What a file has.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Progress {
    /// Whole games.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
}

/// Appends games to a file.
#[derive(Debug)]
pub struct Writer {
    file: File,
    progress: Progress,
}

impl Writer {
    /// Opens the file at `path`, or makes it. What a crash left of a half-written game is cut off.
    ///
    /// # Errors
    ///
    /// When it cannot be opened or read, or when it is something else and not empty.
    pub fn open(path: &Path) -> io::Result<Writer> {
        let options = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .clone();
        let mut file = options.open(path)?;
        if !is_data(&mut file)? {
            let text = format!("{} is no file of self-play", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        let progress = count(&file)?;
        let length = progress.positions * RECORD_SIZE as u64;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        Ok(Writer { file, progress })
    }

    /// What the file has now.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Appends a game in one piece.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write_game(&mut self, game: &[Sample]) -> io::Result<()> {
        let records: Vec<u8> = game.iter().flat_map(Sample::to_record).collect();
        self.file.write_all(&records)?;
        self.progress.games += 1;
        self.progress.positions += game.len() as u64;
        Ok(())
    }

    /// Makes sure that all is on the disk, and returns what the file has.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn finish(self) -> io::Result<Progress> {
        self.file.sync_all()?;
        Ok(self.progress)
    }
}

/// Whether the file is empty or begins with the first position of a game. Leaves it at its beginning.
fn is_data(file: &mut File) -> io::Result<bool> {
    let mut record = [0; RECORD_SIZE];
    let whole = read_record(file, &mut record)?;
    file.rewind()?;
    if !whole {
        return Ok(file.metadata()?.len() == 0);
    }
    Ok(Sample::from_record(&record).is_ok_and(|sample| sample.starts_game))
}

/// The whole games at the beginning of the file.
fn count(file: &File) -> io::Result<Progress> {
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut record = [0; RECORD_SIZE];
    let mut whole = Progress::default();
    let mut positions = 0;
    while read_record(&mut reader, &mut record)? {
        positions += 1;
        let (_, ends) = game_marks(&record);
        if ends {
            whole.games += 1;
            whole.positions = positions;
        }
    }
    Ok(whole)
}

/// Whether there was one more whole record.
fn read_record(reader: &mut impl Read, record: &mut [u8; RECORD_SIZE]) -> io::Result<bool> {
    match reader.read_exact(record) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tune::scratch::Scratch;

    #[test]
    fn other_files_are_left_alone() {
        let folder = Scratch::new("file");
        let path = folder.path("poem");
        for times in [1, 10, 10_000] {
            let text = "to be\n".repeat(times);
            fs::write(&path, &text).expect("a written file");
            assert!(Writer::open(&path).is_err());
            assert_eq!(fs::read_to_string(&path).expect("a file"), text);
        }
    }
}
