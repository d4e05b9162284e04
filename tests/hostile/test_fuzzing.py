"""Runs a fixed sample of the fuzzer."""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def test_a_sample_of_hostile_files_has_no_findings() -> None:
    words = [sys.executable, "-W", "error", str(FOLDER), "--count", "480", "--whole", "12"]
    words += ["--signals", "8", "--seed", "8"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tosa: " in done.stdout
