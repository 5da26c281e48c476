"""The words in which actions are offered, and the form for a note."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.games.galactic_hegemony.actions.choosing import NOTE_MAX
from ledger.kernel.forms import Field, Form
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import Seen
from ledger.parts.shown.wording import wording_with

from .story import NAMINGS

wording_of: Final = wording_with(
    {
        "turn.end-actions": "End the actions of this turn",
        "game.concede": "Give the game up",
        "game.note": "Write something down",
        "spacecraft.move": "Move {ships:ships} from {origin:place} to {to:place}",
        "saboteur.attack": "Attack the saboteurs at {hex:place} with {commit:ships}",
        "planet.colonise": "Colonise {planet:planet}",
        "planet.boost": "Boost the morale of {planet:planet}",
        "planet.military": "Take military action on {planet:planet}",
        "planet.build-infrastructure": "Build {kind:a} on {planet:planet}",
        "planet.build-spacecraft": "Build a spacecraft at {planet:planet}",
    },
    NAMINGS,
)


def forms_of(seen: Seen, _: Lookup) -> Sequence[Form]:
    if not seen.get("standing"):
        return ()
    text = Field(name="text", label="Note", kind="text", low=1, high=NOTE_MAX, value="")
    return (Form(id="note", label="Write a note", decision={"type": "game.note"}, fields=(text,)),)
