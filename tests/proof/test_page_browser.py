"""Pages in a browser: their controls, links, widths and colours, and that nothing else than their script runs."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from support import chromium
from support.commands import FLOAT
from support.pages import EVIL, different, hostile

import tosa_converter as tc
from tosa_converter.proof.page import IndexRow, write_index, write_page, write_refusal_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("jinja2", reason="pip install '.[report]'")
pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
# The contrast that WCAG 2 asks for text, by its definition of the luminance of colours.
CONTRAST = 4.5
CONTRASTS = """() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const linear = (c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => [r, g, b].map((c) => linear(c / 255))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const color = channels(getComputedStyle(node).backgroundColor);
      if (color.length < 4 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const result = [];
  for (const node of document.querySelectorAll("main *, header *, footer")) {
    const text = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!text || node.closest("svg") || !node.checkVisibility()) continue;
    const [a, b] = [light(channels(getComputedStyle(node).color)), light(behind(node))];
    result.push([(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), node.outerHTML.slice(0, 100)]);
  }
  return result;
}"""


@pytest.fixture(scope="module")
def verification() -> tc.Verification:
    return tc.verify(FLOAT, layers=True)


@pytest.fixture(scope="module")
def browser() -> Iterator["Page"]:
    yield from chromium.opened()


@pytest.fixture
def opened(browser: "Page") -> Iterator["Page"]:
    """What a page says to the console, such as a breach of its policy, or asks the network for, is an error."""
    wrong: list[str] = []
    asked: list[str] = []
    browser.on("console", lambda message: wrong.append(message.text))
    browser.on("pageerror", lambda error: wrong.append(str(error)))
    browser.on("dialog", lambda dialog: wrong.append(dialog.message))
    browser.on("request", lambda request: asked.append(request.url))
    browser.set_viewport_size({"width": 1280, "height": 800})
    yield browser
    assert wrong == [url for url in asked if not url.startswith("file:")] == []


ROWS = "table[data-sortable] tbody tr"


def test_the_filter(opened: "Page", verification: tc.Verification, tmp_path: Path) -> None:
    """It is on where something differs, and says how many rows it hides."""
    write_page(tmp_path / "out.html", different(verification))
    opened.goto((tmp_path / "out.html").as_uri())
    count = len(verification.operators[0].operators)
    rows, shown = opened.locator(ROWS), opened.locator("output")
    assert opened.locator(f"{ROWS}:visible").count() == opened.locator("tr.guilty[id^=r]:visible").count() == 1
    assert shown.inner_text() == f"1 of {count}; {count - 1} hidden by the filter"
    opened.get_by_role("checkbox").press("Space")
    assert opened.locator(f"{ROWS}:visible").count() == rows.count() == count
    assert shown.inner_text() == f"{count} of {count}"
    opened.get_by_role("searchbox").fill("softmax")
    assert opened.locator(f"{ROWS}:visible").count() == 1


def test_sorting(opened: "Page", verification: tc.Verification, tmp_path: Path) -> None:
    write_page(tmp_path / "out.html", verification)
    opened.goto((tmp_path / "out.html").as_uri())
    rows = opened.locator(ROWS)
    reports = verification.operators[0].operators
    for name, column, numbers in (
        ("source, ms", -2, [(row.source_seconds or 0) * 1e3 for row in reports]),
        ("TOSA, ms", -1, [(row.seconds or 0) * 1e3 for row in reports]),
        ("max |d|", 4, [row.whole.max_abs for row in reports if row.whole]),
        ("differ", 3, [row.whole.mismatches for row in reports if row.whole]),
    ):
        for down in (False, True):
            opened.get_by_role("button", name=name, exact=True).press("Enter")
            values = [float(row.locator("td").nth(column).inner_text().split()[0]) for row in rows.all()]
            assert values == pytest.approx(sorted(numbers, reverse=down), rel=5e-3)
    details = rows.first.locator("details").first
    details.locator("summary").press("Enter")
    assert details.get_attribute("open") is not None


def test_links_between_verdict_graph_chart_and_rows(
    opened: "Page", verification: tc.Verification, tmp_path: Path
) -> None:
    write_page(tmp_path / "out.html", different(verification))
    opened.goto((tmp_path / "out.html").as_uri())
    opened.locator(".verdict").get_by_role("link", name=re.compile("operator 3")).click()
    assert opened.evaluate("location.hash") == "#r0-3"
    assert opened.locator("#r0-3").is_visible()
    opened.locator("#r0-3").get_by_role("link").first.click()
    assert opened.evaluate("location.hash") == "#n0-3"
    opened.locator("#n0-5").click()  # its row is one that the filter hides
    assert opened.evaluate("location.hash") == "#r0-5"
    assert opened.locator("#r0-5").is_visible()
    opened.locator(".point[href='#r0-3']").click()
    assert opened.evaluate("location.hash") == "#r0-3"
    assert "differs by itself" in (opened.locator(".point[href='#r0-3'] title").text_content() or "")


def test_the_graph_zooms_and_moves(opened: "Page", verification: tc.Verification, tmp_path: Path) -> None:
    write_page(tmp_path / "out.html", verification)
    opened.goto((tmp_path / "out.html").as_uri())
    view, drawing = opened.locator(".viewport").first, opened.locator(".viewport svg").first
    width = drawing.bounding_box()["width"]  # type: ignore[index]  # it is visible
    opened.get_by_role("button", name="Zoom in").click()
    assert drawing.bounding_box()["width"] == pytest.approx(1.25 * width, rel=0.01)  # type: ignore[index]
    opened.get_by_role("button", name="Fit").click()
    fit = drawing.bounding_box()
    frame = view.bounding_box()
    assert fit is not None
    assert frame is not None
    assert fit["height"] <= frame["height"]
    opened.get_by_role("button", name="Zoom in").click(click_count=8)
    before = view.evaluate("view => view.scrollTop")
    opened.mouse.move(frame["x"] + 20, frame["y"] + 200)
    opened.mouse.down()
    opened.mouse.move(frame["x"] + 20, frame["y"] + 120, steps=4)
    opened.mouse.up()
    assert view.evaluate("view => view.scrollTop") == pytest.approx(before + 80, abs=1)
    assert opened.evaluate("location.hash") == ""


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("width", [375, 1280])
def test_pages_fit_and_can_be_read(
    opened: "Page", verification: tc.Verification, tmp_path: Path, width: int, scheme: str
) -> None:
    """Nothing is wider than the window, the heading doesn't touch the verdict, and text stands out from its ground."""
    write_page(tmp_path / "equal.html", verification)
    write_page(tmp_path / "different.html", hostile())
    lines = ["no", "tosa.add at main:0 ADD 'x': bad", "tosa.add at main:1 ADD 'y': bad", "next: do that"]
    write_refusal_page(tmp_path / "refused.html", f"m{EVIL}.tflite", lines, options={"--target": "ethos-u85"})
    row = IndexRow(EVIL, "int8", f"refused; {EVIL}", False, page="a.html")
    write_index(tmp_path / "index.html", [row, IndexRow("m", "int8", "equal", True, 0, 9, 0.5, "PRO-INT", 0.5, "b")])
    opened.set_viewport_size({"width": width, "height": 800})
    opened.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for name in ("equal", "different", "refused", "index"):
        opened.goto((tmp_path / f"{name}.html").as_uri())
        assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        heading, banner = opened.locator("header").bounding_box(), opened.locator(".verdict").bounding_box()
        assert heading is not None
        assert banner is not None
        assert banner["y"] >= heading["y"] + heading["height"] + 8
        low = [(ratio, text) for ratio, text in opened.evaluate(CONTRASTS) if ratio < CONTRAST]
        assert low == [], name
    for text in ("equal", "0 of 9", "0.5"):
        opened.get_by_role("checkbox").set_checked(False)
        assert opened.get_by_text(text, exact=False).first.is_visible()
    before = opened.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (before == "rgb(255, 255, 255)") == (scheme == "light")
    opened.get_by_role("button", name="Dark or light").click()
    assert opened.evaluate("getComputedStyle(document.body).backgroundColor") != before


def test_no_other_script_or_style_runs(browser: "Page", tmp_path: Path) -> None:
    """Markup that got into a page somehow would have no effect: the policy has the hash of its script and style."""
    write_page(tmp_path / "out.html", hostile())
    text = (tmp_path / "out.html").read_text("utf-8")
    breach = "<p id='breach' onclick='alert(3)'>b</p><script>document.title = 'breach'</script>"
    (tmp_path / "out.html").write_text(
        text.replace("<main>", f"<main>{breach}<style>p {{ color: red }}</style>"), "utf-8"
    )
    messages: list[str] = []
    browser.on("console", lambda message: messages.append(message.text))
    browser.goto((tmp_path / "out.html").as_uri())
    browser.locator("#breach").click()
    assert "breach" not in browser.title()
    assert browser.evaluate("getComputedStyle(document.querySelector('#breach')).color") != "rgb(255, 0, 0)"
    assert len(messages) == 3
    assert all("Content Security Policy" in message for message in messages)


def test_an_index(opened: "Page", tmp_path: Path) -> None:
    rows = [IndexRow(f"m{i}", "int8", "equal", i != 2, i, 10, i / 7, "PRO-INT", 0.5, f"m {i}.html") for i in range(4)]
    write_index(tmp_path / "index.html", [*rows, IndexRow(EVIL, "", "refused", True, 0, 0, 0.0, "", 0.0)])
    for row in rows:
        (tmp_path / row.page).write_text(row.name)
    opened.goto((tmp_path / "index.html").as_uri())
    assert opened.locator(".verdict").inner_text().splitlines()[::2] == [
        "FAIL 4 of 5 as expected",
        "4 equal, 1 refused",
    ]
    assert opened.locator("tbody tr:visible").count() == 1
    opened.get_by_role("checkbox").uncheck()
    assert opened.locator("tbody tr:visible").count() == 5
    assert opened.locator("tbody tr").last.locator("td").nth(3).inner_text() == "not compared"
    opened.get_by_role("link", name="m2").click()
    assert opened.locator("body").inner_text() == "m2"


def test_numbers_beyond_all_are_sorted(opened: "Page", verification: tc.Verification, tmp_path: Path) -> None:
    """The operator that gives NaN is the last one by its difference, the first by its SQNR, wherever it stands."""
    (layers,) = verification.operators
    rows = list(layers.operators)
    for i in (2, 5):
        whole = rows[i].whole
        assert whole is not None
        rows[i] = replace(rows[i], whole=replace(whole, max_abs=np.inf, sqnr_db=-np.inf, mismatches=1))
    write_page(tmp_path / "out.html", replace(verification, operators=(replace(layers, operators=tuple(rows)),)))
    opened.goto((tmp_path / "out.html").as_uri())
    numbers = opened.locator(f"{ROWS} td:first-child")
    opened.get_by_role("button", name="max |d|").press("Enter")
    assert numbers.all_inner_texts()[-2:] == ["2", "5"]
    opened.get_by_role("button", name="SQNR, dB").press("Enter")
    assert numbers.all_inner_texts()[:2] == ["2", "5"]
