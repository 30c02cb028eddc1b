"""The match programs: openings, scores, command lines, reading of output, faults, a real match."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import chess
import chess.pgn
import pytest

import match as match_program
import openings
import runner_external
import sprt as sprt_program
from elo import Sprt
from results import Fault, FaultKind, Game, Score
from rules import LineChecker, ending
from settings import DEFAULT_LIMIT, Engine, Limit, Match

ENGINES = (Engine("new", "/bin/new", {"Hash": "16"}), Engine("old", "/bin/old", {"Hash": "8"}))
COMMENT = re.compile(r"[+-](M\d+|\d+\.\d\d)/\d+ \d+\.\d+s")


def a_match(pairs: int = 2, limit: Limit = DEFAULT_LIMIT) -> Match:
    """A match that is not played."""
    return Match(ENGINES, limit, [chess.STARTING_FEN] * pairs)


class Recorder:
    """A listener that keeps all that it gets and stops after some games."""

    def __init__(self, games_wanted: int = 1000) -> None:
        self.games: list[Game] = []
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self._games_wanted = games_wanted

    def game_over(self, game: Game) -> bool:
        self.games.append(game)
        return len(self.games) < self._games_wanted

    def fault(self, fault: Fault) -> None:
        self.faults.append(fault)

    def note(self, text: str) -> None:
        self.notes.append(text)


# Openings


def test_built_in_openings_are_legal_and_different() -> None:
    lines = [
        line
        for line in openings.BUILT_IN.read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    ]
    positions = {openings.after_moves(line).epd() for line in lines}
    assert len(positions) == len(lines) >= 30


@pytest.mark.parametrize("chess960", [False, True])
def test_order_of_openings_depends_on_the_seed(chess960: bool) -> None:
    first = openings.choose(None, 20, seed=1, chess960=chess960)
    assert first == openings.choose(None, 20, seed=1, chess960=chess960)
    assert first != openings.choose(None, 20, seed=2, chess960=chess960)
    assert len(set(first)) == 20


def test_a_short_book_is_used_again(tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    book.write_text(
        "# two openings\n"
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n\n"
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"
    )
    chosen = openings.choose(book, 6, seed=3, chess960=False)
    assert [chosen.count(fen) for fen in set(chosen)] == [3, 3]
    assert all(fen.endswith(" 0 2") for fen in chosen)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no openings"),
        ("nonsense\n", "line 1"),
        ("8/8/8/8/8/8/8/8 w - - 0 1\n", "not a legal position"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n", "the game is over"),
        ("nrkrnbbq/pppppppp/8/8/8/8/PPPPPPPP/NRKRNBBQ w DBdb - 0 1\n", "without --chess960"),
    ],
)
def test_bad_books_are_named(tmp_path: Path, text: str, complaint: str) -> None:
    book = tmp_path / "book.epd"
    book.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        openings.choose(book, 1, seed=1, chess960=False)


# Rules


def test_a_line_must_be_playable() -> None:
    checker = LineChecker(chess.Board())
    assert checker.fault(["e2e4", "e7e5"]) is None
    assert checker.fault(["e2e4", "e7e5", "e1g1"]) == "illegal move: e1g1"
    assert checker.fault(["f2f3", "e7e5", "g2g4", "d8h4"], mate=-2) is None
    assert checker.fault(["f2f3", "e7e5", "g2g4", "d8h4", "a2a3"]) == (
        "goes on after checkmate: a2a3"
    )


def test_a_mating_line_must_fit_its_score() -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    checker = LineChecker(board)
    assert checker.fault(["d1d8"], mate=1) is None
    assert "needs 3 plies" in str(checker.fault(["d1d8"], mate=2))
    assert "does not end in checkmate" in str(checker.fault(["d1d7"], mate=1))


def test_a_line_ends_with_the_third_repetition() -> None:
    board = chess.Board()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"):
        board.push_uci(move)
    checker = LineChecker(board)
    assert checker.fault(["f6g8"]) is None
    assert "threefold" in str(checker.fault(["f6g8", "e2e4"]))
    assert checker.fault(["e7e5", "e2e4"]) is None


def test_mate_comes_before_the_fifty_moves() -> None:
    board = chess.Board("7k/8/6K1/8/8/8/8/R7 w - - 99 120")
    board.push_uci("a1a8")
    assert ending(board) == "checkmate"
    board.pop()
    board.push_uci("a1a7")
    assert ending(board) == "fifty moves"


# Scores


def test_pairs_are_counted_whatever_the_order() -> None:
    score = Score(a_match(pairs=3))
    assert not score.add(Game(1, "new", "1-0", ""))
    assert not score.add(Game(4, "old", "1/2-1/2", ""))
    assert score.add(Game(2, "old", "0-1", ""))  # two wins
    assert score.add(Game(3, "new", "0-1", ""))  # a loss and a draw
    assert not score.add(Game(6, "old", "1-0", ""))  # half a pair
    assert (score.wins, score.draws, score.losses) == (2, 1, 2)
    assert score.pairs == [0, 1, 0, 0, 1]
    assert "W/D/L   2/1/2" in score.report()


def test_faults_are_reported_and_a_bad_line_loses_no_game() -> None:
    score = Score(a_match())
    assert "faults  none" in score.report()
    score.faults.append(Fault(FaultKind.BAD_LINE, "old", "illegal move: a1a1"))
    assert not score.lost_by_fault
    score.faults.append(Fault(FaultKind.TIME, "new", "12 ms over"))
    assert score.lost_by_fault
    assert "new: 1 x loss on time, old: 1 x bad PV" in score.report()


def test_verdict_of_a_sequential_test() -> None:
    score = Score(a_match())
    assert "undecided" in sprt_program.verdict(score, Sprt())
    score.pairs = [0, 100, 1000, 200, 20]
    assert "H1 accepted" in sprt_program.verdict(score, Sprt())
    score.pairs.reverse()
    assert "H0 accepted" in sprt_program.verdict(score, Sprt())


# Match managers


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (Limit(base=8.0, increment=0.08), ["tc=8+0.08"]),
        (Limit(movetime=0.1), ["st=0.1"]),
        (Limit(nodes=5000), ["tc=inf", "nodes=5000"]),
    ],
    ids=str,
)
def test_limits_are_spelled_for_managers(limit: Limit, words: list[str]) -> None:
    command = runner_external.command_line("fastchess", a_match(limit=limit), Path("book"))
    assert set(words) <= set(command)


@pytest.mark.parametrize("runner", ["fastchess", "cutechess"])
def test_command_line_names_both_engines_and_the_openings(runner: str) -> None:
    command = " ".join(runner_external.command_line(runner, a_match(), Path("/tmp/book.epd")))
    assert "-engine cmd=/bin/new name=new option.Hash=16 -engine cmd=/bin/old name=old" in command
    assert "-openings file=/tmp/book.epd format=epd order=sequential" in command
    assert "-rounds 2 -games 2 -repeat" in command


FASTCHESS_OUTPUT = """\
Started game 1 of 4 (new vs old)
Warning; Illegal PV move - move a1a1 from new
Info; info depth 1 score cp 12 pv a1a1
Position; startpos
Moves; e2e4
Finished game 1 (new vs old): 1-0 {White mates}
Warning; old doesn't have option Foo
Finished game 2 (old vs new): 0-1 {White loses on time (12ms overrun)}
Finished game 4 (old vs new): 1-0 {Black makes an illegal move}
Finished game 3 (new vs old): 0-1 {White disconnects}
Finished game 5 (new vs old): * {Game interrupted}
"""

CUTECHESS_OUTPUT = """\
Started game 1 of 4 (new vs old)
Warning: Illegal PV move a1a1 from new (0)
Warning: PV: e4 a1a1
Finished game 1 (new vs old): 1-0 {White mates}
Score of new vs old: 1 - 0 - 0  [1.000] 1
Warning: old doesn't have option Foo
Finished game 2 (old vs new): 0-1 {White loses on time}
Finished game 4 (old vs new): 1-0 {Black makes an illegal move: a1h8}
Finished game 3 (new vs old): 0-1 {White disconnects}
"""


@pytest.mark.parametrize("output", [FASTCHESS_OUTPUT, CUTECHESS_OUTPUT])
def test_output_of_managers_is_understood(output: str) -> None:
    heard = Recorder()
    assert runner_external.OutputReader(heard).read(output.splitlines())
    assert [(game.number, game.white, game.result) for game in heard.games] == [
        (1, "new", "1-0"),
        (2, "old", "0-1"),
        (4, "old", "1-0"),
        (3, "new", "0-1"),
    ]
    assert [(fault.kind, fault.engine) for fault in heard.faults] == [
        (FaultKind.BAD_LINE, "new"),
        (FaultKind.TIME, "old"),
        (FaultKind.ILLEGAL_MOVE, "new"),
        (FaultKind.CRASH, "new"),
    ]
    assert "a1a1" in heard.faults[0].detail.split(" | ")[1]
    assert len(heard.notes) == 1


def test_reading_stops_when_the_listener_has_enough() -> None:
    heard = Recorder(games_wanted=2)
    assert not runner_external.OutputReader(heard).read(FASTCHESS_OUTPUT.splitlines())
    assert len(heard.games) == 2


# Whole matches


@pytest.fixture
def faulty_engine(tmp_path: Path) -> str:
    """Path of a program that runs faulty_engine.py with this Python."""
    source = Path(__file__).with_name("faulty_engine.py").read_text(encoding="utf-8")
    program = tmp_path / "faulty"
    program.write_text(f"#!{sys.executable}\n{source}", encoding="utf-8")
    program.chmod(0o755)
    return str(program)


RUNNERS = [
    "python",
    pytest.param(
        "fastchess",
        marks=pytest.mark.skipif(not shutil.which("fastchess"), reason="fastchess not in PATH"),
    ),
    pytest.param(
        "cutechess",
        marks=pytest.mark.skipif(
            not shutil.which("cutechess-cli"), reason="cutechess-cli not in PATH"
        ),
    ),
]


@pytest.mark.parametrize("runner", RUNNERS)
@pytest.mark.parametrize(
    ("fault", "reported"),
    [
        ("crash", "faulty: 2 x crash"),
        ("illegal", "faulty: 2 x illegal move"),
        ("late", "faulty: 2 x loss on time"),
        ("line", "faulty: 2 x bad PV"),
        ("nothing", "faults  none"),
    ],
)
def test_faults_are_noticed(
    faulty_engine: str, runner: str, fault: str, reported: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = f"--engine {faulty_engine} --opponent {faulty_engine} --option Fault={fault}"
    command += f" --movetime 300 --rounds 1 --runner {runner} --strict"
    # A slow machine is not the fault that is looked for.
    command += "" if fault == "late" else " --margin 5000"
    code = match_program.main(command.split())
    output = capsys.readouterr().out
    assert reported in output
    assert code == (0 if fault in ("line", "nothing") else 1)
    if code:
        assert "W/D/L   0/0/2" in output


@pytest.mark.parametrize("chess960", [False, True])
def test_plays_a_small_match(
    engine_path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], chess960: bool
) -> None:
    games_file = tmp_path / "games.pgn"
    command = "--nodes 300 --rounds 2 --runner python --concurrency 2 --strict"
    command += " --chess960" if chess960 else ""
    paths = ["--engine", engine_path, "--opponent", engine_path, "--pgn", str(games_file)]
    code = match_program.main([*command.split(), *paths])
    output = capsys.readouterr().out
    assert code == 0, output
    assert "4 games" in output
    assert "faults  none" in output
    games = []
    with games_file.open(encoding="utf-8") as file:
        while True:
            game = chess.pgn.read_game(file)
            if game is None:
                break
            games.append(game)
    assert len(games) == 4
    for game in games:
        assert not game.errors
        assert game.headers["Result"] == game.end().board().result(claim_draw=True)
        assert all(COMMENT.fullmatch(node.comment) for node in game.mainline())
    seats: list[tuple[str, str]] = [(g.headers["FEN"], g.headers["White"]) for g in games]
    assert len(set(seats)) == 4
    assert len({fen for fen, _ in seats}) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--opponent", "no-such-engine"],
        ["--opponent", "FAULTY", "--tc", "fast"],
        ["--opponent", "FAULTY", "--nodes", "0"],
        ["--opponent", "FAULTY", "--nodes", "5", "--tc", "1+1"],
        ["--opponent", "FAULTY", "--book", "no-such-book.epd"],
        ["--opponent", "FAULTY", "--opponent-option", "Speed=3"],
        ["--opponent", "FAULTY", "--opponent-option", "Fault=all"],
        ["--opponent", "FAULTY", "--chess960"],
        ["--opponent", "FAULTY", "--ponder", "--runner", "fastchess"],
        ["--opponent", "true"],
    ],
    ids=" ".join,
)
def test_bad_arguments_end_with_code_2(
    faulty_engine: str, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = [faulty_engine if word == "FAULTY" else word for word in arguments]
    try:
        code: object = match_program.main(["--engine", faulty_engine, *given])
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    assert "error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--base", "no-such-revision"],
        ["--base", "HEAD", "--elo0", "5", "--elo1", "0"],
        ["--base", "HEAD", "--games", "3"],
        ["--base", "HEAD", "--model", "bayesian"],
    ],
    ids=" ".join,
)
def test_bad_arguments_of_sprt_end_with_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: object = sprt_program.main(arguments)
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    assert "error: " in capsys.readouterr().err
