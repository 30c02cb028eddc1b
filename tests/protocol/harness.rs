//! Starts the engine, talks to it, and gives up only after a time that no slow machine needs.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::CastlingMode;

use crate::game::Game;
use crate::validator::{Search, is_comment};

/// How long the engine may take for anything at all.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// How long a test listens before it believes that nothing comes.
pub const A_MOMENT: Duration = Duration::from_millis(150);

/// For answers that need no time at all. A mistake in the tests of time costs far more than this.
pub const AT_ONCE: Duration = Duration::from_secs(10);

/// Longest info string that an engine should print, in bytes.
const LONGEST_COMMENT: usize = 4096;

/// The binary under test.
pub fn binary() -> String {
    std::env::var("LANTERNFISH_BIN")
        .unwrap_or_else(|_| env!("CARGO_BIN_EXE_lanternfish").to_string())
}

/// Runs a test on a fresh engine with one search thread, and again with two.
#[track_caller]
pub fn with_one_and_two_threads(test: impl Fn(&mut Engine)) {
    for threads in [1, 2] {
        let mut engine = Engine::start();
        if threads > 1 {
            engine.send(&format!("setoption name Threads value {threads}"));
        }
        test(&mut engine);
        engine.alive();
    }
}

/// Runs a test on a fresh engine.
#[track_caller]
pub fn with_engine(test: impl Fn(&mut Engine)) {
    let mut engine = Engine::start();
    test(&mut engine);
    engine.alive();
}

/// A `go` that has not been answered yet.
struct Running {
    game: Game,
    since: Instant,
    lines: Vec<String>,
}

enum Received {
    Line(String),
    Nothing,
    End,
}

/// A running engine process.
pub struct Engine {
    process: Child,
    stdin: Option<ChildStdin>,
    output: Receiver<Vec<u8>>,
    stderr: Receiver<String>,
    transcript: Vec<String>,
    /// What `in_one_write` holds back.
    held_back: Option<Vec<u8>>,
    game: Game,
    mode: CastlingMode,
    running: VecDeque<Running>,
}

impl Engine {
    pub fn start() -> Engine {
        Engine::start_as(Command::new(binary()))
    }

    pub fn start_as(mut command: Command) -> Engine {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let mut stdout = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, output) = channel();
        thread::spawn(move || {
            loop {
                let mut line = Vec::new();
                match stdout.read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => _ = sender.send(line),
                }
            }
        });
        let mut errors = process.stderr.take().expect("a pipe");
        let (sender, stderr) = channel();
        thread::spawn(move || {
            let mut text = Vec::new();
            _ = errors.read_to_end(&mut text);
            _ = sender.send(String::from_utf8_lossy(&text).into_owned());
        });
        Engine {
            stdin: process.stdin.take(),
            process,
            output,
            stderr,
            transcript: Vec::new(),
            held_back: None,
            game: Game::new(CastlingMode::Standard),
            mode: CastlingMode::Standard,
            running: VecDeque::new(),
        }
    }

    // ---- sending ----

    /// Sends a line, or several lines with line ends between them.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are. An engine that is gone is noticed when the test listens.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]).into_owned();
        self.transcript
            .push(format!("> {}", text.trim_end_matches('\n')));
        match (&mut self.held_back, &mut self.stdin) {
            (Some(held_back), _) => held_back.extend_from_slice(bytes),
            (None, Some(stdin)) => _ = stdin.write_all(bytes).and_then(|()| stdin.flush()),
            (None, None) => panic!("a test sends after the end of input"),
        }
    }

    /// Everything that `say` sends arrives at once.
    pub fn in_one_write(&mut self, say: impl FnOnce(&mut Engine)) {
        self.held_back = Some(Vec::new());
        say(self);
        let bytes = self.held_back.take().unwrap_or_default();
        let stdin = self.stdin.as_mut().expect("input is open");
        _ = stdin.write_all(&bytes).and_then(|()| stdin.flush());
    }

    pub fn close_input(&mut self) {
        self.transcript.push("> (end of file)".to_string());
        self.stdin = None;
    }

    pub fn chess960(&mut self, on: bool) {
        self.mode = if on {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        self.send(&format!("setoption name UCI_Chess960 value {on}"));
    }

    /// Sends a `position` command that the engine has to accept.
    pub fn position(&mut self, text: &str) {
        self.game = Game::parse(text, self.mode);
        self.send(&format!("position {text}"));
    }

    /// Informs the harness, not the engine, what stands on the board.
    pub fn assume_position(&mut self, text: &str) {
        self.game = Game::parse(text, self.mode);
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Starts a search and returns at once.
    pub fn go(&mut self, limits: &str) {
        self.go_line(&format!("go {limits}"));
    }

    /// The same, for a line that is not written as `go` and its limits.
    pub fn go_line(&mut self, line: &str) {
        self.running.push_back(Running {
            game: self.game.clone(),
            since: Instant::now(),
            lines: Vec::new(),
        });
        self.send(line);
    }

    /// The test reads the answers itself.
    pub fn forget_searches(&mut self) {
        self.running.clear();
    }

    // ---- listening ----

    /// A whole search.
    #[track_caller]
    pub fn search(&mut self, limits: &str) -> Search {
        self.go(limits);
        self.finish()
    }

    /// A search that may end by itself or not. It gets a moment, then a `stop`.
    #[track_caller]
    pub fn search_then_stop(&mut self, limits: &str) -> Search {
        self.go(limits);
        thread::sleep(A_MOMENT);
        self.stop()
    }

    #[track_caller]
    pub fn stop(&mut self) -> Search {
        self.send("stop");
        self.finish()
    }

    /// Waits for the answer to the oldest open `go`, and checks all that the search printed.
    #[track_caller]
    pub fn finish(&mut self) -> Search {
        let lines = self.wait_for("bestmove", |line| first_word(line) == "bestmove");
        let Some(running) = self.running.pop_front() else {
            self.fail("a bestmove that nobody asked for");
        };
        let others: Vec<&String> = lines[..lines.len() - 1]
            .iter()
            .filter(|line| first_word(line) != "info")
            .collect();
        if !others.is_empty() {
            self.fail(&format!("other lines between go and bestmove: {others:?}"));
        }
        let elapsed = running.since.elapsed();
        let bestmove = lines.last().expect("the line waited for");
        match Search::check(&running.game, &running.lines, bestmove, elapsed) {
            Ok(search) => {
                if self.running.is_empty() {
                    self.comments();
                }
                search
            }
            Err(why) => self.fail(&why),
        }
    }

    /// `isready`, then every line up to `readyok`, which must be `info string` lines. Info lines are
    /// allowed during a search only, a `bestmove` never.
    #[track_caller]
    pub fn comments(&mut self) -> Vec<String> {
        let mut lines = self.ready();
        if !self.running.is_empty() {
            lines.retain(|line| is_comment(line) || first_word(line) != "info");
        }
        if let Some(line) = lines.iter().find(|line| !is_comment(line)) {
            self.fail(&format!("only info strings may come here, not: {line}"));
        }
        lines
    }

    /// `isready`, then every line up to `readyok`, whatever it is.
    #[track_caller]
    pub fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.wait_for("readyok", |line| line == "readyok");
        lines.pop();
        lines
    }

    /// `isready`, and no opinion on what comes before `readyok`.
    #[track_caller]
    pub fn ready_whatever_comes(&mut self) {
        self.send("isready");
        let step = |line: &str| line == "readyok" || first_word(line) == "bestmove";
        while self.wait_for("readyok", step).last().map(String::as_str) != Some("readyok") {}
    }

    /// No output whatever may come before the `readyok`.
    #[track_caller]
    pub fn silent(&mut self) {
        let lines = self.ready();
        if !lines.is_empty() {
            self.fail(&format!("there should be no output, but: {lines:?}"));
        }
    }

    /// The engine must have something to say, in an info string.
    #[track_caller]
    pub fn complains(&mut self) -> Vec<String> {
        let lines = self.comments();
        if lines.is_empty() {
            self.fail("an info string should say what is wrong");
        }
        lines
    }

    /// Lines up to and with the first that is wanted.
    #[track_caller]
    pub fn wait_for(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let until = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            match self.receive(until) {
                Received::Line(line) => {
                    let found = wanted(&line);
                    if !found && first_word(&line) == "bestmove" {
                        self.fail("a bestmove out of turn");
                    }
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                Received::Nothing => self.fail(&format!("no {what} within {PATIENCE:?}")),
                Received::End => self.fail(&format!("the engine ended, before {what}")),
            }
        }
    }

    /// Listens for a while. Only info lines of a running search may come.
    #[track_caller]
    pub fn no_bestmove_for(&mut self, time: Duration) {
        for line in self.lines_within(time) {
            if first_word(&line) != "info" {
                self.fail(&format!("too early: {line}"));
            }
        }
    }

    /// Every line that comes within the time.
    #[track_caller]
    pub fn lines_within(&mut self, time: Duration) -> Vec<String> {
        let until = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            match self.receive(until) {
                Received::Line(line) => lines.push(line),
                Received::Nothing => return lines,
                Received::End => self.fail("the engine ended"),
            }
        }
    }

    #[track_caller]
    fn receive(&mut self, until: Instant) -> Received {
        let left = until.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(left) {
            Ok(bytes) => Received::Line(self.read_line(&bytes)),
            Err(RecvTimeoutError::Timeout) => Received::Nothing,
            Err(RecvTimeoutError::Disconnected) => Received::End,
        }
    }

    /// Notes a line, and checks what holds for any line.
    #[track_caller]
    fn read_line(&mut self, bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.transcript.push(format!("< {}", text.trim_end()));
        let Some(line) = text.strip_suffix('\n') else {
            self.fail("the last line has no line end");
        };
        if line.contains('\r') {
            self.fail("a carriage return");
        }
        let keywords = [
            "id", "option", "uciok", "readyok", "bestmove", "info", "string",
        ];
        if line.starts_with([' ', '\t']) && keywords.contains(&first_word(line)) {
            self.fail("the line should start at column 0");
        }
        if is_comment(line) {
            if line.split_whitespace().any(|word| word == "pv") {
                self.fail("an info string with the word pv");
            }
            if line.len() > LONGEST_COMMENT {
                self.fail("an info string that is far too long");
            }
        }
        if first_word(line) == "info"
            && let Some(running) = self.running.front_mut()
        {
            running.lines.push(line.to_string());
        }
        line.to_string()
    }

    // ---- ending ----

    /// The engine still answers, and ends as it should.
    #[track_caller]
    pub fn alive(mut self) {
        self.comments();
        let (status, lines) = self.quit();
        assert!(status.success(), "quit gave {status}");
        assert!(lines.is_empty(), "output after quit: {lines:?}");
    }

    /// Sends `quit`. Gives the exit status and what was printed meanwhile.
    #[track_caller]
    pub fn quit(mut self) -> (ExitStatus, Vec<String>) {
        self.send("quit");
        self.ends()
    }

    /// Waits for the end of the process. It must not have panicked.
    #[track_caller]
    pub fn ends(&mut self) -> (ExitStatus, Vec<String>) {
        let until = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            match self.receive(until) {
                Received::Line(line) => lines.push(line),
                Received::Nothing => self.fail("the engine does not end"),
                Received::End => break,
            }
        }
        let status = loop {
            match self.process.try_wait().expect("a status") {
                Some(status) => break status,
                None if Instant::now() > until => self.fail("the engine does not end"),
                None => thread::sleep(Duration::from_millis(2)),
            }
        };
        let stderr = self.take_stderr();
        if stderr.contains("panicked") {
            self.fail(&format!("the engine panicked: {stderr}"));
        }
        (status, lines)
    }

    #[cfg(unix)]
    pub fn terminate(&mut self) {
        self.transcript.push("> (SIGTERM)".to_string());
        let status = Command::new("kill")
            .args(["-TERM", &self.process.id().to_string()])
            .status()
            .expect("kill runs");
        assert!(status.success(), "kill -TERM");
    }

    #[cfg(target_os = "linux")]
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// All that the ended process wrote to stderr.
    fn take_stderr(&mut self) -> String {
        self.stderr
            .recv_timeout(Duration::from_secs(2))
            .unwrap_or_default()
    }

    /// Ends the test, with the last part of the conversation.
    #[track_caller]
    pub fn fail(&mut self, why: &str) -> ! {
        thread::sleep(Duration::from_millis(20));
        let status = match self.process.try_wait() {
            Ok(Some(status)) => status.to_string(),
            _ => "still running".to_string(),
        };
        _ = self.process.kill();
        let stderr = self.take_stderr();
        let from = self.transcript.len().saturating_sub(60);
        panic!(
            "{why}\n--- the conversation, from line {from}\n{}\n--- {status}, stderr: {stderr}",
            self.transcript[from..].join("\n"),
        );
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or("")
}
