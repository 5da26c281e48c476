"""The pages of disputes: filed, read, ruled on and appealed by forms; and what was done, shown."""

from __future__ import annotations

import pytest

from tests.services.web.matches.test_forms import presses
from tests.support.replays.bargaining import ORANGE, PURPLE, YELLOW
from tests.support.services.browsing import Page
from tests.support.web.disputed import Court, court
from tests.support.web.visitors import Site, Visitor

OWN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def at_court(site: Site) -> Court:
    return court(site, 60)


def words(who: Visitor, path: str) -> str:
    answer = who.browser().get(path, headers=OWN)
    assert answer.status_code == 200, answer.text
    return str(Page(answer).words)


def test_a_dispute_goes_from_form_to_form(at_court: Court):
    orange, purple, yellow = (at_court.players[n].who for n in (ORANGE, PURPLE, YELLOW))
    here, last = f"/matches/{at_court.match}", at_court.history.tip.version
    truce = at_court.bargain.names["truce"]

    # Filed, with what the replay fills in.
    form = orange.browser().get(f"{here}/disputes?from={last - 1}&to={last}").text
    assert f'value="{last - 1}"' in form
    sent = {"words": "It was <b>not</b> so.", "from": last - 1, "to": last, "deal": truce}
    answer = presses(orange, f"{here}/disputes", **sent)
    assert answer.headers["Location"] == f"{here}/disputes/d1"
    assert "It was <b>not</b> so." in words(purple, f"{here}/disputes/d1")
    assert "Only the parties" in words(yellow, f"{here}/disputes/d1")
    assert yellow.browser().get(f"{here}/disputes/d1/dossier").status_code == 403

    # Read: the page, and the same as a file that loads nothing.
    assert "What was known at that time" in words(orange, f"{here}/disputes/d1/dossier")
    file = at_court.judge.browser().get(f"{here}/disputes/d1/dossier.html", headers=OWN)
    assert "default-src 'none'" in file.text
    assert "attachment" in file.headers["Content-Disposition"]

    # A rule that there is not keeps the form as it was.
    ruling = {"finding": "upheld", "reason": "so it was", "rules": "no.rule", "kind": "none"}
    answer = presses(at_court.judge, f"{here}/disputes/d1/ruling", **ruling)
    assert answer.status_code == 422
    assert "so it was" in answer.text
    ruling |= {"rules": "deal.non-binding", "kind": "annul-deal", "deal": truce}
    assert presses(at_court.judge, f"{here}/disputes/d1/ruling", **ruling).status_code == 303
    assert "Upheld: so it was" in words(orange, f"{here}/disputes/d1")

    # Appealed; another organizer has the last word.
    pleaded = presses(purple, f"{here}/disputes/d1/appeal", words="I gave it freely.")
    assert pleaded.status_code == 303
    ruling = {"finding": "dismissed", "reason": "freely given", "rules": "", "kind": "none"}
    assert presses(at_court.judge, f"{here}/disputes/d1/ruling", **ruling).status_code == 403
    assert presses(at_court.other, f"{here}/disputes/d1/ruling", **ruling).status_code == 303
    assert "final ruling" in words(purple, f"{here}/disputes/d1")

    # Found again by its rule, and shown with all that was done and looked at.
    assert "so it was" in words(orange, "/rulings?rule=deal.non-binding")
    assert "freely given" not in words(orange, "/rulings?rule=deal.non-binding")
    done = words(orange, f"{here}/operations")
    assert "Dispute d1 is upheld: so it was." in done
    assert "Looked at the dossier of d1" in done
    assert "1 dispute" in words(orange, here)


def test_what_is_wrong_in_a_claim_is_said_beside_it(at_court: Court):
    orange, here = at_court.players[ORANGE].who, f"/matches/{at_court.match}/disputes"
    empty = presses(orange, here, words="")
    assert (empty.status_code, "aria-live" in empty.text or "role=" in empty.text) == (422, True)
    late = presses(orange, here, words="it will be", **{"from": "99999"})
    assert late.status_code == 404
    assert "it will be" in late.text
    assert "There are no disputes" in words(orange, here)
