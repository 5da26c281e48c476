r"""Sample matches: there from the first start, so that there is something to look at.

The flagship's, which is shown first, comes with the program: four greedy bots take longer to play
it than anybody should wait. Where rules have changed, this makes it anew:

    hegemon play hegemonic --seats 4 --bots greedy --seed 3 \
        --title "Sample match: Hegemonic" --out services/samples/hegemonic.bundle

The other one is played by two bots here and now: it has a die, stakes and sealed decisions.
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
from ledger.log.write.journal import Journal, Plan, Surroundings
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
    """Both sample matches are in a store, whatever was there before."""
    ensure_sample(store, data_dir)
    ensure_flagship(store)


def ensure_flagship(store: Store) -> str:
    """The id of the flagship's sample; where it is missing, or half there, it is put in."""
    with FLAGSHIP.open("rb") as file:
        put(store, read_history(file, ruleset))
    return flagship_id()


@cache
def flagship_id() -> str:
    """The id of the flagship's sample."""
    with FLAGSHIP.open("rb") as file:
        header = next(read_records(file))
    assert isinstance(header, Header), "the header is first"
    return header.match


def ensure_sample(store: Store, data_dir: Path) -> str:
    """The id of the finished sample match in a store; it is played where there is none.

    Its id is remembered in the data folder. A start that was interrupted leaves a match that the
    next start plays to its end.
    """
    around = surroundings(store)
    history = _known(around, data_dir) or _found(around)
    if history is None:
        history = Journal.create(around, PLAN, MAKER).history
    _remember(data_dir, history.match)
    if not history.life.closed:
        _finish(Journal(around, history.match))
    return history.match


def sample_id(data_dir: Path) -> str | None:
    """The id under which the sample match was remembered, read without trust in the file."""
    try:
        with _note(data_dir).open("rb") as file:
            text = file.read(_NAME_BYTES_MAX).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return text if text.isalnum() and text.islower() else None


def _note(data_dir: Path) -> Path:
    return data_dir / "sample"


def _known(around: Surroundings, data_dir: Path) -> History | None:
    match = sample_id(data_dir)
    return None if match is None else _sample(around, match)


def _found(around: Surroundings) -> History | None:
    """A sample match that was made before its id could be remembered."""
    found = (_sample(around, match) for match in around.store.matches())
    return next((history for history in found if history is not None), None)


def _sample(around: Surroundings, match: str) -> History | None:
    """A match, if it is a sample that is whole or can be played on."""
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
    """Play on from wherever the match stands."""
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
