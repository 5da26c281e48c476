"""A replay in one file: a page that opens from a disk, loads nothing, and verifies itself.

It holds the document of one viewpoint, the bundle for this viewpoint, the viewer, and the verifier
of docs/verify.mjs. The page's policy names its one script and its one style by their hashes, and
allows nothing else. The same match, viewer and program give the same bytes.

A seal of each event reveals careless changes to the document. A forger who renews the seals can
change sentences and boards undetected: no verifier without rules can check these, and the page
says so.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from html import escape
from string import Template
from typing import Any, Final

import msgspec

from replays.report.html import head_of, source_of

from .inlining import CannotInline, inline_modules
from .structs import Replay, pack_replay

ENTRY: Final = "verify/file.js"
STYLES: Final = ("style.css", "board.css", "replay.css", "verify/file.css")
SEAL_LETTERS: Final = 16  # of a hash in hex
_LEVEL: Final = 9
_NEVER: Final = re.compile(r"@import|url\(|</?style|<!--", re.IGNORECASE)
_BODY: Final = Template("""\
<body class="one-file">
<a class="skip" href="#main">Skip to the content</a>
<header class="masthead"><div class="masthead-inner">
<span class="name"><img src="$mark" alt="" width="32" height="32"><span>Hegemon</span></span>
</div></header>
<main id="main">
<div class="file-head">
<p class="one-file-of"><b>A replay in one file</b> <span class="seen-by">seen by $viewer</span>
<span>edition $edition, $played</span>$fork</p>
<details id="proof" class="proof" data-state="unknown">
<summary><span role="status">Not checked: the script in this file has not run.</span></summary>
<div class="proof-all"></div>
</details>
</div>
<noscript><p class="notice">This replay is drawn and checked by a script in this file, which your
browser does not run.</p></noscript>
<div id="replay">
<header class="match"><h1>$title</h1><p class="aside">$game</p></header>
</div>
</main>
<script type="application/gzip" id="hegemon-replay">$replay</script>
<script type="application/gzip" id="hegemon-bundle">$bundle</script>
<script type="application/gzip" id="hegemon-seals">$seals</script>
<script type="module">$script</script>
</body>
</html>
""")


def single_file(replay: Replay, bundle: bytes, read: Callable[[str], str], fork: str = "") -> bytes:
    """Renders the page; `read` returns the text of one of our files, `fork` names a fork's
    origin.
    """
    script, style = f"\n{inline_modules(ENTRY, read)}\n", f"\n{styles(STYLES, read)}\n"
    mark = base64.b64encode(read("mark.svg").encode()).decode()
    badge = f' <span class="fork-mark">{escape(fork)}</span>' if fork else ""
    document = pack_replay(replay)
    title, icon = escape(replay.title), f"data:image/svg+xml;base64,{mark}"
    link = f'<link rel="icon" href="{icon}">\n'
    head = head_of(f"{title} - a replay of Hegemon", policy(script, style), style, link)
    body = _BODY.substitute(
        title=title,
        game=escape(replay.ruleset.title),
        edition=escape(replay.edition),
        played="as it was played" if replay.played else "not the edition it was played under",
        viewer=escape(viewer_words(replay)),
        fork=badge,
        mark=icon,
        replay=part(document),
        bundle=part(bundle),
        seals=part(msgspec.json.encode(seals(document))),
        script=script,
    )
    return (head + body).encode()


def policy(script: str, style: str) -> str:
    """Returns the page's policy: run its one script, use its one style, show images embedded
    in it.
    """
    return (
        f"default-src 'none'; script-src {source_of(script)}; style-src {source_of(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def styles(names: Sequence[str], read: Callable[[str], str]) -> str:
    """Joins stylesheets; refuses any that would load something."""
    found = []
    for name in names:
        text = read(name)
        if unwanted := _NEVER.search(text):
            raise CannotInline(f"{name}: {unwanted[0]!r} cannot stand in a page of its own")
        found.append(f"/* {name} */\n{text.strip()}")
    return "\n".join(found)


def part(content: bytes) -> str:
    """Compresses content and encodes it as text for the page."""
    return base64.b64encode(gzip.compress(content, _LEVEL, mtime=0)).decode()


def seals(document: bytes) -> dict[str, Any]:
    """Returns the seals of a document: one for each event, and one for the rest."""
    plain: dict[str, Any] = json.loads(document)
    events = plain.pop("events")
    return {"events": [seal(event) for event in events], "rest": seal(plain)}


def seal(value: object) -> str:
    """Returns a hash of a value, over its JSON with sorted keys and no spaces."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:SEAL_LETTERS]


def viewer_words(replay: Replay) -> str:
    if replay.as_ == "all":
        return "all seats"
    if not replay.as_.isdigit():
        return "a spectator"
    seat = replay.seats[int(replay.as_)]
    named = f"{seat.name}, {seat.called}" if seat.called else seat.name
    return f"{named} (seat {replay.as_})"
