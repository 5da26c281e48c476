"""A dispute in the browser: claimed, read, ruled on, found again, and shown to all it concerns."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from replays.dossier.builder import Evidence
from replays.dossier.document import name_of, pack_dossier
from replays.dossier.report import report_dossier
from replays.report.html import page as page_of
from services.matches.exports import static_text
from tests.browser.conftest import DESKTOP, PHONE
from tests.replays.dossier.test_builder import ATTACK, dossier, filed, talk_at
from tests.support.browser.looking import axe
from tests.support.replays.bargaining import PURPLE, played

LOOKS = [("desktop-light", DESKTOP, "light"), ("dark", DESKTOP, "dark"), ("phone", PHONE, "dark")]
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def looks_well(page: Page, shot: Callable[..., None], name: str) -> None:
    """On a desktop, in the dark and on a phone; looked at by axe where it is darkest and least."""
    for look, size, scheme in LOOKS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(WIDER) <= 0, f"{page.url} overflows"
        shot(page, f"dispute-{name}-{look}")
    axe(page)


def test_a_dispute_is_claimed_read_and_ruled_on(site, a_page, shot):
    ann = site.person("Ann Claims")
    made = site.organizer.match("tictactoe", [ann, "greedy"], title="Disputed")
    page = a_page(ann)
    page.goto(f"/matches/{made}/disputes")
    page.get_by_label("What went wrong?").fill("I did not agree to begin.")
    page.get_by_label("From event").fill("2")
    page.get_by_label("To event").fill("4")
    looks_well(page, shot, "claim")
    page.get_by_role("button", name="Open the dispute").click()
    expect(page.get_by_role("heading", name="Dispute d1")).to_be_visible()
    page.get_by_role("link", name="Read the dossier").click()
    expect(page.get_by_text("I did not agree to begin.")).to_be_visible()
    expect(page.get_by_role("heading", name="The events")).to_be_visible()

    # Who runs the club reads it, comes back from it, and rules on it.
    page = a_page(site.organizer)
    page.goto("/rulings")
    page.get_by_role("region", name="Waiting for a ruling").get_by_role("link").last.click()
    page.get_by_role("link", name="Read the dossier").click()
    expect(page.get_by_role("heading", name="The events")).to_be_visible()
    looks_well(page, shot, "dossier-page")
    page.get_by_role("link", name=re.compile("Back|back")).first.click()
    page.get_by_label("Finding").select_option("dismissed")
    page.get_by_label("Reason").fill("Whoever sits down agrees.")
    page.get_by_label("Remedy", exact=True).select_option("note")
    page.get_by_text("Details of the remedy").click()
    page.get_by_label("Note").fill("A seat can be left until then.")
    expect(page.get_by_text("Your ruling will cite the dossier that you have read")).to_be_visible()
    looks_well(page, shot, "ruling")
    page.get_by_role("button", name="Make the ruling", exact=True).click()
    expect(page.get_by_text("The ruling is recorded and carried out.")).to_be_visible()
    looks_well(page, shot, "ruled")

    # Found again, and shown to who took part.
    page.goto("/rulings?game=tictactoe&finding=dismissed")
    expect(page.get_by_text("Whoever sits down agrees.").first).to_be_visible()
    looks_well(page, shot, "rulings")
    page = a_page(ann)
    page.goto(f"/matches/{made}/operations")
    expect(page.get_by_text("Looked at the dossier of d1")).to_be_visible()
    looks_well(page, shot, "operations")


def test_a_dossier_of_a_conflict_and_a_broken_deal_opens_from_a_disk(a_page, tmp_path, shot):
    found = dossier(PURPLE, Evidence(filed(), talk_at(played().at[ATTACK])))
    file = tmp_path / "dossier.html"
    file.write_bytes(page_of(report_dossier(found, name_of(pack_dossier(found))), static_text))
    page = a_page(at=f"file://{tmp_path}")
    page.goto(f"file://{file}")
    expect(page.get_by_text("We had a truce.").first).to_be_visible()
    looks_well(page, shot, "dossier-file")
