"""The story: a row for each type of fact, the fights, and the curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

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
    Beat,
    ConflictBegun,
    ConflictDecided,
    ConflictEnded,
    ConflictStep,
    Fought,
    HeadingRule,
    PartsAdded,
    SeatFigures,
    Seen,
    Sentence,
    SidePart,
    Story,
)
from ledger.parts.text import counted, join_words, sentences

from .scene import cell_id, size_seen

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


def planet_name(lookup: Lookup, planet: int) -> str:
    name: str = PLANETS.behind(lookup)[str(planet)].name
    return name


def _at(place: Sequence[int]) -> str:
    return f"({place[0]},{place[1]})"


plain: Final = sentences(
    {
        "a": lambda _, kind: _kind(kind),
        "at": lambda _, place: _at(place),
        "planet": planet_name,
        "reason": lambda _, key: REASONS[key],
    }
)


def _tell_transfer(fact: Seen, _: Lookup) -> str:
    amount = counted(fact["amount"], "resource")
    if fact["target"] == STOCK:
        return GAINS.get(fact["rule"], "{n} borrowed.").format(n=amount)
    said = LOSSES.get(fact["rule"])
    if said is None:
        return f"For {amount}:"
    return said.format(n=amount)


def _tell_shuffle(fact: Seen, lookup: Lookup) -> str:
    if not fact["home"]:
        return "The twelve tiles are shuffled face down; the last one laid will be the home planet."
    home = planet_name(lookup, fact["home"])
    return f"The twelve tiles are shuffled, {home} face up among them."


def _tell_tile(fact: Seen, lookup: Lookup) -> str:
    what = (
        "face down" if fact["planet"] is None else f"face up: {planet_name(lookup, fact['planet'])}"
    )
    return f"Column {fact['hex'][1]}: it lies at {_at(fact['hex'])}, {what}."


def _tell_block(fact: Seen, _: Lookup) -> str:
    return (
        f"Column {fact['hex'][1]}: a tile lies at {_at(fact['hex'])} already; it is rolled again."
    )


def _home(fact: Seen, lookup: Lookup) -> str:
    return (
        f"{planet_name(lookup, fact['planet'])} is the home planet, with morale 1, civil, factory "
        f"and shipyard, and {counted(fact['spacecraft'], 'spacecraft', 'spacecraft')} in orbit."
    )


def _token(fact: Seen, _: Lookup) -> str:
    if not fact["counts_up"]:
        return f"The turn token is put on {fact['token']}."
    first, second = two_tokens(fact["token"])
    if second is None:
        return f"The turn token, which counts up, is put on {first}."
    return f"The second turn token is put on {second}."


def _excess(fact: Seen, _: Lookup) -> str:
    verb = "is" if fact["amount"] == 1 else "are"
    return f"{counted(fact['amount'], 'resource')} beyond the limit of {fact['limit']} {verb} lost."


def _tell_reroll(fact: Seen, _: Lookup) -> str:
    return f"Column {fact['hex'][1]}: not on the home planet in the first turn; it is rolled again."


def _tell_landing(fact: Seen, lookup: Lookup) -> str:
    where = f"Column {fact['hex'][1]}: it lands at {_at(fact['hex'])}"
    if fact["colony"] is None:
        return f"{where} and stirs nobody up."
    return f"{where}, on {planet_name(lookup, fact['colony'])}!"


def _infrastructure_lost(fact: Seen, lookup: Lookup) -> str:
    kind = _kind(fact["kind"]).removeprefix("a ")
    return f"{planet_name(lookup, fact['planet'])} loses its {kind}."


def _checks(fact: Seen, lookup: Lookup) -> str:
    if not fact["in_revolt"]:
        return "No planet is in revolt."
    return f"In revolt: {', '.join(planet_name(lookup, one) for one in fact['in_revolt'])}."


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


def _kind(kind: str) -> str:
    return "civil infrastructure" if kind == "civil" else f"a {kind}"


def _tell_move(fact: Seen, _: Lookup) -> str:
    ships = "a spacecraft moves" if fact["ships"] == 1 else f"{fact['ships']} spacecraft move"
    return f"{ships} from {_at(fact['origin'])} to {_at(fact['to'])}."


def _tell_exploration(fact: Seen, lookup: Lookup) -> str:
    card = PLANETS.behind(lookup)[str(fact["planet"])]
    makes = "nothing" if not card.at_1 else counted(card.at_1, "resource")
    name = f"{card.name} ({fact['planet']})"
    return f"The tile at {_at(fact['hex'])} is {name}, which at morale {MORALE_MAX} makes {makes}."


def _tell_attack(fact: Seen, _: Lookup) -> str:
    ships = counted(fact["commit"], "spacecraft attacks", "spacecraft attack")
    return f"{ships} {counted(fact['saboteurs'], 'saboteur')} at {_at(fact['hex'])}."


def _attack_label(fact: Seen) -> str:
    return f"Attack on saboteurs at ({fact['hex'][0]},{fact['hex'][1]})"


def _military_label(fact: Seen, lookup: Lookup) -> str:
    return f"Military action on {planet_name(lookup, fact['planet'])}"


# --- fights ---------------------------------------------------------------------------------------


def _attack(fact: Seen, _: Lookup, __: ConflictBegun | None) -> Sequence[ConflictStep]:
    sides = ((PLAYER, "the spacecraft"), (None, "the saboteurs"))
    return [ConflictBegun(_attack_label(fact), cell_id(fact["hex"]), sides, summed=False)]


def _military(fact: Seen, lookup: Lookup, _: ConflictBegun | None) -> Sequence[ConflictStep]:
    sides = ((PLAYER, "the spacecraft"), (None, "the revolt"))
    return [ConflictBegun(_military_label(fact, lookup), None, sides, summed=False)]


def _dice(side: int) -> Fought:
    """Lists the dice of a side. They are compared pair by pair, so their sum means nothing."""

    def rolled(fact: Seen, _: Lookup, __: ConflictBegun | None) -> Sequence[ConflictStep]:
        seat = PLAYER if side == 0 else None
        parts = tuple(
            SidePart(f"die {n}", die, "combat.roll", seat) for n, die in _number_dice(fact)
        )
        added = PartsAdded(side, parts)
        return [added, ConflictEnded()] if side else [added]

    return rolled


def _number_dice(fact: Seen) -> Iterator[tuple[int, int]]:
    return enumerate(fact["dice"], 1)


def _outcome(sentence: Sentence) -> Fought:
    """Makes the fact's own sentence the outcome."""
    return lambda fact, lookup, _: [ConflictDecided(sentence(fact, lookup))]


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

MORALE_SET: Final = plain("The morale of {planet:planet} is now {morale}.")
SHIP_LOST: Final = plain("A spacecraft is destroyed at {hex:at}.")
DESTROYED: Final = plain("Saboteur {number} is destroyed.")

BEATS: Final = (
    Beat(Transferred, _tell_transfer),
    # Setup
    Beat(setup.TilesShuffled, _tell_shuffle, begins=HeadingRule(TURN, "Setup", whole=True)),
    Beat(setup.HomePlaceFound, plain("The home planet is tile {place} of the row.")),
    Beat(setup.TileRowRolled, plain("Tile {place}: row {row} ...")),
    Beat(setup.TileBlocked, _tell_block),
    Beat(setup.TileLaid, _tell_tile),
    Beat(setup.TileNamed, plain("Face down, it is {planet:planet}.")),
    Beat(setup.HomeTurnedUp, plain("The last tile is turned up: {planet:planet}.")),
    Beat(setup.SaboteursReady, plain("{count} saboteurs wait beside the map.")),
    Beat(setup.HomeSetUp, _home),
    # Tracks
    Beat(tracks.TokenMoved, _token),
    Beat(
        tracks.TurnBegun,
        plain("Turn {turn} begins."),
        begins=lambda fact, _: HeadingRule(TURN, f"Turn {fact['turn']}"),
    ),
    Beat(
        tracks.PhaseBegun,
        lambda fact, _: f"Phase {fact['phase']}, {PHASES[fact['phase'] - 1]}.",
        begins=lambda fact, _: HeadingRule(PHASE, PHASES[fact["phase"] - 1]),
    ),
    Beat(tracks.ExcessLost, _excess),
    Beat(tracks.Borrowed, plain("{amount} of the price must be borrowed.")),
    Beat(tracks.DebtRepaid, plain("{amount} of it pays the debt.")),
    Beat(tracks.TokenLowered, plain("The hegemony token falls once more for {planet:planet}.")),
    # Move saboteurs
    Beat(saboteurs.SaboteursLifted, plain("The saboteurs leave the map.")),
    Beat(saboteurs.SaboteurRowRolled, plain("Saboteur {number}: row {row} ...")),
    Beat(saboteurs.SaboteurTurnedAway, _tell_reroll),
    Beat(saboteurs.SaboteurLanded, _tell_landing),
    Beat(fights.ReserveCalled, plain("Saboteur {number} takes its place.")),
    # Revolt
    Beat(revolt.MoraleSet, MORALE_SET, conflict=_outcome(MORALE_SET)),
    Beat(revolt.RevoltBegun, plain("{planet:planet} is in revolt!")),
    Beat(revolt.RevoltEnded, plain("{planet:planet} returns to the hegemony.")),
    Beat(unrest.InfrastructureLost, _infrastructure_lost),
    # Morale checks
    Beat(checks.ChecksBegun, _checks),
    Beat(checks.MoraleRolled, _tell_roll),
    Beat(checks.BonusPutOff, plain("{planet:planet} will give a bonus resource after the checks.")),
    Beat(checks.BonusesGiven, plain("{count} put off until now.")),
    # Player actions
    Beat(spacecraft.SpacecraftMoved, _tell_move),
    Beat(spacecraft.PlanetExplored, _tell_exploration),
    Beat(
        fights.AttackBegun,
        _tell_attack,
        tags=FOUGHT,
        begins=lambda fact, _: HeadingRule(CONFLICT, _attack_label(fact), whole=True),
        conflict=_attack,
    ),
    Beat(
        fights.MilitaryBegun,
        plain("the fleet takes military action on {planet:planet}."),
        tags=FOUGHT,
        begins=lambda fact, lookup: HeadingRule(
            CONFLICT, _military_label(fact, lookup), whole=True
        ),
        conflict=_military,
    ),
    Beat(spacecraft.PlanetColonised, plain("{planet:planet} is colonised.")),
    Beat(spacecraft.MoraleBoosted, plain("the morale of {planet:planet} is boosted to {morale}.")),
    Beat(building.InfrastructureBuilt, plain("{kind:a} is built on {planet:planet}.")),
    Beat(building.SpacecraftBuilt, plain("a spacecraft is built on {planet:planet}.")),
    Beat(choosing.NoteTaken, plain("Noted: {text}")),
    # Combat
    Beat(
        combat.AttackRolled,
        plain("The spacecraft roll {dice:list} ..."),
        tags=FOUGHT,
        conflict=_dice(0),
    ),
    Beat(
        combat.DefenceRolled,
        plain("The defenders roll {dice:list}."),
        tags=FOUGHT,
        ends=CONFLICT,
        conflict=_dice(1),
    ),
    Beat(fights.SaboteurDestroyed, DESTROYED, tags=FOUGHT, conflict=_outcome(DESTROYED)),
    Beat(
        fights.SpacecraftDestroyed,
        SHIP_LOST,
        tags=FOUGHT,
        conflict=_outcome(SHIP_LOST),
    ),
    # Collect resources, and the end
    Beat(collecting.Produced, plain("{planet:planet} makes {amount}.")),
    Beat(
        ending.GameWon,
        plain(
            "All twelve planets are under control after {turns:# turn}: the hegemony is complete!"
        ),
        tags=SCORED,
        begins=HeadingRule(TURN, "The end"),
    ),
    Beat(
        ending.GameLost,
        plain("The game is lost: {to:reason}."),
        tags=SCORED,
        begins=HeadingRule(TURN, "The end"),
    ),
)

STORY: Final = Story(
    levels=LEVELS, beats=BEATS, curves=lambda seen, lookup: tuple(_curves(seen, lookup))
)
