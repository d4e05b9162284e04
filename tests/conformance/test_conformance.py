"""Runs a fixed sample of TOSA 1.0's conformance tests for every operator and type; __main__.py runs any other."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

pytest.importorskip("tosa_reference_model", reason="the conformance tests come with tosa-tools")
pytest.importorskip("generator", reason="the conformance tests come with tosa-tools")

from conformance.driver import EXCEPTED, PASSED, run_job
from conformance.sampling import KINDS, Job, draw, operators

# Warnings of the generator and its imports don't concern us.
pytestmark = pytest.mark.filterwarnings("default")

SEED, COUNT, VARIANTS = 1, 10, 2
# The generator has no negative tests for these, as there is no ERROR_IF to violate.
LEGAL = {"CONST", "CONST_SHAPE", "IDENTITY"}
JOBS = [
    Job(operator, kind, SEED, COUNT, VARIANTS)
    for operator in operators()
    for kind in KINDS
    if kind == "positive" or operator not in LEGAL
]


@pytest.mark.parametrize("job", JOBS, ids=lambda job: f"{job.operator}-{job.kind}")
def test_sampled_tests_of_an_operator_pass(job: Job) -> None:
    records = run_job(job)
    assert len(records) >= 10
    assert [record for record in records if record.verdict not in (PASSED, EXCEPTED)] == []


def test_exceptions_are_few() -> None:
    records = run_job(Job("GATHER", "positive", SEED, COUNT, VARIANTS))
    assert {record.types for record in records if record.verdict == EXCEPTED} == {"bool"}


@pytest.mark.parametrize(("operator", "kind"), [("ADD", "positive"), ("CONV2D", "positive"), ("CONV2D", "negative")])
def test_official_runner_drives_our_executor(operator: str, kind: str, tmp_path: Path) -> None:
    folders = [str(test.folder) for test in draw(Job(operator, kind, SEED, 1, 1), tmp_path)]
    runner = str(Path(sysconfig.get_path("scripts")) / "tosa_verif_run_tests")
    options = ["--sut-module", "conformance.tosa_converter_sut", "--xunit-file", str(tmp_path / "result.xml")]
    done = subprocess.run(
        [sys.executable, runner, *options, "-t", *folders],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
        timeout=300,
    )
    expected = "expected_failure" if kind == "negative" else "expected_pass"
    line = f"Totals (conformance.tosa_converter_sut): {totals(expected, len(folders))}"
    assert line in done.stdout, done.stdout + done.stderr


def totals(expected: str, count: int) -> str:
    names = ["expected_pass", "expected_failure", "unexpected_pass", "unexpected_failure", "internal_error", "skipped"]
    return ", ".join(f"{count if name == expected else 0} {name}" for name in names)
