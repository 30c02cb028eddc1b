//! How weights were made, for the head of their file: the command, the data with its sums, and the losses.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::{env, io};

use sha2::{Digest, Sha256};

use super::super::train::Losses;

/// What the head says of a run.
pub struct Story<'a> {
    /// The files learned from.
    pub files: &'a [PathBuf],
    /// Positions learned from, held out, and kept to judge.
    pub counts: [usize; 3],
    /// The losses at the start and of the weights that are written.
    pub losses: [Losses; 2],
    /// The losses of the same weights on the positions that judge.
    pub judged: [f64; 2],
}

impl Story<'_> {
    /// The lines of the head.
    ///
    /// # Errors
    ///
    /// When a file cannot be read.
    pub fn lines(&self) -> io::Result<Vec<String>> {
        let mut lines = vec![command(env::args().skip(1)), String::new()];
        for path in self.files {
            lines.push(format!("{}  {}", sum(path)?, name(path)));
        }
        let [learned_from, held_out, judged] = self.counts;
        let [start, best] = &self.losses;
        let [before, after] = self.judged;
        lines.extend([
            String::new(),
            format!("positions: {learned_from} learned from, {held_out} held out, {judged} judge"),
            format!("epoch {} of the learning", best.epoch),
            format!(
                "held-out loss: {:.6} before, {:.6} after",
                start.held_out, best.held_out
            ),
            format!("judged loss:   {before:.6} before, {after:.6} after"),
        ]);
        Ok(lines)
    }
}

/// The command as it was given, but for the folders of its files: they say something of a machine only.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let words = arguments.map(|word| name(Path::new(&word)));
    let line: Vec<String> = ["lanternfish".to_string()]
        .into_iter()
        .chain(words)
        .collect();
    line.join(" ")
}

fn name(path: &Path) -> String {
    path.file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// The SHA-256 of a file, as `sha256sum` prints it.
fn sum(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path)?);
    loop {
        let block = reader.fill_buf()?;
        if block.is_empty() {
            break;
        }
        hasher.update(block);
        let length = block.len();
        reader.consume(length);
    }
    let bytes = hasher.finalize();
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tune::scratch::Scratch;

    #[test]
    fn a_sum_is_that_of_sha256sum() {
        let folder = Scratch::new("sum");
        let path = folder.path("abc");
        fs::write(&path, "abc").expect("a written file");
        // The example of FIPS 180-2.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sum(&path).expect("a sum"), expected);
    }

    #[test]
    fn a_command_names_files_without_their_folders() {
        let words = [
            "tune",
            "/home/me/games.bin",
            "--lambda",
            "0.8",
            "--out",
            "a/weights.rs",
        ];
        let line = command(words.into_iter().map(String::from));
        assert_eq!(
            line,
            "lanternfish tune games.bin --lambda 0.8 --out weights.rs"
        );
    }
}
