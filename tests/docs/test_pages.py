"""Runs the pages of start and how-to from top to bottom, each in its own folder with the models that ship here.

`PAGES=write python -m pytest tests/docs` writes the commands' outputs into the pages anew.
"""

import importlib.util
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.commands import MODELS, ROOT
from support.plugin import plugin_folder

from docs import pages
from tosa_converter.cli.app import parse

START_AND_HOW_TO = sorted([ROOT / "README.md", *pages.DOCS.glob("start/*.md"), *pages.DOCS.glob("how-to/*.md")])
PACKAGES = {
    "litert": "ai_edge_litert",
    "vela": "ethosu",
    "iree": "iree.compiler",
    "vgf": "vgfpy",
    "report": "jinja2",
    "vulkan": "scenario_runner_py",
    "media": "PIL",
    "quantizer": "ai_edge_quantizer",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a reader's folder with the repository's models; the plug-in of pytest is installed."""
    place = tmp_path / "reader"
    place.mkdir()
    (place / "models").symlink_to(MODELS)
    monkeypatch.setenv("PYTHONPATH", str(plugin_folder(tmp_path / "packages")))
    monkeypatch.chdir(place)
    return place


def is_installed(needs: str) -> bool:
    try:
        return importlib.util.find_spec(PACKAGES[needs]) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("page", START_AND_HOW_TO, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_page_runs(page: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    outputs: dict[pages.Step, str] = {}
    for block in runnable(page):
        if block.language == "python":
            pages.run_python(block, page, names)
            assert pages.unshown(block, capsys.readouterr().out) == []
            continue
        for step in pages.steps(block):
            outputs[step] = pages.run_command(step.command, folder)
    if os.environ.get("PAGES") == "write":
        pages.rewrite(page, outputs)
        return
    for step, output in outputs.items():
        assert pages.matches(step.output, output), f"$ {step.command}\n{output}"


def runnable(page: Path) -> Iterator[pages.Block]:
    """Yields the blocks that run; skips the test if a package that one needs is missing."""
    for block in pages.blocks(page):
        needs = "litert" if block.language == "python" and not block.needs else block.needs
        if block.language in ("console", "python"):
            if needs and not is_installed(needs):
                pytest.skip(f"line {block.line} needs {PACKAGES[needs]}, which isn't installed")
            yield block


@pytest.mark.parametrize("page", START_AND_HOW_TO, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_blocks_that_are_not_run_install_or_parse(page: Path) -> None:
    for block in pages.blocks(page):
        for line in block.text.splitlines() if block.language == "sh" else ():
            if line.startswith("tflite-to-tosa"):
                assert callable(parse(shlex.split(line, comments=True)[1:])), line
            else:
                assert line.startswith(("pip install", "sudo apt-get", "python -m venv", "git clone")), line
