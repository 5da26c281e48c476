"""Positions of Hegemonic that the tests of its chapters start from.

    position(4).home(0, "S1d").has(0, outposts={"S1b": 3}, fleets=["S1b"])
        .turn(0, "martialize").given().when(0, StartBuild())

A builder puts tiles under the pieces where none lies: one that has locations enough for them. It
is for positions that a match could reach in principle and that no test would play its way to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.actions.advancing import Discard
from ledger.games.hegemonic.actions.choosing import CommitCard
from ledger.games.hegemonic.actions.resolving import NextAction
from ledger.games.hegemonic.setup.boards import LayBoards
from ledger.games.hegemonic.setup.homes import PlaceHome
from ledger.games.hegemonic.setup.sequence import ChooseColor, ChooseFirstArbiter
from ledger.games.hegemonic.state.caps import purse_of
from ledger.games.hegemonic.state.galaxy import CAPS, CARD_PILE, ONE_PILE, TILE_STACK, Galaxy, Turn
from ledger.kernel.chance import Deck, Stream
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Fact, Question, Seat, Step
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import Terms
from tests.support.given import Given, given

COLORS = ("blue", "green", "orange", "purple", "red", "yellow")


def house(**values: Any) -> dict[str, Any]:
    """An overlay by which readings are read otherwise; `__` stands for a dot, `_` for a dash."""
    named = {name.replace("__", ".").replace("_", "-"): v for name, v in values.items()}
    return {"readings": {"values": named}}


def terms_of(options: Mapping[str, Any] | None = None, overlay: Any = None) -> Terms:
    """The terms of a match of Hegemonic."""
    return Terms(RULES, options=options, overlay=overlay)


class Position:
    """A table in the middle of a match."""

    def __init__(self, seats: int, terms: Terms) -> None:
        self.terms = terms
        self.galaxy: Galaxy = RULES.setup(seats)
        self.galaxy.__dict__["lookup"] = terms.silent
        self.agenda: list[Step | Question] = []
        for step in LayBoards().run(self.galaxy):
            assert isinstance(step, Fact), "the layout of so many players is a matter of course"
            step.apply(self.galaxy)
        pieces = terms.tables["pieces"]
        units = [pieces[unit].number for unit in ("agent", "fleet", "gate")]
        for one in self.galaxy.houses:
            one.color = COLORS[one.seat]
            one.supply(*units)
        self.galaxy.cards = Deck.of(CARD_PILE, terms.tables["cards"])
        self.galaxy.tiles = Deck.of(TILE_STACK, terms.tables["tiles"])
        self.galaxy.discards = {ONE_PILE: []}
        self.galaxy.stack, self.galaxy.round, self.galaxy.phase = 8, 2, 3

    # --- map ------------------------------------------------------------------------------------

    def home(self, seat: Seat, sector: str) -> Position:
        """A home, with nothing on it."""
        self.galaxy.put_home(seat, sector)
        return self

    def tile(self, *sectors: str, **cells: Any) -> Position:
        """Tiles with at least these locations (and this faction, this political power)."""
        for sector in sectors:
            self._lay(sector, cells)
        return self

    def _lay(self, sector: str, cells: Mapping[str, Any]) -> None:
        exact = ("faction", "political")
        rows = self.terms.tables["tiles"].values()
        for row in rows:
            unused = row.id in self.galaxy.tiles.unseen
            fits = all(
                getattr(row, name) == value if name in exact else getattr(row, name) >= value
                for name, value in cells.items()
            )
            if unused and fits:
                self.galaxy.tiles.take((row.id,), 0)
                self.galaxy.sectors[sector].tile = row.id
                return
        raise AssertionError(f"no tile is left with {dict(cells)}")

    # --- pieces ---------------------------------------------------------------------------------

    def has(
        self,
        seat: Seat,
        *,
        complexes: Mapping[str, int] | None = None,
        embassies: Sequence[str] = (),
        outposts: Mapping[str, int] | None = None,
        agents: Sequence[str] = (),
        fleets: Sequence[str] = (),
        gates: Sequence[tuple[str, str]] = (),
    ) -> Position:
        """A player's pieces; tiles are put under them where none lies."""
        one = self.galaxy.houses[seat]
        for sector, count in (complexes or {}).items():
            self._under(sector, industrial=count)
            one.complexes[sector] = count
        for sector in embassies:
            self._under(sector, political=1)
            one.embassies.append(sector)
        for sector, count in (outposts or {}).items():
            self._under(sector, martial=count)
            one.outposts[sector] = count
        for movers, sectors in ((one.agents, agents), (one.fleets, fleets)):
            for number, sector in enumerate(sectors):
                self._under(sector)
                movers[number] = sector
        for number, (first, second) in enumerate(gates):
            self._under(first, industrial=1)
            self._under(second, industrial=1)
            self.galaxy.link(seat, number, first, second)
        return self

    def _under(self, sector: str, **cells: int) -> None:
        if self.galaxy.sectors[sector].empty:
            self._lay(sector, cells)
        tile = self.galaxy.tile_at(sector)
        assert all(getattr(tile, name) >= count for name, count in cells.items()), (sector, tile)

    def caps(self, *amounts: int) -> Position:
        """Sets the CAPs of the players, from the first on."""
        for seat, amount in enumerate(amounts):
            self.galaxy.accounts.move(CAPS, "bank", purse_of(seat), amount)
        return self

    # --- cards ----------------------------------------------------------------------------------

    def hand(self, seat: Seat, *cards: str) -> Position:
        self._take(cards)
        self.galaxy.houses[seat].hand += cards
        return self

    def advanced(self, seat: Seat, *cards: str) -> Position:
        self._take(cards)
        self.galaxy.houses[seat].advanced += cards
        return self

    def inactive(self, seat: Seat, *cards: str) -> Position:
        self._take(cards)
        self.galaxy.houses[seat].inactive += cards
        return self

    def discarded(self, *cards: str) -> Position:
        self._take(cards)
        self.galaxy.discards[ONE_PILE] += cards
        return self

    def _take(self, cards: Iterable[str]) -> None:
        for card in cards:
            del self.galaxy.cards.unseen[card]
            del self.galaxy.cards.made_of[card]

    # --- where play stands ----------------------------------------------------------------------

    def at(self, phase: int, round_: int = 2, arbiter: Seat = 0) -> Position:
        self.galaxy.phase, self.galaxy.round, self.galaxy.arbiter = phase, round_, arbiter
        return self

    def turn(self, seat: Seat, card: str) -> Position:
        """A player's turn with a card; nothing comes after it."""
        self.galaxy.houses[seat].played = card
        self.galaxy.turn = Turn(seat, card)
        self.agenda = [NextAction(seat)]
        return self

    def doing(self, *coming: Step | Question) -> Position:
        """Sets the coming steps and questions, the first first."""
        self.agenda = list(reversed(coming))
        return self

    def match(self) -> Match:
        """A match that stands so, its steps run up to the first question."""
        return self.terms.match(0, self.galaxy, self.agenda)

    def given(self) -> Given:
        """The beginning of a sentence."""
        return given(self.match())


def position(seats: int = 4, **terms: Any) -> Position:
    """An empty map of the suggested layout, all pieces on the player boards."""
    return Position(seats, terms_of(**terms))


# --- matches from their beginning -----------------------------------------------------------------


def falling(sentence: Given, seed: int = 1) -> Given:
    """Lets chance fall until a player is asked."""
    stream = Stream.named(seed.to_bytes(8, "big"), "falling")
    match = sentence.match
    while (question := match.chance()) is not None:
        wish = question.wish(match.state)
        sentence.when(CHANCE, wish.answer(stream.take(32), 0, question.address(match.state)))
    return sentence


def begun(seats: int = 4, arbiter: Seat = 0, **terms: Any) -> Given:
    """A match whose arbiter is named and whose colours are taken."""
    sentence = given(terms_of(**terms).open_match(seats))
    sentence.when(0, ChooseFirstArbiter(arbiter))
    if terms.get("options", {}).get("layout") != "free":
        for seat in range(seats):
            sentence.when(seat, ChooseColor(COLORS[seat]))
        falling(sentence)
    return sentence


def settled(seats: int = 4, **terms: Any) -> Given:
    """A match in which the homes lie on the marked sectors, in seat order."""
    sentence = begun(seats, **terms)
    while not sentence.match.key(sentence.match.asked()[0]).startswith("setup/home"):
        first(sentence, sentence.match.asked()[0])
    for seat in range(seats):
        sentence.when(seat, PlaceHome(sentence.state.marked[seat]))
    return falling(sentence)


def first(sentence: Given, seat: Seat) -> Given:
    """A seat decides the first thing that it is offered."""
    return falling(sentence.when(seat, sentence.match.options(seat)[0]))


def set_up(seats: int = 4, **terms: Any) -> Given:
    """A match at the first placing of its first round."""
    sentence = settled(seats, **terms)
    while sentence.state.phase < 2:
        first(sentence, sentence.match.asked()[0])
    return sentence


def expanded(seats: int = 4, **terms: Any) -> Given:
    """A match at its first choice of action cards, every draw discarded."""
    sentence = set_up(seats, **terms)
    while sentence.state.phase < 3:
        seat = sentence.match.asked()[0]
        options = sentence.match.options(seat)
        plain = next((one for one in options if isinstance(one, Discard)), options[0])
        falling(sentence.when(seat, plain))
    return sentence


def committed(sentence: Given, *cards: str) -> Given:
    """Every player chooses a card, in seat order."""
    for seat, card in enumerate(cards):
        sentence.when(seat, CommitCard(card))
    return sentence


def told(sentence: Given, *kinds: type[Fact]) -> list[Fact]:
    """The facts of these kinds that the last decision gave."""
    return [fact for fact in sentence.facts if isinstance(fact, kinds)]


def allowed(sentence: Given, seat: Seat, decision: Decision) -> bool:
    """Whether a seat may answer so to the question on top."""
    question = sentence.match.question
    assert question is not None
    try:
        return bool(question.allows(sentence.state, seat, decision))
    except Refused:
        return False
