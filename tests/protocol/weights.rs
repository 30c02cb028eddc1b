//! The weights of the evaluation's parts, and what `eval` shows.

use crate::harness::{Engine, with_engine};

/// The options and a position in which each of them matters.
const WEIGHTS: [(&str, &str); 6] = [
    ("Material", MIDDLEGAME),
    ("Position", MIDDLEGAME),
    ("Mobility", MIDDLEGAME),
    ("King Safety", MIDDLEGAME),
    ("Pawn Structure", MIDDLEGAME),
    ("Endgame", "fen 8/5k2/8/8/1n3b2/2B2K2/P7/3N4 w - - 0 1"),
];

const MIDDLEGAME: &str = "fen r1bq1rk1/pp2bppp/2n1p3/2ppP3/3P4/2PB1N2/PP3PPP/RNBQ1RK1 w - - 0 9";

/// What `eval` prints.
#[track_caller]
fn eval(engine: &mut Engine) -> Vec<String> {
    engine.send("eval");
    engine.ready()
}

/// The line with the result.
#[track_caller]
fn evaluation(engine: &mut Engine) -> String {
    let lines = eval(engine);
    let found = lines.iter().find(|line| line.starts_with("Evaluation: "));
    found
        .unwrap_or_else(|| panic!("no result in {lines:?}"))
        .clone()
}

fn set(engine: &mut Engine, name: &str, value: &str) {
    engine.send(&format!("setoption name {name} value {value}"));
}

/// Fruit and Toga users.
#[test]
fn every_weight_is_offered_from_0_to_200() {
    with_engine(|engine| {
        engine.send("uci");
        let lines = engine.wait_for("uciok", |line| line == "uciok");
        for (name, _) in WEIGHTS {
            let line = format!("option name {name} type spin default 100 min 0 max 200");
            assert!(lines.contains(&line), "no `{line}`");
        }
    });
}

/// A position that is set up already is seen with the new weights, and back again.
#[test]
fn every_weight_changes_the_evaluation_at_once() {
    with_engine(|engine| {
        for (name, position) in WEIGHTS {
            engine.position(position);
            let before = evaluation(engine);
            for value in ["0", "200"] {
                set(engine, name, value);
                assert_ne!(evaluation(engine), before, "{name} {value}");
            }
            set(engine, name, "100");
            assert_eq!(evaluation(engine), before, "{name}");
        }
    });
}

/// The next search plays with the new weights, without a restart.
#[test]
fn every_weight_changes_the_search() {
    with_engine(|engine| {
        for (name, position) in WEIGHTS {
            let mut score = |value: &str| {
                set(engine, name, value);
                engine.send("ucinewgame");
                engine.position(position);
                let search = engine.search("depth 5");
                search.infos.last().map(|info| (info.score, info.nodes))
            };
            let plain = score("100");
            assert_ne!(score("0"), plain, "{name}");
            assert_eq!(score("100"), plain, "{name}");
        }
    });
}

/// A weight set during a search counts for the next one.
#[test]
fn a_weight_may_come_during_a_search() {
    with_engine(|engine| {
        engine.position(MIDDLEGAME);
        engine.go("infinite");
        set(engine, "Position", "0");
        set(engine, "King Safety", "150");
        engine.stop();
        let searched = |engine: &mut Engine| {
            engine.send("ucinewgame");
            engine.position(MIDDLEGAME);
            let search = engine.search("depth 5");
            search.infos.last().map(|info| (info.score, info.nodes))
        };
        let changed = searched(engine);
        let mut other = Engine::start();
        let default = searched(&mut other);
        set(&mut other, "Position", "0");
        set(&mut other, "King Safety", "150");
        assert_eq!(changed, searched(&mut other));
        assert_ne!(changed, default);
    });
}

/// With the extras at 0, `eval` shows the core alone.
#[test]
fn the_core_alone() {
    with_engine(|engine| {
        engine.position(MIDDLEGAME);
        let full = eval(engine).join("\n");
        for name in ["Mobility", "King Safety", "Pawn Structure", "Endgame"] {
            set(engine, name, "0");
        }
        let core = eval(engine).join("\n");
        for (word, in_core) in [
            ("\nMaterial", true),
            ("\nImbalance", true),
            ("\nPosition", true),
            ("\nTempo", true),
            ("\nPhase ", true),
            ("\nEvaluation: ", true),
            ("\nChances for White: ", true),
            ("\nMobility", false),
            ("\nThreats", false),
            ("\nSpace", false),
            ("\nPawns", false),
            ("\nPassed pawns", false),
            ("\nKing shelter", false),
            ("\nKing danger", false),
            ("\nChances to win", false),
        ] {
            assert!(full.contains(word), "no {word:?} in\n{full}");
            assert_eq!(core.contains(word), in_core, "{word:?} in\n{core}");
        }
    });
}

/// GUIs with free text fields.
#[test]
fn weights_out_of_range_and_nonsense() {
    with_engine(|engine| {
        engine.position(MIDDLEGAME);
        set(engine, "Mobility", "200");
        let most = evaluation(engine);
        set(engine, "Mobility", "100");
        set(engine, "Mobility", "5000");
        engine.complains();
        assert_eq!(evaluation(engine), most);
        for value in ["x", ""] {
            set(engine, "king safety", value);
            engine.complains();
        }
        assert_eq!(evaluation(engine), most);
    });
}

/// Other settings, and a new game, leave the weights alone.
#[test]
fn weights_stay() {
    with_engine(|engine| {
        engine.position(MIDDLEGAME);
        set(engine, "Material", "50");
        let value = evaluation(engine);
        engine.send("setoption name Hash value 2");
        engine.send("setoption name Threads value 2");
        engine.send("ucinewgame");
        engine.position(MIDDLEGAME);
        assert_eq!(evaluation(engine), value);
    });
}
