"""Writers behind a proxy that breaks their connections; then what they noted is checked."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from .proxy import AFTER, Fault, Faults, Proxy
from .storm import MATCHES, Storm, judged
from .writing import Stop, Writer, store_when_there

WRITERS = 8
PATIENCE = 60.0
CUT_REPLIES: Mapping[Fault, float] = dict.fromkeys(AFTER, 0.15)
EVERYTHING: Mapping[Fault, float] = {
    fault: 0.03 if "DELAY" in fault.name else 0.05 for fault in Fault if fault is not Fault.NONE
}


class Broken(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one run."""

    storm: Storm
    met: dict[str, int]
    cut: int  # replies that were lost


def broken(
    url: str, folder: Path, seed: str, shares: Mapping[Fault, float], *, cuts: int, only: bytes
) -> Broken:
    """Write until so many replies were cut; `only` names the one command that meets faults."""
    began = time.monotonic()
    folder.mkdir(exist_ok=True)
    faults = Faults(seed, shares, commands=(only,) if only else (), delay=0.03)
    with Proxy(url, faults) as proxy:
        stop, failures = Stop(), list[BaseException]()

        def write(number: int) -> None:
            try:
                # Every second one asks once, is told that nobody knows, and asks again itself.
                # It then needs a command id; the others' acts have none.
                patience, acts = (0.0, 0.0) if number % 2 else (PATIENCE, 0.3)
                store = store_when_there(proxy.url, stop, patience)
                path = folder / f"w{number}.notes"
                Writer(store, path, MATCHES[:3], seed, acts).work(stop)
                store.connection.close()
            except BaseException as failure:  # noqa: BLE001 - the test shows it
                failures.append(failure)

        threads = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
        for thread in threads:
            thread.start()
        while sum(proxy.met[fault] for fault in AFTER) < cuts and not failures:
            time.sleep(0.005)
        stop.tell()
        for thread in threads:
            thread.join(PATIENCE)
        met = {fault.value: count for fault, count in sorted(proxy.met.items(), key=str)}
        cut = sum(proxy.met[fault] for fault in AFTER)
    if failures:
        raise failures[0]
    found = judged(url, folder, seed, [])
    seconds = round(time.monotonic() - began, 2)
    return Broken(storm=msgspec.structs.replace(found, seconds=seconds), met=met, cut=cut)
