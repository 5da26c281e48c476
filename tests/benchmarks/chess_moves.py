"""A yardstick for folds: whole games of python-chess, `parse_uci` (legality) + `push`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import chess

from ledger.kernel.chance import Stream

WHAT: Final = f"moves/s, python-chess {chess.__version__} parse_uci + push"
GAMES: Final = 20
MOVES_MAX: Final = 120


def chess_games(seed: int) -> list[list[str]]:
    """Random games as UCI texts."""
    return [_chess_game(number) for number in range(seed, seed + GAMES)]


def _chess_game(seed: int) -> list[str]:
    stream = Stream.named(b"chess", str(seed))
    board = chess.Board()
    moves: list[str] = []
    while not board.is_game_over() and len(moves) < MOVES_MAX:
        move = stream.choose(sorted(board.legal_moves, key=str))
        moves.append(move.uci())
        board.push(move)
    return moves


def push_all(games: list[list[str]]) -> int:
    """Play them all; how many moves that is."""
    for moves in games:
        board = chess.Board()
        for move in moves:
            board.push(board.parse_uci(move))
    return sum(map(len, games))


def rate(work: Callable[[], int], repeats: int) -> float:
    """Returns how much of a piece of work is done in a second of the processor.

    Not by the clock on the wall: who else wants the processor is no matter of either side.
    """
    began = time.process_time()
    done = sum(work() for _ in range(repeats))
    return done / (time.process_time() - began)
