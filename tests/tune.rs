//! The tuner's subcommands, driven as a person drives them: self-play, learning, the win/draw/loss fit.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, process};

/// A folder for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = env::temp_dir().join(format!("lanternfish-cli-{name}-{}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn lanternfish(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lanternfish"))
        .args(arguments)
        .output()
        .unwrap()
}

fn succeeds(arguments: &[&str]) -> String {
    let output = lanternfish(arguments);
    let told = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(output.status.success(), "{arguments:?}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

fn datagen(file: &str, games: &str) -> String {
    let nodes = ["--nodes", "200", "--hash", "1", "--seed", "4"];
    succeeds(&[&["datagen", file, "--games", games], &nodes[..]].concat())
}

#[test]
fn self_play_goes_on_where_it_was_and_is_learned_from() {
    let folder = Folder::new("learn");
    let (data, weights, report) = (
        folder.path("data"),
        folder.path("weights.rs"),
        folder.path("report"),
    );
    assert!(datagen(&data, "10").contains(": 10 games, "));
    let size = fs::metadata(&data).unwrap().len();
    assert!(datagen(&data, "30").contains(": 30 games, "));
    assert!(fs::metadata(&data).unwrap().len() > size);

    let arguments = [
        "tune", &data, "--out", &weights, "--report", &report, "--epochs", "2",
    ];
    let told = succeeds(&[&arguments[..], &["--held-out", "0.3", "--late-from", "1"]].concat());
    for word in [
        "positions of 30 games",
        "held out",
        "scale",
        "best",
        "weights written to",
    ] {
        assert!(told.contains(word), "no {word} in\n{told}");
    }
    let text = fs::read_to_string(&weights).unwrap();
    assert!(text.contains("pub const DEFAULT: Weights = Weights {") && text.ends_with("};\n"));
    for picture in ["losses.svg", "square.svg", "own_king_0.svg"] {
        assert!(Path::new(&report).join(picture).exists(), "{picture}");
    }

    let told = succeeds(&["wdl-fit", &data]);
    assert!(
        told.contains("const EVEN_CHANCE: [f64; TERMS] = ["),
        "{told}"
    );
}

#[test]
fn a_run_is_the_same_every_time() {
    let folder = Folder::new("again");
    let data = folder.path("data");
    datagen(&data, "20");
    let run = || {
        let out = folder.path("weights.rs");
        succeeds(&[
            "tune",
            &data,
            "--out",
            &out,
            "--epochs",
            "2",
            "--held-out",
            "0.3",
        ]);
        fs::read_to_string(out).unwrap()
    };
    let first = run();
    assert!(first == run());
    // The head says how the weights were made.
    for word in [
        "//! lanternfish tune data --out weights.rs --epochs 2",
        "//! judged loss: ",
    ] {
        assert!(first.contains(word), "{word}");
    }
}

#[test]
fn text_without_positions_is_refused() {
    let folder = Folder::new("text");
    let file = folder.path("poem.txt");
    fs::write(&file, "to be or not to be\n".repeat(5)).unwrap();
    let out = folder.path("weights.rs");
    for arguments in [
        &["tune", &file, "--out", &out][..],
        &["tune", "no-such-file", "--out", &out],
        &["tune", &file, "--only", "no_such_group"],
        &["wdl-fit", &file],
        &["datagen", &file],
    ] {
        let output = lanternfish(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
    assert!(!Path::new(&out).exists());
    assert!(fs::read_to_string(&file).unwrap().starts_with("to be"));
}

#[test]
fn wrong_numbers_are_refused() {
    for argument in [
        "--spread=0",
        "--scale=-155",
        "--rate=nan",
        "--decay=inf",
        "--spread-of=own_king=0",
        "--lambda=1.5",
    ] {
        let output = lanternfish(&["tune", "data.bin", argument]);
        assert_eq!(output.status.code(), Some(2), "{argument}");
        let told = String::from_utf8_lossy(&output.stderr);
        let name = argument.split('=').next().unwrap();
        assert!(told.contains(name), "{argument}: {told}");
    }
}

#[test]
fn danger_is_not_learned_from_zero() {
    let complaint = |more: &[&str]| {
        let arguments = [&["tune", "no-such-file", "--zero", "KingSafety"][..], more].concat();
        let output = lanternfish(&arguments);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(complaint(&[]).contains("danger"));
    // What is not to be learned may be zero.
    assert!(complaint(&["--freeze", "KingSafety"]).contains("no-such-file"));
}
