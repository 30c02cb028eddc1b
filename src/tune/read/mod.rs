//! Positions from files: the tuner's own, text, and games in PGN, each of them also packed with gzip. What a file is
//! is recognised by its beginning, not from its name.

mod pgn;
mod report;
mod text;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use super::sample::{RECORD_SIZE, Sample};

pub use report::{Report, Sink};

/// The first bytes of a file packed with gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Bytes looked at to tell what a file is.
const HEAD: usize = 64;

/// Hands all positions of the file at `path` to `sink`. Positions of one game follow each other.
///
/// # Errors
///
/// When the file cannot be read, or when the sink fails. What is no position is counted in the report and left out.
pub fn read(path: &Path, sink: &mut Sink<'_>) -> io::Result<Report> {
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path)?);
    if reader.fill_buf()?.starts_with(&GZIP) {
        let unpacked = MultiGzDecoder::new(reader);
        return read_plain(BufReader::with_capacity(1 << 20, unpacked), sink);
    }
    read_plain(reader, sink)
}

fn read_plain(mut reader: impl BufRead, sink: &mut Sink<'_>) -> io::Result<Report> {
    let head = reader.fill_buf()?;
    let head = &head[..head.len().min(HEAD)];
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace() || *byte > 0x7f;
    if !head.iter().all(is_text) {
        read_binary(reader, sink)
    } else if head.trim_ascii_start().starts_with(b"[") {
        pgn::read(reader, sink)
    } else {
        text::read(reader, sink)
    }
}

fn read_binary(mut reader: impl Read, sink: &mut Sink<'_>) -> io::Result<Report> {
    let mut report = Report::default();
    let mut record = [0; RECORD_SIZE];
    loop {
        match reader.read_exact(&mut record) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(report),
            Err(error) => return Err(error),
        }
        match Sample::from_record(&record) {
            Ok(sample) => {
                report.positions += 1;
                sink(sample)?;
            }
            Err(error) => report.fault(|| error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::chess::fen;
    use crate::tune::sample::GameResult;
    use crate::tune::scratch::Scratch;

    /// What a file with these bytes gives, plain and packed.
    pub(super) fn contents(name: &str, bytes: &[u8]) -> (Vec<Sample>, Report) {
        let folder = Scratch::new(&format!("read-{name}"));
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(bytes).expect("packed");
        let packed = packed.finish().expect("packed");
        let [plain, packed] = [bytes, &packed].map(|bytes| {
            let path = folder.path("file");
            fs::write(&path, bytes).expect("a written file");
            let mut samples = Vec::new();
            let report = read(&path, &mut |sample| {
                samples.push(sample);
                Ok(())
            });
            (samples, report.expect("a file"))
        });
        assert_eq!(plain, packed);
        plain
    }

    #[test]
    fn binary_files_are_known_by_their_bytes() {
        let sample = |starts_game| Sample {
            chess: fen::parse("4k2r/8/8/8/8/8/8/4K3 b k - 7 258").expect("a position"),
            score: Some(-450),
            result: GameResult::BlackWins,
            starts_game,
            ends_game: !starts_game,
        };
        let mut bytes = sample(true).to_record().to_vec();
        bytes.extend([0xff; RECORD_SIZE]);
        bytes.extend(sample(false).to_record());
        bytes.extend([1, 2, 3]);
        let (samples, report) = contents("binary", &bytes);
        assert_eq!(samples, [sample(true), sample(false)]);
        assert_eq!((report.positions, report.faults), (2, 1));
    }

    #[test]
    fn an_empty_file_has_nothing() {
        assert_eq!(contents("empty", b""), (Vec::new(), Report::default()));
    }
}
