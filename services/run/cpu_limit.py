"""Time limits: the process that folds stops a rule that neither yields nor ends."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Final

RING_AGAIN_S: Final = 5.0


class OutOfTime(BaseException):
    """The time is up. A BaseException, so no rule or library handles it as its own failure."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"stopped after {seconds:g} s")
        self.seconds = seconds


def time_limit(seconds: float) -> AbstractContextManager[None]:
    """Stops the block after so many seconds. Works in a process's main thread only."""
    return _limit(seconds, signal.SIGALRM, signal.ITIMER_REAL)


def work_limit(seconds: float) -> AbstractContextManager[None]:
    """Stops the block after so many seconds of CPU time, however busy the machine is."""
    return _limit(seconds, signal.SIGPROF, signal.ITIMER_PROF)


@contextmanager
def _limit(seconds: float, number: signal.Signals, timer: int) -> Iterator[None]:
    assert threading.current_thread() is threading.main_thread(), "signals reach the main thread"

    # It rings again and again: an exception out of a signal is lost where Python cannot pass it on,
    # as in a finalizer.
    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise OutOfTime(seconds)

    before = signal.signal(number, stop)
    signal.setitimer(timer, seconds, RING_AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)
