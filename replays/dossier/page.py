"""The dossier as a single HTML page that opens from a disk, loads and runs nothing, and prints.

The same dossier gives the same bytes. Pages of the service show the part that `chapters` returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from replays.audit.page import bound, checks_table, conflict_section, table_rows
from replays.deals.statements import SeenDeal, SeenPromise
from replays.document.structs import Conflict

from .document import Dossier, DossierMessage, SeenPosition


def page(dossier: Dossier, name: str, read: Callable[[str], str]) -> bytes:
    """Renders the page of a dossier; `read` returns the text of one of our files by its path."""
    title = f"{dossier.claim.dispute}, {dossier.title}"
    return bound(title, chapters(dossier, name), read, kind="Dossier")


def chapters(dossier: Dossier, name: str) -> str:
    """Renders everything but the title; `name` is the hash of the document."""
    return "\n".join(_chapters(dossier, name))


def _chapters(dossier: Dossier, name: str) -> Iterator[str]:
    yield from _head(dossier, name)
    yield from _events(dossier)
    yield from _positions(dossier)
    yield from _deals(dossier)
    yield from _conflicts(dossier)
    yield from _rules(dossier)
    yield from _talk(dossier)
    yield '<h2 id="checks">Checks of the log up to then</h2>'
    yield from checks_table(dossier.checks)


def _who(dossier: Dossier, seat: int | None) -> str:
    if seat is None:
        return "the organizer"
    named = dossier.seats[seat] if 0 <= seat < len(dossier.seats) else ""
    return f"seat {seat} ({named})" if named else "chance"


def _head(dossier: Dossier, name: str) -> Iterator[str]:
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
    yield f'<blockquote class="claim">{escape(claim.words)}</blockquote>'
    yield "<dl>"
    for term, value in rows:
        yield f"<dt>{escape(term)}</dt><dd>{escape(value)}</dd>"
    yield "</dl>"


def _events(dossier: Dossier) -> Iterator[str]:
    yield '<h2 id="events">The events</h2>'
    rows = []
    for event in dossier.events:
        whose = "" if event.seat is None else _who(dossier, event.seat)
        undone = "undone" if event.undone is True else ""
        who = "\n".join(filter(None, (whose, event.by, undone)))
        lost = event.undisclosed is True
        nothing = "This is not open to this reader." if lost else "Nothing is said of this event."
        said = "\n".join(event.said) or nothing
        rows.append((str(event.n), who, said, event.head[:12]))
    yield from table_rows("As this reader was told them", ("Event", "Whose", "Said", "Head"), rows)


def _positions(dossier: Dossier) -> Iterator[str]:
    if dossier.positions:
        yield '<h2 id="positions">What was known at that time</h2>'
    for one in dossier.positions:
        yield from _position(dossier, one)


def _position(dossier: Dossier, one: SeenPosition) -> Iterator[str]:
    had = one.delivered
    title = f"{_who(dossier, one.seat)}, after event {one.after}"
    said = [
        f"asked: {one.asked}" if one.asked else "asked nothing",
        f"{len(had.opened)} secrets told to it",
        f"deals it could read: {', '.join(had.deals) or 'none'}",
        f"lines of talk below that it had heard: {', '.join(map(str, had.lines)) or 'none'}",
    ]
    yield f"<details><summary>{escape(title)}</summary>"
    yield f"<p>{escape('; '.join(said))}.</p>"
    label = escape(f"The table as {title} saw it", quote=True)
    yield f'<pre tabindex="0" role="region" aria-label="{label}">{escape(one.drawn)}</pre>'
    yield "</details>"


def _deals(dossier: Dossier) -> Iterator[str]:
    if dossier.deals:
        yield '<h2 id="deals">Deals</h2>'
        heads = ("Deal", "Parties", "State", "Steps", "Words and promises")
        rows = [_deal(dossier, deal) for deal in dossier.deals]
        yield from table_rows("With the verdict on each promise", heads, rows)


def _deal(dossier: Dossier, deal: SeenDeal) -> tuple[str, ...]:
    parts = [deal.text] if deal.text else []
    if deal.promises is None:
        parts.append("Its terms are between its parties.")
    parts += [_promise(one) for one in deal.promises or ()]
    return (
        deal.id,
        "\n".join(_who(dossier, seat) for seat in deal.parties),
        deal.status + ("" if deal.undone_by is None else f", undone by event {deal.undone_by}"),
        "\n".join(f"{one.what} with event {one.n}" for one in deal.steps),
        "\n".join(parts),
    )


def _promise(one: SeenPromise) -> str:
    where = f" at event {one.at}" if one.at else ""
    why = f" ({one.why})" if one.why else ""
    facts = ", ".join(f"{fact.fact['type']} in event {fact.n}" for fact in one.facts)
    shown = f" [{facts}]" if facts else ""
    return f"{one.words}: {one.verdict or 'not agreed'}{where}{why}{shown}"


def _conflicts(dossier: Dossier) -> Iterator[str]:
    if dossier.conflicts:
        yield '<h2 id="conflicts">Conflicts</h2>'
    for conflict in dossier.conflicts:
        yield from _sides(conflict)
    if dossier.counted:
        yield '<h2 id="counted">Counted again</h2>'
    for number, counted in enumerate(dossier.counted, 1):
        yield from conflict_section(number, counted)


def _sides(conflict: Conflict) -> Iterator[str]:
    rows = [
        (side.name, str(part.n), part.name, f"{part.value:+}", part.cell or "", part.rule)
        for side in conflict.sides
        for part in side.parts
    ]
    heads = ("Side", "Event", "What", "Value", "Where", "Rule")
    where = f"{conflict.label}, events {conflict.first} to {conflict.last}. {conflict.outcome}"
    yield from table_rows(where.strip(), heads, rows)


def _rules(dossier: Dossier) -> Iterator[str]:
    yield '<h2 id="rules">Rules</h2>'
    rows = [(one.rule, one.text, one.chapter) for one in dossier.rules]
    if rows:
        yield from table_rows("By which the range came about", ("Rule", "Says", "Chapter"), rows)
    else:
        yield "<p>No rule of the game was asked in these events.</p>"
    if dossier.readings:
        heads = ("Reading", "In force", "Printed", "Rule", "Why")
        read = [
            (one.id, str(one.value), str(one.printed), one.rule, one.why)
            for one in dossier.readings
        ]
        yield from table_rows("Readings", heads, read)


def _talk(dossier: Dossier) -> Iterator[str]:
    yield '<h2 id="talk">Talk</h2>'
    given = ", ".join(_who(dossier, seat) for seat in dossier.consents) or "nobody"
    yield f"<p>Private talk may be shown by consent of: {escape(given)}.</p>"
    if dossier.talk:
        rows = [_line(dossier, line) for line in dossier.talk]
        yield from table_rows("What was said", ("Line", "At event", "Who", "To", "Words"), rows)


def _line(dossier: Dossier, line: DossierMessage) -> tuple[str, ...]:
    to = "everybody" if line.to is None else ", ".join(_who(dossier, seat) for seat in line.to)
    said = "It was taken down." if line.hidden else line.text
    return str(line.number), str(line.version), _who(dossier, line.seat), to, said
