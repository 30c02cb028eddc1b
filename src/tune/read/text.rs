//! Lines of `FEN;result;score`: result 1, 0.5 or 0 and score in centipawns, both from White's view. The score may be
//! left out.

use std::io::{self, BufRead};

use shakmaty::Position as _;

use super::super::sample::{GameResult, Sample};
use super::report::{Report, Sink};
use crate::chess::fen;

/// Reads all lines; empty ones are left out.
pub(super) fn read(mut reader: impl BufRead, sink: &mut Sink<'_>) -> io::Result<Report> {
    let mut report = Report::default();
    let mut games = Games::default();
    let mut bytes = Vec::new();
    for number in 1_u64.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        match parse(line) {
            Ok(mut sample) => {
                sample.starts_game = games.is_new(&sample);
                report.positions += 1;
                sink(sample)?;
            }
            Err(text) => report.fault(|| format!("line {number}: {text}")),
        }
    }
    Ok(report)
}

fn parse(line: &str) -> Result<Sample, String> {
    let mut fields = line.split(';').map(str::trim);
    let position = fields.next().unwrap_or_default();
    let chess = fen::parse(position).map_err(|error| error.to_string())?;
    let points = fields.next().and_then(|field| field.parse().ok());
    let result = points.and_then(GameResult::from_points);
    let score = match fields.next() {
        None | Some("") => None,
        Some(field) => Some(parse_score(field).ok_or("the score is no number")?),
    };
    Ok(Sample {
        chess,
        score,
        result: result.ok_or("the result is not 1, 0.5 or 0")?,
        starts_game: false,
        ends_game: false,
    })
}

fn parse_score(field: &str) -> Option<i16> {
    let number: f64 = field
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())?;
    // A cast keeps within the range; the lowest number has another meaning.
    Some((number.round() as i16).max(-i16::MAX))
}

/// Finds where a game ends and the next begins: there the plies go back, or the result is another one.
#[derive(Default)]
struct Games {
    last: Option<(u32, GameResult)>,
}

impl Games {
    fn is_new(&mut self, sample: &Sample) -> bool {
        let ply = 2 * sample.chess.fullmoves().get() + sample.chess.turn().fold_wb(0, 1);
        let last = self.last.replace((ply, sample.result));
        last.is_none_or(|(before, result)| ply <= before || sample.result != result)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::contents;

    #[test]
    fn lines_are_read_and_games_told_apart() {
        let text = "\
8/8/8/4k3/8/8/3PK3/8 w - - 0 40;1;120
8/8/8/4k3/8/8/3PK3/8 b - - 0 40; 1 ; -35.6

8/8/8/4k3/8/8/3PK3/8 w - - 0 45;0.5
8/8/8/4k3/8/8/3PK3/8 w - - 0 3;0.5;-99999
8/8/8/4k3/8/8/3PK3/8 w - - 0 3;2;0
nonsense
8/8/8/4k3/8/8/3PK3/8 w - - 0 4;0;x
";
        let (samples, report) = contents("text", text.as_bytes());
        let starts: Vec<bool> = samples.iter().map(|sample| sample.starts_game).collect();
        let scores: Vec<_> = samples.iter().map(|sample| sample.score).collect();
        let points: Vec<_> = samples
            .iter()
            .map(|sample| sample.result.points())
            .collect();
        assert_eq!(starts, [true, false, true, true]);
        assert_eq!(scores, [Some(120), Some(-36), None, Some(-32767)]);
        assert_eq!(points, [1.0, 1.0, 0.5, 0.5]);
        assert_eq!((report.positions, report.faults), (4, 3));
        let fault = report.first_fault.expect("a fault");
        assert!(fault.starts_with("line 6: the result"), "{fault}");
    }
}
