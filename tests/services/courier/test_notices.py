"""An event's news goes to the right people, and holds nothing that a seat may not see."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest

from ledger.club.table import BotSeated, DelegateNamed, MatchTable, SeatTaken, TableLaid
from ledger.club.webhooks import KINDS, Webhooks, make
from ledger.games import ruleset
from ledger.games.hegemonic.deals.negotiation import DealProposed
from ledger.kernel.audience import Among, Open
from ledger.kernel.records import CHANCE, Fact
from ledger.log.format.acts import Closed, Paused
from ledger.log.format.bodies import ActBody, Submitter
from ledger.log.read.history import Moment
from services.courier.notices import OFFER, Notice, deliveries, news_of
from tests.ledger.club.test_webhooks import made, taken


class Asking(msgspec.Struct):
    """All of a match that is looked at here."""

    seats: tuple[int, ...]

    def asked(self) -> tuple[int, ...]:
        return self.seats


def moment(*facts: Fact, asked: tuple[int, ...] = (), act: Any = None) -> Moment:
    body = ActBody(
        parent=1, at=50, by=Submitter(role="service"), act=act or Paused(reason="a secret")
    )
    return Moment(17, body, None, None, list(facts), Asking(asked))  # type: ignore[arg-type]


@pytest.fixture
def table() -> MatchTable:
    """Ann hosts; Bob sits on 0 with Dan as a delegate, a bot on 1, Cid on 2."""
    found = MatchTable()
    entries = (
        TableLaid(host="ann"),
        SeatTaken(seat=0, person="bob"),
        DelegateNamed(seat=0, person="dan"),
        BotSeated(seat=1, bot="greedy"),
        SeatTaken(seat=2, person="cid"),
    )
    for number, entry in enumerate(entries, 1):
        found.take(number, 0, "", entry)
    return found


@pytest.fixture
def hooks() -> Webhooks:
    """Each has a webhook for everything."""
    found = Webhooks()
    for person in ("ann", "bob", "cid", "dan", "eve"):
        taken(found, make(found, made(f"hook of {person}", person, kinds=KINDS)), 10)
    return found


def told(
    hooks: Webhooks, table: MatchTable, at: Moment, *news: Notice
) -> dict[str, dict[str, Any]]:
    found = deliveries(hooks, table, "m", at, news, "https://here")
    return {one.webhook.removeprefix("hook of "): msgspec.json.decode(one.body) for one in found}


def offer(**said: Any) -> DealProposed:
    fields = {"terms": None, "private": None, "counters": "", "expires": None}
    return DealProposed(**{"seat": 0, "deal": "d7", "parties": (0, 1, 2), **fields, **said})


def test_a_seat_that_was_not_asked_before_and_is_now_has_a_turn():
    assert list(news_of((0,), moment(asked=(0, 2, CHANCE)))) == [Notice("turn", 2)]
    assert list(news_of((0, 2), moment(asked=(0, 2)))) == []
    assert list(news_of((), moment(asked=()))) == []


def test_a_turn_goes_to_the_seat_and_its_delegates_and_to_no_bot(
    hooks: Webhooks, table: MatchTable
):
    assert sorted(told(hooks, table, moment(), Notice("turn", 0))) == ["bob", "dan"]
    assert told(hooks, table, moment(), Notice("turn", 1)) == {}
    assert told(hooks, table, moment(), Notice("turn", 3)) == {}


def test_an_offer_goes_to_its_parties_but_for_who_made_it(hooks: Webhooks, table: MatchTable):
    news = list(news_of((), moment(offer())))
    assert news == [Notice("deal", 1, "d7"), Notice("deal", 2, "d7")]
    said = told(hooks, table, moment(), *news)
    assert sorted(said) == ["cid"]
    assert (said["cid"]["deal"], said["cid"]["seat"]) == ("d7", 2)


def test_offers_are_known_by_the_name_that_the_rulesets_give_them():
    facts = {kind.__struct_config__.tag: kind for kind in ruleset("hegemonic").facts}
    assert facts[OFFER] is DealProposed


def test_an_offer_whose_parties_not_everybody_may_see_is_told_to_nobody():
    class Whispered(Fact, tag=OFFER):
        seat: Open[int]
        deal: Open[str]
        others: Open[tuple[int, ...]]
        parties: Annotated[tuple[int, ...], Among("others")]

    assert list(news_of((), moment(Whispered(0, "d", (0, 1), (0, 1))))) == []


def test_a_result_goes_to_everybody_at_the_table_and_the_host_looks_through_no_seat(
    hooks: Webhooks, table: MatchTable
):
    closed = moment(act=Closed(result={"scores": [1]}, seeds={}, discloses=()))
    news = list(news_of((), closed))
    assert news == [Notice("result")]
    said = told(hooks, table, closed, *news)
    assert sorted(said) == ["ann", "bob", "cid", "dan"]
    assert {who: one.get("seat") for who, one in said.items()} == {
        "ann": None,
        "bob": 0,
        "cid": 2,
        "dan": 0,
    }


def test_a_delivery_has_ids_a_version_a_seat_and_a_link_and_nothing_of_what_was_said(
    hooks: Webhooks, table: MatchTable
):
    known = {"id", "kind", "match", "version", "at", "link", "seat", "deal", "dispute"}
    at = moment(offer(), asked=(2,))
    for one in told(hooks, table, at, *news_of((), at)).values():
        assert set(one) <= known
        assert "secret" not in str(one)
        assert one["link"] == "https://here/matches/m"


def test_the_same_has_the_same_id_and_everything_else_another(hooks: Webhooks, table: MatchTable):
    at = moment()
    news = [
        Notice("turn", 0),
        Notice("deal", 0, "d1"),
        Notice("deal", 0, "d2"),
        Notice("dispute", None),
    ]
    ids = [one.id for one in deliveries(hooks, table, "m", at, news, "")]
    assert [one.id for one in deliveries(hooks, table, "m", at, news, "there")] == ids
    other = deliveries(hooks, table, "n", at, news, "")
    later = deliveries(hooks, table, "m", at._replace(version=18), news, "")
    assert len({*ids, *(one.id for one in (*other, *later))}) == 3 * len(ids)
