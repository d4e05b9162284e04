"""Debian's Chromium for tests that open pages."""

from collections.abc import Iterator
from shutil import which
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = which("chromium")


def opened(**options: Any) -> Iterator["Page"]:
    """A page for a fixture to yield, closed behind it; where there is no browser, its tests are skipped."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Debian's package chromium is not installed")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium.new_page(**options)
        chromium.close()
