"""Hidden things change nothing that a viewer is shown.

Pairs of matches that differ in hidden things alone: cards that were exchanged between hands, pile
and table in the middle of a match, and matches whose players choose and agree on different things
from the same seed. All that is shown of both, in every form, is the same to everybody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from ledger.games.hegemonic.actions.advancing import Discard
from ledger.games.hegemonic.actions.choosing import CommitCard
from ledger.games.hegemonic.actions.piles import CardDrawn
from ledger.games.hegemonic.conflicts.committing import CommitTechnology
from ledger.games.hegemonic.deals.agreement import Terms
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.setup.dealing import HandDealt, TilesDealt
from ledger.games.hegemonic.shown.scene.table import scene_of
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.audience import Viewer
from ledger.kernel.chance import Stream
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Fact, Seat
from ledger.log.stores.files import FileStore
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from replays.drawing.picture import scene_svg
from replays.drawing.text import scene_text
from replays.story import sentences as telling
from services.cli import main
from services.matches.play import make_seeded_surroundings
from tests.support.given import Given
from tests.support.hegemonic.conflicts import LEVERAGE, fight, leverage
from tests.support.hegemonic.positions import expanded, settled

Change = Callable[[Galaxy], None]
Shown = dict[str, Any]


def shown(match: Match, viewer: Viewer, facts: list[Fact]) -> Shown:
    """All that `show` and a page show to somebody, and the sentences for what just happened."""
    scene = match.scene(viewer)
    assert scene is not None
    options = [] if viewer is None else match.options(viewer)
    return {
        "view": msgspec.json.encode(match.view(viewer)),
        "scene": msgspec.json.encode(scene),
        "text": scene_text(scene),
        "picture": scene_svg(scene),
        "options": repr(options),
        "told": [
            telling.fact_sentence(match.terms, fact, viewer, match.called()) for fact in facts
        ],
    }


def twin(match: Match, change: Change) -> Match:
    """The same match, but for a change of its table."""
    other = match.terms.restore(match.terms.snapshot(match), dict(match.used))
    change(other.state)
    return other


def differences(sentence: Given, change: Change, viewers: tuple[Viewer, ...]) -> list[str]:
    """Returns what a viewer could tell the two apart by, now."""
    here, there = sentence.match, twin(sentence.match, change)
    assert here.terms.snapshot(here) != there.terms.snapshot(there)
    return list(_differences(here, there, viewers, sentence.facts))


def _differences(
    here: Match, there: Match, viewers: tuple[Viewer, ...], facts: list[Fact]
) -> Iterator[str]:
    for viewer in viewers:
        one, other = shown(here, viewer, facts), shown(there, viewer, facts)
        yield from (f"{viewer}: {form}" for form in one if one[form] != other[form])


# --- cards that are exchanged ---------------------------------------------------------------------


def hands(galaxy: Galaxy) -> None:
    """Players 0 and 1 have a card of each other's."""
    one, other = galaxy.houses[0].hand, galaxy.houses[1].hand
    one[0], other[0] = other[0], one[0]


def hand_and_pile(galaxy: Galaxy) -> None:
    """Player 0 holds a card that was in the pile, and the other way round."""
    deck, hand = galaxy.cards, galaxy.houses[0].hand
    held, piled = hand[0], next(iter(deck.unseen))
    hand[0] = piled
    for cards in (deck.unseen, deck.made_of):
        cards.pop(piled, None)
        cards[held] = 1


def order_of_a_hand(galaxy: Galaxy) -> None:
    galaxy.houses[0].hand.reverse()


def chosen(galaxy: Galaxy) -> None:
    galaxy.houses[0].chosen = "assault"


def committed(galaxy: Galaxy) -> None:
    """Player 2 has put down the other one of its two cards."""
    house = galaxy.houses[2]
    house.hand[0], house.committed = house.committed, house.hand[0]


def dealt_tiles(galaxy: Galaxy) -> None:
    one, other = galaxy.houses[0].tiles, galaxy.houses[1].tiles
    one[0], other[0] = other[0], one[0]


def looked_at(galaxy: Galaxy) -> None:
    """The two cards on top of the pile, which player 0 knows, lie the other way round."""
    galaxy.on_top.reverse()


def with_cards() -> Given:
    """The first choice of action cards; everybody has a hand."""
    return expanded(3)


def with_a_choice() -> Given:
    return with_cards().when(0, CommitCard("subvert"))


def with_tiles() -> Given:
    sentence = settled(3)
    assert len(sentence.state.houses[1].tiles) == 2
    return sentence


def with_a_card_put_down() -> Given:
    sentence = fight(leverage().hand(2, "I1a-3", "I1a-1").hand(1, "P1a-3", "P1b-1"), LEVERAGE)
    return sentence.when(2, CommitTechnology("I1a-1"))


def with_a_look() -> Given:
    sentence = with_cards()
    galaxy = sentence.state
    top = [*galaxy.cards.unseen][:2]
    galaxy.cards.take(top, 0)
    galaxy.on_top, galaxy.seen_by = top, (0,)
    return sentence


EXCHANGES: Final[list[tuple[Callable[[], Given], Change, tuple[Viewer, ...]]]] = [
    (with_cards, hands, (2, None)),
    (with_cards, hand_and_pile, (1, 2, None)),
    (with_cards, order_of_a_hand, (1, 2, None)),
    (with_a_choice, chosen, (1, 2, None)),
    (with_a_card_put_down, committed, (0, 1, 3, None)),
    (with_tiles, dealt_tiles, (2, None)),
    (with_a_look, looked_at, (1, 2, None)),
]


@pytest.mark.parametrize(
    ("made", "change", "viewers"), EXCHANGES, ids=[change.__name__ for _, change, _ in EXCHANGES]
)
def test_cards_that_are_exchanged_unseen_change_nothing_that_others_are_shown(
    made: Callable[[], Given], change: Change, viewers: tuple[Viewer, ...]
):
    sentence = made()
    assert differences(sentence, change, viewers) == []
    seats = set(range(len(sentence.state.houses))) - set(viewers)
    # Those whom it concerns do see it: the comparison is not blind.
    assert all(differences(sentence, change, (seat,)) for seat in seats)


# --- choices and offers ---------------------------------------------------------------------------

COMMANDS: Final = (("show",), ("show", "--json"), ("tell",), ("tell", "--json"))
PEACE, WAR = Terms(text="peace for two rounds"), Terms(text="let us both attack the third")


def recorded(data: Path, *decisions: tuple[Seat, Decision]) -> str:
    """A match of three from a seed, played to its first choice of action cards, and on."""
    around = make_seeded_surroundings(FileStore(data), 5)
    journal = Journal.create(around, Plan(ruleset="hegemonic", seats=3))
    for seat in range(3):
        journal.join(seat, f"player {seat}")
    journal.start()
    stream = Stream.named(b"showing", "first round")
    while journal.match().state.phase < 3:
        seat = journal.match().asked()[0]
        options = journal.match().options(seat)
        plain = [one for one in options if isinstance(one, Discard)]
        journal.decide(seat, stream.choose(plain or options))
    for seat, decision in decisions:
        journal.decide(seat, decision)
    return journal.match_id


def printed(data: Path, match: str, viewer: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Returns the output of each command for a viewer, for each event where it matters."""
    said = []
    for command, *rest in COMMANDS:
        assert main(["--data", str(data), command, match, "--as", viewer, *rest]) == 0
        said.append(capsys.readouterr().out)
    return said


@pytest.mark.parametrize(
    ("here", "there", "blind", "concerned"),
    [
        ((0, CommitCard("assault")), (0, CommitCard("subvert")), ("1", "2", "spectator"), "0"),
        (
            (0, Propose(parties=(0, 1), private=PEACE)),
            (0, Propose(parties=(0, 1), private=WAR)),
            ("2", "spectator"),
            "1",
        ),
    ],
    ids=["a sealed card", "a private offer"],
)
def test_the_command_line_says_the_same_whatever_was_sealed_or_offered_in_private(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    here: tuple[Seat, Decision],
    there: tuple[Seat, Decision],
    blind: tuple[str, ...],
    concerned: str,
):
    folders = (tmp_path / "here", tmp_path / "there")
    one, other = (
        recorded(folder, decided) for folder, decided in zip(folders, (here, there), strict=True)
    )
    assert one == other
    for viewer in blind:
        said = [printed(folder, one, viewer, capsys) for folder in folders]
        assert said[0] == said[1], viewer
    said = [printed(folder, one, concerned, capsys) for folder in folders]
    assert said[0][0] != said[1][0]


# --- planted leaks --------------------------------------------------------------------------------


def test_a_scene_that_looks_into_a_hand_is_caught(monkeypatch: pytest.MonkeyPatch):
    def peeking(match: Match, viewer: Viewer) -> Any:
        seen = {**match.view(viewer), "state": match.view(0)["state"]}
        return scene_of(seen, match.terms.silent)

    sentence = with_cards()
    assert differences(sentence, hands, (2, None)) == []
    monkeypatch.setattr(Match, "scene", peeking)
    forms = ("scene", "text")
    assert differences(sentence, hands, (2, None)) == [
        f"{viewer}: {form}" for viewer in (2, None) for form in forms
    ]


def test_a_view_that_tells_what_was_chosen_is_caught(monkeypatch: pytest.MonkeyPatch):
    honest = Match.view
    monkeypatch.setattr(Match, "view", lambda match, viewer: honest(match, 0 if viewer else None))
    found = differences(with_a_choice(), chosen, (1, None))
    assert found == ["1: view", "1: scene", "1: text"]


# Facts of player 0, in pairs of which nobody else may tell one from the other.
UNSEEN: Final = [
    (CardDrawn(0, "I1a-1", 0), CardDrawn(0, "P1a-1", 0)),
    (HandDealt(0, ("I1a-1", "I1b-1"), 0), HandDealt(0, ("I1a-1", "M1b-1"), 0)),
    (TilesDealt(0, ("T01", "T02"), 0), TilesDealt(0, ("T01", "T03"), 0)),
]


def sentences(match: Match, facts: tuple[Fact, Fact], viewer: Viewer) -> set[str]:
    called = match.called()
    return {telling.fact_sentence(match.terms, fact, viewer, called) for fact in facts}


@pytest.mark.parametrize("facts", UNSEEN, ids=lambda one: type(one[0]).__name__)
def test_no_sentence_names_what_was_dealt_or_drawn_unseen(facts: tuple[Fact, Fact]):
    match = with_cards().match
    assert [len(sentences(match, facts, viewer)) for viewer in (1, 2, None)] == [1, 1, 1]


def test_a_sentence_that_names_a_card_that_was_drawn_unseen_is_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    match, honest = with_cards().match, telling.view
    assert len(sentences(match, UNSEEN[0], 1)) == 1
    monkeypatch.setattr(telling, "view", lambda fact, _: honest(fact, 0))
    assert len(sentences(match, UNSEEN[0], 1)) == 2
