"""Code of others is in the tree unchanged."""

import hashlib
import re
from pathlib import Path

VENDOR = Path(__file__).parents[2] / "services" / "web" / "static" / "vendor"


def test_each_vendored_file_is_the_one_its_table_names():
    told = dict(re.findall(r"^\| `([^`]+)` .* `([0-9a-f]{64})` \|$", _table(), re.MULTILINE))
    found = {path.name for path in VENDOR.iterdir()} - {"README.md", "LICENSES.txt"}
    assert set(told) == found
    for name, digest in told.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest, name


def _table():
    return (VENDOR / "README.md").read_text()
