"""Follows docs/adding.md: each walk changes a copy of the packages, in which the blocks that run must pass."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from support.commands import ROOT
from support.source_modules import FOLDERS

PAGE = ROOT / "docs" / "adding.md"
BLOCK = re.compile(
    r"(?:^(New file `(?P<new>[^`]+)`|Behind `(?P<anchor>[^`]+)` in `(?P<path>[^`]+)`):\n\n)?"
    r"```python\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
TITLES = ("A TFLite operator", "A pattern of several operators", "An element type", "An output format", "An engine")


class Walk(NamedTuple):
    """The edits of a section, (path, anchor, text), where a new file has no anchor; and the code that then runs."""

    edits: list[tuple[str, str, str]]
    code: str


def walks() -> dict[str, Walk]:
    """Returns the walks of the page by their titles."""
    sections = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {section.partition("\n")[0]: walk_of(section) for section in sections}


def walk_of(section: str) -> Walk:
    """Returns the edits and the code of a section."""
    edits, code = [], ""
    for block in BLOCK.finditer(section):
        path = block["new"] or block["path"]
        if path:
            edits.append((path, block["anchor"] or "", block["text"]))
        else:
            code += block["text"]
    return Walk(edits, code)


def copied_packages(folder: Path) -> Path:
    """Copies the four packages as they are installed."""
    for source in sorted(FOLDERS, key=lambda source: FOLDERS[source]):
        place = folder / FOLDERS[source].replace(".", "/")
        shutil.copytree(ROOT / source, place, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def edit(folder: Path, path: str, anchor: str, text: str) -> None:
    """Writes a new file, or puts a text behind the one line that is the anchor."""
    source, _, rest = path.partition("/")
    file = folder / FOLDERS[source].replace(".", "/") / rest
    if not anchor:
        assert not file.exists(), path
        file.write_text(text, "utf-8")
        return
    lines = file.read_text("utf-8").splitlines(keepends=True)
    (at,) = [number for number, line in enumerate(lines) if line.startswith(anchor)]
    file.write_text("".join([*lines[: at + 1], text, *lines[at + 1 :]]), "utf-8")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_packages(tmp_path_factory.mktemp("packages"))


@pytest.mark.parametrize("title", TITLES)
def test_a_walk_passes_with_its_edits(title: str, packages: Path, tmp_path: Path) -> None:
    sections = walks()
    shutil.copytree(packages, tmp_path / "copy")
    for step in sections[title].edits:
        edit(tmp_path / "copy", *step)
    before = [walk.code for name, walk in sections.items() if name in TITLES[:2] and name != title]
    first = "\n".join(line for line in before[0].splitlines() if line.startswith("import ")) if before else ""
    chain = sections[TITLES[1]].code if title not in TITLES[:2] else ""
    code = "\n".join([first, chain, sections[title].code, "print(tc.__file__)"])
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path / "copy")},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(tmp_path), "the copy was not imported"


@pytest.mark.parametrize("title", [title for title in TITLES if title != TITLES[1]])
def test_a_walk_fails_without_its_edits(title: str, tmp_path: Path) -> None:
    """The code of a walk tests what the walk adds."""
    sections = walks()
    code = "\n".join([sections[TITLES[0]].code.partition("x = ")[0], sections[TITLES[1]].code, sections[title].code])
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode != 0


def test_the_page_has_five_walks() -> None:
    assert tuple(walks()) == TITLES
