"""Looking at a page with axe-core."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
GRAVE = ("serious", "critical")


@cache
def _source() -> str:
    return AXE.read_text()


def axe(page: Page, within: str = "") -> None:
    """Fail where axe-core finds a serious or critical violation."""
    # The policy of our pages lets no script in from here; what is evaluated is not asked.
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    found: dict[str, Any] = page.evaluate(
        """([within, tags]) => axe.run(within || document, {
            runOnly: { type: "tag", values: tags },
            resultTypes: ["violations"],
        })""",
        [within, list(TAGS)],
    )
    grave = [
        f"{one['id']} ({one['impact']}): {one['help']}: {node['html'][:200]} | "
        f"{' '.join(check['message'] for check in node['any'] + node['all'])[:300]}"
        for one in found["violations"]
        if one["impact"] in GRAVE
        for node in one["nodes"][:5]
    ]
    assert grave == [], f"{page.url}:\n" + "\n".join(grave)
