"""The tables of docs/http-api.md: `python -m tests.support.docs.http_api --write` writes them anew.

What stands between the two marks comes from the OpenAPI document and the access of each route; the
rest of the page is written by hand.
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
from services.web.app.access import Access
from services.web.app.identity import access_of
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


def access_of_operation(app: Flask, operation_id: str) -> Access:
    """The access to a route, by the name that the document gives it."""
    endpoint, _, method = operation_id.replace("-", ".").rpartition(".")
    access = access_of(app.view_functions[endpoint], method)
    assert access is not None, operation_id
    return access


def tables() -> str:
    """The routes, under the headings that the document gives them."""
    app = application()
    document: dict[str, Any] = app.extensions["api"].spec.to_dict()
    lines = []
    for tag in document["tags"]:
        lines += [f"### {tag['description']}", "", "| route | does | for | scope |"]
        lines.append("|---|---|---|---|")
        for method, path, said in operations(document):
            if said["tags"] == [tag["name"]]:
                access = access_of_operation(app, said["operationId"])
                row = (f"`{method} {path}`", said["summary"], WHO[access.who], access.scope)
                lines.append(f"| {' | '.join(row)} |")
        lines.append("")
    return "\n".join(lines) + "\n"


def between(page: Path) -> str:
    """Returns the part of a page between its two marks."""
    return page.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].strip("\n")


def write(page: Path, made: str) -> None:
    """Writes other tables between the marks."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{made}{END}{after}", encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Write the page, or count the routes."""
    made = tables()
    if "--write" in arguments:
        write(PAGE, made)
    print("http-api.md", made.count("\n| `"))


if __name__ == "__main__":
    main(sys.argv[1:])
