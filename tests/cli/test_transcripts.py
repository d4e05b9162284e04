"""All that commands print: each file of transcripts/ holds commands with their output, to be read by a person.

`TRANSCRIPTS=write python -m pytest tests/cli/test_transcripts.py` writes the outputs anew; read what changes. A command
is added by a line `$ tflite-to-tosa ...`. A file's commands run one after another in a folder of their own with the
files of support/transcripts.py.
"""

import os
from pathlib import Path

import pytest
from support import transcripts

FILES = sorted(Path(__file__).with_name("transcripts").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transcripts.write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name, value in {"COLUMNS": "80", "NO_COLOR": "1", "XDG_CACHE_HOME": str(tmp_path / "cache")}.items():
        monkeypatch.setenv(name, value)
    sections = transcripts.read(path)
    results = [
        (comment, [transcripts.Step(step.command, transcripts.run(step.command)) for step in steps])
        for comment, steps in sections
    ]
    if os.environ.get("TRANSCRIPTS") == "write":
        path.write_text(transcripts.text(results), "utf-8")
    else:
        assert transcripts.text(results) == transcripts.text(sections)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_errors_fit_on_80_columns(path: Path) -> None:
    """Also in a pipe; only a word that is longer by itself sticks out."""
    for _, steps in transcripts.read(path):
        for step in steps:
            lines = [line.removeprefix("stderr: ") for line in step.output.splitlines() if line.startswith("stderr: ")]
            lines = [line for line in lines if not line.startswith("{")]
            assert [line for line in lines if len(line) > 80 and len(line.split()) > 1] == []
