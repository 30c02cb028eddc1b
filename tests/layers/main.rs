//! The floors of the house: a file imports only from lower floors, and sideways only inside its own folder.

mod imports;

use std::fs;
use std::path::Path;

use imports::{Sources, circles, rust_files};

/// Modules of the library from the ground up; one line is one floor.
const FLOORS: &[&[&str]] = &[
    &["score", "progress"],
    &["chess"],
    &["search"],
    &["engine"],
    &["bench"],
    &["uci"],
    &["tune"],
    &["cli"],
];

/// The same inside `chess`.
const FLOORS_OF_CHESS: &[&[&str]] = &[
    &["compact"],
    &["piece_square"],
    &["position"],
    &["movegen", "fen"],
    &["keys"],
    &["eval"],
    &["see", "upcoming_repetition", "tablebase"],
];

fn source_folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Unit tests may reach up: they build positions from FEN and evaluators.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or_default()
}

/// The floor of a file of the library, and the name of its top-level module.
fn place(file: &str) -> Option<(usize, &str)> {
    let module = file.split('/').next()?.trim_end_matches(".rs");
    let level = FLOORS.iter().position(|floor| floor.contains(&module))?;
    Some((level, module))
}

/// The same inside the folder of chess.
fn place_in_chess(file: &str) -> Option<(usize, &str)> {
    let module = file.strip_prefix("chess/")?;
    let module = module.split('/').next()?.trim_end_matches(".rs");
    let level = FLOORS_OF_CHESS
        .iter()
        .position(|floor| floor.contains(&module))?;
    Some((level, module))
}

/// The imports that go to the same floor or a higher one, the own module excepted.
fn climbs(place: impl Fn(&str) -> Option<(usize, &str)>) -> Vec<String> {
    let sources = Sources::read(&source_folder());
    let mut found = Vec::new();
    let mut checked = 0;
    for (file, used) in sources.uses() {
        for other in used {
            let (Some((here, module)), Some((there, target))) = (place(file), place(other)) else {
                continue;
            };
            checked += 1;
            if there >= here && module != target {
                found.push(format!("{file} uses {other}"));
            }
        }
    }
    assert!(
        checked > 20,
        "only {checked} imports found: is the test blind?"
    );
    found
}

#[test]
fn imports_never_climb() {
    assert_eq!(climbs(place), [""; 0]);
    assert_eq!(climbs(place_in_chess), [""; 0]);
}

#[test]
fn every_file_has_a_floor() {
    for file in Sources::read(&source_folder()).uses().keys() {
        let top = ["lib.rs", "main.rs", "chess/mod.rs"].contains(file);
        let placed = if file.starts_with("chess/") {
            place_in_chess(file)
        } else {
            place(file)
        };
        assert!(top || placed.is_some(), "{file} has no floor in this test");
    }
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let sources = Sources::read(&source_folder());
    let found = circles(&sources.uses());
    assert!(found.is_empty(), "circles: {found:#?}");
}

#[test]
fn the_search_reaches_the_game_through_one_door() {
    let sources = Sources::read(&source_folder());
    for (file, used) in sources.uses() {
        let beside_the_door = file.starts_with("search/") && file != "search/game.rs";
        let chess = used.iter().find(|other| other.starts_with("chess/"));
        assert!(
            !beside_the_door || chess.is_none(),
            "{file} uses {chess:?} past search/game.rs"
        );
    }
}

#[test]
fn the_search_neither_prints_nor_locks_nor_reaches_for_globals() {
    let root = source_folder();
    for folder in ["search", "chess/eval"] {
        for path in rust_files(&root.join(folder)) {
            let text = fs::read_to_string(&path).unwrap();
            for word in [
                "println!",
                "print!",
                "dbg!",
                "Mutex",
                "RwLock",
                "static mut",
                "OnceLock",
                "thread_local!",
            ] {
                assert!(
                    !without_tests(&text).contains(word),
                    "{word} in {}",
                    path.display()
                );
            }
        }
    }
}
