"""`hegemon enter FILE`: enters a match from a real table, line by line.

The whole file is first entered into a trial store. At a line that cannot be entered it stops,
prints the line's number and the lines that would be legal, and has written nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from ledger.games import ruleset
from ledger.kernel.audience import view_decision
from ledger.kernel.chance import Draw, Uncover
from ledger.kernel.records import CHANCE, Decision
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import PRINTED
from ledger.log.format.acts import Origin
from ledger.log.format.bodies import Submitter
from ledger.log.format.secrets import KEPT_AS
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from services.cli.support.exits import REFUSED, Failure, UnreadableInput
from services.cli.support.output import Progress, printable, say, show
from services.cli.support.params import NAME_MAX, as_json_option
from services.cli.support.sources import around, journal_of
from services.cli.support.words import decision_of, format_decision, pairs, seat_of
from services.matches.trial import Trial

from .matches import plan_of, seat_names

BYTES_MAX: Final = 4_000_000
LINES_MAX: Final = 100_000
OPTIONS_SHOWN: Final = 12
REFEREE: Final = Submitter(role="referee")

Line = tuple[int, list[str]]


class WrongLine(Failure):
    """A line that cannot be entered: its number, the reason, and the legal lines."""

    exit_code = REFUSED

    def __init__(self, message: str, listing: list[str]) -> None:
        super().__init__(message)
        self._listing = listing

    def show(self, file: Any = None) -> None:
        """Prints the reason, then one line for each legal choice."""
        say(self.message)
        for line in self._listing:
            click.echo(f"  {printable(line)}", err=True)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--check", is_flag=True, help="Only check whether every line can be entered.")
@as_json_option
def enter(file: str, check: bool) -> None:
    r"""Enter a match of a real table from a file.

    The file has decisions, dice and cards, one per line:

    \b
        # what follows a # is a comment
        match tictactoe seats=2 begin.first=rolled
        players Ann Bob
        chance begin 2
        1 play.mark cell=4
        0 mark cell=0

    The first line names the match: `match RULESET [seats=N] [edition=NAME] [OPTION=VALUE]...`
    makes a new one, `continue MATCH` goes on with one of the store. `chance ADDRESS VALUE...`
    enters dice or cards, `SEAT TYPE [FIELD=VALUE]...` a seat's decision. Everything is tried
    first: if a line is wrong, nothing is written.

    \b
        hegemon enter table.txt --check
    """
    lines = read_lines(file)
    world, trial = around(), Trial()
    with Progress("lines tried", len(lines)) as progress:
        sheet = Sheet(replace(world, store=trial), trial)
        _enter(file, lines, sheet, progress)
    journal = sheet.journal
    assert journal is not None, "a sheet of at least one line opens a match"
    said: dict[str, Any] = {
        "match": None if check else journal.match_id,
        "lines": len(lines),
        "events": journal.history.tip.version,
        "written": not check,
    }
    if check:
        show(said, f"{file}: {len(lines)} lines can be entered")
        return
    trial.write_to(world.store)
    show(said, journal.match_id)


def read_lines(file: str) -> list[Line]:
    """Returns the words of each line that is not empty or a comment, with line numbers."""
    path = Path(file)
    if path.stat().st_size > BYTES_MAX:
        message = f"{file} has more than {BYTES_MAX:,} bytes: too many for a match"
        raise UnreadableInput(message)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as reason:
        message = f"{file} is not UTF-8 text: byte {reason.start} is invalid"
        raise UnreadableInput(message) from None
    # Only what an editor takes for the end of a line, so that the numbers are the editor's.
    numbered = enumerate(text.split("\n"), 1)
    found = [(number, line.partition("#")[0].split()) for number, line in numbered]
    lines = [(number, words) for number, words in found if words]
    if len(lines) > LINES_MAX:
        raise UnreadableInput(f"{file} has more than {LINES_MAX:,} lines")
    if not lines:
        message = f"{file} has no lines to enter (`hegemon enter --help` shows an example)"
        raise UnreadableInput(message)
    return lines


def _enter(file: str, lines: list[Line], sheet: Sheet, progress: Callable[[int], None]) -> None:
    for count, (number, words) in enumerate(lines, 1):
        try:
            sheet.take(words)
            if count == len(lines):
                sheet.begin()
        except Refused as refusal:
            listing = [] if sheet.journal is None else could_stand(sheet.journal)
            raise WrongLine(f"{file}:{number}: {refusal.sentence()}", listing) from None
        progress(count)


class Sheet:
    """A score sheet: takes lines one by one and holds the match they make."""

    def __init__(self, world: Surroundings, trial: Trial) -> None:
        self._world = world
        self._trial = trial
        self._plan: Plan | None = None
        self._names: list[str] = []
        self.journal: Journal | None = None

    def take(self, words: list[str]) -> None:
        heads = {"match": self._take_match, "continue": self._take_match, "players": self._seat}
        if words[0] in heads:
            heads[words[0]](words)
            return
        journal = self.begin()
        seat, decision = _entry(journal, words)
        journal.decide(seat, decision, REFEREE)

    def _take_match(self, words: list[str]) -> None:
        if self._plan is not None or self.journal is not None:
            raise Refused("bad_value", "", "Only the first line may name the match.")
        if words[0] == "match":
            self._plan = plan_in(words[1:])
        else:
            self.journal = self._continued(words[1:])

    def _seat(self, words: list[str]) -> None:
        if self._names or self._plan is None or self.journal is not None:
            raise Refused("bad_value", "", "Name the players once, on the line after `match`.")
        if any(len(name) > NAME_MAX or not name.isprintable() for name in words[1:]):
            message = f"A name has at most {NAME_MAX} printable letters."
            raise Refused("bad_value", "", message)
        self._names = seat_names(words[1:], self._plan.seats)

    def begin(self) -> Journal:
        """Returns the match's journal, and begins the match if necessary."""
        if self.journal is not None:
            return self.journal
        if self._plan is None:
            message = "The file must first name the match: `match RULESET ...` or `continue ID`."
            raise Refused("no_such_match", "", message)
        journal = Journal.create(self._world, self._plan, REFEREE)
        for seat, name in enumerate(self._names or seat_names([], self._plan.seats)):
            journal.join(seat, name, REFEREE)
        journal.start(REFEREE)
        self.journal = journal
        return journal

    def _continued(self, words: list[str]) -> Journal:
        if len(words) != 1:
            raise Refused("no_such_match", "", "Name the match: `continue MATCH`.")
        real = journal_of(words[0])  # refuses what cannot be written to
        self._trial.borrow(words[0], real.around.store)
        assert self._trial.kept(words[0], KEPT_AS) is not None, "a match written here has secrets"
        return Journal(self._world, words[0])


def plan_in(words: list[str]) -> Plan:
    rules = ruleset(words[0] if words else "")
    given = pairs(words[1:], "bad_value")
    seats = given.pop("seats", str(rules.seats.start))
    if not (seats.isascii() and seats.isdecimal() and len(seats) < 4):
        raise Refused("bad_seats", "", "A seat is a number.", {"seats": seats[:80]})
    edition = given.pop("edition", PRINTED)
    rules.errata_of(edition)  # refuses one that there is not
    plan = plan_of(
        rules.name,
        seats=int(seats),
        edition=edition,
        option_words=[f"{name}={value}" for name, value in given.items()],
    )
    return replace(plan, origin=Origin(kind="entered"), entered=True)


def _entry(journal: Journal, words: list[str]) -> tuple[int, Decision]:
    if words[0] == "chance":
        return CHANCE, _fallen(journal, words[1:])
    if len(words) < 2:
        message = "Write a decision as SEAT TYPE FIELD=VALUE..."
        raise Refused("malformed_decision", "", message, {"given": words[0][:80]})
    return seat_of(words[0]), decision_of(journal.history.rules, words[1], words[2:])


def _fallen(journal: Journal, words: list[str]) -> Decision:
    """Turns typed dice or cards into the answer to the open question of chance."""
    match = journal.match()
    question = match.chance()
    if question is None:
        raise Refused("not_asked", "", "The rules do not ask for dice or cards here.")
    address = question.address(match.state)
    if not words or words[0] != address:
        evidence = {"given": " ".join(words[:1])[:80], "asked": address}
        raise Refused("wrong_address", "", "The rules ask for chance at another address.", evidence)
    wish = question.wish(match.state)
    if isinstance(wish, Draw | Uncover):
        epoch = journal.history.lines.epoch(journal.history.tip.version)
        return wish.answered(tuple(words[1:]), epoch)
    return decision_of(journal.history.rules, "chance.rolled", [f"values={','.join(words[1:])}"])


def could_stand(journal: Journal) -> list[str]:
    """Returns the legal options at this point, as lines of the file."""
    match = journal.match()
    question = match.chance()
    could: list[str] = []
    if question is not None:
        address = question.address(match.state)
        could = [f"chance {address} {fallen(one)}" for one in match.options(CHANCE)]
        if not could:
            return [f"the rules ask for the outcome at {address}: {question.wish(match.state)}"]
    else:
        could = [
            f"{seat} {format_decision(view_decision(option, seat, seat))}"
            for seat in match.asked()
            for option in match.options(seat)
        ]
    more = [f"... and {len(could) - OPTIONS_SHOWN} more"] if len(could) > OPTIONS_SHOWN else []
    if not could:
        return ["the match has ended: no seat is asked"]
    return ["possible lines here:", *could[:OPTIONS_SHOWN], *more]


def fallen(answer: Decision) -> str:
    """Returns dice or cards as they are typed."""
    values: tuple[object, ...] = getattr(answer, "values", ()) or getattr(answer, "cards", ())
    return " ".join(str(value) for value in values)


COMMANDS = (enter,)
