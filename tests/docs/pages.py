"""Runs the fenced blocks of the documentation's pages as a reader would.

A `console` block holds commands behind `$ ` and their output; `...` alone on a line stands for any lines. Times differ
from machine to machine, and so does the last bit of a float: where a number is a time or an error of floats (in
scientific notation, an SQNR, digits, how many elements differ if any), any other number will do. A `python` block runs
in one namespace per page; `# shows TEXT` behind a statement says what it prints, `...` in it stands for anything. A
`sh` block only installs, and isn't run.
"""

import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from support.commands import ROOT

DOCS = ROOT / "docs"
_BLOCK = re.compile(r"^( *)(?:<!-- needs: (\w+) -->\n *)?```(\w+)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
_MEASURED = re.compile(
    r"\d[\d.,]*(?= ?(?:s|ms|µs)\b)"  # times
    r"|\d(?:\.\d+)?e-\d+|(?<=SQNR )[\d.]+|[\d.]+(?= digits)|[1-9]\d*(?= of \d+ (?:elements )?differ)"  # float errors
)
_SHOWS = re.compile(r"  # shows (.+)$", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block: its language, its text without indent, its first line, and the tool that it needs."""

    language: str
    text: str
    line: int
    indent: str
    needs: str


class Step(NamedTuple):
    """A command with the output that the page shows, and the indent of both."""

    command: str
    output: str
    indent: str


def blocks(page: Path) -> Iterator[Block]:
    """Yields a page's fenced blocks in order."""
    text = page.read_text("utf-8")
    for match in _BLOCK.finditer(text):
        indent, needs, language, inside = match.groups()
        yield Block(
            language, re.sub(f"^{indent}", "", inside, flags=re.MULTILINE), _line_at(match), indent, needs or ""
        )


def _line_at(match: re.Match[str]) -> int:
    return match.string.count("\n", 0, match.start(4)) + 1


def steps(block: Block) -> Iterator[Step]:
    """Yields the commands of a console block; a line that ends in a backslash goes on in the next one."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        match = re.match(r"(?:.*\\\n)*.*\n", part)
        assert match is not None
        yield Step(match[0].rstrip("\n"), part[match.end() :], block.indent)


def run_command(command: str, folder: Path) -> str:
    """Returns what a command prints in a terminal of 80 columns without colours."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"COLUMNS": "80", "NO_COLOR": "1", "PATH": path}
    words = ["bash", "-c", command]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False)
    return done.stdout + done.stderr


def matches(expected: str, output: str) -> bool:
    """Returns whether an output is the page's, up to times and elided lines."""
    pattern = re.escape(_MEASURED.sub("N", expected)).replace(r"\.\.\.\n", "(?:.*\n)*")
    return re.fullmatch(pattern, _MEASURED.sub("N", output)) is not None


def run_python(block: Block, page: Path, names: dict[str, object]) -> None:
    """Runs a Python block, whose lines have the page's numbers in a traceback."""
    with warnings.catch_warnings():
        if block.needs:
            warnings.simplefilter("ignore")  # those of other packages
        exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec"), names)


def unshown(block: Block, output: str) -> list[str]:
    """Returns the texts that a Python block says it shows and that its output lacks."""
    texts = _SHOWS.findall(block.text)
    return [text for text in texts if not re.search(".*".join(map(re.escape, text.split("..."))), output, re.DOTALL)]


def rewrite(page: Path, outputs: dict[Step, str]) -> None:
    """Writes the commands' real outputs into a page, where it has no elided lines."""
    text = page.read_text("utf-8")
    for step, output in outputs.items():
        if "...\n" not in step.output:
            before, after = (indented(f"$ {step.command}\n{lines}", step.indent) for lines in (step.output, output))
            text = text.replace(before, after, 1)
    page.write_text(text, "utf-8")


def indented(text: str, indent: str) -> str:
    """Returns a text with every line that isn't empty moved to the right."""
    return re.sub(r"^(?=.)", indent, text, flags=re.MULTILINE)
