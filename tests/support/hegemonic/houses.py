"""Tables that a club could play at: any seats, edition, options, readings, content of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from ledger.games.hegemonic import RULES
from ledger.kernel.chance import Stream
from ledger.kernel.content import Overlay
from ledger.kernel.readings import Value
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import Terms
from tests.support.laws.play import Party, values_of

CELLS_CHANGED: Final = 12
# What a club transcribes from its own box. Where things lie (core, shape, slots, layouts) is left
# as it is: two changes of that hardly ever fit each other.
TRANSCRIBED: Final = (
    "cards", "figures", "homes", "leaders", "orders", "pieces", "spaces", "switches",
    "technologies", "tiers", "tiles",
)  # fmt: skip


def any_table(seed: int) -> Party:
    """Seats in turn; all else as the seed says."""
    stream = Stream.named(seed.to_bytes(8, "big"), "table")
    seats = RULES.seats[seed % len(RULES.seats)]
    edition = stream.choose(RULES.editions)
    while True:  # some of what can be chosen does not go together
        options = _options(stream)
        overlay = {"readings": {"values": _readings(stream)}}
        if fits(edition, options, overlay):
            break
    if stream.below(2):
        overlay = transcription(stream, edition, options, overlay)
    return Party(Terms(RULES, edition, options, overlay), seats)


def fits(edition: str, options: Mapping[str, Value], overlay: Overlay) -> bool:
    """Whether a match can be made so."""
    try:
        Terms(RULES, edition, options, overlay)
    except Refused:
        return False
    return True


def _options(stream: Stream) -> Mapping[str, Value]:
    """Each is left alone or chosen."""
    return {
        reading.id: stream.choose(values_of(reading))
        for reading in RULES.readings.values()
        if reading.option and stream.below(2)
    }


def _readings(stream: Stream) -> Mapping[str, Value]:
    """Returns readings: half of them as printed, half of them at random."""
    return {
        reading.id: stream.choose(values_of(reading))
        for reading in RULES.readings.values()
        if not reading.option and stream.below(2)
    }


def transcription(
    stream: Stream, edition: str, options: Mapping[str, Value], readings: Overlay
) -> Overlay:
    """A few cells that are a little more or less; what does not fit the game is not taken."""
    laid: dict[str, dict[str, Any]] = {name: dict(rows) for name, rows in readings.items()}
    for _ in range(CELLS_CHANGED):
        table = stream.choose(TRANSCRIBED)
        row_id = stream.choose(list(RULES.content[table]))
        row = msgspec.structs.asdict(RULES.content[table][row_id])
        cell = stream.choose([name for name in row if name != "id"])
        before = laid.get(table, {})
        changed = {**before.get(row_id, {}), cell: _a_little_off(row[cell], stream)}
        tried = {**laid, table: {**before, row_id: changed}}
        laid = tried if fits(edition, options, tried) else laid
    return laid


def _a_little_off(value: Any, stream: Stream) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(0, value + stream.choose((-1, 1, 2)))
    if isinstance(value, str):
        return f"{value} (of the club)"
    return value
