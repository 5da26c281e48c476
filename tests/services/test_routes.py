"""The pages are documented, and nothing else is."""

from __future__ import annotations

from services.settings import ROOT
from services.web import create_app


def test_every_route_stands_in_the_document_and_the_other_way_round() -> None:
    lines = (ROOT / "docs" / "pages.md").read_text(encoding="utf-8").splitlines()
    documented = {line.split("`")[1] for line in lines if line.startswith("| `/")}
    assert documented == {str(rule) for rule in create_app().url_map.iter_rules()}
