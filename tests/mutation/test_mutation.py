"""Tests which faults the campaign plants, where it looks for tests, and how it judges."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mutation.campaign import folder_sample, folders, judge_jobs, line_of, names
from mutation.harmless import HARMLESS
from mutation.plant import CAUGHT, OUT_OF_REACH, SURVIVED, Job
from mutation.points import Uses, mutants
from mutation.tree import ROOT, PlantedTree, build_marked, key, package_files

SOURCE = '''"""Not 1 but 2."""
LIMIT: int = 1 << 3


class Shape:
    def area(self, side: int) -> int:
        if not side < LIMIT:
            raise ValueError(f"{side + 1} is 1 too many")
        return min(side, 2) * -side


def density(mode):
    return 0.5 / 2.0 if mode in ("SINGLE_ROUND", True) and mode else 0.0


def rows(array):
    return array.reshape(-1, 8)
'''
FAULTS = {
    2: {"LIMIT: int = 2 << 3", "LIMIT: int = 0 << 3", "LIMIT: int = 1 >> 3", "LIMIT: int = 1 << 4"}
    | {"LIMIT: int = 1 << 2"},
    7: {"if  side < LIMIT:", "if not side <= LIMIT:"},
    9: {f"return {text}" for text in ("max(side, 2) * -side", "min(side, 3) * -side", "min(side, 1) * -side")}
    | {"return min(side, 2) // -side", "return min(side, 2) * side"},
    13: {
        f"return {quotient} if mode {condition} else {other}"
        for quotient, condition, other in [
            ("0.5005 / 2.0", 'in ("SINGLE_ROUND", True) and mode', "0.0"),
            ("1.0 / 2.0", 'in ("SINGLE_ROUND", True) and mode', "0.0"),
            ("0.5 / 2.002", 'in ("SINGLE_ROUND", True) and mode', "0.0"),
            ("0.5 / 4.0", 'in ("SINGLE_ROUND", True) and mode', "0.0"),
            ("0.5 * 2.0", 'in ("SINGLE_ROUND", True) and mode', "0.0"),
            ("0.5 / 2.0", 'not in ("SINGLE_ROUND", True) and mode', "0.0"),
            ("0.5 / 2.0", 'in ("DOUBLE_ROUND", True) and mode', "0.0"),
            ("0.5 / 2.0", 'in ("SINGLE_ROUND", True) or mode', "0.0"),
            ("0.5 / 2.0", 'in ("SINGLE_ROUND", True) and mode', "1.0"),
        ]
    },
    17: {f"return array.reshape({sizes})" for sizes in ("-0, 8", "1, 8", "-1, 9", "-1, 7")},
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for folder in ("converter", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "converter/shape.py").write_text(SOURCE)
    return tmp_path


def test_faults_are_planted_in_arithmetic_and_nowhere_else(project: Path) -> None:
    planted: dict[int, set[str]] = {}
    for place in mutants(project, "converter/shape.py"):
        for mutant in place:
            faulty = mutant.apply(SOURCE.encode()).decode().splitlines()
            compile("\n".join(faulty), "shape.py", "exec")
            planted.setdefault(mutant.line, set()).add(faulty[mutant.line - 1].strip())
    assert planted == FAULTS


def test_a_constant_is_tested_through_its_users(project: Path) -> None:
    uses = Uses(project, ["converter/shape.py"])
    (first, *_), *_, (last, *_) = mutants(project, "converter/shape.py")
    assert next(uses.of(first)) == {("converter/shape.py", "Shape.area")}
    assert next(uses.of(last)) == {("converter/shape.py", "rows")}


def test_every_folder_is_sampled() -> None:
    """Folders with few places are part of their parent folder."""
    by_folder = folders()
    assert sorted(file for files in by_folder.values() for file in files) == package_files()
    assert {"cli", "schemas", "legalize/invert/xnnpack", "converter/engines/workers"} <= by_folder.keys()
    few, many = folder_sample(1, 3, ["legalize/aten", "schemas"]), folder_sample(1, 5, ["legalize/aten", "schemas"])
    assert (len(few), len(many)) == (6, 10)
    assert set(few) < set(many)


def test_a_fault_is_mapped_to_its_statement(project: Path) -> None:
    uses = Uses(project, ["converter/shape.py"])
    statements = {
        fault.line: uses.statement(fault) for place in mutants(project, "converter/shape.py") for fault in place
    }
    assert statements == {
        2: ("", ""),
        7: ("Shape.area", "        if not side < LIMIT:"),
        9: ("Shape.area", "        return min(side, 2) * -side"),
        13: ("density", '    return 0.5 / 2.0 if mode in ("SINGLE_ROUND", True) and mode else 0.0'),
        17: ("rows", "    return array.reshape(-1, 8)"),
    }


def test_statements_mark_that_they_are_reached(tmp_path: Path) -> None:
    """Marks work in other processes too, and tell two branches of a call apart."""
    keys = build_marked(tmp_path)
    marks = tmp_path / "marks"
    marks.write_bytes(bytes(len(keys)))
    code = "from tosa_converter.dtypes import DType; DType.I8.limits; DType.FP32.is_integer"
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "MUTATION_MARKS": str(marks)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=120)
    reached = {name for name, mark in zip(keys, marks.read_bytes(), strict=True) if mark}
    assert {name.split(":")[1] for name in reached if name.startswith("converter/dtypes.py")} >= {"DType.limits"}
    assert key("converter/dtypes.py", "DType.limits", "half = 1 << (self.bits - 1)") in reached
    assert not [name for name in reached if name.startswith("legalize/")]


def test_a_fault_is_caught_or_survives(tmp_path: Path) -> None:
    """The fault is planted in a fork, or in a new process if it acts during an import."""
    faults = [fault for place in mutants(ROOT, "converter/execute/scalars.py") for fault in place]
    inside = next(fault for fault in faults if line_of(fault).startswith("return ((value + _HALF) | "))
    outside = next(fault for fault in faults if line_of(fault).startswith("_HALF"))
    catching = "tests/execute/test_scalars.py::test_a_shift_as_far_as_the_bits_leaves_nothing"
    other = "tests/rules/test_target.py::test_the_level_is_8k_unless_said"
    jobs = [Job(inside, [other, catching], 120), Job(inside, [other], 120), Job(outside, [other, catching], 120)]
    expected = [(CAUGHT, catching), (SURVIVED, "1 tests passed"), (OUT_OF_REACH, "")]
    tree = PlantedTree(tmp_path / "tree")
    assert sorted(judge_jobs(jobs, tmp_path / "jobs", 2, tree.folder)) == [
        (i, *answer) for i, answer in enumerate(expected)
    ]
    for job, answer in ((jobs[2], (CAUGHT, catching)), (jobs[1], (SURVIVED, "1 tests passed"))):
        with tree.planted(job.mutant):
            assert list(judge_jobs([job], tmp_path / "jobs", 0, tree.folder)) == [(0, *answer)]


def test_exempt_lines_exist() -> None:
    """A changed line has to be reviewed again."""
    keys = {
        (file, name)
        for file in {file for file, _ in HARMLESS}
        for place in mutants(ROOT, file)
        for fault in place
        for name in names(fault)
    }
    assert [key for key in HARMLESS if key not in keys] == []
