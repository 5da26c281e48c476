"""The fold accepts each choice that a page shows, now and after decisions composed before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ledger.games import GAMES
from ledger.kernel.chance import Stream
from ledger.kernel.fold import fold
from ledger.kernel.match import Match
from ledger.kernel.preview import copy_of
from ledger.kernel.refusals import Refused
from services.web.play.choices import position, try_all
from tests.support.laws.play import VARIANTS, Variant, looked_at

COMPOSED_MAX = 3  # decisions put together before what is shown then is tried
TRIED_MAX = 12  # of the choices of one place; which, its version says

Plain = dict[str, Any]


def shown(said: Plain) -> Iterator[tuple[str, list[str], Plain]]:
    """Every choice: the question it is sent for, what that takes, and the choice."""
    for asked in (said["asked"], *said["standing"]):
        for kind in () if asked is None else asked["kinds"]:
            for choice in kind["choices"]:
                yield asked["question"], asked["takes"], choice


def taken(match: Match, seat: int) -> list[Plain]:
    """All that is shown to a seat is for a question that is open to it, and folds."""
    said = position(match, seat, chooses=True)
    keys = {question.key(match.state, seat) for question in match.standing(seat)}
    if seat in match.asked():
        keys.add(match.key(seat))
    every = list(shown(said))
    step = 1 + len(every) // TRIED_MAX
    held = match.terms.snapshot(match)
    for question, takes, choice in every[match.version % step :: step]:
        assert question in keys
        assert choice["decision"]["type"] in takes
        assert choice["label"]
        decision = match.terms.rules.decision(choice["decision"])
        fold(match.terms.restore(held), seat, decision)
    for offer in said["offers"]:
        answered(match, seat, offer, keys)
    return [choice["decision"] for _, _, choice in every]


def answered(match: Match, seat: int, offer: Plain, keys: set[str]) -> None:
    """An answer folds, or it says why it would not, as the rules do."""
    for answer in offer["answers"]:
        decision = match.terms.rules.decision(answer["decision"])
        assert answer["question"] in keys
        if answer["why"]:
            with pytest.raises(Refused) as refused:
                fold(copy_of(match), seat, decision)
            assert (refused.value.message, refused.value.rule) == (answer["why"], answer["rule"])
        else:
            fold(copy_of(match), seat, decision)


def composed(match: Match, seat: int, stream: Stream) -> int:
    """Checks choices after decisions that are not sent yet; returns how many there were."""
    copy, decisions = copy_of(match), taken(match, seat)
    for number in range(COMPOSED_MAX):
        if not decisions:
            return number
        _, told = try_all(copy, seat, [{"question": None, "decision": stream.choose(decisions)}])
        if not told:
            return number
        decisions = taken(copy, seat)
    return COMPOSED_MAX


def variants_of(game: str, most: int) -> list[Variant]:
    every = [one for one in VARIANTS if one.rules == game]
    return every[:: 1 + len(every) // most]


def looked_through(variants: list[Variant], one_in: int) -> tuple[int, int, int]:
    """How many places were looked at, how deep it went, and how many offers there were."""
    places, deep, offers = 0, 0, 0
    for seed, variant in enumerate(variants):
        party = variant.party()
        stream = Stream.named(seed.to_bytes(8, "big"), "shown")
        for place, (match, _) in enumerate(looked_at(party, seed)):
            if place % one_in:
                continue
            for seat in {stream.below(party.seats), *match.asked()} & {*party.everybody}:
                deep = max(deep, composed(match, seat, stream))
                offers += len(position(match, seat, chooses=True)["offers"])
                places += 1
    return places, deep, offers


ONE_IN = {"hegemonic": 6, "galactic_hegemony": 8}  # of the places that laws look at


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_choice_that_is_shown_is_taken(game: str):
    places, deep, offers = looked_through(variants_of(game, 2), ONE_IN.get(game, 1))
    assert places > 20, "it was looked at in many places"
    assert deep > 0 or game == "tictactoe", "something was composed"
    assert offers or game != "hegemonic", "there were offers"


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_every_choice_that_is_shown_is_taken_in_every_variant(game: str):
    places, deep, offers = looked_through(variants_of(game, 12), 1)
    print(f"{game}: {places} places, {deep} deep, {offers} offers")
    assert places > 500


def test_a_choice_that_would_be_refused_is_caught(monkeypatch: pytest.MonkeyPatch):
    """Were an option shown that the rules refuse, this file would notice."""
    party = variants_of("tictactoe", 1)[0].party()
    matches = (match for match, _ in looked_at(party, 1) if 0 in match.asked())
    match = next(matches)
    monkeypatch.setattr(type(match.question), "allows", lambda *_: False)
    with pytest.raises(Refused):
        taken(match, 0)
