"""What the client tests share: the engine under test, and a watch on the log of python-chess.

The engine is the program named by the environment variable LANTERNFISH, else the release binary of
this repository. No test judges speed: an engine is only given up when it has been silent for
HANG_SECONDS.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Callable

import chess.engine
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests" / "match"))

HANG_SECONDS = 120.0

EngineStarter = Callable[[], AbstractContextManager[chess.engine.SimpleEngine]]


@pytest.fixture(scope="session")
def engine_path() -> str:
    """Absolute path of the engine under test."""
    path = Path(os.environ.get("LANTERNFISH") or REPOSITORY / "target" / "release" / "lanternfish")
    if not path.is_file():
        pytest.fail(f"no engine at {path}: build it, or set LANTERNFISH", pytrace=False)
    return str(path.resolve())


@pytest.fixture
def start_engine(engine_path: str) -> EngineStarter:
    """Starts an engine that must also end well: `quit` is answered by exit code 0.

    A test that hangs has its engine killed, and fails by that.
    """

    @contextlib.contextmanager
    def started() -> Iterator[chess.engine.SimpleEngine]:
        engine = chess.engine.SimpleEngine.popen_uci(engine_path, timeout=HANG_SECONDS)
        watchdog = threading.Timer(HANG_SECONDS, engine.close)
        watchdog.start()
        try:
            yield engine
            engine.quit()
            assert engine.returncode.result(timeout=HANG_SECONDS) == 0, "exit code after quit"
        finally:
            watchdog.cancel()
            engine.close()

    return started


@pytest.fixture
def engine(start_engine: EngineStarter) -> Iterator[chess.engine.SimpleEngine]:
    """A freshly started engine."""
    with start_engine() as started:
        yield started


@pytest.fixture
def expected_complaints() -> list[str]:
    """Parts of python-chess warnings that a test provokes on purpose. Empty unless it adds some."""
    return []


@pytest.fixture(autouse=True)
def no_complaints(
    caplog: pytest.LogCaptureFixture, expected_complaints: list[str]
) -> Iterator[None]:
    """Fails a test when python-chess had to complain.

    It logs a warning or an error, and goes on, for an illegal PV or ponder move, a field it cannot
    parse, output while the engine should be idle, and anything on stderr.
    """
    yield
    complaints = [
        record.getMessage()
        for phase in ("setup", "call")
        for record in caplog.get_records(phase)
        if record.name == "chess.engine" and record.levelno >= logging.WARNING
    ]
    unexpected = [
        text for text in complaints if not any(part in text for part in expected_complaints)
    ]
    assert not unexpected, "python-chess complained:\n" + "\n".join(unexpected)
