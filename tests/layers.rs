//! The floors of the house: a file imports only from lower floors, and sideways only inside its own folder.

use std::fs;
use std::path::{Path, PathBuf};

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

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The top-level modules that `text` names after `crate::`, braces included.
fn imports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in text.split("crate::").skip(1) {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        if let Some(list) = part.strip_prefix('{') {
            let list = list.split("};").next().unwrap_or_default();
            for item in list.split(',') {
                found.push(item.trim().chars().take_while(|&c| is_name(c)).collect());
            }
        } else {
            found.push(part.chars().take_while(|&c| is_name(c)).collect());
        }
    }
    found
}

/// Unit tests may reach up: they build positions from FEN and evaluators.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or_default()
}

#[test]
fn imports_never_climb() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut checked = 0;
    for path in sources(&root) {
        let relative = path.strip_prefix(&root).unwrap();
        let module = relative
            .components()
            .next()
            .unwrap()
            .as_os_str()
            .to_str()
            .unwrap();
        let Some(here) = floor(module.trim_end_matches(".rs")) else {
            assert!(
                ["lib.rs", "main.rs"].contains(&module),
                "{module} has no floor in this test"
            );
            continue;
        };
        let text = fs::read_to_string(&path).unwrap();
        for import in imports(without_tests(&text)) {
            let Some(there) = floor(&import) else {
                continue;
            };
            let own = import == module.trim_end_matches(".rs");
            assert!(
                there < here || own,
                "{} imports crate::{import}",
                relative.display()
            );
            checked += 1;
        }
    }
    assert!(
        checked > 20,
        "only {checked} imports found: is the test blind?"
    );
}

#[test]
fn imports_are_found_in_all_their_forms() {
    let text =
        "use crate::score::Score;\nuse crate::{chess::keys, engine};\nlet x = crate::uci::Session;";
    assert_eq!(imports(text), ["score", "chess", "engine", "uci"]);
}

#[test]
fn the_search_neither_prints_nor_locks_nor_reaches_for_globals() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for folder in ["search", "chess/eval"] {
        for path in sources(&root.join(folder)) {
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
