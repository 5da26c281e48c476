"""The errata lab: choose other rules, count the matches they could change, run, look."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from flask import Blueprint, Response, render_template, request, url_for

from ledger.games import ruleset, rulesets
from ledger.kernel.ruleset import Ruleset
from ledger.log.stores.protocol import Unavailable
from replays.reproject.change import Change
from replays.reproject.policies import Policies
from replays.reproject.report import MatchSummary, RunReport
from replays.reproject.text import describe_erratum, erratum_text
from replays.reproject.verdicts import CLASSES
from services.jobs.reprojection.kept import read_report
from services.web.app.access import allowed
from services.web.app.context import page_response
from services.web.app.flash import led_on
from services.web.app.forms import TypedForm
from services.web.app.identity import caller
from services.web.app.query import find_game
from services.web.app.waiting import ask_queue
from services.web.tournaments.api import listed

from .api import begin_run, count_touched, find_visible_run, plain_run
from .schemas import PoliciesShape, ReprojectionAskedShape
from .sight import choose_matches, count_touched_matches

ERRATA_PAGES: Final = Blueprint("errata_pages", __name__)
READINGS: Final = 3  # that can be tried out at once on the page
COUNTED: Final = 1_000  # matches; of more each erratum is counted when it is asked for
ERRATUM: Final = "erratum"  # the field for the text of a file
UNSAID: Final = ("csrf", ERRATUM)  # fields that no address has
LISTED: Final = 100  # matches on a page of a run
NOTHING: Final = ("", "as in the edition")
ILLEGAL: Final[Sequence[tuple[str, str]]] = (
    ("stop", "the match ends there"),
    ("skip", "it is skipped and marked"),
    ("default", "the decision of a time-out applies"),
    ("bot", "a bot decides"),
    ("chance", "a random option is taken"),
)
MISSING: Final = tuple(one for one in ILLEGAL if one[0] != "skip")
MEANS: Final[Mapping[str, str]] = {
    "unchanged": "every event has the same outcome",
    "same result": "some events differ; winners and scores are the same",
    "score differs": "the winners are the same, the scores are not",
    "winner differs": "the winners differ",
    "decision now illegal": "a decision is refused now",
    "undetermined": "the result depends on dice or cards that are assumed",
    "unfinished": "one of the two versions has not ended",
    "error": "the match could not be replayed",
}


@ERRATA_PAGES.get("/errata")
@allowed("anyone")
def lab() -> Response:
    """Shows the form: the other rules, the matches, and how many of them they could change."""
    rules = find_game(request.args.get("game", "") or _first_game())
    form = TypedForm({name: text for name, text in request.args.items() if name not in UNSAID})
    found = None
    if _is_asked(form):
        asked = form.read(ReprojectionAskedShape, _body(form, rules), CALLED)
        found = _try_request(form, asked, count_touched)
    return _lab(rules, form, found)


@ERRATA_PAGES.post("/errata")
@allowed("person", scope="play")
def run() -> Response:
    """Starts a run, or only counts the matches. A count is a page that can be shared."""
    form = TypedForm.sent(long=ERRATUM)
    rules = find_game(form.text("game"))
    counts = form.text("do") == "count"
    if counts and not form.text(ERRATUM):  # which would be too long for an address
        said: dict[str, Any] = {n: t for n, t in form.said.items() if t and n != "do"}
        return led_on(url_for("errata_pages.lab", **said) + "#count")
    asked = form.read(ReprojectionAskedShape, _body(form, rules), CALLED)
    if counts:
        return _lab(rules, form, _try_request(form, asked, count_touched))
    made = _try_request(form, asked, begin_run)
    if made is None:
        return _lab(rules, form, None)
    left = made["left_out"]["unopened"]
    told = f"{left} matches are left out: not ended, or their secrets are not open." if left else ""
    return led_on(url_for("errata_pages.one", run=made["id"]), told)


@ERRATA_PAGES.get("/errata/runs/<string:run>")
@allowed("anyone")
def one(run: str) -> Response:
    """Shows the progress of a run, then its result."""
    found, asked = find_visible_run(run)
    packed = ask_queue(found.report)
    if packed is None:
        said = plain_run(found.id, asked, ask_queue(found.far))
        page = render_template("errata_run.html", run=said, game=ruleset(asked.ruleset).title)
        return page_response(page)
    report = read_report(packed)
    chosen = request.args.get("class", "")
    lines = [one for one in report.matches if chosen in ("", one.verdict)]
    first = _number(request.args.get("from", ""))
    page = render_template(
        "errata_table.html",
        id=found.id,
        report=report,
        game=ruleset(report.ruleset).title,
        change=report.change.named,
        rows=_classes(report),
        chosen=chosen,
        lines=lines[first : first + LISTED],
        first=first,
        count=len(lines),
        step=LISTED,
        beside=lambda line: compare_address(line, report.change, report.policies, found.id),
        address=url_for("errata_pages.one", run=found.id, _external=True),
    )
    return page_response(page)


def compare_address(line: MatchSummary, change: Change, policies: Policies, run: str) -> str:
    """Returns the address of a match's comparison, at its first difference.

    An erratum file may be too long for an address, which then names the run instead; so it does
    if another bot or seed was chosen.
    """
    rows = [cells for table in change.content.values() for cells in table.values()]
    others = policies != Policies(illegal=policies.illegal, missing=policies.missing)
    if others or change.called or not all(cells and _plain(cells) for cells in rows):
        return url_for("compare_pages.compare", match=line.match, run=run, at=line.first)
    said = [f"{name}={str(value).lower()}" for name, value in sorted(change.readings.items())]
    said += [
        f"{table}/{row}/{cell}={str(value).lower()}"
        for table, rows in sorted(change.content.items())
        for row, cells in sorted(rows.items())
        for cell, value in sorted((cells or {}).items())
    ]
    more: dict[str, Any] = {"b": change.edition} if change.edition else {}
    more |= {"reading": said} if said else {}
    more |= {"over_options": "true"} if change.over_options else {}
    more |= {"illegal": policies.illegal} if policies.illegal != "stop" else {}
    more |= {"missing": policies.missing} if policies.missing != "default" else {}
    more |= {} if line.first is None else {"at": line.first}
    return url_for("compare_pages.compare", match=line.match, **more)


def _plain(cells: Mapping[str, Any]) -> bool:
    return all(isinstance(value, str | int) for value in cells.values())


# --- the form -------------------------------------------------------------------------------------

CALLED: Final = {
    "policies.illegal": "illegal",
    "policies.missing": "missing",
    "errata.0": ERRATUM,
}


def _lab(rules: Ruleset, form: TypedForm, found: Mapping[str, Any] | None) -> Response:
    page = render_template(
        "errata.html",
        rules=rules,
        games=[one for one in rulesets().values() if one.errata or one.readings],
        form=form,
        found=found,
        choices=_choices(rules),
        readings=[NOTHING, *((name, _reading_words(rules, name)) for name in rules.readings)],
        rows=range(READINGS),
        tournaments=_tournaments(rules),
        editions=[("", "any edition"), *((name, name) for name in rules.editions)],
        illegal=ILLEGAL,
        missing=MISSING,
    )
    return page_response(page, form.status)


def _try_request(
    form: TypedForm, asked: dict[str, Any] | None, act: Callable[[dict[str, Any]], dict[str, Any]]
) -> dict[str, Any] | None:
    """Carries out a request. Returns None if the form is wrong or the request is refused."""
    values = {form.text(f"reading.{row}"): f"value.{row}" for row in range(READINGS)}
    return None if asked is None else form.tries(lambda: act(asked), {**values, **CALLED})


def _is_asked(form: TypedForm) -> bool:
    return bool(form.text("edition")) or any(form.text(f"reading.{row}") for row in range(READINGS))


def _body(form: TypedForm, rules: Ruleset) -> dict[str, Any]:
    pairs = ((form.text(f"reading.{row}"), form.text(f"value.{row}")) for row in range(READINGS))
    return form.body(ReprojectionAskedShape, "edition", "tournament", "played") | {
        "ruleset": rules.name,
        "readings": {name: value for name, value in pairs if name},
        "errata": [form.text(ERRATUM)] if form.text(ERRATUM) else [],
        "policies": form.body(PoliciesShape, "illegal", "missing"),
        "unopened": form.has("unopened", "yes"),
    }


def _choices(rules: Ruleset) -> list[dict[str, Any]]:
    """Returns the errata, each with the number of opened matches that its edition could change."""
    asked = ReprojectionAskedShape().load({"ruleset": rules.name})
    matches = choose_matches(asked, caller(), look=False).matches
    changes = [Change(edition=erratum.id) for erratum in rules.errata]
    counts: list[int | None] = [None] * len(changes)  # not counted where there are very many
    if len(matches) <= COUNTED:
        counts = [touched for touched, _ in count_touched_matches(rules, changes, matches)]
    return [
        {
            "erratum": erratum,
            "changes": erratum_text(describe_erratum(rules, erratum)).splitlines()[1:],
            "touched": count,
        }
        for erratum, count in zip(rules.errata, counts, strict=True)
    ]


def _reading_words(rules: Ruleset, name: str) -> str:
    value = rules.readings[name].value
    return f"{name} (printed: {str(value).lower() if isinstance(value, bool) else value})"


def _tournaments(rules: Ruleset) -> list[tuple[str, str]]:
    try:
        states = list(listed())
    except Unavailable:
        states = []
    shown = [(one, state.made.title) for one, state in states if state.made.ruleset == rules.name]
    return [("", "all matches"), *shown]


def _first_game() -> str:
    with_errata = [one.name for one in rulesets().values() if one.errata]
    return max(with_errata, key=lambda name: len(ruleset(name).errata))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0


def _classes(report: RunReport) -> list[tuple[str, str, int]]:
    counts = report.table.classes
    return [(name, MEANS[name], counts[name]) for name in CLASSES if counts.get(name)]
