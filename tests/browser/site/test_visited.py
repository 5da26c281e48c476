"""The site is visited: by nobody, by its organizer, by others; and what goes wrong is seen."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Watch
from tests.support.browser.looking import axe


@pytest.mark.smoke
def test_nobody_sees_the_front_page_and_axe_finds_nothing(page):
    page.goto("/")
    assert page.locator("h1").is_visible()
    axe(page)


def test_a_match_of_bots_is_made_and_comes_to_its_end(site):
    match = site.organizer.match("tictactoe", ["bot", "bot"])
    found = site.organizer.finished(match)
    assert found["state"] == "finished"
    assert found["result"]["approved"] is True


def test_an_error_on_a_page_is_seen(browser, site):
    watch, context = Watch(), browser.new_context(base_url=site.address)
    watch.over(context, ())
    page = context.new_page()
    page.goto("/")
    page.evaluate("console.error('something is wrong')")
    page.evaluate("setTimeout(() => { throw new Error('thrown away') })")
    page.evaluate("fetch('http://192.0.2.1/').catch(() => 0)")
    page.wait_for_timeout(200)
    context.close()
    said = "\n".join(watch.found)
    assert "something is wrong" in said
    assert "thrown away" in said


def test_axe_finds_what_is_planted(page):
    page.goto("/")
    page.evaluate(
        "document.querySelector('main').innerHTML = '<img src=\"data:,\"><button></button>'"
    )
    with pytest.raises(AssertionError, match="image-alt"):
        axe(page)
