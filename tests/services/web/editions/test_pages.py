"""The page of a match's edition: a ruling, a request that all agree to, and what is refused."""

from __future__ import annotations

import io
from typing import Any

from services.web.app.identity import CSRF_FIELD, csrf_of
from tests.services.cli.errata.test_files import CLUB
from tests.services.web.editions.test_api import BAD, changes, umpired
from tests.support.web.seated import Player, made, table
from tests.support.web.visitors import Site, Visitor

OWN = {"Sec-Fetch-Site": "same-origin"}
WHY = "as the club said"


def looks(who: Visitor, match: str, more: str = "/edition") -> Any:
    return who.browser().get(f"/matches/{match}{more}", headers=OWN)


def sends(who: Visitor, match: str, more: str = "", **form: Any) -> Any:
    data = {CSRF_FIELD: csrf_of(who.session.words), **form}
    path = f"/matches/{match}/edition{more}"
    return who.browser().post(path, data=data, headers=OWN, follow_redirects=True)


def test_who_runs_a_match_rules_by_a_form_and_every_page_says_the_edition_in_words(site: Site):
    host, (one, _) = umpired(site)
    shown = looks(host, one.match).text
    assert "Put it in force" in shown
    assert "The printed rules" in shown
    done = sends(host, one.match, erratum=CLUB, reason=WHY)
    assert (done.status_code, "applies from here on" in done.text) == (200, True)
    [(role, act)] = changes(site, one.match)
    assert (role, act.reason, act.errata[0].id) == ("organizer", WHY, "club.01")
    assert act.errata[0].text in looks(one.who, one.match).text
    for more in ("", "/edition", "/replay"):
        page = looks(host, one.match, more).text
        assert "printed + club.01" in page, more
        assert "club.01@" not in page, more


def test_a_file_with_mistakes_stands_in_the_form_with_every_one_of_them(site: Site):
    host, (one, _) = umpired(site)
    file = (io.BytesIO(BAD.encode()), "club.toml")
    answer = sends(host, one.match, file=file, reason=WHY)
    assert answer.status_code == 422
    for said in (
        "line 4, scope",
        "line 8, content.lines.bent.cell",
        "[content.lines.bent]",
    ):
        assert said in answer.text
    assert sends(host, one.match, reason=WHY).status_code == 422  # nothing is asked for
    assert sends(host, one.match, erratum=CLUB).status_code == 422  # and no reason given
    assert sends(host, one.match, erratum="x" * 70_000, reason=WHY).status_code == 413
    assert changes(site, one.match) == []


def test_a_seat_asks_and_the_others_agree_decline_or_it_is_taken_back(site: Site):
    ann, bob = table(site)
    shown = looks(ann.who, ann.match).text
    assert "Ask the other players" in shown
    for number, (who, do) in enumerate([(bob, "decline"), (ann, "withdraw"), (bob, "agree")], 1):
        asked = sends(ann.who, ann.match, "/requests", seat=0, erratum=CLUB, reason=WHY)
        assert "The other players are asked" in asked.text
        assert (
            "You are asked to continue under another edition" in looks(bob.who, ann.match, "").text
        )
        assert "Decline" in looks(bob.who, ann.match).text
        answer = sends(who.who, ann.match, f"/requests/{number}", seat=who.seat, do=do)
        assert answer.status_code == 200, answer.text
        assert len(changes(site, ann.match)) == (do == "agree")
    states = [one["state"] for one in ann.get("/edition/requests").json["requests"]]
    assert states == ["declined", "withdrawn", "done"]
    assert "You are asked" not in looks(bob.who, ann.match, "").text


def test_who_has_no_seat_and_does_not_run_it_reads_and_does_nothing(site: Site):
    host, (one, two) = umpired(site)
    visitor = site.person("Vic")
    shown = looks(visitor, one.match).text
    assert "Errata in force" in shown
    assert "Change the edition from here on" not in shown
    assert sends(visitor, one.match, erratum=CLUB, reason=WHY).status_code == 403
    assert sends(one.who, one.match, erratum=CLUB, reason=WHY).status_code == 403
    for_another = sends(one.who, one.match, "/requests", seat=1, erratum=CLUB, reason=WHY)
    assert for_another.status_code == 403
    sends(one.who, one.match, "/requests", seat=0, erratum=CLUB, reason=WHY)
    assert sends(visitor, one.match, "/requests/1", seat=1, do="agree").status_code == 403
    assert sends(two.who, one.match, "/requests/2", seat=1, do="agree").status_code == 404
    own = Player(host, made(host), 0)
    assert own.put("/seats/0", {}).status_code == 200
    assert sends(host, own.match, erratum=CLUB, reason=WHY).status_code == 403
    assert changes(site, one.match) == []
