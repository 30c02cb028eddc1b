"""When a game is over, and whether a line that an engine shows can be played."""

from __future__ import annotations

from collections.abc import Sequence

import chess


def ending(board: chess.Board) -> str | None:
    """Why the game is over by rules that need no claim to be weighed: a short name, or None.

    As match managers do it, the third repetition and the hundredth reversible half-move end the
    game at once. A mate on that half-move wins.
    """
    if not any(board.generate_legal_moves()):
        return "checkmate" if board.is_check() else "stalemate"
    if board.halfmove_clock >= 100:
        return "fifty moves"
    if board.halfmove_clock >= 8 and board.is_repetition(3):
        return "threefold repetition"
    return None


def game_over(board: chess.Board) -> str | None:
    """Like `ending`, and a draw as well when neither side can mate with what is left."""
    if board.is_insufficient_material():
        return "insufficient material"
    return ending(board)


class LineChecker:
    """Replays the lines of one search from its root, with the history of the game.

    The lines of one search mostly begin alike, so only what differs from the last is replayed.
    """

    def __init__(self, root: chess.Board) -> None:
        self._board = root.copy()
        self._line: list[str] = []

    def fault(self, moves: Sequence[str], mate: int | None = None) -> str | None:
        """What is wrong with a line of UCI moves, or None.

        `mate` is the exact mate score that came with it, in moves: the line must then be exactly
        as long and end in checkmate.
        """
        same = 0
        while same < min(len(moves), len(self._line)) and moves[same] == self._line[same]:
            same += 1
        while len(self._line) > same:
            self._line.pop()
            self._board.pop()
        for move in moves[same:]:
            reason = ending(self._board) if self._line else None
            if reason:
                return f"goes on after {reason}: {move}"
            try:
                self._board.push_uci(move)
            except ValueError:
                return f"illegal move: {move}"
            self._line.append(move)
        if mate is None:
            return None
        plies = 2 * mate - 1 if mate > 0 else -2 * mate
        if len(moves) != plies:
            return f"mate {mate} needs {plies} plies, the line has {len(moves)}"
        if not self._board.is_checkmate():
            return f"mate {mate}, but the line does not end in checkmate"
        return None
