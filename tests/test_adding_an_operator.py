"""A TOSA operator is its record and its functions: MATMUL_T, which TOSA 1.1 brought, added from outside.

What it means was found from the reference model, which judges here: MATMUL with B as [D,W,C], where D is N or 1.
"""

import numpy as np
import pytest
from support.some import some

from tosa_converter.dtypes import DType
from tosa_converter.engines.reference_model import ReferenceModel
from tosa_converter.errors import MissingExtra, UnsupportedError, VerifyError
from tosa_converter.execute.definition.base import Call
from tosa_converter.execute.definition.table import DEFINITIONS
from tosa_converter.execute.definition.tensor import matmul
from tosa_converter.execute.plan import Executable
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.mlir.reader import read_mlir
from tosa_converter.formats.mlir.writer import write_mlir
from tosa_converter.formats.tosa.reader import read_tosa
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.proof import precision
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rules.conditions import Check, Shapes
from tosa_converter.rules.graph import verify
from tosa_converter.rules.inference import RULES, Rule
from tosa_converter.rules.target import Target, needs
from tosa_converter.schemas import tosa
from tosa_converter.schemas import tosa_ops as ops

MATMUL_T = ops.OpDef(
    "MATMUL_T",
    ops.MATMUL.inputs,
    (),
    ops.MATMUL.outputs,
    ops.MATMUL.type_variables,
    ops.MATMUL.types,
    ops.Precision(ops.Clause.DOT_PRODUCT, length=lambda shapes, _: shapes[0][2]),
    since=(1, 1, 0),
)


def matmul_t_shape(c: Check, a: tuple[int, ...], b: tuple[int, ...], *_zero_points: tuple[int, ...]) -> Shapes:
    c.error_if(b[0] not in (1, a[0]), "D != N && D != 1", D=b[0], N=a[0])
    c.same_dimension("C", a[2], b[2])
    c.zero_point(2, "in_t")
    c.zero_point(3, "in_t")
    return ((a[0], a[1], b[1]),)


def matmul_t(call: Call, a: Array, b: Array, a_zp: Array, b_zp: Array) -> Array:
    return matmul(call, a, b.transpose(0, 2, 1), a_zp, b_zp)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ops.BY_OPCODE, MATMUL_T.opcode, MATMUL_T)
    monkeypatch.setitem(RULES, MATMUL_T, Rule(matmul_t_shape, "output shape != [N,H,W]"))
    monkeypatch.setitem(DEFINITIONS, MATMUL_T, matmul_t)


def product(dtype: DType, out: DType, batch: int = 2) -> Graph:
    graph = Graph("main", [Value(TensorType(dtype, (2, 3, 4)), "a"), Value(TensorType(dtype, (batch, 5, 4)), "b")])
    build = Builder(graph)
    zeros = [build.zero_point(7 if dtype is DType.I8 else 0, dtype), build.zero_point(-3 * (dtype is DType.I8), dtype)]
    graph.outputs = [build.emit(MATMUL_T, *graph.inputs, *zeros, dtype=out)]
    graph.outputs[0].name = "y"
    graph.ops = [*(some(zero.producer) for zero in dict.fromkeys(zeros)), *graph.ops]
    return graph


def arrays(graph: Graph) -> list[Array]:
    rng = np.random.default_rng(5)
    types = [value.type for value in graph.inputs]
    return [rng.integers(-100, 100, type.static).astype(type.dtype.numpy) for type in types]


def test_the_number_is_that_of_arms_schema() -> None:
    generated = vars(pytest.importorskip("tosa.Op", reason="tosa-tools is not installed").Op)
    assert generated["MATMUL_T"] == tosa.Op.MATMUL_T


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(("dtype", "out"), [(DType.I8, DType.I32), (DType.FP16, DType.FP32), (DType.FP32, DType.FP32)])
def test_an_operator_of_tosa_1_1(dtype: DType, out: DType) -> None:
    graph = product(dtype, out)
    assert str(graph.outputs[0].type) == f"{out.value}[2x3x5]"
    verify(graph)
    data = b"".join(map(bytes, write_tosa(Model({"main": graph}))))
    again = read_tosa(data)
    assert again.main.ops[-1].row is MATMUL_T
    a, b = arrays(graph)
    (found,) = Executable(again.main).run([a, b]).values()
    zeros = [0, 0] if dtype.is_float else [7, -3]
    wide = np.einsum("nhc,nwc->nhw", a.astype(np.float64) - zeros[0], b.astype(np.float64) - zeros[1])
    np.testing.assert_array_equal(found, wide.astype(out.numpy))  # small integers: no sum is rounded
    operands = [a, b, *(value.constant for value in graph.ops[-1].operands[2:] if value.constant is not None)]
    (verdict,) = precision.check(graph.ops[-1], operands, [found])
    assert verdict.compliant, verdict.message
    text = write_mlir(again, names=True)
    assert '"tosa.matmul_t"(%arg0, %arg1' in text
    assert b"".join(map(bytes, write_tosa(read_mlir(text.encode())))) == data


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("batch", [1, 2])
def test_the_reference_model_agrees(batch: int) -> None:
    graph = product(DType.I8, DType.I32, batch)
    fed = arrays(graph)
    try:
        wanted = ReferenceModel().run(Model({"main": graph}), dict(zip("ab", fed, strict=True)))
    except MissingExtra:
        pytest.skip("tosa-tools is not installed")
    np.testing.assert_array_equal(Executable(graph).run(fed)["y"], wanted["y"])


@pytest.mark.usefixtures("registered")
def test_a_target_of_1_0_lacks_it() -> None:
    graph = product(DType.I8, DType.I32)
    assert str(needs(graph)) == "PRO-INT, version 1.1.0"
    verify(graph, target=needs(graph))
    with pytest.raises(VerifyError, match=r"tosa.matmul_t at .*needs TOSA 1\.1\.0: found target PRO-INT"):
        verify(graph, target=Target())


@pytest.mark.usefixtures("registered")
def test_its_conditions_are_found() -> None:
    graph = product(DType.I8, DType.I32)
    graph.inputs[1].type = TensorType(DType.I8, (2, 5, 6))
    with pytest.raises(VerifyError, match=r"operands must agree in dimension C\): found 4 and 6"):
        verify(graph)


def test_without_its_record_it_is_refused() -> None:
    root = tosa.TosaGraph(
        version=tosa.Version(_major=1, _minor=1, _patch=0, _draft=False),
        regions=(
            tosa.TosaRegion(
                name="main",
                blocks=(tosa.TosaBasicBlock(name="main", operators=(tosa.TosaOperator(op=tosa.Op.MATMUL_T),)),),
            ),
        ),
    )
    with pytest.raises(UnsupportedError, match=r"MATMUL_T is not an operator of TOSA 1\.0"):
        read_tosa(b"".join(map(bytes, flatbuffer.write(root, tosa.IDENTIFIER))))


def test_name_and_record_stay_together() -> None:
    operands = [Value(TensorType(DType.I32, (2,)))] * 2
    for op in (Op(ops.ADD, operands, [operands[0].type]), Op("tosa.add", operands, [operands[0].type])):
        assert (op.name, op.row) == ("tosa.add", ops.ADD)
        op.name = "tosa.sub"
        assert op.row is ops.SUB
        op.name = "tfl.sub"
        assert op.row is None


@pytest.mark.parametrize("control", [False, True])
def test_a_record_states_its_precision(control: bool) -> None:
    stated = None if not control else ops.Precision(ops.Clause.EXACT)
    with pytest.raises(ValueError, match="MATMUL_T: expected a precision, or else control"):
        ops.OpDef("MATMUL_T", (), (), (), "", (), stated, control=control)
