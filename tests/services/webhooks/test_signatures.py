"""Secrets and signatures; the examples of the document verify them."""

from __future__ import annotations

import base64
import hmac
import json
import re
import shutil
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ledger.club.webhooks import Secret, Webhook
from services.webhooks.signatures import BadKey, ServiceKey, headers, key_of

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "webhooks.md"
KEY = ServiceKey(b"k" * 32)


def webhook(*secrets: Secret) -> Webhook:
    return Webhook(
        id="w" * 16, person="p", url="https://x/", kinds=(), label="", made=0, since=0,
        secrets=secrets,
    )  # fmt: skip


def test_a_signature_is_over_id_time_and_body():
    hook = webhook(Secret(1, KEY.name))
    said = headers(KEY.signed(hook, 0), "d1", 1_700_000_000, b"{}")
    secret = base64.b64decode(KEY.words(hook).removeprefix("whsec_"))
    by_hand = hmac.digest(secret, b"d1.1700000000.{}", "sha256")
    assert said == {
        "webhook-id": "d1",
        "webhook-timestamp": "1700000000",
        "webhook-signature": "v1," + base64.b64encode(by_hand).decode(),
    }


def test_a_secret_that_was_changed_signs_beside_the_new_one_for_a_while():
    hook = webhook(Secret(2, KEY.name), Secret(1, KEY.name, until=100))
    assert KEY.signed(hook, 99) == [KEY.secret(hook.id, 2), KEY.secret(hook.id, 1)]
    assert KEY.signed(hook, 100) == [KEY.secret(hook.id, 2)]
    assert headers(KEY.signed(hook, 0), "d", 1, b"")["webhook-signature"].count("v1,") == 2


def test_each_webhook_each_secret_and_each_key_has_another():
    keys = (KEY, ServiceKey(b"l" * 32))
    found = {key.secret(one, number) for key in keys for one in "ab" for number in (1, 2)}
    assert len(found) == 8
    assert {len(one) for one in found} == {32}
    assert keys[0].name != keys[1].name


def test_what_another_key_made_is_not_signed():
    assert KEY.signed(webhook(Secret(1, "another")), 0) == []


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path):
    with ThreadPoolExecutor(8) as crowd:
        names = set(crowd.map(lambda _: key_of(tmp_path / "new").name, range(8)))
    assert len(names) == 1
    [path] = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert key_of(tmp_path / "new").name in names
    assert key_of(tmp_path / "new", b"k" * 32).name == KEY.name


@pytest.mark.parametrize("text", ["", "no key", "ab" * 31])
def test_a_file_that_holds_no_key_is_named(tmp_path: Path, text: str):
    (tmp_path / "webhooks.key").write_text(text)
    with pytest.raises(BadKey, match=r"webhooks.key holds no key"):
        key_of(tmp_path)


# --- the document's examples ----------------------------------------------------------------------


def example(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert found is not None
    return found[1]


PYTHON = """
import json, sys
secret, headers, body = json.loads(sys.argv[1])
try:
    verified(secret, headers, body.encode())
    print("ours")
except ValueError as why:
    print(why)
"""
NODE = """
const [secret, headers, body] = JSON.parse(process.argv[2]);
try { verified(secret, headers, body); console.log("ours"); }
catch (why) { console.log(why.message); }
"""
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node runs the example")


@pytest.mark.parametrize("language", ["python", pytest.param("js", marks=needs_node)])
def test_the_examples_believe_what_is_ours_and_nothing_else(tmp_path: Path, language: str):
    path = tmp_path / ("verify.py" if language == "python" else "verify.mjs")
    path.write_text(example(language) + (PYTHON if language == "python" else NODE))
    program = sys.executable if language == "python" else str(shutil.which("node"))

    def says(secret: str, said: dict[str, str], body: str) -> str:
        words = [program, str(path), json.dumps([secret, said, body])]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    hook = webhook(Secret(2, KEY.name), Secret(1, KEY.name, until=1 << 50))
    now, body, words = int(time.time()), '{"kind":"ping"}', KEY.words(hook)
    said = headers(KEY.signed(hook, 0), "d1", now, body.encode())
    assert says(words, said, body) == "ours"
    assert says(KEY.words(webhook(Secret(1, KEY.name))), said, body) == "ours"
    assert says(KEY.words(webhook(Secret(3, KEY.name))), said, body) == "not signed by us"
    assert says(words, said, body + " ") == "not signed by us"
    assert says(words, said | {"webhook-id": "d2"}, body) == "not signed by us"
    later = said | {"webhook-timestamp": str(now + 1)}
    assert says(words, later, body) == "not signed by us"
    for off in (-310, 330):
        old = headers(KEY.signed(hook, 0), "d1", now + off, body.encode())
        assert says(words, old, body) == "too old, or too new"
