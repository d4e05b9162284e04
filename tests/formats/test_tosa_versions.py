"""Versions of TOSA in files: what is written, what is read of later ones, and what of the draft of 1.1 is refused."""

from typing import Any

import numpy as np
import pytest
from support.kernel_cases import COMBINATIONS, COMBINATIONS_1_0, cases_of, graph_of

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.execute.plan import Executable
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.tosa.reader import read_tosa
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Model
from tosa_converter.schemas import tosa
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import REMOVED_OPERATORS

LATER = [pair for pair in COMBINATIONS if pair not in COMBINATIONS_1_0]
IDS = [f"{row.name}-{types.replace(' ', '-')}" for row, types in LATER]


def root_of(data: bytes) -> tosa.TosaGraph:
    return flatbuffer.read(tosa.TosaGraph, data, tosa.IDENTIFIER)


def file_of(*, version: tuple[int, int, int, bool] = (1, 1, 0, True), **block: Any) -> bytes:
    major, minor, patch, draft = version
    root = tosa.TosaGraph(
        version=tosa.Version(_major=major, _minor=minor, _patch=patch, _draft=draft),
        regions=(tosa.TosaRegion(name="main", blocks=(tosa.TosaBasicBlock(name="main", **block),)),),
    )
    return b"".join(map(bytes, flatbuffer.write(root, tosa.IDENTIFIER)))


@pytest.mark.parametrize(("row", "types"), LATER, ids=IDS)
def test_a_file_states_the_draft_and_comes_back(row: OpDef, types: str) -> None:
    graph, op, feed = graph_of(row, next(cases_of(row, types)))
    data = b"".join(map(bytes, write_tosa(Model({"main": graph}))))
    version = root_of(data).version
    assert version is not None
    assert (version._major, version._minor, version._patch, version._draft) == (1, 1, 0, True)
    read_model = read_tosa(data)
    assert read_model.notes == []
    assert read_model.main.ops[-1].row is row
    assert [value.type for value in read_model.main.ops[-1].results] == [value.type for value in op.results]
    ours, theirs = Executable(graph).run(feed), Executable(read_model.main).run(feed)
    assert [x.tobytes() for x in ours.values()] == [x.tobytes() for x in theirs.values()]


def test_operators_of_1_0_stay_in_1_0() -> None:
    for row, types in COMBINATIONS_1_0:
        graph, _, _ = graph_of(row, next(cases_of(row, types)))
        version = root_of(b"".join(map(bytes, write_tosa(Model({"main": graph}))))).version
        assert version is not None
        assert (version._minor, version._draft) == (0, False), row


@pytest.mark.parametrize(
    ("version", "text"),
    [((1, 1, 0, False), "TOSA 1.1"), ((1, 1, 2, True), "TOSA 1.1.2"), ((1, 2, 0, True), "TOSA 1.2")],
)
def test_a_later_version_is_read_with_a_note(version: tuple[int, int, int, bool], text: str) -> None:
    model = read_tosa(file_of(version=version), file="m.tosa")
    note = f"the file is of {text}: it is read as the draft of 1.1 of August 2026, the latest one known here"
    assert model.notes == [("m.tosa", note)]


@pytest.mark.parametrize("version", [(1, 0, 0, False), (1, 0, 2, False), (1, 1, 0, True)])
def test_known_versions_need_no_note(version: tuple[int, int, int, bool]) -> None:
    assert read_tosa(file_of(version=version)).notes == []


@pytest.mark.parametrize("name", REMOVED_OPERATORS)
def test_block_scaled_operators_are_refused_with_their_state(name: str) -> None:
    data = file_of(operators=(tosa.TosaOperator(op=tosa.Op[name]),))
    words = f"{name} is deprecated in the draft of TOSA 1.1, which removes it before the release"
    with pytest.raises(UnsupportedError, match=words):
        read_tosa(data)


BLOCKS: dict[str, dict[str, Any]] = {
    "FP4E2M1": {"type": tosa.DType.FP4E2M1},
    "MXINT8": {"type": tosa.DType.MXINT8},
    "FP8UE8M0": {"type": tosa.DType.FP8E4M3, "scale_type": tosa.DType.FP8UE8M0},
    "scales for blocks": {"type": tosa.DType.FP8E4M3, "block_shape": tosa.BlockShape.BLOCK_SHAPE_32},
}


@pytest.mark.parametrize("words", BLOCKS)
def test_block_scaled_types_are_refused(words: str) -> None:
    tensor = tosa.TosaTensor(name="x", shape=(1, 32), **BLOCKS[words])
    with pytest.raises(UnsupportedError, match=f"main: tensor 'x': .*{words}"):
        read_tosa(file_of(tensors=(tensor,), inputs=("x",), outputs=("x",)))


def test_int64_constants_keep_all_bits() -> None:
    values = np.array([-(1 << 63), -1, 0, 1, (1 << 63) - 1])
    case = next(case for case in cases_of(ops.IDENTITY, "i64"))
    graph, op, _ = graph_of(ops.IDENTITY, case, run_time=())
    constant = op.operands[0]
    assert constant.producer is not None
    constant.producer.attributes["values"] = values
    constant.type = op.result.type = constant.type._replace(shape=values.shape)
    read_model = read_tosa(b"".join(map(bytes, write_tosa(Model({"main": graph})))))
    (output,) = Executable(read_model.main).run([]).values()
    assert output.dtype == DType.I64.numpy
    np.testing.assert_array_equal(output, values)
