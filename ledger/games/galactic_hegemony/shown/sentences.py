"""The sentence for each fact; together they form the report of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ledger.games.galactic_hegemony.phases.ending import REASONS
from ledger.games.galactic_hegemony.phases.tracks import PHASES, two_tokens
from ledger.games.galactic_hegemony.state.board import STOCK
from ledger.games.galactic_hegemony.state.components import MORALE_MAX, PLANETS
from ledger.kernel.lookup import Lookup

Seen: TypeAlias = Mapping[str, Any]

# Why resources came or went, by the rule that moved them.
GAINS: Final = {
    "setup.tracks": "The stockpile begins with {n}.",
    "morale.bonus": "It cannot rise: {n}.",
    "collect.planets": "{n} collected.",
}
LOSSES: Final = {
    "revolt.enter-trim": "{n} beyond the new limit are lost.",
    "track.limit": "{n} beyond the limit are lost.",
}


def planet_name(door: Lookup, planet: int) -> str:
    name: str = PLANETS.behind(door)[str(planet)].name
    return name


def _at(place: Sequence[int]) -> str:
    return f"({place[0]},{place[1]})"


def _count(number: int, one: str, many: str = "") -> str:
    return f"1 {one}" if number == 1 else f"{number} {many or one + 's'}"


def _dice(values: Sequence[int]) -> str:
    *first, last = (str(value) for value in values)
    return f"{', '.join(first)} and {last}" if first else last


def _signed(number: int) -> str:
    return f"+{number}" if number >= 0 else str(number)


def _transferred(fact: Seen, _: Lookup) -> str:
    amount = _count(fact["amount"], "resource")
    if fact["target"] == STOCK:
        return GAINS.get(fact["rule"], "{n} borrowed.").format(n=amount)
    said = LOSSES.get(fact["rule"])
    if said is None:
        return f"For {amount}:"
    return said.format(n=amount)


def _shuffled(fact: Seen, door: Lookup) -> str:
    if not fact["home"]:
        return "The twelve tiles are shuffled face down; the last one laid will be the home planet."
    home = planet_name(door, fact["home"])
    return f"The twelve tiles are shuffled, {home} face up among them."


def _laid(fact: Seen, door: Lookup) -> str:
    what = (
        "face down" if fact["planet"] is None else f"face up: {planet_name(door, fact['planet'])}"
    )
    return f"Column {fact['hex'][1]}: it lies at {_at(fact['hex'])}, {what}."


def _home(fact: Seen, door: Lookup) -> str:
    return (
        f"{planet_name(door, fact['planet'])} is the home planet, with morale 1, civil, factory "
        f"and shipyard, and {_count(fact['spacecraft'], 'spacecraft', 'spacecraft')} in orbit."
    )


def _token(fact: Seen, _: Lookup) -> str:
    if not fact["counts_up"]:
        return f"The turn token is put on {fact['token']}."
    first, second = two_tokens(fact["token"])
    if second is None:
        return f"The turn token, which counts up, is put on {first}."
    return f"The second turn token is put on {second}."


def _landed(fact: Seen, door: Lookup) -> str:
    where = f"Column {fact['hex'][1]}: it lands at {_at(fact['hex'])}"
    if fact["colony"] is None:
        return f"{where} and stirs nobody up."
    return f"{where}, on {planet_name(door, fact['colony'])}!"


def _rolled(fact: Seen, door: Lookup) -> str:
    total = sum(fact["dice"]) + fact["modifier"]
    shift = fact["shift"]
    effect = "it holds" if not shift else f"{_signed(shift)} for its morale"
    if shift > 0:
        effect += ", or a resource where it cannot rise"
    added = f"with {_signed(fact['modifier'])} " if fact["modifier"] else ""
    return (
        f"{planet_name(door, fact['planet'])} rolls {_dice(fact['dice'])}, "
        f"{added}a total of {total}: {effect}."
    )


def _kind(kind: str) -> str:
    return "civil infrastructure" if kind == "civil" else f"a {kind}"


def _moved(fact: Seen, _: Lookup) -> str:
    ships = "a spacecraft moves" if fact["ships"] == 1 else f"{fact['ships']} spacecraft move"
    return f"{ships} from {_at(fact['origin'])} to {_at(fact['to'])}."


def _explored(fact: Seen, door: Lookup) -> str:
    card = PLANETS.behind(door)[str(fact["planet"])]
    makes = "nothing" if not card.at_1 else _count(card.at_1, "resource")
    name = f"{card.name} ({fact['planet']})"
    return f"The tile at {_at(fact['hex'])} is {name}, which at morale {MORALE_MAX} makes {makes}."


def _attacked(fact: Seen, _: Lookup) -> str:
    ships = _count(fact["commit"], "spacecraft attacks", "spacecraft attack")
    return f"{ships} {_count(fact['saboteurs'], 'saboteur')} at {_at(fact['hex'])}."


def _named(sentence: str) -> Callable[[Seen, Lookup], str]:
    """Makes a sentence that may use the planet's name and all fields of the fact."""

    def said(fact: Seen, door: Lookup) -> str:
        return sentence.format(**{**fact, "planet": planet_name(door, fact["planet"])})

    return said


def _plain(sentence: str) -> Callable[[Seen, Lookup], str]:
    return lambda fact, _: sentence.format(**fact)


def _won(fact: Seen, _: Lookup) -> str:
    turns = _count(fact["turns"], "turn")
    return f"All twelve planets are under control after {turns}: the hegemony is complete!"


TELLING: Final[Mapping[str, Callable[[Seen, Lookup], str]]] = {
    "accounts.transferred": _transferred,
    # Setup
    "setup.tiles-shuffled": _shuffled,
    "setup.home-place-found": _plain("The home planet is tile {place} of the row."),
    "setup.tile-row-rolled": _plain("Tile {place}: row {row} ..."),
    "setup.tile-blocked": lambda fact, _: (
        f"Column {fact['hex'][1]}: a tile lies at {_at(fact['hex'])} already; it is rolled again."
    ),
    "setup.tile-laid": _laid,
    "setup.tile-named": _named("Face down, it is {planet}."),
    "setup.home-turned-up": _named("The last tile is turned up: {planet}."),
    "setup.saboteurs-ready": _plain("{count} saboteurs wait beside the map."),
    "setup.home-set-up": _home,
    # Tracks
    "track.turn-token-moved": _token,
    "track.turn-begun": _plain("Turn {turn} begins."),
    "track.phase-begun": lambda fact, _: f"Phase {fact['phase']}, {PHASES[fact['phase'] - 1]}.",
    "track.excess-lost": lambda fact, _: (
        f"{_count(fact['amount'], 'resource')} beyond the limit of {fact['limit']} "
        f"{'is' if fact['amount'] == 1 else 'are'} lost."
    ),
    "track.borrowed": _plain("{amount} of the price must be borrowed."),
    "track.debt-repaid": _plain("{amount} of it goes to what is owed."),
    "track.hegemony-lowered": _named("The hegemony token falls once more for {planet}."),
    # Move saboteurs
    "saboteur.lifted": lambda _, __: "The saboteurs leave the map.",
    "saboteur.row-rolled": _plain("Saboteur {number}: row {row} ..."),
    "saboteur.turned-away": lambda fact, _: (
        f"Column {fact['hex'][1]}: not on the home planet in the first turn; it is rolled again."
    ),
    "saboteur.landed": _landed,
    "saboteur.reserve-called": _plain("Saboteur {number} takes its place."),
    # Revolt
    "revolt.morale-set": _named("The morale of {planet} is now {morale}."),
    "revolt.begun": _named("{planet} is in revolt!"),
    "revolt.ended": _named("{planet} returns to the hegemony."),
    "unrest.infrastructure-lost": lambda fact, door: (
        f"{planet_name(door, fact['planet'])} loses its {_kind(fact['kind']).removeprefix('a ')}."
    ),
    # Morale checks
    "morale.checks-begun": lambda fact, door: (
        "No planet is in revolt."
        if not fact["in_revolt"]
        else f"In revolt: {', '.join(planet_name(door, one) for one in fact['in_revolt'])}."
    ),
    "morale.rolled": _rolled,
    "morale.bonus-put-off": _named("{planet} will give a bonus resource after the checks."),
    "morale.bonuses-given": _plain("{count} put off until now."),
    # Player actions
    "spacecraft.moved": _moved,
    "spacecraft.explored": _explored,
    "saboteur.attacked": _attacked,
    "planet.attacked": _named("the fleet takes military action on {planet}."),
    "planet.colonised": _named("{planet} is colonised."),
    "planet.boosted": _named("the morale of {planet} is boosted to {morale}."),
    "planet.infrastructure-built": lambda fact, door: (
        f"{_kind(fact['kind'])} is built on {planet_name(door, fact['planet'])}."
    ),
    "planet.spacecraft-built": _named("a spacecraft is built on {planet}."),
    "game.noted": _plain("Noted: {text}"),
    # Combat
    "combat.attack-rolled": lambda fact, _: f"The spacecraft roll {_dice(fact['dice'])} ...",
    "combat.defence-rolled": lambda fact, _: f"The defenders roll {_dice(fact['dice'])}.",
    "combat.saboteur-destroyed": _plain("Saboteur {number} is destroyed."),
    "combat.spacecraft-destroyed": lambda fact, _: (
        f"A spacecraft is destroyed at {_at(fact['hex'])}."
    ),
    # Collect resources, and the end
    "collect.produced": _named("{planet} makes {amount}."),
    "end.won": _won,
    "end.lost": lambda fact, _: f"The game is lost: {REASONS[fact['to']]}.",
}
