"""A UCI engine that plays the first legal move it finds, and does one thing wrong when told to.

Its option `Fault` says what: `crash`, `illegal` (a move), `late` (a move), `line` (an illegal PV),
or `nothing`. The fault comes at its third move. Used to test that matches notice faults.
"""

from __future__ import annotations

import sys
import time

import chess

LATE_SECONDS = 0.36
FAULTY_MOVE = 3
IDENTITY = """\
id name Faulty
id author nobody
option name Fault type combo default nothing var nothing var crash var illegal var late var line
uciok"""


def main() -> None:
    """Talk UCI on stdin and stdout."""
    fault = "nothing"
    board = chess.Board()
    moves = 0
    for line in sys.stdin:
        words = line.split()
        command = words[0] if words else ""
        if command == "uci":
            print(IDENTITY)
        elif command == "isready":
            print("readyok")
        elif command == "setoption" and words[2] == "Fault":
            fault = words[-1]
        elif command == "ucinewgame":
            moves = 0
        elif command == "position":
            at = words.index("moves") if "moves" in words else len(words)
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:at]))
            for move in words[at + 1 :]:
                board.push_uci(move)
        elif command == "go":
            moves += 1
            answer(board, fault if moves == FAULTY_MOVE else "nothing")
        elif command == "quit":
            return
        sys.stdout.flush()


def answer(board: chess.Board, fault: str) -> None:
    """Print a line and a move, with the fault."""
    move = next(iter(board.legal_moves)).uci()
    if fault == "crash":
        sys.exit(3)
    if fault == "late":
        time.sleep(LATE_SECONDS)
    line = f"{move} a1a1" if fault == "line" else move
    print(f"info depth 1 score cp 12 nodes 1 time 0 pv {line}")
    print(f"bestmove {'a1h8' if fault == 'illegal' else move}")


if __name__ == "__main__":
    main()
