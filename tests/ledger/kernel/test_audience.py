"""Every field says who may see it; a field that does not is refused."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
import pytest

from ledger.kernel.audience import (
    ALL_SEATS,
    Among,
    Audience,
    Open,
    Own,
    OwnCounted,
    Secret,
    SecretCounted,
    audiences,
    check_record,
    hidden,
    rebuild,
    view,
    view_decision,
)
from ledger.kernel.records import Decision, Fact, State
from tests.support.kernel.workbench import BENCH, Hide

HIDDEN = {"hidden": True}


class Hand(msgspec.Struct):
    seat: Open[int]
    cards: OwnCounted[list[str]]
    plan: Own[str]


class Everything(msgspec.Struct):
    seat: Open[int]
    parties: Open[tuple[int, ...]]
    partner: Open[int]
    open: Open[int]
    own: Own[int]
    secret: Secret[int]
    own_counted: OwnCounted[list[int]]
    secret_counted: SecretCounted[dict[str, int]]
    among: Annotated[int, Among("parties")]
    with_partner: Annotated[str, Among("partner")]
    hands: Open[list[Hand]]
    by_name: Open[dict[str, Hand]]
    either: Open[Hand | None]
    pair: Open[tuple[Hand, ...]]


def everything() -> Everything:
    hand = Hand(1, ["a", "b"], "wait")
    return Everything(
        seat=0, parties=(1, 2), partner=3, open=1, own=2, secret=3, own_counted=[1, 2],
        secret_counted={"a": 1}, among=4, with_partner="word", hands=[hand],
        by_name={"h": hand}, either=hand, pair=(hand, hand),
    )  # fmt: skip


SEEN = {
    "open": {0, 1, 2, 3, None},
    "own": {0},
    "secret": set(),
    "own_counted": {0},
    "secret_counted": set(),
    "among": {1, 2},
    "with_partner": {3},
}
BACKS = {"own_counted": {"hidden": 2}, "secret_counted": {"hidden": 1}}


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, 4, -1, None])
@pytest.mark.parametrize("field", SEEN)
def test_each_annotation_admits_whom_it_names(field: str, viewer: int | None):
    shown = view(everything(), viewer)[field]
    everybody = field == "open"
    if everybody or viewer in SEEN[field]:
        assert shown == getattr(everything(), field)
    else:
        assert shown == BACKS.get(field, HIDDEN)


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_what_nests_is_cut_by_its_own_annotations(viewer: int | None):
    shown = view(everything(), viewer)
    hand = {
        "seat": 1,
        "cards": ["a", "b"] if viewer == 1 else {"hidden": 2},
        "plan": "wait" if viewer == 1 else HIDDEN,
    }
    assert shown["hands"] == [hand]
    assert shown["by_name"] == {"h": hand}
    assert shown["either"] == hand
    assert shown["pair"] == [hand, hand]


class Locked(msgspec.Struct):
    seat: Open[int]
    inner: Own[list[Hand]]


def test_what_nests_in_something_hidden_is_hidden_with_it():
    """And whoever may see the outer thing still sees of the inner only what is theirs."""
    locked = Locked(0, [Hand(1, ["a"], "wait")])
    assert view(locked, 1) == {"seat": 0, "inner": HIDDEN}
    assert view(locked, 0)["inner"] == [{"seat": 1, "cards": {"hidden": 1}, "plan": HIDDEN}]


class Told(Fact, tag="told"):
    seat: Open[int]
    word: Own[str]


def test_a_view_names_the_type_by_its_wire_name():
    assert view(Told(2, "x"), 2) == {"type": "told", "seat": 2, "word": "x"}
    assert view(Told(2, "x"), None) == {"type": "told", "seat": 2, "word": HIDDEN}


def test_a_decision_is_owned_by_the_seat_that_decides():
    assert view_decision(Hide(4), 1, owner=1) == {"type": "bench.hide", "number": 4}
    for viewer in (0, None):
        shown = view_decision(Hide(4), viewer, owner=1)
        assert shown == {"type": "bench.hide", "number": HIDDEN}


class Letter(msgspec.Struct):
    reader: Open[int | None]
    words: Annotated[str, Among("reader")]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_among_nobody_yet_nobody_sees(viewer: int | None):
    assert view(Letter(1, "psst"), viewer)["words"] == ("psst" if viewer == 1 else HIDDEN)
    assert view(Letter(None, "psst"), viewer)["words"] == HIDDEN


def test_the_back_of_something_is_known_as_one():
    assert hidden(HIDDEN)
    assert hidden({"hidden": 3})
    assert not hidden({"hidden": 3, "seat": 1})
    assert not hidden(4)


@pytest.mark.parametrize("value", [1.5, {1}, object(), b"raw", 1j])
def test_a_type_that_no_record_may_hold_is_not_shown(value: object):
    with pytest.raises(TypeError, match="cannot show a"):
        view(value, 0)


# --- what is refused when a ruleset is made -------------------------------------------------------


class NoAudience(msgspec.Struct):
    seat: Open[int]
    forgotten: int


class TwoAudiences(msgspec.Struct):
    seat: Open[int]
    both: Annotated[int, Audience.OWNER, Audience.EVERYONE]


class OwnAndAmong(msgspec.Struct):
    seat: Open[int]
    both: Annotated[int, Audience.OWNER, Among("seat")]


class OwnWithoutSeat(msgspec.Struct):
    card: Own[int]


class CountedWithoutSeat(msgspec.Struct):
    cards: OwnCounted[list[int]]


class AmongNobody(msgspec.Struct):
    card: Annotated[int, Among("parties")]


class AmongTheHidden(msgspec.Struct):
    seat: Open[int]
    parties: Own[tuple[int, ...]]
    card: Annotated[int, Among("parties")]


class Nested(msgspec.Struct):
    inner: Open[list[NoAudience]]


class NestedDeep(msgspec.Struct):
    inner: Open[dict[str, tuple[NoAudience | None, ...]]]


class Itself(msgspec.Struct):
    inner: Open[list[Itself]]
    forgotten: int = 0


class SecretInside(msgspec.Struct):
    numbers: Open[list[Secret[int]]]


class SecretValues(msgspec.Struct):
    numbers: Open[dict[str, Secret[int]]]


class CountedNumber(msgspec.Struct):
    number: SecretCounted[int]


class CountedOrNothing(msgspec.Struct):
    seat: Open[int]
    cards: OwnCounted[list[int] | None]


MISFITS = [
    (NoAudience, "NoAudience.forgotten names no audience"),
    (TwoAudiences, "names two audiences"),
    (OwnAndAmong, "names two audiences"),
    (OwnWithoutSeat, "no field `seat`"),
    (CountedWithoutSeat, "no field `seat`"),
    (AmongNobody, "no field of the record"),
    (AmongTheHidden, "not everybody may see"),
    (Nested, "NoAudience.forgotten names no audience"),
    (NestedDeep, "NoAudience.forgotten names no audience"),
    (Itself, "Itself.forgotten names no audience"),
]


@pytest.mark.parametrize(("record", "reason"), MISFITS)
def test_a_record_that_could_be_shown_by_accident_is_refused(record: type, reason: str):
    with pytest.raises(TypeError, match=reason):
        check_record(record)


@pytest.mark.parametrize("record", [SecretInside, SecretValues])
def test_an_audience_inside_a_type_is_refused_since_nobody_would_heed_it(record: type):
    """A list whose items are `Secret` would be shown as a whole: the field's audience counts."""
    with pytest.raises(TypeError, match="numbers"):
        check_record(record)


@pytest.mark.parametrize("record", [CountedNumber, CountedOrNothing])
def test_what_cannot_be_counted_cannot_be_counted_backs(record: type):
    with pytest.raises(TypeError):
        check_record(record)


class Cards(Fact, tag="cards"):
    ids: Open[list[str]]


class CardsByName(Fact, tag="cards-by-name"):
    ids: Open[dict[str, int]]


class Bundle(msgspec.Struct, frozen=True):
    ids: Open[tuple[str, ...]]
    note: Secret[str] = ""


class CardsInside(Fact, tag="cards-inside"):
    bundles: Open[tuple[Bundle, ...]]


class Offer(Decision, tag="offer"):
    bundle: Own[Bundle]


@pytest.mark.parametrize("record", [Cards, CardsByName])
def test_what_never_changes_holds_no_list_that_could(record: type):
    """A fact that shares a list with the state would change with it, and a snapshot would not."""
    with pytest.raises(TypeError, match="frozen record"):
        check_record(record)


def test_what_is_nested_in_a_decision_is_open_throughout():
    """The log commits the fields of a decision, and not what is nested in them."""
    check_record(CardsInside)
    with pytest.raises(TypeError, match="must be open throughout"):
        check_record(Offer)


class Colour(Enum):
    RED = "red"


ODD_TYPES: list[Any] = [
    float, set[int], frozenset[int], Any, object, bytearray, Colour, list, dict, tuple, complex,
    list[float], dict[str, set[int]], tuple[int, float], int | float, float | None,
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD_TYPES, ids=str)
def test_a_type_without_one_sure_form_is_refused(odd: Any):
    record = msgspec.defstruct("Odd", [("value", Annotated[odd, Audience.EVERYONE])])
    with pytest.raises(TypeError, match=r"Odd\.value has a type that a record may not hold"):
        check_record(record)


def test_the_keys_of_a_map_are_texts():
    """The log's maps have no others."""
    record = msgspec.defstruct("Odd", [("value", Annotated[dict[int, int], Audience.EVERYONE])])
    with pytest.raises(TypeError, match="keys must be texts"):
        check_record(record)


GOOD_TYPES: list[Any] = [
    int, str, bool, None, list[int], tuple[str, ...], tuple[int, str], dict[str, int],
    Literal["a", "b"], int | None, list[Hand], dict[str, list[Hand | None]],
]  # fmt: skip


@pytest.mark.parametrize("good", GOOD_TYPES, ids=str)
def test_a_type_with_one_sure_form_passes(good: Any):
    record = msgspec.defstruct("Good", [("value", Annotated[good, Audience.EVERYONE])])
    check_record(record)
    assert [field.name for field in audiences(record)] == ["value"]


class ForgetfulState(State):
    number: int


class ForgetfulFact(Fact, tag="forgetful"):
    number: int


class ForgetfulDecision(Decision, tag="forgetful"):
    number: float  # no audience either


@pytest.mark.parametrize(
    "changes",
    [
        {"state": ForgetfulState},
        {"facts": [*BENCH.facts, ForgetfulFact]},
        {"decisions": [*BENCH.decisions, ForgetfulDecision]},
    ],
    ids=str,
)
def test_a_ruleset_with_such_a_record_is_not_made(changes: dict[str, Any]):
    with pytest.raises(TypeError):
        replace(BENCH, **changes)


# --- from views back to records -------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, ALL_SEATS, None])
def test_a_record_is_rebuilt_from_its_view_and_what_is_hidden_is_empty(viewer: int | None):
    whole = everything()
    seen = view(whole, viewer)
    rebuilt = rebuild(seen, Everything)
    assert view(rebuilt, viewer) == emptied(seen)
    for name in Everything.__struct_fields__:
        value, made = getattr(whole, name), getattr(rebuilt, name)
        assert type(made) is type(value)
        if hidden(seen[name]):
            assert not made


def emptied(seen: Any) -> Any:
    """A view in which nothing is left of what is hidden."""
    if hidden(seen):
        return HIDDEN if seen["hidden"] is True else {"hidden": 0}
    if isinstance(seen, dict):
        return {name: emptied(part) for name, part in seen.items()}
    return [emptied(part) for part in seen] if isinstance(seen, list) else seen


def test_a_hidden_record_that_may_be_none_is_rebuilt_as_none():
    assert rebuild({"hidden": True}, Hand | None) is None
    assert rebuild(None, Hand | None) is None


def test_what_is_rebuilt_shares_nothing_with_the_view():
    seen = view(everything(), 0)
    rebuild(seen, Everything).own_counted.append(3)
    assert seen == view(everything(), 0)
