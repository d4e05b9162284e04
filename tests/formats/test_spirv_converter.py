"""The model converter writes the same extended instructions, with the same types and constants, as we do."""

from pathlib import Path

import pytest
from support.spirv_cases import CASES, Case
from support.spirv_listing import listing
from support.spirv_tools import converted, model_converter, spirv_tools

from tosa_converter.execute.plan import run
from tosa_converter.formats.spirv.constants import storage_array
from tosa_converter.formats.spirv.reader import read_spirv
from tosa_converter.formats.spirv.writer import module_type, write_spirv
from tosa_converter.ir import Array, Model, TensorType

# Operators without an effect, which the model converter leaves out: it optimizes, we write the whole graph.
FOLDED = {
    "TRANSPOSE_rank1": "a permutation of one dimension",
    "REVERSE_rank5": "along a dimension of size 1",
    "CLAMP_i8_-128_127": "to the whole range of its type",
    **dict.fromkeys(("RESIZE_i16_i8_i8_2", "RESIZE_i16_i16_i16_2"), "by 1"),
    **{f"RESIZE_{t}_{t}_{t}_{i}": "by 1" for t in ("fp16", "bf16", "fp32") for i in (2, 5)},
}

pytestmark = [spirv_tools, model_converter]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_model_converter_writes_the_same_instructions(case: Case, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.spv", tmp_path / "theirs.spv"
    module = write_spirv(case.graph)
    ours.write_bytes(module.words.tobytes())
    words, constants = converted(Model({"main": case.graph}), tmp_path)
    theirs.write_bytes(words)
    expected = listing(theirs, constants)
    listings = listing(ours, {i: storage_array(value).tobytes() for i, value in enumerate(module.constants)})
    if case.name in FOLDED:
        assert len(listings) == 1
        assert expected == []
    else:
        assert listings == expected


@pytest.mark.parametrize("case", CASES[::5], ids=lambda case: case.name)
def test_modules_of_the_model_converter_are_read(case: Case, tmp_path: Path) -> None:
    words, constants = converted(Model({"main": case.graph}), tmp_path)

    def source(number: int, type: TensorType) -> Array:
        import numpy as np

        return np.frombuffer(constants[number], type.dtype.numpy).reshape(type.static)

    model = read_spirv(words, constants=source)
    inputs = list(case.inputs.values())
    outputs = run(model.main, [array.reshape(array.shape or (1,)) for array in inputs])
    expected = run(case.graph, case.inputs)
    for value, a, b in zip(case.graph.outputs, expected.values(), outputs.values(), strict=True):
        assert b.shape == module_type(value.type).shape
        assert a.tobytes() == b.tobytes()
