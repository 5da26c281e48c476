"""The report on a dossier."""

from __future__ import annotations

from collections.abc import Iterator

from replays.audit.report import checks_table, conflict_group
from replays.deals.statements import SeenDeal, SeenPromise
from replays.document.structs import Conflict
from replays.report.model import Drawing, Paragraph, Part, Quote, Report, Row, Section, Table, Terms

from .document import Dossier, DossierMessage, Exhibit, SeenPosition


def report_dossier(dossier: Dossier, name: str) -> Report:
    """Returns the report on a dossier; `name` is the hash of the document."""
    title = f"Dossier of {dossier.claim.dispute}, {dossier.title}"
    return Report(title, list(_sections(dossier, name)))


def _sections(dossier: Dossier, name: str) -> Iterator[Section]:
    yield Section("", _head(dossier, name))
    events = [_event(dossier, event) for event in dossier.events]
    heads: tuple[str, ...] = ("Event", "Whose", "Said", "Head")
    yield Section("The events", [Table("As this reader was told them", heads, events)], "events")
    if dossier.positions:
        positions = [_position(dossier, position) for position in dossier.positions]
        yield Section("What was known at that time", positions, "positions")
    if dossier.deals:
        heads = ("Deal", "Parties", "State", "Steps", "Words and promises")
        rows = [_deal(dossier, deal) for deal in dossier.deals]
        yield Section("Deals", [Table("With the verdict on each promise", heads, rows)], "deals")
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
    return [Quote(claim.words), Terms(rows)]


def _event(dossier: Dossier, event: Exhibit) -> Row:
    whose = "" if event.seat is None else _who(dossier, event.seat)
    undone = "undone" if event.undone is True else ""
    who = "\n".join(filter(None, (whose, event.by, undone)))
    lost = event.undisclosed is True
    nothing = "This is not open to this reader." if lost else "Nothing is said of this event."
    return Row((str(event.n), who, "\n".join(event.said) or nothing, event.head[:12]))


def _position(dossier: Dossier, position: SeenPosition) -> Drawing:
    had = position.delivered
    title = f"{_who(dossier, position.seat)}, after event {position.after}"
    said = [
        f"asked: {position.asked}" if position.asked else "asked nothing",
        f"{len(had.opened)} secrets told to it",
        f"deals it could read: {', '.join(had.deals) or 'none'}",
        f"lines of talk below that it had heard: {', '.join(map(str, had.lines)) or 'none'}",
    ]
    return Drawing(title, f"{'; '.join(said)}.", position.drawn, f"The table as {title} saw it")


def _deal(dossier: Dossier, deal: SeenDeal) -> Row:
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
    return Row(cells)


def _promise(one: SeenPromise) -> str:
    where = f" at event {one.at}" if one.at else ""
    why = f" ({one.why})" if one.why else ""
    facts = ", ".join(f"{fact.fact['type']} in event {fact.n}" for fact in one.facts)
    shown = f" [{facts}]" if facts else ""
    return f"{one.words}: {one.verdict or 'not agreed'}{where}{why}{shown}"


def _sides(conflict: Conflict) -> Table:
    heads = ("Side", "Event", "What", "Value", "Where", "Rule")
    where = f"{conflict.label}, events {conflict.first} to {conflict.last}. {conflict.outcome}"
    rows = [
        Row((side.name, str(part.n), part.name, f"{part.value:+}", part.cell or "", part.rule))
        for side in conflict.sides
        for part in side.parts
    ]
    return Table(where.strip(), heads, rows)


def _rules(dossier: Dossier) -> Iterator[Part]:
    heads: tuple[str, ...] = ("Rule", "Says", "Chapter")
    rows = [Row((one.rule, one.text, one.chapter)) for one in dossier.rules]
    if rows:
        yield Table("By which the range came about", heads, rows)
    else:
        yield Paragraph("No rule of the game was asked in these events.")
    if dossier.readings:
        heads = ("Reading", "In force", "Printed", "Rule", "Why")
        rows = [
            Row((one.id, str(one.value), str(one.printed), one.rule, one.why))
            for one in dossier.readings
        ]
        yield Table("Readings", heads, rows)


def _talk(dossier: Dossier) -> Iterator[Part]:
    given = ", ".join(_who(dossier, seat) for seat in dossier.consents) or "nobody"
    yield Paragraph(f"Private talk may be shown by consent of: {given}.")
    if dossier.talk:
        heads = ("Line", "At event", "Who", "To", "Words")
        yield Table("What was said", heads, [_message(dossier, line) for line in dossier.talk])


def _message(dossier: Dossier, line: DossierMessage) -> Row:
    to = "everybody" if line.to is None else ", ".join(_who(dossier, seat) for seat in line.to)
    said = "It was taken down." if line.hidden else line.text
    return Row((str(line.number), str(line.version), _who(dossier, line.seat), to, said))
