//! A folder for the files of a test, removed when the test is over.

use std::path::PathBuf;
use std::{env, fs, process};

/// The folder.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// A new folder; tests that run at the same time have other names.
    pub fn new(name: &str) -> Scratch {
        let folder = env::temp_dir().join(format!("lanternfish-{name}-{}", process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
