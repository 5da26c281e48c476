"""The tests in a browser share Chromium, a running site, and watched pages.

    page         a page of nobody in particular: desktop, light
    a_page       makes pages: a_page(person, phone=True, dark=True, still=True, script=False)
    site         `hegemon up` for all tests of a process: site.organizer, site.person("Bob")
    an_own_site  makes a site for this test alone, with an empty store
    shot         takes a picture into $HEGEMON_SHOTS, if that is set: shot(page, "table-dark")
    axe          (from tests.support.browser.looking) fails where axe-core finds something grave

A test fails where a page writes an error to its console, throws one, or asks another host.
Where no Chromium is found, all tests here are skipped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

from services.run.checks import NO_CHROMIUM, chromium_path
from tests.support.browser.sites import Person, Site

# Containers have little room in /dev/shm.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
)
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
PATIENCE_MS = 45_000  # of one step; the machine may be busy

APage = Callable[..., Page]
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The program; the test is skipped where there is none."""
    found = chromium_path()
    if found is None:
        pytest.skip(NO_CHROMIUM)
    return found


# One browser a file of tests: while Playwright runs, no other test of this process could run a
# loop of asyncio.
@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A Chromium."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        yield started
        started.close()


@pytest.fixture(scope="session")
def site(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site for all tests of this process; matches of other tests lie there as well."""
    running = Site(tmp_path_factory.mktemp("site"))
    yield running
    running.close()


@pytest.fixture
def an_own_site(chromium: str, tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Makes sites for one test; each has settings of its own."""
    made: list[Site] = []

    def make(**settings: str) -> Site:
        made.append(Site(tmp_path / f"site{len(made)}", **settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


class Watch:
    """Collects what went wrong on the pages of a test."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def over(self, context: BrowserContext, forgives: tuple[str, ...]) -> None:
        """Look at all pages of a context; a message with one of these words in it is forgiven."""

        def console(message: ConsoleMessage) -> None:
            said = f"console: {message.text} ({message.location.get('url', '')})"
            if message.type == "error" and not any(word in said for word in forgives):
                self.found.append(said)

        def asked(request: Any) -> None:
            ours = request.url.startswith(("http://127.0.0.1", "file:", "data:", "blob:", "about:"))
            if not ours:
                self.found.append(f"another host was asked: {request.url}")

        context.on("console", console)
        context.on("weberror", lambda error: self.found.append(f"thrown: {error.error}"))
        context.on("request", asked)


@pytest.fixture
def a_page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[APage]:
    """Makes pages, each in a browser of its own (a context); all are watched.

    `at` is the site or the address that relative links are of; without it, the person's site.
    """
    watch, made = Watch(), []

    def make(
        who: Person | None = None,
        *,
        at: Site | str = "",
        phone: bool = False,
        dark: bool = False,
        still: bool = False,
        script: bool = True,
        forgives: tuple[str, ...] = (),
        **more: Any,
    ) -> Page:
        if who is None and not at:
            at = request.getfixturevalue("site")
        address = at if isinstance(at, str) and at else getattr(at or who.site, "address", "")
        context = browser.new_context(
            base_url=address,
            viewport=PHONE if phone else DESKTOP,
            has_touch=phone,
            is_mobile=phone,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            java_script_enabled=script,
            locale="en-GB",
            timezone_id="UTC",
            **more,
        )
        made.append(context)
        context.set_default_timeout(PATIENCE_MS)
        watch.over(context, forgives)
        if who is not None:
            context.add_cookies([who.cookie])
        return context.new_page()

    yield make
    for context in made:
        context.close()
    assert watch.found == []


@pytest.fixture
def page(a_page: APage) -> Page:
    """A page of nobody in particular: desktop, light."""
    return a_page()


@pytest.fixture
def shot() -> Callable[..., None]:
    """Takes a picture of a page, where HEGEMON_SHOTS names a folder for it."""
    folder = os.environ.get("HEGEMON_SHOTS")

    def take(page: Page, name: str, *, whole: bool = True) -> None:
        if folder:
            page.screenshot(path=Path(folder) / f"{name}.png", full_page=whole)

    return take
