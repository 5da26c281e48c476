"""Audit pages, without script: the report or its progress, and the report as a file."""

from __future__ import annotations

import gzip
from typing import Final

import msgspec
from flask import Blueprint, Response, make_response, render_template, request
from markupsafe import Markup

from replays.audit.document import Audit
from replays.audit.page import chapters, page
from services.jobs.audit import TournamentAudit
from services.matches.audit_reports import tournament_chapters, tournament_page
from services.matches.exports import static_text
from services.web.app.identity import caller
from services.web.app.waiting import waiting_page

from .api import Got, audit_got, audit_wanted, check_not_failed, report_got, report_wanted

AUDIT_PAGES: Final = Blueprint("audit_pages", __name__)
WORD_MAX: Final = 20


@AUDIT_PAGES.get("/matches/<string:match>/audit")
def of_match(match: str) -> Response:
    """Shows the audit of a match."""
    got = _match(match)
    title = f"Audit of {match}"
    if got.found is None:
        return audit_waits(got, title)
    audit = _audit(got.found)
    file = f"/matches/{match}/audit.html"
    return audit_page(
        f"Audit of {audit.title or match}", chapters(audit), file, f"/matches/{match}"
    )


@AUDIT_PAGES.get("/matches/<string:match>/audit.html")
def file_of_match(match: str) -> Response:
    """Serves the audit of a match as one file that opens from a disk."""
    got = _match(match)
    if got.found is None:
        return audit_waits(got, f"Audit of {match}")
    return audit_file(page(_audit(got.found), static_text), f"{match}-audit.html")


@AUDIT_PAGES.get("/tournaments/<string:tournament>/audit")
def of_tournament(tournament: str) -> Response:
    """Shows the audit of a tournament to those who run it."""
    got = report_got(report_wanted(tournament))
    if got.found is None:
        return audit_waits(got, f"Audit of {tournament}")
    report = _report(got.found)
    file = f"/tournaments/{tournament}/audit.html"
    back = f"/tournaments/{tournament}"
    return audit_page(f"Audit of {report.title}", tournament_chapters(report), file, back)


@AUDIT_PAGES.get("/tournaments/<string:tournament>/audit.html")
def file_of_tournament(tournament: str) -> Response:
    got = report_got(report_wanted(tournament))
    if got.found is None:
        return audit_waits(got, f"Audit of {tournament}")
    return audit_file(tournament_page(_report(got.found)), f"{tournament}-audit.html")


def _match(match: str) -> Got:
    word = request.args.get("as", "")[:WORD_MAX] or None
    return audit_got(audit_wanted(match, word, caller()))


def _audit(found: bytes) -> Audit:
    return msgspec.json.decode(gzip.decompress(found), type=Audit)


def _report(found: bytes) -> TournamentAudit:
    return msgspec.json.decode(gzip.decompress(found), type=TournamentAudit)


def audit_page(title: str, body: str, file: str, back: str) -> Response:
    made = render_template("audit.html", title=title, body=Markup(body), file=file, back=back)  # noqa: S704 - every word in it was escaped
    return _kept(make_response(made))


def audit_waits(got: Got, title: str) -> Response:
    """Shows that the audit is being made. The page reloads by itself."""
    state = got.state
    assert state is not None, "a job that was asked for has a state"
    check_not_failed(state)
    return waiting_page(title, state)


def audit_file(content: bytes, name: str) -> Response:
    response = _kept(Response(content, mimetype="text/html"))
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def _kept(response: Response) -> Response:
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Cookie, Authorization"
    return response
