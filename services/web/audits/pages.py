"""Audit pages, without script: the report or its progress, and the report as a file."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Final

import msgspec
from flask import Blueprint, Response, make_response, render_template, request
from markupsafe import Markup

from replays.audit.document import Audit
from replays.audit.report import report_audit
from replays.report.html import chapters, page
from replays.report.model import ReportPage
from services.jobs.tournament_audits import TournamentAudit
from services.jobs.tournament_report import report_tournament
from services.matches.exports import static_text
from services.web.app.access import allowed
from services.web.app.identity import caller
from services.web.app.waiting import Got, get_result, waiting_page

from .api import audit_wanted, report_got, report_wanted

AUDIT_PAGES: Final = Blueprint("audit_pages", __name__)
WORD_MAX: Final = 20


@AUDIT_PAGES.get("/matches/<string:match>/audit")
@allowed("anyone")
def of_match(match: str) -> Response:
    """Shows the audit of a match."""
    return _shown(match, _match(match), _of_match, f"/matches/{match}")


@AUDIT_PAGES.get("/matches/<string:match>/audit.html")
@allowed("anyone")
def file_of_match(match: str) -> Response:
    """Serves the audit of a match as one file that opens from a disk."""
    return report_file(f"Audit of {match}", _match(match), _of_match, f"{match}-audit.html")


@AUDIT_PAGES.get("/tournaments/<string:tournament>/audit")
@allowed("host", scope="organize")
def of_tournament(tournament: str) -> Response:
    """Shows the audit of a tournament to those who run it."""
    got = report_got(report_wanted(tournament))
    return _shown(tournament, got, _of_tournament, f"/tournaments/{tournament}")


@AUDIT_PAGES.get("/tournaments/<string:tournament>/audit.html")
@allowed("host", scope="organize")
def file_of_tournament(tournament: str) -> Response:
    got, name = report_got(report_wanted(tournament)), f"{tournament}-audit.html"
    return report_file(f"Audit of {tournament}", got, _of_tournament, name)


def _shown(name: str, got: Got, report_of: Callable[[bytes], ReportPage], back: str) -> Response:
    if got.found is None:
        return waiting_page(f"Audit of {name}", got.state)
    report = report_of(gzip.decompress(got.found))
    return audit_page(report.title, chapters(report), f"{back}/audit.html", back)


def report_file(
    title: str, got: Got, report_of: Callable[[bytes], ReportPage], name: str
) -> Response:
    """Returns a report as one file that opens from a disk, or the progress of its job."""
    if got.found is None:
        return waiting_page(title, got.state)
    made = page(report_of(gzip.decompress(got.found)), static_text)
    response = _set_cache_headers(Response(made, mimetype="text/html"))
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def _match(match: str) -> Got:
    word = request.args.get("as", "")[:WORD_MAX] or None
    return get_result(audit_wanted(match, word, caller()))


def _of_match(found: bytes) -> ReportPage:
    return report_audit(msgspec.json.decode(found, type=Audit))


def _of_tournament(found: bytes) -> ReportPage:
    return report_tournament(msgspec.json.decode(found, type=TournamentAudit))


def audit_page(title: str, body: str, file: str, back: str) -> Response:
    made = render_template("audit.html", title=title, body=Markup(body), file=file, back=back)  # noqa: S704 - every word in it was escaped
    return _set_cache_headers(make_response(made))


def _set_cache_headers(response: Response) -> Response:
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Cookie, Authorization"
    return response
