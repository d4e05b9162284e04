"""Tests the suite's own configuration."""

import shutil
import subprocess
import sys
from pathlib import Path

TESTS = """
import pytest

def test_first():
    assert False

@pytest.fixture
def broken():
    raise ValueError

def test_second(broken):
    pass

def test_third():
    pass
"""


def test_failures_are_named_as_they_come(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path)
    (tmp_path / "test_three.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "--no-summary", "-p", "no:cacheprovider", "-n", "1"]
    done = subprocess.run([*command, "."], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("FAILED")] == [
        "FAILED test_three.py::test_first",
        "FAILED test_three.py::test_second (setup)",
    ]
    assert done.returncode == 1
    assert lines[-2].startswith(".")  # the last test's progress comes behind the names of those that failed
