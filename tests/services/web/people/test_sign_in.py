"""The door: looking changes nothing, and going in happens once."""

from __future__ import annotations

import re

import pytest

from services.matches.club import DAY_MS, founders_link
from services.web.app.identity import COOKIE
from tests.support.services.browsing import Page
from tests.support.web.seated import made
from tests.support.web.visitors import Site


@pytest.fixture
def founding(site: Site) -> str:
    """The address of a new club's first link."""
    words = founders_link(site.club)
    assert words is not None
    return f"/welcome/{words}"


def test_who_goes_in_by_the_first_link_runs_the_club(site: Site, founding: str):
    browser = site.nobody()
    page = Page(browser.get(founding))
    assert "This club is yours" in page.words
    assert page.having("name", "name")
    answer = browser.post(founding, data={"name": " Ann "})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    me = browser.get("/api/v1/me").json
    assert (me["name"], me["roles"]) == ("Ann", ["organizer", "player"])


def test_looking_however_often_and_however_changes_nothing(site: Site, founding: str):
    tip = site.club.book.tip
    browser = site.nobody()
    for method in ("GET", "HEAD", "OPTIONS") * 3:
        answer = browser.open(founding, method=method)
        assert answer.status_code == 200
        assert "Set-Cookie" not in answer.headers
        assert answer.headers["Cache-Control"] == "no-store" or method == "OPTIONS"
    site.club.people()
    assert site.club.book.tip == tip
    assert site.nobody().post(founding, data={"name": "Ann"}).status_code == 303


def test_the_page_does_not_repeat_the_links_words(site: Site, founding: str):
    secret = founding.split("_", 3)[3][:43]
    for answer in (site.nobody().get(founding), site.nobody().post(founding, data={"name": ""})):
        assert secret not in answer.text
        assert secret not in str(answer.headers)


def test_a_link_opens_once(site: Site, founding: str):
    assert site.nobody().post(founding, data={"name": "Ann"}).status_code == 303
    for answer in (site.nobody().get(founding), site.nobody().post(founding, data={"name": "Eve"})):
        assert answer.status_code == 410
        assert "This link was used" in Page(answer).words
        assert "Set-Cookie" not in answer.headers
    assert len(site.club.people().people) == 1


def test_a_link_expires_and_can_be_taken_back(site: Site):
    ann, bob = site.founder(), site.person()
    late = site.club.make("link", person=bob.id)
    back = site.club.make("link", ann.id, person=bob.id)
    site.club.take_back(back.made.pass_id, ann.id)
    site.clock.now += DAY_MS
    for shown in (late, back):
        assert site.nobody().get(f"/welcome/{shown.words}").status_code == 410
        assert site.nobody().post(f"/welcome/{shown.words}").status_code == 410


@pytest.mark.parametrize(
    "words",
    ["x", "hgm_f_0000000000000000_" + "0" * 43 + "_00000000", "%00", "..%2f..", "x" * 5000, "é"],
)
def test_what_is_no_link_is_a_clean_page(site: Site, words: str):
    for method in ("GET", "POST"):
        answer = site.nobody().open(f"/welcome/{words}", method=method)
        assert answer.status_code in (404, 405)
        assert Page(answer).having("class", "problem")


def test_a_session_or_a_token_is_no_link(site: Site):
    ann = site.founder()
    token = site.club.make("token", person=ann.id)
    for shown in (ann.session, token):
        assert site.nobody().post(f"/welcome/{shown.words}").status_code == 404
    assert site.club.caller(token.words, ("token",)) is not None


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\nb", "\u202eevil"])
def test_a_name_that_will_not_do_is_asked_for_again_and_the_link_still_opens(
    site: Site, founding: str, name: str
):
    answer = site.nobody().post(founding, data={"name": name})
    page = Page(answer)
    assert answer.status_code == 400
    assert page.having("role", "alert")
    assert page.having("name", "name")[0]["aria-invalid"] == "true"
    assert "Set-Cookie" not in answer.headers
    assert site.nobody().post(founding, data={"name": "Ann"}).status_code == 303


def test_what_was_typed_stands_there_again_and_can_do_no_harm(site: Site, founding: str):
    typed = "<script>\"'&" + "x" * 40
    page = Page(site.nobody().post(founding, data={"name": typed}))
    assert page.having("name", "name")[0]["value"] == typed
    assert "script" not in [tag for tag, _ in page.tags]


def test_a_link_signs_its_owner_in_and_asks_no_name(site: Site):
    bob = site.person()
    link = site.club.make("link", person=bob.id)
    browser = site.nobody()
    page = Page(browser.get(f"/welcome/{link.words}"))
    assert "Bob" in page.words
    assert not page.having("name", "name")
    browser.post(f"/welcome/{link.words}", data={"name": "Eve"})
    assert browser.get("/api/v1/me").json["name"] == "Bob"


def test_who_is_signed_in_takes_an_open_invitation_as_themselves(site: Site):
    ann, bob = site.founder(), site.person()
    match = made(ann)
    invitation = site.club.make("invitation", ann.id, match=match, seat=0)
    browser = bob.browser()
    page = Page(browser.get(f"/welcome/{invitation.words}"))
    assert "You are invited" in page.words
    assert "Bob" in page.words
    assert page.having("action", "/sign-out")
    word = page.having("name", "csrf")[0]["value"]
    answer = browser.post(f"/welcome/{invitation.words}", data={"csrf": word})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/matches/{match}")
    assert browser.get("/api/v1/me").json["id"] == bob.id
    assert browser.get(f"/api/v1/matches/{match}").json["yours"] == [0]
    assert len(site.club.people().people) == 2
    # The browser has a new session, and the one before is over.
    assert site.club.caller(bob.session.words, ("session",)) is None


def test_a_link_of_somebody_else_says_whose_the_browser_was(site: Site):
    ann, bob = site.founder(), site.person()
    link = site.club.make("link", person=bob.id)
    browser = ann.browser()
    words = Page(browser.get(f"/welcome/{link.words}")).words
    assert "You are signing in as Bob" in words
    assert "This browser is signed in as Ann" in words
    browser.post(f"/welcome/{link.words}", headers=ann.csrf)
    assert browser.get("/api/v1/me").json["name"] == "Bob"
    assert site.club.caller(ann.session.words, ("session",)) is None


def test_a_program_with_a_token_gets_no_session_of_its_owner(site: Site):
    ann, bob = site.founder(), site.person()
    reading = bob.token("read")
    invitation = site.club.make("invitation", ann.id)
    answer = site.nobody().post(
        f"/welcome/{invitation.words}", data={"name": "Somebody new"}, headers=reading
    )
    assert answer.status_code == 303
    assert len(site.club.people().open_passes(bob.id, "session", site.clock.now)) == 1
    assert site.nobody().post("/sign-out", headers=reading).status_code == 303
    assert site.nobody().get("/api/v1/me", headers=reading).status_code == 200


def test_who_signs_out_is_nobody_and_the_session_is_over_everywhere(site: Site):
    bob = site.person()
    browser, elsewhere = bob.browser(), bob.browser()
    answer = browser.post("/sign-out", headers=bob.csrf)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert browser.get_cookie(COOKIE) is None
    assert elsewhere.get("/api/v1/me").status_code == 401
    assert browser.post("/sign-out").status_code == 303
    assert browser.get("/sign-out").status_code == 405


def test_the_host_that_was_asked_for_is_taken_into_no_page(site: Site, founding: str):
    text = site.nobody().get(founding, headers={"Host": "evil.example"}).text
    assert "evil.example" not in text
    answer = site.nobody().post(founding, data={"name": "A"}, headers={"Host": "evil.example"})
    assert answer.headers["Location"] == "/"


def test_a_link_opened_by_somebody_who_was_shown_a_stale_page(site: Site):
    """The page was opened while the browser was nobody's; meanwhile it has become somebody's."""
    bob = site.person()
    link = site.club.make("link", person=bob.id)
    browser = bob.browser()
    answer = browser.post(f"/welcome/{link.words}", data={"csrf": ""})
    assert answer.status_code == 403
    assert "from our pages" in Page(answer).words
    assert site.club.looked_at(link.words) == link.made


def test_secrets_of_links_are_not_logged(site: Site, founding: str, caplog, monkeypatch):
    def broken(_: str) -> None:
        raise RuntimeError(f"broken at {founding}")

    site.app.testing = False
    monkeypatch.setattr(site.club, "looked_at", broken)
    answer = site.nobody().get(founding)
    assert answer.status_code == 500
    assert "RuntimeError" in caplog.text
    assert re.search(r"hgm_f_[a-z0-9]{16}_\.\.\.", caplog.text)
    assert founding.split("_", 3)[3][:43] not in caplog.text
