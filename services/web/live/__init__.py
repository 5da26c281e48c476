"""Live events: sends what happens in a match to its viewers, by Server-Sent Events.

    places.py   limits on the number of viewers
    stream.py   the events of a match for one viewer, from any number on

In services/feeds/hub.py one thread reads the feeds and wakes a match's listeners.

An event's number is its id in the stream, so a browser that reconnects continues where it
was. Each viewer occupies a thread. When all are taken, a viewer is asked to poll instead.
"""

from __future__ import annotations

from flask import Flask

from services.run.settings import Settings, read_settings


def create_app(settings: Settings | None = None) -> Flask:
    """Makes the same application for its own process, whose threads serve viewers alone."""
    from services.web import create_app as whole_app

    return whole_app(read_settings() if settings is None else settings)
