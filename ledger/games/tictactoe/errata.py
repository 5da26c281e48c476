"""The published corrections of this game: one of each kind, the mildest first."""

from __future__ import annotations

from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Erratum

from .play import Mark, Turn
from .state import Board


class TurnOffCentre(Turn, tag="Turn"):
    """`play.turn` under erratum e3: the very first mark may not be the centre."""

    def allows(self, board: Board, seat: int, mark: Mark) -> bool:
        """Allows what the printed rule allows, except for the centre of an empty board."""
        if mark.cell == 4 and set(board.cells) == {None}:
            evidence = {"cell": mark.cell, "erratum": "e3"}
            raise Refused(
                "centre_first", "play.turn", "The centre may not be marked first.", evidence
            )
        return super().allows(board, seat, mark)

    def options(self, board: Board, seat: int) -> list[Mark]:
        first = set(board.cells) == {None}
        return [Mark(cell) for cell in board.empty() if not (first and cell == 4)]


ERRATA = (
    Erratum(
        id="e1",
        date="2026-01-15",
        source="house example: a reading is flipped",
        text="Of two notes for one cell a die says whose mark it is.",
        readings={"opening.clash": "rolled"},
    ),
    Erratum(
        id="e2",
        date="2026-02-15",
        source="house example: content is overlaid",
        text="The rising diagonal no longer counts as a line.",
        content={"lines": {"rising": None}},
    ),
    Erratum(
        id="e3",
        date="2026-03-15",
        source="house example: a class is replaced",
        text="The very first mark of a match may not be the centre.",
        replaces={Turn: TurnOffCentre},
    ),
)
