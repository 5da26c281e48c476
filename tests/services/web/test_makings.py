"""What takes seconds to make is limited for who asks; and a judge's look is never a player's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger.kernel.refusals import Refused
from services.web import export_pages, limits
from services.web.api.replaying import look_as_judge
from tests.services.web.seated import made, table
from tests.services.web.visitors import Site, is_problem


@pytest.fixture
def strict(a_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site that makes two things a minute for somebody."""
    monkeypatch.setitem(limits.QUOTAS, "makings", 2)
    return a_site(limits=True)


def test_pictures_that_have_to_be_drawn_are_counted_and_those_that_are_known_are_not(strict: Site):
    ann, _ = table(strict)
    client, address = strict.nobody(), f"/matches/{ann.match}/moment.png"
    first = client.get(f"{address}?at=1")
    known = {"If-None-Match": first.headers["ETag"]}
    assert [client.get(f"{address}?at=1", headers=known).status_code for _ in range(4)] == [304] * 4
    assert [client.get(f"{address}?at={at}").status_code for at in (2, 3)] == [200, 429]
    assert client.get(f"/matches/{ann.match}/replay").status_code == 200
    assert ann.who.browser().get(f"{address}?at=3").status_code == 200


def test_a_file_is_counted_when_it_is_made_and_not_when_it_is_there(strict: Site):
    ann, _ = table(strict)
    matches = [ann.match, *(made(ann.who, "tictactoe", 2) for _ in range(2))]
    client = strict.nobody()
    asked = [*[matches[0]] * 3, matches[1], matches[0], matches[2]]
    statuses = [client.get(f"/matches/{match}/replay.html").status_code for match in asked]
    assert statuses == [200, 200, 200, 200, 200, 429]


def test_replays_are_counted(strict: Site):
    ann, _ = table(strict)
    client, address = strict.program(), f"/api/v1/matches/{ann.match}/replay"
    statuses = [client.get(f"{address}{form}").status_code for form in ("", ".txt")]
    assert statuses == [200, 200]
    assert is_problem(client.get(f"{address}.csv"), 429, "too_many_requests")


def test_who_has_sat_down_meanwhile_is_shown_nothing_as_a_judge(site: Site):
    ann, _ = table(site)
    with site.app.app_context():
        tables = site.app.extensions["tables"]()
    caller = site.club.caller(ann.headers["Authorization"].removeprefix("Bearer "), ("token",))
    with tables.opened(ann.match) as opened:
        with pytest.raises(Refused) as refused:
            look_as_judge(opened, caller, opened.good)
        assert refused.value.code == "not_your_seat"
        assert ann.who.id not in opened.table.looked


def test_another_site_cannot_make_an_organizer_look_as_a_judge(site: Site):
    ann, _ = table(site)
    judge = site.person("Judge", ("organizer",))
    address = f"/api/v1/matches/{ann.match}/replay?as=all"
    sent = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert is_problem(judge.browser().get(address, headers=sent), 403, "not_from_our_page")
    with site.app.extensions["tables"]().opened(ann.match) as opened:
        assert judge.id not in opened.table.looked
    own = {"Sec-Fetch-Site": "same-origin"}
    assert judge.browser().get(address, headers=own).status_code == 200


def test_who_waits_too_long_for_a_file_is_told_to_come_again(site: Site, monkeypatch):
    ann, _ = table(site)
    monkeypatch.setattr(export_pages, "TURN_SECONDS", 0.05)
    with export_pages._ONE_AT_A_TIME:
        answer = site.nobody().get(f"/matches/{ann.match}/replay.html")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert site.nobody().get(f"/matches/{ann.match}/replay.html").status_code == 200


def test_no_link_of_another_site_makes_a_judge_look_at_everything(site: Site):
    ann, _ = table(site)
    judge = site.person("Judge", ("organizer", "player")).browser()
    address = f"/matches/{ann.match}/replay?at=3&as=all"
    led = judge.get(address, headers={"Sec-Fetch-Site": "cross-site"})
    assert led.status_code == 302
    assert led.headers["Location"].endswith("/replay?at=3&as=spectator")
    assert judge.get(address, headers={"Sec-Fetch-Site": "none"}).status_code == 200
