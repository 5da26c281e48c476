"""The errata lab: what its address says, and what it does not."""

from __future__ import annotations

import pytest

from services.web.errata import pages
from tests.services.cli.errata.test_files import CLUB
from tests.support.web.visitors import Site


@pytest.mark.parametrize("text", ["no erratum", f'"{"=" * 2_000}" = 1', CLUB])
def test_the_text_of_a_file_is_not_taken_out_of_an_address(
    site: Site, text: str, monkeypatch: pytest.MonkeyPatch
):
    site.founder()
    address = {"game": "tictactoe", "edition": "e2"}
    without = site.nobody().get("/errata", query_string=address)
    assert without.status_code == 200
    read: list[object] = []
    monkeypatch.setattr("services.web.errata.texts.read_erratum", lambda *said: read.append(said))
    found = site.nobody().get("/errata", query_string={**address, pages.ERRATUM: text})
    assert (found.status_code, found.text) == (200, without.text)
    assert read == []
