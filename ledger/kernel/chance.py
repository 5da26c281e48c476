"""Chance is a seat: dice and cards are answers that CHANCE gives to questions the rules ask.

A rule requests dice or cards (`Roll`, `Draw`) under an *address* that names the purpose
(`begin`, `r3/p4/s2/a1/fight/A`) and never the position in the log. Where keys answer, a
value is a function of (key of its domain, epoch, address): an erratum that asks again
changes no other die.

    server seed ──┬─ seed of domain "dice" ──────────┐
                  └─ seed of domain "deck.tech" ...  ├─ HKDF with the seats' nonces ─▶ key of domain
    nonce of seat 0, nonce of seat 1, ... ───────────┘
    die  i at an address = HMAC(key, "die" ‖ epoch ‖ address ‖ i), rejection sampling, no modulo
    card c, its copy j    = HMAC(key, "lot" ‖ epoch ‖ deck ‖ shuffle ‖ c ‖ j); the lowest is on top

A deck in the state is the multiset of unseen cards, so no order is stored anywhere. Cards
placed on the board (a `Spread`) are assigned to places in the order of their lots.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final, TypeAlias

import msgspec

from .audience import Among, Backs, Open, Secret
from .records import CHANCE, Decision, Happenings, Question, Seat
from .refusals import BrokenRule

LOTS_KEPT: Final = 1_024  # cards of decks, as they were shuffled last

OUTCOMES_LISTED_MAX: Final = 5_000  # beyond this many outcomes a chance question lists none


class Rolled(Decision, tag="chance.rolled"):
    """The dice of one question, visible to all."""

    values: Open[tuple[int, ...]]


class Drawn(Decision, tag="chance.drawn"):
    """Cards drawn face up in an epoch (0, or the last rewind on the line)."""

    epoch: Open[int]
    cards: Open[tuple[str, ...]]


class Dealt(Decision, tag="chance.dealt"):
    """Cards given to one seat, which alone sees them; the others see how many."""

    epoch: Open[int]
    to: Open[Seat]
    count: Open[int]
    cards: Annotated[tuple[str, ...], Among("to"), Backs.COUNTED]


class Deck(msgspec.Struct, array_like=True):
    """The unseen cards by id, and the deck's contents when its order was last unknown.

    The order is unknown after a shuffle, and at the first draw after a rewind: the cards unseen
    by then are in a new order. Both are secret, because a card in a player's hand is missing
    from them.
    """

    name: Open[str]
    shuffle: Open[int]
    epoch: Open[int]
    made_of: Secret[dict[str, int]]
    unseen: Secret[dict[str, int]]

    @classmethod
    def of(cls, name: str, cards: Iterable[str], shuffle: int = 0) -> Deck:
        counts: dict[str, int] = {}
        for card in sorted(cards):
            counts[card] = counts.get(card, 0) + 1
        return cls(name, shuffle, 0, counts, dict(counts))

    def size(self) -> int:
        return sum(self.unseen.values())

    def order_of(self, epoch: int) -> tuple[Mapping[str, int], int]:
        """Returns the cards shuffled into the order in force in an epoch, and its epoch."""
        return (self.made_of, self.epoch) if epoch == self.epoch else (self.unseen, epoch)

    def take(self, cards: Iterable[str], epoch: int) -> None:
        """Takes cards off the top. Only a fact calls this, with the epoch that the answer names."""
        made_of, self.epoch = self.order_of(epoch)
        self.made_of = dict(made_of)
        for card in cards:
            assert self.unseen.get(card, 0) > 0, f"{card} is not in the deck {self.name}"
            self.unseen[card] -= 1
            if not self.unseen[card]:
                del self.unseen[card]

    def shuffle_in(self, cards: Iterable[str]) -> None:
        """Puts cards back and shuffles. Only a fact calls this."""
        counts = dict(self.unseen)
        for card in cards:
            counts[card] = counts.get(card, 0) + 1
        self.unseen = dict(sorted(counts.items()))
        self.made_of, self.shuffle = dict(self.unseen), self.shuffle + 1


class Spread(msgspec.Struct, array_like=True):
    """Cards face down on places, such as tiles: each place keeps its card, unknown to all.

    A deck determines which card is drawn next. A spread determines which card each place holds,
    in any order of turning up. As in a deck, no order is stored, and after a rewind the covered
    cards are in a new one.
    """

    deck: Open[Deck]
    places: Open[list[str]]  # that the cards lay on when their order was last unknown
    covered: Open[list[str]]  # that they still lie on

    @classmethod
    def of(cls, name: str, cards: Iterable[str], places: Iterable[str]) -> Spread:
        """Shuffles these cards and puts one on each place."""
        laid = list(places)
        return cls(Deck.of(name, cards), laid, list(laid))

    def size(self) -> int:
        return self.deck.size()

    def places_of(self, epoch: int) -> list[str]:
        """Returns the places to which the order in force in an epoch applies."""
        return self.places if epoch == self.deck.epoch else self.covered

    def turn_up(self, place: str, card: str, epoch: int) -> None:
        """Turns a card up. Only a fact calls this, with the epoch that the answer names."""
        assert place in self.covered, f"nothing lies covered on {place}"
        self.places = list(self.places_of(epoch))
        self.deck.take((card,), epoch)
        self.covered.remove(place)


class Roll(msgspec.Struct, frozen=True):
    """A request for dice: `count` values of 1..`sides`."""

    sides: int
    count: int = 1
    domain: str = "dice"

    def fits(self, answer: Decision) -> bool:
        return (
            isinstance(answer, Rolled)
            and len(answer.values) == self.count
            and all(1 <= value <= self.sides for value in answer.values)
        )

    def outcomes(self) -> Iterator[Decision]:
        """Yields every possible roll, if few enough."""
        if self.sides**self.count <= OUTCOMES_LISTED_MAX:
            for number in range(self.sides**self.count):
                values = (number // self.sides**place % self.sides + 1 for place in self.places())
                yield Rolled(tuple(values))

    def places(self) -> range:
        return range(self.count)

    def answer(self, key: bytes, epoch: int, address: str) -> Decision:
        """Returns the roll that the domain's key gives."""
        return Rolled(tuple(die(key, epoch, address, place, self.sides) for place in self.places()))


class Draw(msgspec.Struct, frozen=True):
    """A request for cards from the top of a deck, face up or for one seat alone."""

    deck: Deck
    count: int = 1
    to: Seat | None = None

    @property
    def domain(self) -> str:
        """Returns the deck's own domain, so that it can stay secret when dice are disclosed."""
        return f"deck.{self.deck.name}"

    def fits(self, answer: Decision) -> bool:
        if isinstance(answer, Dealt):
            right = answer.to == self.to and answer.count == len(answer.cards)
        else:
            right = isinstance(answer, Drawn) and self.to is None
        if not right:
            return False
        assert isinstance(answer, Dealt | Drawn)
        unseen = self.deck.unseen
        return len(answer.cards) == self.count and all(
            answer.cards.count(card) <= unseen.get(card, 0) for card in answer.cards
        )

    def outcomes(self) -> Iterator[Decision]:
        """Yields each single card; draws of several cards are too many to list."""
        if self.count == 1:
            for card in self.deck.unseen:
                yield self.answered((card,), self.deck.epoch)

    def answered(self, cards: tuple[str, ...], epoch: int) -> Decision:
        if self.to is None:
            return Drawn(epoch, cards)
        return Dealt(epoch, self.to, len(cards), cards)

    def answer(self, key: bytes, epoch: int, address: str) -> Decision:
        """Returns the key's draw. It depends on deck and shuffle, not on the address."""
        return self.answered(top_cards(key, epoch, self.deck, self.count), epoch)


class Uncover(msgspec.Struct, frozen=True):
    """A request for the card on a place, turned up for all."""

    spread: Spread
    place: str

    @property
    def domain(self) -> str:
        return f"deck.{self.spread.deck.name}"

    def fits(self, answer: Decision) -> bool:
        return Draw(self.spread.deck).fits(answer)

    def outcomes(self) -> Iterator[Decision]:
        return Draw(self.spread.deck).outcomes()

    def answered(self, cards: tuple[str, ...], epoch: int) -> Decision:
        return Drawn(epoch, cards)

    def answer(self, key: bytes, epoch: int, address: str) -> Decision:
        """Returns the key's card for the place, independent of address and order of play."""
        deck = self.spread.deck
        made_of, ordered_in = deck.order_of(epoch)
        lying = sorted(
            (lot, card)
            for card, made in made_of.items()
            for lot in _lots(key, f"{ordered_in}/{deck.shuffle}", deck.name, card, made)
        )
        place = self.spread.places_of(epoch).index(self.place)
        return Drawn(epoch, (lying[place][1],))


Wish: TypeAlias = Roll | Draw | Uncover


class ChanceQuestion(Question):
    """A question that only dice or cards can answer. A ruleset defines the request and its rule."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Rolled, Drawn, Dealt)

    def asks(self, state: Any) -> tuple[Seat, ...]:
        return (CHANCE,)

    def address(self, state: Any) -> str:
        """Returns the purpose, in words that do not depend on the order of play."""
        raise NotImplementedError

    def wish(self, state: Any) -> Wish:
        """Returns the requested dice or cards."""
        raise NotImplementedError

    def fallen(self, state: Any, answer: Any) -> Happenings:
        """Yields the facts and what follows."""
        raise NotImplementedError

    def key(self, state: Any, seat: Seat) -> str:
        """Returns the address: it identifies a chance question."""
        return self.address(state)

    def allows(self, state: Any, seat: Seat, decision: Any) -> bool:
        return self.wish(state).fits(decision)

    def options(self, state: Any, seat: Seat) -> Iterable[Decision]:
        """Yields the possible answers, if they can be listed."""
        return self.wish(state).outcomes()

    def decide(self, state: Any, seat: Seat, decision: Any) -> Happenings:
        return self.fallen(state, decision)


# --- keys ---------------------------------------------------------------------------------------

KEY_BYTES: Final = 32


def domain_seed(server_seed: bytes, domain: str) -> bytes:
    """Returns the seed of a domain: committed at creation, disclosed separately at the close."""
    return _mac(server_seed, b"hegemon/domain/1", domain.encode())


def domain_key(seed: bytes, domain: str, nonces: Sequence[bytes]) -> bytes:
    """Returns the key of one domain (HKDF, RFC 5869): neither server nor seats chose it alone."""
    extracted = hmac.digest(b"".join(nonces) or bytes(KEY_BYTES), seed, "sha256")
    return hmac.digest(extracted, b"hegemon/key/1" + domain.encode() + b"\x01", "sha256")


def seed_commitment(seed: bytes, domain: str) -> bytes:
    """Returns the hash of a domain's seed that is published before any nonce is known."""
    return hashlib.sha256(b"hegemon/seed/1" + _frame_part(domain.encode()) + seed).digest()


def nonce_commitment(seat: Seat, nonce: bytes) -> bytes:
    """Returns the hash of its nonce that a seat publishes when it joins."""
    return hashlib.sha256(b"hegemon/nonce/1" + seat.to_bytes(2, "big") + nonce).digest()


def die(key: bytes, epoch: int, address: str, place: int, sides: int) -> int:
    stream = Stream(_mac(key, b"die", str(epoch).encode(), address.encode(), str(place).encode()))
    return stream.below(sides) + 1


def top_cards(key: bytes, epoch: int, deck: Deck, count: int) -> tuple[str, ...]:
    """Returns the unseen cards with the lowest lots, lowest first."""
    lots: list[tuple[bytes, str]] = []
    made_of, ordered_in = deck.order_of(epoch)
    for card, left in deck.unseen.items():
        made = made_of[card]
        every = sorted(_lots(key, f"{ordered_in}/{deck.shuffle}", deck.name, card, made))
        # Copies leave in the order of their lots, so those that are left hold the highest.
        lots += [(lot, card) for lot in every[made - left :]]
    if count > len(lots):
        msg = f"{count} cards are asked of the deck {deck.name}, which holds {len(lots)}"
        raise BrokenRule(msg)
    return tuple(card for _, card in sorted(lots)[:count])


@lru_cache(maxsize=LOTS_KEPT)
def _lots(key: bytes, shuffle: str, deck: str, card: str, made: int) -> tuple[bytes, ...]:
    """Returns the lots of a card's copies. Each draw needs the lots of all cards of its deck."""
    named = (b"lot", deck.encode(), shuffle.encode(), card.encode())
    return tuple(_mac(key, *named, str(copy).encode()) for copy in range(made))


class Stream:
    """Unbiased numbers from a key, for dice and for bots that must be repeatable."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._left = b""

    @classmethod
    def named(cls, key: bytes, *names: str) -> Stream:
        return cls(_mac(key, b"stream", *(name.encode() for name in names)))

    def take(self, count: int) -> bytes:
        while len(self._left) < count:
            self._left += hmac.digest(self._key, self._block.to_bytes(8, "big"), "sha256")
            self._block += 1
        taken, self._left = self._left[:count], self._left[count:]
        return taken

    def below(self, bound: int) -> int:
        """Returns an unbiased number of 0..bound-1, by rejection sampling."""
        assert 0 < bound <= 1 << 32, "a stream's numbers are of at most 32 bits"
        share = (1 << 32) // bound
        while True:
            number = int.from_bytes(self.take(4), "big") // share
            if number < bound:
                return number

    def choose(self, items: Sequence[Any]) -> Any:
        return items[self.below(len(items))]


def _mac(key: bytes, *parts: bytes) -> bytes:
    return hmac.digest(key, b"".join(_frame_part(part) for part in parts), "sha256")


def _frame_part(part: bytes) -> bytes:
    return len(part).to_bytes(2, "big") + part
