//! The options: how they are offered, set, and refused.

use std::path::PathBuf;

use crate::harness::{Engine, with_engine, with_one_and_two_threads};

/// One `option` line, read as strictly as the pickiest client does.
#[derive(Debug)]
struct OptionLine {
    line: String,
    name: String,
    kind: String,
    default: Option<String>,
    min: Option<i64>,
    max: Option<i64>,
    vars: Vec<String>,
}

impl OptionLine {
    fn parse(line: &str) -> OptionLine {
        let rest = line
            .strip_prefix("option name ")
            .unwrap_or_else(|| panic!("not an option: {line}"));
        let (name, rest) = rest
            .split_once(" type ")
            .unwrap_or_else(|| panic!("no type: {line}"));
        let words: Vec<&str> = rest.split(' ').collect();
        let mut option = OptionLine {
            line: line.to_string(),
            name: name.to_string(),
            kind: words[0].to_string(),
            default: None,
            min: None,
            max: None,
            vars: Vec::new(),
        };
        let keys = ["default", "min", "max", "var"];
        let mut at = 1;
        while at < words.len() {
            let key = words[at];
            assert!(keys.contains(&key), "`{key}` in {line}");
            let end = (at + 1..words.len())
                .find(|&i| keys.contains(&words[i]))
                .unwrap_or(words.len());
            let value = words[at + 1..end].join(" ");
            let number = || value.parse().unwrap_or_else(|_| panic!("{key} of {line}"));
            match key {
                "default" => option.default = Some(value),
                "min" => option.min = Some(number()),
                "max" => option.max = Some(number()),
                _ => option.vars.push(value),
            }
            at = end;
        }
        option
    }
}

#[track_caller]
fn options(engine: &mut Engine) -> Vec<OptionLine> {
    engine.send("uci");
    engine
        .wait_for("uciok", |line| line == "uciok")
        .iter()
        .filter(|line| line.starts_with("option"))
        .map(|line| OptionLine::parse(line))
        .collect()
}

#[track_caller]
fn option(engine: &mut Engine, name: &str) -> OptionLine {
    options(engine)
        .into_iter()
        .find(|option| option.name == name)
        .unwrap_or_else(|| panic!("no option {name}"))
}

/// A place for files that the tests make.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()))
}

/// python-chess and Cute Chess refuse an engine over a line they cannot read.
#[test]
fn o1_option_lines_are_complete() {
    let mut engine = Engine::start();
    for option in options(&mut engine) {
        let line = &option.line;
        match option.kind.as_str() {
            "spin" => {
                let default = option.default.as_ref().and_then(|text| text.parse().ok());
                let default: i64 = default.unwrap_or_else(|| panic!("default: {line}"));
                assert!(option.min <= Some(default), "{line}");
                assert!(option.max >= Some(default), "{line}");
                assert!(option.min.is_some() && option.max.is_some(), "{line}");
            }
            "check" => {
                let default = option.default.as_deref();
                assert!(matches!(default, Some("true" | "false")), "{line}");
            }
            "combo" => {
                let default = option.default.as_ref().expect("a default");
                assert!(option.vars.contains(default), "{line}");
            }
            "string" => {
                let default = option.default.as_deref();
                assert!(default.is_some_and(|text| !text.is_empty()), "{line}");
            }
            "button" => assert!(option.default.is_none(), "{line}"),
            other => panic!("type {other}: {line}"),
        }
        if option.kind != "spin" {
            assert!(option.min.is_none() && option.max.is_none(), "{line}");
        }
        if option.kind != "combo" {
            assert!(option.vars.is_empty(), "{line}");
        }
    }
    engine.alive();
}

/// Cute Chess keeps options by name.
#[test]
fn o1_option_names_are_distinct() {
    let mut engine = Engine::start();
    let mut names: Vec<String> = options(&mut engine)
        .iter()
        .map(|option| option.name.to_lowercase())
        .collect();
    names.sort();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    engine.alive();
}

/// GUIs send every option back with its default: that must be accepted in silence.
#[test]
fn o1_defaults_are_accepted() {
    let mut engine = Engine::start();
    for option in options(&mut engine) {
        match &option.default {
            Some(default) => {
                engine.send(&format!("setoption name {} value {default}", option.name))
            }
            None => engine.send(&format!("setoption name {}", option.name)),
        }
        assert!(engine.comments().is_empty(), "{}", option.line);
    }
    engine.search("depth 2");
    engine.alive();
}

/// Siblings: the least and the greatest value of the small spins.
#[test]
fn o1_limits_are_accepted() {
    let mut engine = Engine::start();
    for option in options(&mut engine) {
        if option.kind != "spin" || ["Hash", "Threads"].contains(&option.name.as_str()) {
            continue;
        }
        for value in [option.min, option.max].into_iter().flatten() {
            engine.send(&format!("setoption name {} value {value}", option.name));
            assert!(engine.comments().is_empty(), "{value}: {}", option.line);
        }
    }
    engine.alive();
}

/// python-chess: names are case-insensitive.
#[test]
fn o2_names_in_any_case() {
    let mut engine = Engine::start();
    engine.send("setoption name hAsH value 8");
    assert!(engine.comments().is_empty());
    for option in options(&mut engine) {
        let Some(default) = &option.default else {
            continue;
        };
        for name in [option.name.to_lowercase(), option.name.to_uppercase()] {
            engine.send(&format!("setoption name {name} value {default}"));
            assert!(engine.comments().is_empty(), "{name}");
        }
    }
    engine.alive();
}

/// Siblings: such a setting really takes effect.
#[test]
fn o2_a_name_in_odd_case_takes_effect() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name mULTIpV value 2");
        let search = engine.search("depth 2");
        assert!(search.infos.iter().any(|info| info.rank() == 2));
        engine.send("setoption name uci_showwdl value true");
        let search = engine.search("depth 2");
        assert!(search.infos.iter().any(|info| info.wdl.is_some()));
    });
}

/// GUIs: more than one space, and spaces at the end.
#[test]
fn o2_spaces_in_setoption() {
    with_engine(|engine| {
        for line in [
            "setoption  name  Hash  value  8",
            "setoption name Move  Overhead value 50",
            "setoption name Move Overhead value 50   ",
            "setoption\tname\tHash\tvalue\t8",
            "setoption name Clear Hash ",
        ] {
            engine.send(line);
            assert!(engine.comments().is_empty(), "{line}");
        }
    });
}

/// lichess-bot, python-chess: options under these exact names.
#[test]
fn o3_options_have_the_usual_names_and_ranges() {
    let mut engine = Engine::start();
    let options = options(&mut engine);
    for (name, kind) in [
        ("Hash", "spin"),
        ("Clear Hash", "button"),
        ("Threads", "spin"),
        ("Ponder", "check"),
        ("MultiPV", "spin"),
        ("Move Overhead", "spin"),
        ("UCI_Chess960", "check"),
        ("UCI_ShowWDL", "check"),
        ("Debug Log File", "string"),
    ] {
        let option = options.iter().find(|option| option.name == name);
        let option = option.unwrap_or_else(|| panic!("no option {name}"));
        assert_eq!(option.kind, kind, "{}", option.line);
        let range = (option.min, option.max);
        match name {
            "Threads" => assert_eq!(range, (Some(1), Some(1024))),
            "MultiPV" => assert_eq!(range, (Some(1), Some(256))),
            "Move Overhead" => assert!(option.min == Some(0) && option.max >= Some(1000)),
            _ => (),
        }
    }
    engine.alive();
}

/// lichess-bot sets SyzygyPath. Without the option, that is an unknown name like any other.
#[test]
fn o3_syzygy_path_is_offered_or_refused() {
    offered_or_refused("SyzygyPath", "string");
}

/// Bots set a book. Without the option, that is an unknown name like any other.
#[test]
fn o3_book_options_are_offered_or_refused() {
    offered_or_refused("BookFile", "string");
    offered_or_refused("OwnBook", "check");
}

#[track_caller]
fn offered_or_refused(name: &str, kind: &str) {
    let mut engine = Engine::start();
    match options(&mut engine)
        .iter()
        .find(|option| option.name == name)
    {
        Some(option) => {
            assert_eq!(option.kind, kind, "{}", option.line);
            if kind == "string" {
                assert_eq!(option.default.as_deref(), Some("<empty>"));
            }
        }
        None => {
            engine.send(&format!("setoption name {name} value x"));
            engine.complains();
        }
    }
    engine.alive();
}

/// PyChess stops pondering when this one is offered.
#[test]
fn o3_analyse_mode_is_not_offered() {
    let mut engine = Engine::start();
    let options = options(&mut engine);
    assert!(
        options
            .iter()
            .all(|option| option.name != "UCI_AnalyseMode")
    );
    engine.alive();
}

/// GUIs with free text fields.
#[test]
fn o4_bad_numbers_of_threads() {
    let mut engine = Engine::start();
    // A number that is too large asks for the most there may be: see `o8_threads_beyond_the_memory`.
    for value in ["abc", "-5"] {
        engine.send(&format!("setoption name Threads value {value}"));
        engine.complains();
    }
    engine.send("setoption name Threads value 1");
    engine.search("depth 2");
    engine.alive();
}

/// Siblings: the other options, and other bad values.
#[test]
fn o4_bad_values_of_other_options() {
    with_one_and_two_threads(|engine| {
        for setting in [
            "Threads value 0",
            "Threads value 1.5",
            "Threads value",
            "Threads",
            "Threads value 1 2",
            "Hash value abc",
            "Hash value -5",
            "Hash value 0",
            "Hash value",
            "Hash value 0x10",
            "MultiPV value 0",
            "MultiPV value -1",
            "MultiPV value 999999999999",
            "Move Overhead value -1",
            "Move Overhead value 99999999999999999999999",
            "UCI_Chess960 value maybe",
            "UCI_Chess960 value",
            "UCI_ShowWDL value 2",
            "Ponder value yes please",
        ] {
            engine.send(&format!("setoption name {setting}"));
            let said = engine.comments();
            assert!(!said.is_empty(), "no info string for: {setting}");
        }
        engine.send("setoption name MultiPV value 1");
        engine.search("depth 2");
    });
}

/// Fritz sends options of its own.
#[test]
fn o5_unknown_option() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name Foo value bar");
        engine.complains();
        engine.search("depth 2");
    });
}

/// Siblings: without a value, with a long name, with a name that starts like a real one.
#[test]
fn o5_other_unknown_options() {
    with_engine(|engine| {
        for setting in [
            "Foo",
            "Foo Bar Baz value 1 2 3",
            "NalimovPath value C:\\tables",
            "UCI_Opponent value none none computer Stockfish",
            "Hash2 value 8",
            "Has value 8",
            "HashTable value 8",
            "Clear",
            "UCI_AnalyseMode value true",
        ] {
            engine.send(&format!("setoption name {setting}"));
            let said = engine.comments();
            assert!(!said.is_empty(), "no info string for: {setting}");
        }
    });
}

/// Fritz and people at a terminal: half a line.
#[test]
fn o5_broken_setoption_lines() {
    with_engine(|engine| {
        for line in [
            "setoption",
            "setoption name",
            "setoption value 3",
            "setoption name value 3",
            "setoption Hash 8",
            "setoption Hash value 8",
            "setoption name name value value",
        ] {
            engine.send(line);
            engine.comments();
        }
        engine.search("depth 2");
    });
}

/// Arena sets the table once and starts many games.
#[cfg(target_os = "linux")]
#[test]
fn o7_hash_survives_ucinewgame() {
    with_engine(|engine| {
        engine.send("setoption name Hash value 16");
        engine.comments();
        engine.search("depth 2");
        let small = address_space(engine.pid());
        engine.send("setoption name Hash value 256");
        engine.comments();
        for _ in 0..3 {
            engine.send("ucinewgame");
            engine.comments();
            engine.search("depth 2");
            let grown = address_space(engine.pid()).saturating_sub(small);
            assert!(grown > 200 << 10, "only {grown} kB more for Hash 256");
        }
    });
}

/// Size of a process in kilobytes.
#[cfg(target_os = "linux")]
fn address_space(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmSize:"))
        .and_then(|size| size.trim().strip_suffix("kB")?.trim().parse().ok())
        .expect("a size")
}

/// The engine with an address space of 1 GB, so that no test can eat the machine's memory.
#[cfg(target_os = "linux")]
fn engine_with_little_memory() -> Engine {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v 1000000; exec \"$0\""]);
    command.arg(crate::harness::binary());
    Engine::start_as(command)
}

/// GUIs let people ask for more than there is.
#[cfg(target_os = "linux")]
#[test]
fn o8_hash_beyond_the_memory_keeps_the_old_table() {
    let mut engine = engine_with_little_memory();
    let max = option(&mut engine, "Hash").max.expect("a maximum");
    let small = address_space(engine.pid());
    engine.send("setoption name Hash value 256");
    assert!(engine.comments().is_empty());
    for value in [max, 33_554_432, 4096] {
        engine.send(&format!("setoption name Hash value {value}"));
        // A maximum that fits needs no excuse.
        if max > 900 {
            engine.complains();
            let kept = address_space(engine.pid());
            assert!(
                kept > small + 200_000,
                "{kept} kB after {value} MiB, {small} kB before"
            );
        }
        engine.search("depth 3");
    }
    engine.send("setoption name Hash value 8");
    assert!(engine.comments().is_empty());
    engine.send("ucinewgame");
    engine.search("depth 3");
    engine.alive();
}

/// Siblings: more threads than the machine gives.
#[cfg(target_os = "linux")]
#[test]
fn o8_threads_beyond_the_memory() {
    let mut engine = engine_with_little_memory();
    for value in ["1024", "999999999999"] {
        engine.send(&format!("setoption name Threads value {value}"));
        engine.complains();
        engine.search("depth 2");
    }
    engine.send("setoption name Threads value 1");
    engine.search("depth 2");
    engine.alive();
}

/// polyglot sends what its user typed, not a power of two.
#[test]
fn r3_any_size_of_hash() {
    with_one_and_two_threads(|engine| {
        for size in [20, 1, 3, 33, 100] {
            engine.send(&format!("setoption name Hash value {size}"));
            assert!(engine.comments().is_empty(), "Hash {size}");
            engine.search("depth 3");
        }
    });
}

/// PyChess and lichess-bot read option lines word by word.
#[test]
fn r4_order_of_words_in_option_lines() {
    let mut engine = Engine::start();
    for option in options(&mut engine) {
        let words: Vec<&str> = option.line.split(' ').collect();
        let kind = words.iter().position(|&word| word == "type");
        for key in ["default", "min", "max", "var"] {
            let first = words.iter().position(|&word| word == key);
            assert!(first.is_none() || first > kind, "{}", option.line);
            let mut name = option.name.split(' ');
            assert!(!name.any(|word| word == key), "{}", option.line);
        }
        for key in ["name", "type", "value"] {
            let mut name = option.name.split(' ');
            assert!(!name.any(|word| word == key), "{}", option.line);
        }
    }
    engine.alive();
}

/// lichess-bot's defaults are Threads 4 and Hash 512.
#[test]
fn r4_ranges_hold_the_defaults_of_bots() {
    let mut engine = Engine::start();
    assert!(option(&mut engine, "Threads").max >= Some(4));
    assert!(option(&mut engine, "Hash").max >= Some(512));
    assert!(option(&mut engine, "Hash").min <= Some(1));
    engine.alive();
}

/// Bots' users mistype paths. The engine names the path and plays on without tables.
#[test]
fn b1_missing_tables() {
    let missing = scratch("no tables here");
    let missing = missing.to_str().expect("a path");
    for value in [
        missing.to_string(),
        "/nowhere/a;/nowhere/b".to_string(),
        "/nowhere/a:/nowhere/b".to_string(),
        "C:\\Program Files\\tables".to_string(),
    ] {
        names_the_file("SyzygyPath", &value, &value);
    }
}

/// Siblings: a good folder beside a missing one. The tables are used, also after other options.
#[cfg(unix)]
#[test]
fn b1_a_good_folder_beside_a_missing_one() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    let mut engine = Engine::start();
    let hits = |engine: &mut Engine| {
        engine.position("fen 8/8/8/3k4/8/1n6/K1P5/8 w - - 0 1");
        let line = engine.search("depth 4").result().line.clone();
        line.contains(" tbhits ") && !line.contains(" tbhits 0 ")
    };
    engine.send(&format!(
        "setoption name SyzygyPath value /nowhere:{folder}"
    ));
    let told = engine.complains().join("\n");
    assert!(told.contains("/nowhere"), "{told}");
    assert!(told.contains("10 endgame table files"), "{told}");
    assert!(hits(&mut engine));
    engine.send("ucinewgame\nsetoption name Hash value 2\nsetoption name Threads value 2");
    assert!(hits(&mut engine));
    engine.send("setoption name SyzygyPath value <empty>");
    engine.comments();
    engine.send("ucinewgame");
    assert!(!hits(&mut engine));
    engine.alive();
}

/// Siblings: tables know nothing of the game. A won one is not repeated away, a lost one may be.
#[test]
fn b1_tables_and_repetitions() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    let mut engine = Engine::start();
    engine.send(&format!("setoption name SyzygyPath value {folder}"));
    engine.complains();
    engine.position("fen 8/8/3K4/8/4k3/8/8/6Q1 b - - 0 1 moves e4f5 d6c7 f5e4 c7d6 e4f5 d6c7 f5e4");
    let won = engine.search("depth 6");
    assert_ne!(won.best(), "c7d6");
    let line = &won.result().line;
    assert!(line.contains(" mate ") || line.contains(" cp 31"), "{line}");
    assert!(!line.contains(" mate -"), "{line}");
    engine.position("fen 8/8/Q7/K4k2/8/8/8/8 w - - 0 2 moves a6c8 f5f4 c8a6 f4f5 a6c8 f5f4 c8a6");
    let saved = engine.search("depth 6");
    assert_eq!(saved.best(), "f4f5");
    assert!(saved.result().line.contains(" cp 0 "));
    // What they know of the root is reported at once.
    engine.send("setoption name Endgame value 0");
    engine.position("fen 8/8/8/8/8/4k3/4P3/4K3 w - - 0 1");
    let drawn = engine.search("depth 3");
    assert!(drawn.result().line.contains(" cp 0 "));
    engine.alive();
}

/// Siblings: a folder with damaged tables, with and without spaces, and a file in place of a folder.
#[test]
fn b1_damaged_tables() {
    let folder = scratch("damaged tables");
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["KQvK.rtbw", "KQvK.rtbz"] {
        std::fs::write(folder.join(name), b"this is no table").expect("a file");
    }
    let path = folder.to_str().expect("a path").to_string();
    names_the_file("SyzygyPath", &path, "KQvK");
    names_the_file("SyzygyPath", &format!("{path}/KQvK.rtbw"), "KQvK");
    _ = std::fs::remove_dir_all(&folder);
}

/// Sets a file option, if there is one, and searches. Gives the info strings on the way.
#[track_caller]
fn plays_with(name: &str, value: &str) -> Option<Vec<String>> {
    let mut engine = Engine::start();
    let offered = options(&mut engine)
        .iter()
        .any(|option| option.name == name);
    engine.send(&format!("setoption name {name} value {value}"));
    let mut said = engine.comments();
    engine.position("fen 7k/8/5K2/8/8/8/8/Q7 w - - 0 1");
    engine.go("depth 3");
    let lines = engine.wait_for("bestmove", |line| line.starts_with("bestmove"));
    engine.forget_searches();
    said.extend(
        lines
            .into_iter()
            .filter(|line| crate::validator::is_comment(line)),
    );
    engine.position("startpos");
    engine.search("depth 2");
    engine.alive();
    if !offered {
        assert!(
            !said.is_empty(),
            "an unknown option {name} needs an info string"
        );
    }
    offered.then_some(said)
}

#[track_caller]
fn names_the_file(name: &str, value: &str, file: &str) {
    if let Some(said) = plays_with(name, value) {
        let named = said.iter().any(|line| line.contains(file));
        assert!(named, "{name} {value}: {file} is not named in {said:?}");
    }
}

/// GUIs' users ask for a log when something is wrong.
#[test]
fn o3_debug_log_file_records_both_directions() {
    let path = scratch("a log with spaces.txt");
    _ = std::fs::remove_file(&path);
    let name = path.to_str().expect("a path");
    let mut engine = Engine::start();
    engine.send(&format!("setoption name Debug Log File value {name}"));
    assert!(engine.comments().is_empty());
    engine.position("startpos moves e2e4");
    let search = engine.search("depth 2");
    let bestmove = format!("bestmove {}", search.best());
    engine.alive();
    let log = std::fs::read_to_string(&path).expect("a log");
    for text in [
        "position startpos moves e2e4",
        "go depth 2",
        &bestmove,
        "readyok",
    ] {
        assert!(log.contains(text), "{text} is not in the log:\n{log}");
    }
    _ = std::fs::remove_file(&path);
}

/// Siblings: a pipe that nobody reads must not stop the engine.
#[cfg(unix)]
#[test]
fn o3_debug_log_file_that_is_a_pipe() {
    let path = scratch("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.is_ok_and(|status| status.success()));
    let mut engine = Engine::start();
    engine.send(&format!(
        "setoption name Debug Log File value {}",
        path.display()
    ));
    engine.complains();
    engine.search("depth 2");
    engine.alive();
    _ = std::fs::remove_file(&path);
}

/// Siblings: a file that cannot be written, and no file again.
#[test]
fn o3_debug_log_file_that_cannot_be_written() {
    with_engine(|engine| {
        engine.send("setoption name Debug Log File value /nowhere/at/all.txt");
        let said = engine.complains().join(" ");
        assert!(said.contains("/nowhere/at/all.txt"), "{said}");
        engine.search("depth 2");
        for line in [
            "setoption name Debug Log File value <empty>",
            "setoption name Debug Log File value",
            "setoption name Debug Log File value ",
        ] {
            engine.send(line);
            assert!(engine.comments().is_empty(), "{line}");
        }
        engine.search("depth 2");
    });
}

/// GUIs have a button for it.
#[test]
fn o3_clear_hash_between_searches() {
    with_one_and_two_threads(|engine| {
        engine.search("depth 4");
        engine.send("setoption name Clear Hash");
        assert!(engine.comments().is_empty());
        engine.search("depth 4");
    });
}

/// Testers look at the load: as many threads search as were asked for.
#[cfg(target_os = "linux")]
#[test]
fn o3_as_many_threads_as_asked_for() {
    with_engine(|engine| {
        let mut tasks = |threads: u32| {
            engine.send(&format!("setoption name Threads value {threads}"));
            engine.send("ucinewgame");
            engine.go("infinite");
            // The threads are made while the first one searches already: by this depth all have begun.
            engine.wait_for("an iteration", |line| line.contains(" depth 14 "));
            let folder = format!("/proc/{}/task", engine.pid());
            let count = std::fs::read_dir(folder).expect("a process").count();
            engine.stop();
            count
        };
        let one = tasks(1);
        assert_eq!((tasks(4), tasks(1)), (one + 3, one));
    });
}

/// GUIs change the number of threads between searches.
#[test]
fn o3_threads_change_between_searches() {
    with_engine(|engine| {
        for threads in [1, 2, 4, 3, 8, 1] {
            engine.send(&format!("setoption name Threads value {threads}"));
            assert!(engine.comments().is_empty());
            engine.search("depth 3");
        }
    });
}
