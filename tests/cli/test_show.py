"""`show`: what is refused, and Model Explorer in a browser with a model beside its conversion."""

import contextlib
import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support import chromium
from support.commands import COMMAND, INT8, command, restore_interrupts, unwrapped

import tosa_converter as tc

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "model_explorer", None)
    for words in (("show", INT8), ("show", INT8, "--adapters")):
        assert command(*words) == 2
        assert "show needs an optional package: pip install '.[show]'" in unwrapped(capsys.readouterr().err)


def test_options_that_exclude_each_other(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert command("show", INT8, "--data", "x.json", "--svg", tmp_path / "x.svg") == 2
    assert "--data can't be used together with --svg" in unwrapped(capsys.readouterr().err)
    for words in ((), ("--adapters",)):
        assert command("show", tmp_path / "none.tflite", *words) == 2
        assert "none.tflite: No such file" in unwrapped(capsys.readouterr().err)
    (tmp_path / "other.json").write_text('{"operators": [], "layers": []}')
    assert command("show", INT8, "--data", tmp_path / "other.json") == 2
    assert "it has no operator of digits_int8.tflite" in unwrapped(capsys.readouterr().err)


def test_two_models_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tc.save(tc.convert(INT8), tmp_path / "m.tosa")
    assert command("show", INT8, tmp_path / "m.tosa", "--svg", tmp_path / "m.svg") == 0
    size = (tmp_path / "m.svg").stat().st_size
    assert capsys.readouterr().out == f"{INT8} and {tmp_path / 'm.tosa'} -> {tmp_path / 'm.svg'}: {size} bytes\n"


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("model_explorer", reason="the extra show is not installed")
    with socket.create_server(("localhost", 0)) as taken:
        port = taken.getsockname()[1]
        assert command("show", INT8, "--no-open", "--port", port) == 2
    assert f"port {port} is in use" in unwrapped(capsys.readouterr().err)


# ** in a browser **


@contextlib.contextmanager
def served(*words: object) -> Iterator[str]:
    """The address at which the command serves; an interrupt ends it."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    line = [*COMMAND, "show", *map(str, words), "--no-open", "--port", str(port)]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env=environment, preexec_fn=restore_interrupts)
    assert process.stdout is not None
    try:
        yield next(text.strip() for text in process.stdout if text.startswith(f"http://localhost:{port}/"))
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 0


@pytest.fixture(scope="module")
def browser() -> Iterator["Page"]:
    if importlib.util.find_spec("model_explorer") is None:
        pytest.skip("the extra show is not installed")
    yield from chromium.opened(viewport={"width": 1600, "height": 900})


def select(page: "Page", pane: int, node: str) -> None:
    """Have a node moved into the middle of its pane, which takes a moment, and click on it."""
    search = page.get_by_placeholder("Search nodes").nth(pane)
    search.fill(f"^{re.escape(node)}$")
    page.locator(".search-results-container").get_by_text(node, exact=True).click()
    search.fill("")
    page.wait_for_timeout(1500)
    page.locator("webgl-renderer").nth(pane).click()


def test_a_source_beside_its_result(browser: "Page", tmp_path: Path) -> None:
    wrong: list[str] = []
    browser.on("pageerror", lambda error: wrong.append(str(error)))
    tc.save(tc.convert(INT8), tmp_path / "m.tosa")
    (tmp_path / "layers.json").write_text(json.dumps(tc.verify(str(INT8), layers=True).figures()))
    with served(INT8, tmp_path / "m.tosa", "--data", tmp_path / "layers.json") as address:
        browser.goto(address)
        left, right = browser.locator("info-panel").nth(0), browser.locator("info-panel").nth(1)
        right.get_by_text("error, 1 is what its clause allows").first.wait_for()
        left.get_by_text("largest difference").first.wait_for()
        select(browser, 0, "depthwise_conv_2d")
        right.get_by_text("Layer info").wait_for()
        assert right.inner_text().split()[3:6] == ["name", "main:1", "DEPTHWISE_CONV_2D"]
        select(browser, 1, "max_pool2d")
        left.get_by_text("main:4 MAX_POOL_2D").first.wait_for(state="attached")
        assert left.inner_text().split()[3:6] == ["op", "name", "max_pool_2d"]
    assert wrong == []


@pytest.mark.parametrize("ending", [".tosa", ".vgf", ".spv"])
def test_adapters_in_the_page(browser: "Page", tmp_path: Path, ending: str) -> None:
    if ending != ".spv" and sys.version_info >= (3, 13):
        pytest.skip(f"Arm has no adapter of {ending} for this Python")
    tc.save(tc.convert(INT8), tmp_path / f"m{ending}")
    with served(tmp_path / f"m{ending}", "--adapters") as address:
        browser.goto(address)
        browser.get_by_text("op node count").first.wait_for()
        assert int(browser.locator("info-panel").inner_text().split("op node count")[1].split()[0]) >= 54
