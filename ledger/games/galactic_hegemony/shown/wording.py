"""The words in which actions are offered, and the form for a note."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ledger.games.galactic_hegemony.actions.choosing import NOTE_MAX
from ledger.kernel.forms import Field, Form
from ledger.kernel.lookup import Lookup

from .story import planet_name

Option: TypeAlias = Mapping[str, Any]

BUILT: Final = {"civil": "civil infrastructure", "factory": "a factory", "shipyard": "a shipyard"}


def wording_of(option: Option, _: Mapping[str, Any], lookup: Lookup) -> str:
    said = WORDINGS[option["type"]]
    return said if isinstance(said, str) else said(option, lookup)


def _place(place: Sequence[int]) -> str:
    return f"{place[0]},{place[1]}"


def _ships(number: int) -> str:
    return "a spacecraft" if number == 1 else f"{number} spacecraft"


def _word_move(option: Option, _: Lookup) -> str:
    ships = _ships(option["ships"])
    return f"Move {ships} from {_place(option['origin'])} to {_place(option['to'])}"


def _on_planet(sentence: str) -> Callable[[Option, Lookup], str]:
    return lambda option, lookup: sentence.format(planet_name(lookup, option["planet"]))


def _word_build(option: Option, lookup: Lookup) -> str:
    return f"Build {BUILT[option['kind']]} on {planet_name(lookup, option['planet'])}"


WORDINGS: Final[Mapping[str, str | Callable[[Option, Lookup], str]]] = {
    "turn.end-actions": "End the actions of this turn",
    "game.concede": "Give the game up",
    "game.note": "Write something down",
    "spacecraft.move": _word_move,
    "saboteur.attack": lambda option, _: (
        f"Attack the saboteurs at {_place(option['hex'])} with {_ships(option['commit'])}"
    ),
    "planet.colonise": _on_planet("Colonise {}"),
    "planet.boost": _on_planet("Boost the morale of {}"),
    "planet.military": _on_planet("Take military action on {}"),
    "planet.build-infrastructure": _word_build,
    "planet.build-spacecraft": _on_planet("Build a spacecraft at {}"),
}


def forms_of(seen: Mapping[str, Any], _: Lookup) -> Sequence[Form]:
    if not seen.get("standing"):
        return ()
    text = Field(name="text", label="Note", kind="text", low=1, high=NOTE_MAX, value="")
    return (Form(id="note", label="Write a note", decision={"type": "game.note"}, fields=(text,)),)
