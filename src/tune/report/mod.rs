//! Pictures of what was learned: the losses as a plot, every table as a heat map. SVG files that any browser shows.

mod heat;
mod plot;
mod svg;

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use super::train::Losses;
use crate::chess::eval::{Group, Weights};
use crate::score::Tapered;

const SQUARES: usize = 64;

/// Writes `losses.svg`, `losses.csv` and a picture of every table to `folder`, which is made if need be.
///
/// # Errors
///
/// When a file cannot be written.
pub fn write(folder: &Path, losses: &[Losses], weights: &Weights) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("losses.svg"), plot::losses(losses))?;
    fs::write(folder.join("losses.csv"), table(losses))?;
    let flat = weights.to_flat();
    for group in Weights::GROUPS {
        let values = &flat[group.offset..group.offset + group.len()];
        for (name, picture) in pictures(group, values) {
            fs::write(folder.join(format!("{name}.svg")), picture)?;
        }
    }
    Ok(())
}

fn table(losses: &[Losses]) -> String {
    let mut text = "epoch,learned,held_out,results\n".to_string();
    for loss in losses {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{}",
            loss.epoch, loss.learned, loss.held_out, loss.results
        );
    }
    text
}

/// The pictures of a group with their names: one for each king bucket of piece-square tables, one for another table
/// with two dimensions, none for a list.
fn pictures(group: &Group, values: &[Tapered]) -> Vec<(String, String)> {
    match *group.shape {
        [_, SQUARES] => vec![(group.name.to_string(), heat::boards(group.name, values))],
        [buckets, _, SQUARES] => {
            let parts = values.chunks(values.len() / buckets).enumerate();
            let name = |bucket| format!("{}_{bucket}", group.name);
            parts
                .map(|(bucket, part)| (name(bucket), heat::boards(&name(bucket), part)))
                .collect()
        }
        [_, columns] => vec![(
            group.name.to_string(),
            heat::grid(group.name, values, columns),
        )],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::DEFAULT;
    use crate::tune::scratch::Scratch;

    #[test]
    fn all_tables_get_a_picture() {
        let folder = Scratch::new("report");
        let loss = |epoch| Losses {
            epoch,
            learned: 0.1 / f64::from(epoch + 1),
            held_out: 0.11 / f64::from(epoch + 1),
            results: 0.12,
        };
        let path = folder.path("pictures");
        write(&path, &[loss(0), loss(1), loss(2)], &DEFAULT).expect("written files");
        let text = |name: &str| fs::read_to_string(path.join(name)).expect(name);
        assert!(text("losses.csv").ends_with("\n2,0.03333333333333333,0.03666666666666667,0.12\n"));
        for name in [
            "losses.svg",
            "square.svg",
            "own_king_0.svg",
            "enemy_king_7.svg",
            "passed_own_king.svg",
        ] {
            let text = text(name);
            assert!(
                text.starts_with("<svg ") && text.ends_with("</svg>\n"),
                "{name}"
            );
        }
        // Twelve boards of 64 squares.
        assert_eq!(text("square.svg").matches("<rect").count(), 1 + 12 * 64);
    }
}
