"""Starting Python again from a test: it must see the packages that the test sees."""

from __future__ import annotations

import os
import sys

from services.run.settings import ROOT


def surroundings(**more: str) -> dict[str, str]:
    """The environment of a Python that imports what this one imports."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), **more}
