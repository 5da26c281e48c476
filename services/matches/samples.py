r"""Sample matches, available from the first start, so that there is something to look at.

The flagship's sample, which is shown first, comes with the program: four greedy bots would
take too long to play it. If its rules have changed, make it again:

    hegemon play hegemonic --seats 4 --bots greedy --seed 3 \
        --title "Sample match: Hegemonic" --out services/samples/hegemonic.bundle

The other is played by two bots on the spot: it has a die, stakes and sealed decisions.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Final

from ledger.games import ruleset
from ledger.kernel.records import Seat
from ledger.log.format.bodies import Submitter, read_body
from ledger.log.format.secrets import KEPT_AS
from ledger.log.read.bundle import Header, read_history, read_records
from ledger.log.read.history import History
from ledger.log.stores.protocol import Store, Unavailable
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from services.matches.play import play_on, surroundings
from services.matches.trial import put

BOTS: Final[dict[Seat, str]] = {0: "greedy", 1: "random"}
PLAN: Final = Plan(
    ruleset="tictactoe",
    seats=2,
    # A die, two sealed decisions and transfers: more of what a log can hold than a plain match.
    options=(("begin.first", "rolled"), ("begin.stake", 2), ("opening", "sealed")),
    title="Sample match",
)
MAKER: Final = Submitter(role="service", name="sample")  # by this event 1 is known again
_NAME_BYTES_MAX: Final = 64
FLAGSHIP: Final = Path(__file__).parents[1] / "samples" / "hegemonic.bundle"


def ensure_samples(store: Store, data_dir: Path) -> None:
    """Puts both sample matches into a store, if they are not there."""
    ensure_sample(store, data_dir)
    ensure_flagship(store)


def ensure_flagship(store: Store) -> str:
    """Puts the flagship's sample into a store, if missing or incomplete; returns its id."""
    with FLAGSHIP.open("rb") as file:
        put(store, read_history(file, ruleset))
    return flagship_id()


@cache
def flagship_id() -> str:
    with FLAGSHIP.open("rb") as file:
        header = next(read_records(file))
    assert isinstance(header, Header), "the header is first"
    return header.match


def ensure_sample(store: Store, data_dir: Path) -> str:
    """Returns the id of the finished sample match; plays it if there is none.

    The data folder remembers its id. An interrupted start leaves a match that the next start
    plays to its end.
    """
    around = surroundings(store)
    known = sample_id(data_dir)
    history = (_sample(around, known) if known else None) or _search_sample(around)
    if history is None:
        history = Journal.create(around, PLAN, MAKER).history
    _remember(data_dir, history.match)
    if not history.life.closed:
        _finish(Journal(around, history.match))
    return history.match


def sample_id(data_dir: Path) -> str | None:
    """Returns the remembered id of the sample match. Does not trust the file's content."""
    try:
        with _note(data_dir).open("rb") as file:
            text = file.read(_NAME_BYTES_MAX).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return text if text.isalnum() and text.islower() else None


def _note(data_dir: Path) -> Path:
    return data_dir / "sample"


def _search_sample(around: Surroundings) -> History | None:
    """Finds a sample match made before ids were remembered."""
    found = (_sample(around, match) for match in around.store.matches())
    return next((history for history in found if history is not None), None)


def _sample(around: Surroundings, match: str) -> History | None:
    """Returns a match if it is a sample that is complete or can be played on."""
    try:
        first = list(around.store.events(match, 1, 1))
        if not first or read_body(first[0].body).by != MAKER:
            return None
        history = History.of(around.store, match, around.rules_of)
    except Unavailable:
        raise
    except Exception:  # noqa: BLE001 - a log that cannot be read is not the sample, whatever ails it
        return None
    playable = not history.life.abandoned and around.store.kept(match, KEPT_AS) is not None
    return history if history.life.closed or playable else None


def _remember(data_dir: Path, match: str) -> None:
    if sample_id(data_dir) == match:
        return
    data_dir.mkdir(parents=True, exist_ok=True)
    unfinished = data_dir / f"sample.{os.getpid()}.tmp"
    unfinished.write_text(f"{match}\n", encoding="ascii")
    unfinished.replace(_note(data_dir))


def _finish(journal: Journal) -> None:
    """Plays the match from its current state to its end."""
    life = journal.history.life
    for seat, name in BOTS.items():
        if seat not in life.joined:
            journal.join(seat, f"{name} bot")
    if not life.started:
        journal.start()
    if life.paused:
        journal.resume(MAKER)
    play_on(journal, BOTS)
    journal.close()
