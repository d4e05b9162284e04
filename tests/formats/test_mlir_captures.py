"""Regions of MLIR text that read values around them, which TOSA's graphs can't: they become operands and inputs."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.mlir_texts import BRANCHES, LOOP, read

import tosa_converter as tc
from tosa_converter.errors import FormatError

TOSA_OPT = shutil.which("tosa-opt")


def test_both_branches_of_cond_if_get_what_either_reads() -> None:
    model = read(BRANCHES)
    (branch,) = [op for op in model.main if op.name == "tosa.cond_if"]
    assert [value.name for value in branch.operands] == ["c", "a", "b"]
    assert [len(region.inputs) for region in branch.regions] == [2, 2]
    assert [op.name for op in branch.regions[0]] == ["tosa.const", "tosa.add"], "the constant is repeated inside"
    a, b = np.array([1, 2], np.int32), np.array([5, 6], np.int32)
    for condition, expected in ((True, [11, 22]), (False, [5, 6])):
        (result,) = tc.run(model, {"c": np.array(condition), "a": a, "b": b}).values()
        assert result.tolist() == expected


@pytest.mark.parametrize(("start", "step", "most"), [(1, 3, 20), (9, 3, 20), (30, 1, 20)])
def test_loops_hand_on_what_their_regions_read(start: int, step: int, most: int) -> None:
    expected = start
    while most > expected:
        expected += step if expected > step else expected
    model = read(LOOP)
    arrays = {"start": np.array(start, np.int32), "step": np.array(step, np.int32), "most": np.array(most, np.int32)}
    (result,) = tc.run(model, arrays).values()
    assert result.tolist() == expected
    assert len(model.main.outputs) == 1, "no output is added"


@pytest.mark.skipif(TOSA_OPT is None, reason="needs tosa-tools")
@pytest.mark.parametrize("text", [BRANCHES, LOOP], ids=["cond_if", "while_loop"])
def test_tosa_opt_reads_the_text_and_what_we_write_of_it(text: str, tmp_path: Path) -> None:
    path, written = tmp_path / "captures.mlir", tmp_path / "written.mlir"
    path.write_text(text)
    tc.save(tc.load(path), written)
    for file in (path, written):
        assert TOSA_OPT is not None
        subprocess.run([TOSA_OPT, file, "-o", "/dev/null"], check=True, capture_output=True, timeout=120)
    small = {value.name: np.full(value.type.static, 3, value.type.dtype.numpy) for value in tc.load(path).main.inputs}
    results = [[array.tolist() for array in tc.run(file, small).values()] for file in (path, written)]
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BRANCHES.replace("tosa.yield %b", "tosa.yield %0"), "line 8, column 16: expected a value that is made before"),
        (BRANCHES.replace("tosa.yield %b", "tosa.yield %1"), "line 8, column 16: expected a value that is made before"),
        (BRANCHES.replace("%1 =", "%1:2 ="), "line 5, column 12: expected 2 results, found tosa.add with 1"),
    ],
)
def test_values_of_other_regions_and_later_ones_are_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert message in str(caught.value)
