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
    Share,
    Story,
)

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


def planet_name(door: Lookup, planet: int) -> str:
    name: str = PLANETS.behind(door)[str(planet)].name
    return name


def _at(place: Sequence[int]) -> str:
    return f"({place[0]},{place[1]})"


def _count(number: int, one: str, many: str = "") -> str:
    return f"1 {one}" if number == 1 else f"{number} {many or one + 's'}"


def _dice_words(values: Sequence[int]) -> str:
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


def _blocked(fact: Seen, _: Lookup) -> str:
    return (
        f"Column {fact['hex'][1]}: a tile lies at {_at(fact['hex'])} already; it is rolled again."
    )


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


def _excess(fact: Seen, _: Lookup) -> str:
    verb = "is" if fact["amount"] == 1 else "are"
    return f"{_count(fact['amount'], 'resource')} beyond the limit of {fact['limit']} {verb} lost."


def _turned_away(fact: Seen, _: Lookup) -> str:
    return f"Column {fact['hex'][1]}: not on the home planet in the first turn; it is rolled again."


def _landed(fact: Seen, door: Lookup) -> str:
    where = f"Column {fact['hex'][1]}: it lands at {_at(fact['hex'])}"
    if fact["colony"] is None:
        return f"{where} and stirs nobody up."
    return f"{where}, on {planet_name(door, fact['colony'])}!"


def _infrastructure_lost(fact: Seen, door: Lookup) -> str:
    kind = _kind(fact["kind"]).removeprefix("a ")
    return f"{planet_name(door, fact['planet'])} loses its {kind}."


def _checks(fact: Seen, door: Lookup) -> str:
    if not fact["in_revolt"]:
        return "No planet is in revolt."
    return f"In revolt: {', '.join(planet_name(door, one) for one in fact['in_revolt'])}."


def _rolled(fact: Seen, door: Lookup) -> str:
    total = sum(fact["dice"]) + fact["modifier"]
    shift = fact["shift"]
    effect = "it holds" if not shift else f"{_signed(shift)} for its morale"
    if shift > 0:
        effect += ", or a resource where it cannot rise"
    added = f"with {_signed(fact['modifier'])} " if fact["modifier"] else ""
    return (
        f"{planet_name(door, fact['planet'])} rolls {_dice_words(fact['dice'])}, "
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


def _built(fact: Seen, door: Lookup) -> str:
    return f"{_kind(fact['kind'])} is built on {planet_name(door, fact['planet'])}."


def _ship_destroyed(fact: Seen, _: Lookup) -> str:
    return f"A spacecraft is destroyed at {_at(fact['hex'])}."


def _named(sentence: str) -> Sentence:
    """Makes a sentence that may use the planet's name and all fields of the fact."""

    def said(fact: Seen, door: Lookup) -> str:
        return sentence.format(**{**fact, "planet": planet_name(door, fact["planet"])})

    return said


def _plain(sentence: str) -> Sentence:
    return lambda fact, _: sentence.format(**fact)


def _won(fact: Seen, _: Lookup) -> str:
    turns = _count(fact["turns"], "turn")
    return f"All twelve planets are under control after {turns}: the hegemony is complete!"


def _game_lost(fact: Seen, _: Lookup) -> str:
    return f"The game is lost: {REASONS[fact['to']]}."


def _attack_label(fact: Seen) -> str:
    return f"Attack on saboteurs at ({fact['hex'][0]},{fact['hex'][1]})"


def _military_label(fact: Seen, door: Lookup) -> str:
    return f"Military action on {planet_name(door, fact['planet'])}"


# --- fights ---------------------------------------------------------------------------------------


def _attack(fact: Seen, _: Lookup, __: ConflictBegun | None) -> Sequence[ConflictStep]:
    sides = ((PLAYER, "the spacecraft"), (None, "the saboteurs"))
    return [ConflictBegun(_attack_label(fact), cell_id(fact["hex"]), sides, summed=False)]


def _military(fact: Seen, door: Lookup, _: ConflictBegun | None) -> Sequence[ConflictStep]:
    sides = ((PLAYER, "the spacecraft"), (None, "the revolt"))
    return [ConflictBegun(_military_label(fact, door), None, sides, summed=False)]


def _dice(side: int) -> Fought:
    """Lists the dice of a side. They are compared pair by pair, so their sum means nothing."""

    def rolled(fact: Seen, _: Lookup, __: ConflictBegun | None) -> Sequence[ConflictStep]:
        seat = PLAYER if side == 0 else None
        parts = tuple(Share(f"die {n}", die, "combat.roll", seat) for n, die in _numbered(fact))
        added = PartsAdded(side, parts)
        return [added, ConflictEnded()] if side else [added]

    return rolled


def _numbered(fact: Seen) -> Iterator[tuple[int, int]]:
    return enumerate(fact["dice"], 1)


def _outcome(sentence: Sentence) -> Fought:
    """Makes the fact's own sentence the outcome."""
    return lambda fact, door, _: [ConflictDecided(sentence(fact, door))]


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

MORALE_SET: Final = _named("The morale of {planet} is now {morale}.")
DESTROYED: Final = _plain("Saboteur {number} is destroyed.")

BEATS: Final = (
    Beat(Transferred, _transferred),
    # Setup
    Beat(setup.TilesShuffled, _shuffled, begins=HeadingRule(TURN, "Setup", whole=True)),
    Beat(setup.HomePlaceFound, _plain("The home planet is tile {place} of the row.")),
    Beat(setup.TileRowRolled, _plain("Tile {place}: row {row} ...")),
    Beat(setup.TileBlocked, _blocked),
    Beat(setup.TileLaid, _laid),
    Beat(setup.TileNamed, _named("Face down, it is {planet}.")),
    Beat(setup.HomeTurnedUp, _named("The last tile is turned up: {planet}.")),
    Beat(setup.SaboteursReady, _plain("{count} saboteurs wait beside the map.")),
    Beat(setup.HomeSetUp, _home),
    # Tracks
    Beat(tracks.TokenMoved, _token),
    Beat(
        tracks.TurnBegun,
        _plain("Turn {turn} begins."),
        begins=lambda fact, _: HeadingRule(TURN, f"Turn {fact['turn']}"),
    ),
    Beat(
        tracks.PhaseBegun,
        lambda fact, _: f"Phase {fact['phase']}, {PHASES[fact['phase'] - 1]}.",
        begins=lambda fact, _: HeadingRule(PHASE, PHASES[fact["phase"] - 1]),
    ),
    Beat(tracks.ExcessLost, _excess),
    Beat(tracks.Borrowed, _plain("{amount} of the price must be borrowed.")),
    Beat(tracks.DebtRepaid, _plain("{amount} of it goes to what is owed.")),
    Beat(tracks.TokenLowered, _named("The hegemony token falls once more for {planet}.")),
    # Move saboteurs
    Beat(saboteurs.SaboteursLifted, lambda _, __: "The saboteurs leave the map."),
    Beat(saboteurs.SaboteurRowRolled, _plain("Saboteur {number}: row {row} ...")),
    Beat(saboteurs.SaboteurTurnedAway, _turned_away),
    Beat(saboteurs.SaboteurLanded, _landed),
    Beat(fights.ReserveCalled, _plain("Saboteur {number} takes its place.")),
    # Revolt
    Beat(revolt.MoraleSet, MORALE_SET, conflict=_outcome(MORALE_SET)),
    Beat(revolt.RevoltBegun, _named("{planet} is in revolt!")),
    Beat(revolt.RevoltEnded, _named("{planet} returns to the hegemony.")),
    Beat(unrest.InfrastructureLost, _infrastructure_lost),
    # Morale checks
    Beat(checks.ChecksBegun, _checks),
    Beat(checks.MoraleRolled, _rolled),
    Beat(checks.BonusPutOff, _named("{planet} will give a bonus resource after the checks.")),
    Beat(checks.BonusesGiven, _plain("{count} put off until now.")),
    # Player actions
    Beat(spacecraft.SpacecraftMoved, _moved),
    Beat(spacecraft.PlanetExplored, _explored),
    Beat(
        fights.AttackBegun,
        _attacked,
        tags=FOUGHT,
        begins=lambda fact, _: HeadingRule(CONFLICT, _attack_label(fact), whole=True),
        conflict=_attack,
    ),
    Beat(
        fights.MilitaryBegun,
        _named("the fleet takes military action on {planet}."),
        tags=FOUGHT,
        begins=lambda fact, door: HeadingRule(CONFLICT, _military_label(fact, door), whole=True),
        conflict=_military,
    ),
    Beat(spacecraft.PlanetColonised, _named("{planet} is colonised.")),
    Beat(spacecraft.MoraleBoosted, _named("the morale of {planet} is boosted to {morale}.")),
    Beat(building.InfrastructureBuilt, _built),
    Beat(building.SpacecraftBuilt, _named("a spacecraft is built on {planet}.")),
    Beat(choosing.NoteTaken, _plain("Noted: {text}")),
    # Combat
    Beat(
        combat.AttackRolled,
        lambda fact, _: f"The spacecraft roll {_dice_words(fact['dice'])} ...",
        tags=FOUGHT,
        conflict=_dice(0),
    ),
    Beat(
        combat.DefenceRolled,
        lambda fact, _: f"The defenders roll {_dice_words(fact['dice'])}.",
        tags=FOUGHT,
        ends=CONFLICT,
        conflict=_dice(1),
    ),
    Beat(fights.SaboteurDestroyed, DESTROYED, tags=FOUGHT, conflict=_outcome(DESTROYED)),
    Beat(
        fights.SpacecraftDestroyed, _ship_destroyed, tags=FOUGHT, conflict=_outcome(_ship_destroyed)
    ),
    # Collect resources, and the end
    Beat(collecting.Produced, _named("{planet} makes {amount}.")),
    Beat(ending.GameWon, _won, tags=SCORED, begins=HeadingRule(TURN, "The end")),
    Beat(ending.GameLost, _game_lost, tags=SCORED, begins=HeadingRule(TURN, "The end")),
)

STORY: Final = Story(
    levels=LEVELS, beats=BEATS, curves=lambda seen, door: tuple(_curves(seen, door))
)
