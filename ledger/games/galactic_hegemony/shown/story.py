"""The story: a row for each type of fact, the fights, and the curves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from ledger.games.galactic_hegemony import setup
from ledger.games.galactic_hegemony.actions import building, choosing, combat, fights, spacecraft
from ledger.games.galactic_hegemony.phases import (
    checks,
    collecting,
    ending,
    revolt,
    saboteurs,
    tracks,
    unrest,
)
from ledger.games.galactic_hegemony.phases.ending import REASONS
from ledger.games.galactic_hegemony.phases.tracks import PHASES, two_tokens
from ledger.games.galactic_hegemony.state.board import ACTIVE, PLAYER, STOCK
from ledger.games.galactic_hegemony.state.components import MORALE_MAX, PLANETS, RESOURCES
from ledger.kernel.accounts import Transferred
from ledger.kernel.lookup import Lookup
from ledger.kernel.story import (
    ConflictBegun,
    ConflictEnded,
    ConflictStep,
    Fought,
    HeadingRule,
    PartsAdded,
    SeatFigures,
    Seen,
    SidePart,
    Story,
)
from ledger.parts.shown.story import rows
from ledger.parts.text import Namings, counted, join_words, sentences

from .scene import cell_id, planet_name, size_seen

TURN, PHASE, CONFLICT = LEVELS = ("round", "phase", "conflict")
FOUGHT: Final = ("conflict",)
SCORED: Final = ("scoring",)

# --- sentences ------------------------------------------------------------------------------------

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


def hex_words(place: Sequence[int]) -> str:
    return f"{place[0]},{place[1]}"


def ships_words(number: int) -> str:
    return "a spacecraft" if number == 1 else f"{number} spacecraft"


def card_words(lookup: Lookup, planet: int) -> str:
    """Describes a planet card: Ert (1), which at morale 1 makes 2 resources."""
    card = PLANETS.behind(lookup)[str(planet)]
    makes = "nothing" if not card.at_1 else counted(card.at_1, "resource")
    return f"{card.name} ({planet}), which at morale {MORALE_MAX} makes {makes}"


def _list_revolts(lookup: Lookup, planets: Sequence[int]) -> str:
    named = ", ".join(planet_name(lookup, planet) for planet in planets)
    return f"In revolt: {named}" if planets else "No planet is in revolt"


NAMINGS: Final[Namings] = {
    "a": lambda _, kind: "civil infrastructure" if kind == "civil" else f"a {kind}",
    "at": lambda _, place: f"({hex_words(place)})",
    "card": card_words,
    "column": lambda _, place: str(place[1]),
    "face": lambda lookup, planet: (
        "face down" if planet is None else f"face up: {planet_name(lookup, planet)}"
    ),
    "kind": lambda _, kind: "civil infrastructure" if kind == "civil" else kind,
    "moves": lambda _, ships: f"{ships_words(ships)} {'moves' if ships == 1 else 'move'}",
    "attacks": lambda _, ships: counted(ships, "spacecraft attacks", "spacecraft attack"),
    "phase": lambda _, phase: PHASES[phase - 1],
    "place": lambda _, place: hex_words(place),
    "planet": planet_name,
    "reason": lambda _, key: REASONS[key],
    "revolts": _list_revolts,
    "ships": lambda _, number: ships_words(number),
    "stirred": lambda lookup, colony: (
        " and stirs nobody up." if colony is None else f", on {planet_name(lookup, colony)}!"
    ),
    "verb": lambda _, number: "is" if number == 1 else "are",
}
row = rows(NAMINGS)


def _tell_transfer(fact: Seen, _: Lookup) -> str:
    gained = fact["target"] == STOCK
    table, other = (GAINS, "{n} borrowed.") if gained else (LOSSES, "For {n}:")
    return table.get(fact["rule"], other).format(n=counted(fact["amount"], "resource"))


def _token(fact: Seen, _: Lookup) -> str:
    if not fact["counts_up"]:
        return f"The turn token is put on {fact['token']}."
    first, second = two_tokens(fact["token"])
    if second is None:
        return f"The turn token, which counts up, is put on {first}."
    return f"The second turn token is put on {second}."


def _tell_roll(fact: Seen, lookup: Lookup) -> str:
    dice = join_words([str(die) for die in fact["dice"]])
    total = sum(fact["dice"]) + fact["modifier"]
    shift = fact["shift"]
    effect = "it holds" if not shift else f"{shift:+d} for its morale"
    if shift > 0:
        effect += ", or a resource where it cannot rise"
    added = f"with {fact['modifier']:+d} " if fact["modifier"] else ""
    return (
        f"{planet_name(lookup, fact['planet'])} rolls {dice}, {added}a total of {total}: {effect}."
    )


# --- fights ---------------------------------------------------------------------------------------


def _fight(label: str, foes: str, cell: Callable[[Seen], str | None]) -> dict[str, Any]:
    """Returns the heading and the beginning of a fight in which the spacecraft attack."""
    named = sentences(NAMINGS)(label)

    def heading(fact: Seen, lookup: Lookup) -> HeadingRule:
        return HeadingRule(CONFLICT, named(fact, lookup), whole=True)

    def begun(fact: Seen, lookup: Lookup, _: ConflictBegun | None) -> Sequence[ConflictStep]:
        sides = ((PLAYER, "the spacecraft"), (None, foes))
        return [ConflictBegun(named(fact, lookup), cell(fact), sides, summed=False)]

    return {"tags": FOUGHT, "begins": heading, "conflict": begun}


def _dice(side: int) -> Fought:
    """Lists the dice of a side. They are compared pair by pair, so their sum means nothing."""

    def rolled(fact: Seen, _: Lookup, __: ConflictBegun | None) -> Sequence[ConflictStep]:
        seat = PLAYER if side == 0 else None
        parts = tuple(
            SidePart(f"die {n}", die, "combat.roll", seat) for n, die in enumerate(fact["dice"], 1)
        )
        added = PartsAdded(side, parts)
        return [added, ConflictEnded()] if side else [added]

    return rolled


# --- figures --------------------------------------------------------------------------------------


def _curves(seen: Seen, _: Lookup) -> Iterator[SeatFigures]:
    """Yields the game's figures, each with the single player's value."""
    board = seen["state"]
    stock = board["accounts"]["balances"][RESOURCES].get(STOCK, 0)
    active = sum(one["status"] == ACTIVE for one in board["saboteurs"])
    yield SeatFigures("size", "hegemony size", (size_seen(board),), column=True)
    yield SeatFigures("stock", "resources", (stock,), column=True)
    yield SeatFigures("spacecraft", "spacecraft", (len(board["spacecraft"]),))
    yield SeatFigures("saboteurs", "saboteurs in the game", (active,))


# --- the rows -------------------------------------------------------------------------------------

ALL_FACE_DOWN: Final = (
    "The twelve tiles are shuffled face down; the last one laid will be the home planet."
)
HOME: Final = (
    "{planet:planet} is the home planet, with morale 1, civil, factory and shipyard, "
    "and {spacecraft} spacecraft in orbit."
)
EXCESS: Final = "{amount:# resource} beyond the limit of {limit} {amount:verb} lost."
REROLL: Final = "Column {hex:column}: not on the home planet in the first turn; it is rolled again."
WON: Final = "All twelve planets are under control after {turns:# turn}: the hegemony is complete!"
THE_END: Final = HeadingRule(TURN, "The end")

BEATS: Final = (
    row(Transferred, _tell_transfer),
    # Setup
    row(
        setup.TilesShuffled,
        "The twelve tiles are shuffled, {home:planet} face up among them.",
        cases=("home", {0: ALL_FACE_DOWN}),
        begins=HeadingRule(TURN, "Setup", whole=True),
    ),
    row(setup.HomePlaceFound, "The home planet is tile {place} of the row."),
    row(setup.TileRowRolled, "Tile {place}: row {row} ..."),
    row(
        setup.TileBlocked,
        "Column {hex:column}: a tile lies at {hex:at} already; it is rolled again.",
    ),
    row(setup.TileLaid, "Column {hex:column}: it lies at {hex:at}, {planet:face}."),
    row(setup.TileNamed, "Face down, it is {planet:planet}."),
    row(setup.HomeTurnedUp, "The last tile is turned up: {planet:planet}."),
    row(setup.SaboteursReady, "{count} saboteurs wait beside the map."),
    row(setup.HomeSetUp, HOME),
    # Tracks
    row(tracks.TokenMoved, _token),
    row(
        tracks.TurnBegun,
        "Turn {turn} begins.",
        begins=lambda fact, _: HeadingRule(TURN, f"Turn {fact['turn']}"),
    ),
    row(
        tracks.PhaseBegun,
        "Phase {phase}, {phase:phase}.",
        begins=lambda fact, _: HeadingRule(PHASE, PHASES[fact["phase"] - 1]),
    ),
    row(tracks.ExcessLost, EXCESS),
    row(tracks.Borrowed, "{amount} of the price must be borrowed."),
    row(tracks.DebtRepaid, "{amount} of it pays the debt."),
    row(tracks.TokenLowered, "The hegemony token falls once more for {planet:planet}."),
    # Move saboteurs
    row(saboteurs.SaboteursLifted, "The saboteurs leave the map."),
    row(saboteurs.SaboteurRowRolled, "Saboteur {number}: row {row} ..."),
    row(saboteurs.SaboteurTurnedAway, REROLL),
    row(saboteurs.SaboteurLanded, "Column {hex:column}: it lands at {hex:at}{colony:stirred}"),
    row(fights.ReserveCalled, "Saboteur {number} takes its place."),
    # Revolt
    row(revolt.MoraleSet, "The morale of {planet:planet} is now {morale}.", decides=True),
    row(revolt.RevoltBegun, "{planet:planet} is in revolt!"),
    row(revolt.RevoltEnded, "{planet:planet} returns to the hegemony."),
    row(unrest.InfrastructureLost, "{planet:planet} loses its {kind:kind}."),
    # Morale checks
    row(checks.ChecksBegun, "{in_revolt:revolts}."),
    row(checks.MoraleRolled, _tell_roll),
    row(checks.BonusPutOff, "{planet:planet} will give a bonus resource after the checks."),
    row(checks.BonusesGiven, "{count} put off until now."),
    # Player actions
    row(spacecraft.SpacecraftMoved, "{ships:moves} from {origin:at} to {to:at}."),
    row(spacecraft.PlanetExplored, "The tile at {hex:at} is {planet:card}."),
    row(
        fights.AttackBegun,
        "{commit:attacks} {saboteurs:# saboteur} at {hex:at}.",
        **_fight(
            "Attack on saboteurs at {hex:at}", "the saboteurs", lambda fact: cell_id(fact["hex"])
        ),
    ),
    row(
        fights.MilitaryBegun,
        "the fleet takes military action on {planet:planet}.",
        **_fight("Military action on {planet:planet}", "the revolt", lambda _: None),
    ),
    row(spacecraft.PlanetColonised, "{planet:planet} is colonised."),
    row(spacecraft.MoraleBoosted, "the morale of {planet:planet} is boosted to {morale}."),
    row(building.InfrastructureBuilt, "{kind:a} is built on {planet:planet}."),
    row(building.SpacecraftBuilt, "a spacecraft is built on {planet:planet}."),
    row(choosing.NoteTaken, "Noted: {text}"),
    # Combat
    row(combat.AttackRolled, "The spacecraft roll {dice:list} ...", tags=FOUGHT, conflict=_dice(0)),
    row(
        combat.DefenceRolled,
        "The defenders roll {dice:list}.",
        tags=FOUGHT,
        ends=CONFLICT,
        conflict=_dice(1),
    ),
    row(fights.SaboteurDestroyed, "Saboteur {number} is destroyed.", tags=FOUGHT, decides=True),
    row(
        fights.SpacecraftDestroyed,
        "A spacecraft is destroyed at {hex:at}.",
        tags=FOUGHT,
        decides=True,
    ),
    # Collect resources, and the end
    row(collecting.Produced, "{planet:planet} makes {amount}."),
    row(ending.GameWon, WON, tags=SCORED, begins=THE_END),
    row(ending.GameLost, "The game is lost: {to:reason}.", tags=SCORED, begins=THE_END),
)

STORY: Final = Story(
    levels=LEVELS, beats=BEATS, curves=lambda seen, lookup: tuple(_curves(seen, lookup))
)
