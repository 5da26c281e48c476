"""The tables of docs/http-api.md: `python -m tests.support.docs.http_api --write` writes them anew.

What stands between the two marks comes from the OpenAPI document and the table of access; the rest
of the page is written by hand.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from flask import Flask

from services.run.settings import Settings
from services.web import create_app
from services.web.app.access import ACCESS
from services.web.reference.document import METHODS

PAGE: Final = Path(__file__).resolve().parents[3] / "docs" / "http-api.md"
BEGIN: Final = "<!-- routes: written by hegemon regenerate -->\n"
END: Final = "<!-- end of routes -->\n"
WHO: Final = {
    "anyone": "anyone",
    "person": "people of the club",
    "organizer": "organizers",
    "host": "the host",
    "seat": "who sits there",
}


def application() -> Flask:
    """The application, over nothing."""
    return create_app(Settings(data=Path(tempfile.gettempdir()) / "no-data"))


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every method, path and what the document says of it."""
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield method.upper(), path, item[method]


def tables() -> str:
    """The routes, under the headings that the document gives them."""
    document: dict[str, Any] = application().extensions["api"].spec.to_dict()
    lines = []
    for tag in document["tags"]:
        lines += [f"### {tag['description']}", "", "| route | does | for | scope |"]
        lines.append("|---|---|---|---|")
        for method, path, said in operations(document):
            if said["tags"] == [tag["name"]]:
                access = ACCESS[said["operationId"].replace("-", ".")]
                row = (f"`{method} {path}`", said["summary"], WHO[access.who], access.scope)
                lines.append(f"| {' | '.join(row)} |")
        lines.append("")
    return "\n".join(lines) + "\n"


def written(page: str, between: str) -> str:
    """The page with other tables."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{between}{END}{after}"


def main(arguments: list[str]) -> None:
    """Write the page, or count the routes."""
    made = tables()
    if "--write" in arguments:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(written(page, made), encoding="utf-8")
    print("http-api.md", made.count("\n| `"))


if __name__ == "__main__":
    main(sys.argv[1:])
