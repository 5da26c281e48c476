"""Live: what happens in a match, told to whoever looks on, as it happens (Server-Sent Events).

    hub.py      one thread reads what is written; whoever listens to a match is woken
    places.py   who may take a place, and how many
    stream.py   the events of a match for one viewer, from any number on

The number of an event is its id there, so a browser that lost its connection goes on where it was.
Each viewer takes a thread; beyond what there are, one is told to ask again and again instead.
"""

from __future__ import annotations

from flask import Flask

from services.run.settings import Settings, read_settings


def create_app(settings: Settings | None = None) -> Flask:
    """A process of its own for viewers: the same application, with threads for them alone."""
    from services.web import create_app as whole_app

    return whole_app(read_settings() if settings is None else settings)
