"""The tables of docs/access.md are what the routes say."""

from __future__ import annotations

from tests.support.docs.access import PAGE, tables
from tests.support.docs.http_api import between


def test_the_committed_page_is_what_the_routes_say() -> None:
    assert between(PAGE) == tables().strip("\n"), "run `hegemon regenerate` and read the diff"
