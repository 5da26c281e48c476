"""What takes seconds to make is counted for who asks, each time that it is not there yet."""

from __future__ import annotations

from flask import current_app


def count_making() -> None:
    """Count that something is made; refuses who has had too much made within a minute."""
    counted = current_app.extensions.get("making")  # there is none where nothing is limited
    if counted is not None:
        counted()
