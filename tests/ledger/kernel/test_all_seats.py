"""Through the eyes of all seats at once: what any of them sees, and nothing that is nobody's."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest

from ledger.kernel.audience import (
    ALL_SEATS,
    Among,
    Open,
    Own,
    OwnCounted,
    Secret,
    hidden,
    looks_through,
    view,
)
from services.web.app.query import NotAnswered, parse_viewer
from tests.support.laws.play import VARIANTS, Variant, played
from tests.support.log.matches import SEALED, started


class Held(msgspec.Struct):
    seat: Open[int]
    own: Own[str]
    hand: OwnCounted[list[str]]
    nobody: Secret[str]
    parties: Open[tuple[int, ...]]
    between: Annotated[str, Among("parties")]
    to: Open[int | None] = None
    given: Annotated[str, Among("to")] = ""


def held(**more: object) -> Held:
    made = Held(1, "o", ["a", "b"], "n", (0, 2), "b", 0, "g")
    return msgspec.structs.replace(made, **more)


def test_all_seats_together_see_what_one_of_them_sees():
    seen = view(held(), ALL_SEATS)
    assert (seen["own"], seen["hand"]) == ("o", ["a", "b"])
    assert (seen["between"], seen["given"]) == ("b", "g")


def test_what_is_nobody_s_stays_nobody_s():
    seen = view(held(parties=(), to=None), ALL_SEATS)
    assert hidden(seen["nobody"])
    assert hidden(seen["between"])
    assert hidden(seen["given"])


def test_who_looks_through_whom():
    seats = (0, 1, None, ALL_SEATS)
    assert [looks_through(viewer, 1) for viewer in seats] == [False, True, False, True]


def merged(views: list[object]) -> object:
    """Returns what several viewers see together: of each part the first that is not hidden."""
    shown = [one for one in views if not hidden(one)]
    if len(shown) < len(views):
        return merged(shown) if shown else views[0]
    first = views[0]
    if isinstance(first, dict):
        return {name: merged([one[name] for one in views]) for name in first}  # type: ignore[index]
    if isinstance(first, list):
        return [merged(list(items)) for items in zip(*views, strict=True)]  # type: ignore[arg-type]
    return first


ONE_OF_EACH = {variant.rules: variant for variant in VARIANTS}


@pytest.mark.parametrize("variant", ONE_OF_EACH.values(), ids=str)
def test_it_is_the_views_of_all_seats_together_in_every_game(variant: Variant):
    party = variant.party()
    for number, (match, event) in enumerate(played(party, 3)):
        if number > 60:
            break
        for value in (match.state, *event.facts):
            seats = [view(value, seat) for seat in party.everybody]
            assert view(value, ALL_SEATS) == merged(seats)


def test_who_looks_back_is_not_asked():
    match = started(SEALED).match()
    asked, looking = match.view(0), match.view(0, asking=False)
    assert set(asked) - set(looking) == {"question", "options", "standing"}
    assert all(asked[name] == value for name, value in looking.items())
    assert set(match.view(ALL_SEATS)) == set(looking)


def test_no_address_names_it_by_its_number():
    history = started(SEALED).history
    for word in ("-9", "all", "−9"):
        with pytest.raises(NotAnswered):
            parse_viewer({"as": word}, history)
