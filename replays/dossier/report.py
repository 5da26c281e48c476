"""The report on a dossier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from replays.audit.report import checks_table, conflict_group
from replays.deals.statements import SeenDeal, SeenPromise
from replays.document.structs import Conflict
from replays.report.model import (
    Drawing,
    Part,
    Quote,
    ReportPage,
    ReportParagraph,
    ReportRow,
    ReportTable,
    ReportTerms,
    Section,
    table_section,
)

from .document import Dossier, DossierMessage, Exhibit, SeenPosition

EVENTS: Final = ("Event", "Whose", "Said", "Head")
DEALS: Final = ("Deal", "Parties", "State", "Steps", "Words and promises")


def report_dossier(dossier: Dossier, name: str) -> ReportPage:
    """Returns the report on a dossier; `name` is the hash of the document."""
    title = f"Dossier of {dossier.claim.dispute}, {dossier.title}"
    return ReportPage(title, list(_sections(dossier, name)))


def _sections(dossier: Dossier, name: str) -> Iterator[Section]:
    yield Section("", _head(dossier, name))
    rows = [_event(dossier, event) for event in dossier.events]
    yield table_section("The events", "events", "As this reader may see them", EVENTS, rows)
    if dossier.positions:
        positions = [_position(dossier, position) for position in dossier.positions]
        yield Section("What was known at that time", positions, "positions")
    if dossier.deals:
        rows = [_deal(dossier, deal) for deal in dossier.deals]
        yield table_section("Deals", "deals", "With the verdict on each promise", DEALS, rows)
    if dossier.conflicts:
        yield Section(
            "Conflicts", [_sides(conflict) for conflict in dossier.conflicts], "conflicts"
        )
    if dossier.counted:
        counted = [conflict_group(n, one) for n, one in enumerate(dossier.counted, 1)]
        yield Section("Counted again", counted, "counted")
    yield Section("Rules", list(_rules(dossier)), "rules")
    yield Section("Talk", list(_talk(dossier)), "talk")
    yield Section("Checks of the log up to then", [checks_table(dossier.checks)], "checks")


def _who(dossier: Dossier, seat: int | None) -> str:
    if seat is None:
        return "the organizer"
    named = dossier.seats[seat] if 0 <= seat < len(dossier.seats) else ""
    return f"seat {seat} ({named})" if named else "chance"


def _head(dossier: Dossier, name: str) -> list[Part]:
    claim = dossier.claim
    about = f"events {claim.first} to {claim.last}"
    about += f", deal {claim.deal}" if claim.deal else ""
    about += f", the conflict that began with event {claim.conflict}" if claim.conflict else ""
    rows = [
        ("Claimed by", _who(dossier, claim.seat)),
        ("About", about),
        ("Parties", ", ".join(_who(dossier, seat) for seat in claim.parties)),
        ("Frozen with", f"event {claim.filed}, head {dossier.head}"),
        ("Seen by", dossier.as_ if not dossier.as_.isdigit() else _who(dossier, int(dossier.as_))),
        ("Game", f"{dossier.ruleset}, edition {dossier.edition}"),
        ("Name", name),
    ]
    return [Quote(claim.words), ReportTerms(rows)]


def _event(dossier: Dossier, event: Exhibit) -> ReportRow:
    whose = "" if event.seat is None else _who(dossier, event.seat)
    undone = "undone" if event.undone is True else ""
    who = "\n".join(filter(None, (whose, event.by, undone)))
    lost = event.undisclosed is True
    nothing = "This reader may not see this." if lost else "No description for this event."
    return ReportRow((str(event.n), who, "\n".join(event.said) or nothing, event.head[:12]))


def _position(dossier: Dossier, position: SeenPosition) -> Drawing:
    had = position.delivered
    title = f"{_who(dossier, position.seat)}, after event {position.after}"
    said = [
        f"asked: {position.asked}" if position.asked else "asked nothing",
        f"{len(had.opened)} secrets disclosed to it",
        f"deals that it could read: {', '.join(had.deals) or 'none'}",
        f"chat messages below that it could read: {', '.join(map(str, had.lines)) or 'none'}",
    ]
    return Drawing(title, f"{'; '.join(said)}.", position.drawn, f"The table as {title} saw it")


def _deal(dossier: Dossier, deal: SeenDeal) -> ReportRow:
    parts = [deal.text] if deal.text else []
    if deal.promises is None:
        parts.append("Its terms are between its parties.")
    parts += [_promise(one) for one in deal.promises or ()]
    cells = (
        deal.id,
        "\n".join(_who(dossier, seat) for seat in deal.parties),
        deal.status + ("" if deal.undone_by is None else f", undone by event {deal.undone_by}"),
        "\n".join(f"{one.what} with event {one.n}" for one in deal.steps),
        "\n".join(parts),
    )
    return ReportRow(cells)


def _promise(one: SeenPromise) -> str:
    where = f" at event {one.at}" if one.at else ""
    why = f" ({one.why})" if one.why else ""
    facts = ", ".join(f"{fact.fact['type']} in event {fact.n}" for fact in one.facts)
    shown = f" [{facts}]" if facts else ""
    return f"{one.words}: {one.verdict or 'not agreed'}{where}{why}{shown}"


def _sides(conflict: Conflict) -> ReportTable:
    heads = ("Side", "Event", "What", "Value", "Where", "Rule")
    where = f"{conflict.label}, events {conflict.first} to {conflict.last}. {conflict.outcome}"
    rows = [
        ReportRow(
            (side.name, str(part.n), part.name, f"{part.value:+}", part.cell or "", part.rule)
        )
        for side in conflict.sides
        for part in side.parts
    ]
    return ReportTable(where.strip(), heads, rows)


def _rules(dossier: Dossier) -> Iterator[Part]:
    heads: tuple[str, ...] = ("Rule", "Says", "Chapter")
    rows = [ReportRow((one.rule, one.text, one.chapter)) for one in dossier.rules]
    if rows:
        yield ReportTable("The rules that these events used", heads, rows)
    else:
        yield ReportParagraph("These events used no rule of the game.")
    if dossier.readings:
        heads = ("Reading", "In force", "Printed", "Rule", "Why")
        rows = [
            ReportRow((one.id, str(one.value), str(one.printed), one.rule, one.why))
            for one in dossier.readings
        ]
        yield ReportTable("Readings", heads, rows)


def _talk(dossier: Dossier) -> Iterator[Part]:
    given = ", ".join(_who(dossier, seat) for seat in dossier.consents) or "nobody"
    yield ReportParagraph(f"These players consent to show private messages: {given}.")
    if dossier.talk:
        heads = ("Line", "At event", "Who", "To", "Words")
        yield ReportTable(
            "What was said", heads, [_message(dossier, line) for line in dossier.talk]
        )


def _message(dossier: Dossier, line: DossierMessage) -> ReportRow:
    to = "everybody" if line.to is None else ", ".join(_who(dossier, seat) for seat in line.to)
    said = "It was removed." if line.hidden else line.text
    return ReportRow((str(line.number), str(line.version), _who(dossier, line.seat), to, said))
