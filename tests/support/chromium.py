"""Opens pages in Debian's Chromium for tests."""

from collections.abc import Iterator
from shutil import which
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = which("chromium")


def opened(**options: Any) -> Iterator["Page"]:
    """Yields a page to a fixture and closes it afterwards; without a browser, the tests are skipped."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Debian's package chromium is not installed")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium.new_page(**options)
        chromium.close()
