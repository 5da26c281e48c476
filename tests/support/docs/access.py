"""The tables of docs/access.md: `python -m tests.support.docs.access --write` writes them anew.

They come from the decorators of the routes. The tests of access read the committed page: a route
whose decorator changes by mistake is not what the page says.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final, cast

from flask import Flask

from ledger.club.people import Scope
from services.web.app.access import Access, Who
from services.web.app.identity import FIELDS, access_of
from tests.support.docs.http_api import PAGE as HTTP_API
from tests.support.docs.http_api import application, between, write

PAGE: Final = HTTP_API.with_name("access.md")


def routes(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Every address, method and endpoint, in the order of addresses."""
    for rule in sorted(app.url_map.iter_rules(), key=str):
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield str(rule), method, rule.endpoint


def tables() -> str:
    """The routes of the API, the other routes, and the fields that only some callers are shown."""
    app = application()
    rows: dict[bool, list[str]] = {True: [], False: []}
    for address, method, endpoint in routes(app):
        view = app.view_functions[endpoint]
        access = access_of(view, method) or ("nobody", "")
        code = f"{endpoint}.{method.lower()}" if hasattr(view, "view_class") else endpoint
        row = f"| `{method} {address}` | {access[0]} | {access[1]} | `{code}` |"
        rows[address.startswith("/api/v1/")].append(row)
    head = ["", "| route | who | scope | defined as |", "|---|---|---|---|"]
    hidden = [
        f"| `{name}` | {kind} | {who} |"
        for kind, names in FIELDS.items()
        for name, who in names.items()
    ]
    lines = ["## Routes of the API", *head, *rows[True], ""]
    lines += ["## Pages, files and other routes", *head, *rows[False], ""]
    lines += ["## Fields that only some callers see", "", "| field | of | who |", "|---|---|---|"]
    return "\n".join([*lines, *hidden]) + "\n\n"


def committed() -> dict[tuple[str, str], Access]:
    """Access to each address and method, as the committed page says."""
    rows = [line.strip("| ").split(" | ") for line in between(PAGE).splitlines()]
    return {
        cast("tuple[str, str]", tuple(row[0].strip("`").split())[::-1]): Access(
            cast("Who", row[1]), cast("Scope", row[2])
        )
        for row in rows
        if len(row) == 4 and row[0].startswith("`")
    }


def main(arguments: list[str]) -> None:
    """Write the page, or count the routes."""
    made = tables()
    if "--write" in arguments:
        write(PAGE, made)
    print("access.md", made.count("\n| `"))


if __name__ == "__main__":
    main(sys.argv[1:])
