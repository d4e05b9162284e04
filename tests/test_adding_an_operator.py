"""A TOSA operator, a source operator with its rule, and an engine are added from outside, one piece at a time.

The TOSA operator is MATMUL_T of TOSA 1.1, once more and in fewer types than the package has it: MATMUL with B as
[D,W,C], where D is N or 1, as the reference model computes it, which judges here. While a source operator or an engine
is half there, `ops`, `doctor`, the generated pages and the tests say which file comes next.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from differential.judge import claims
from docs.test_reference import GENERATOR
from support.cases.table import BY_NAME, ROWS, drawing, undrawn
from support.commands import ROOT, command
from support.kernel_cases import cases_of
from support.no_case import PLACES, NoCase
from support.passes import rule_pass
from support.some import some

from tosa_converter.dtypes import DType
from tosa_converter.engines import ENGINES
from tosa_converter.engines.engine import Arrays
from tosa_converter.engines.executor import Executor
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
from tosa_converter.legalize.custom.tensorflow import MEANINGS
from tosa_converter.legalize.pipelines import PIPELINES
from tosa_converter.proof import precision
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr, ceil
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pipeline import prefer_rules
from tosa_converter.rewriting.rule import Rule
from tosa_converter.rules.conditions import Check, Shapes
from tosa_converter.rules.graph import verify
from tosa_converter.rules.inference import SHAPE_RULES, ShapeRule
from tosa_converter.rules.target import Target, needs
from tosa_converter.schemas import tfl_ops, tosa
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tfl_ops import TflOp

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
    monkeypatch.setitem(SHAPE_RULES, MATMUL_T, ShapeRule(matmul_t_shape, "output shape != [N,H,W]"))
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
def test_an_operator_of_tosa_1_1_runs_and_is_written(dtype: DType, out: DType) -> None:
    graph = product(dtype, out)
    assert str(graph.outputs[0].type) == f"{out.value}[2x3x5]"
    verify(graph)
    data = b"".join(map(bytes, write_tosa(Model({"main": graph}))))
    reread = read_tosa(data)
    assert reread.main.ops[-1].row is MATMUL_T
    a, b = arrays(graph)
    (output,) = Executable(reread.main).run([a, b]).values()
    zeros = [0, 0] if dtype.is_float else [7, -3]
    wide = np.einsum("nhc,nwc->nhw", a.astype(np.float64) - zeros[0], b.astype(np.float64) - zeros[1])
    np.testing.assert_array_equal(output, wide.astype(out.numpy))  # small integers: no sum is rounded
    operands = [a, b, *(value.constant for value in graph.ops[-1].operands[2:] if value.constant is not None)]
    (verdict,) = precision.check(graph.ops[-1], operands, [output])
    assert verdict.compliant, verdict.message
    text = write_mlir(reread, names=True)
    assert '"tosa.matmul_t"(%arg0, %arg1' in text
    assert b"".join(map(bytes, write_tosa(read_mlir(text.encode())))) == data


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("batch", [1, 2])
def test_the_reference_model_agrees(batch: int) -> None:
    graph = product(DType.I8, DType.I32, batch)
    fed = arrays(graph)
    try:
        expected = ReferenceModel().run(Model({"main": graph}), dict(zip("ab", fed, strict=True)))
    except MissingExtra:
        pytest.skip("tosa-tools is not installed")
    np.testing.assert_array_equal(Executable(graph).run(fed)["y"], expected["y"])


@pytest.mark.usefixtures("registered")
def test_a_target_of_1_0_lacks_it() -> None:
    graph = product(DType.I8, DType.I32)
    assert str(needs(graph)) == "PRO-INT, TOSA 1.1"
    verify(graph, target=needs(graph))
    with pytest.raises(VerifyError, match=r"tosa.matmul_t at .*needs TOSA 1\.1: found target PRO-INT"):
        verify(graph, target=Target())


@pytest.mark.usefixtures("registered")
def test_its_conditions_are_checked() -> None:
    graph = product(DType.I8, DType.I32)
    graph.inputs[1].type = TensorType(DType.I8, (2, 5, 6))
    with pytest.raises(VerifyError, match=r"operands must agree in dimension C\): found 4 and 6"):
        verify(graph)


def test_without_its_record_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(ops.BY_OPCODE, MATMUL_T.opcode)
    root = tosa.TosaGraph(
        version=tosa.Version(_major=1, _minor=1, _patch=0, _draft=False),
        regions=(
            tosa.TosaRegion(
                name="main",
                blocks=(tosa.TosaBasicBlock(name="main", operators=(tosa.TosaOperator(op=tosa.Op.MATMUL_T),)),),
            ),
        ),
    )
    with pytest.raises(UnsupportedError, match=r"MATMUL_T is not an operator of TOSA 1\.0 or 1\.1"):
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


# ** a source operator **


def ceiling(match: Match) -> Expr:
    return ceil(match[0])


BUILTIN: Any = SimpleNamespace(name="DUMMY")
DUMMY = TflOp(BUILTIN, None, "x", "y", "T(fp32) > =T")
RULE = Rule("tfl.dummy", "fp32", ceiling)


@pytest.fixture
def with_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tfl_ops, "OPERATORS", (*tfl_ops.OPERATORS, DUMMY))


@pytest.fixture
def with_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PIPELINES, "tfl", prefer_rules([RULE], PIPELINES["tfl"]))


def listed(capsys: pytest.CaptureFixture[str], name: str = "tfl.dummy") -> list[str]:
    """Returns the operator's lines in `ops`, which works in both forms."""
    assert command("ops", "--json") == 0
    assert f'"{name}"' in capsys.readouterr().out
    assert command("ops") == 0
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines() if line.startswith(name)]


UNMEASURED = "no line in legalize/sequences.tsv: run GOLDEN=write python -m pytest tests/legalize -k golden"


@pytest.mark.usefixtures("with_row")
def test_an_operator_without_a_rule_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(capsys) == ["tfl.dummy -"]
    assert "| `tfl.dummy` | no rule starts from it |" in GENERATOR.operators()


@pytest.mark.usefixtures("with_rule")
@pytest.mark.parametrize("row", [False, True])
def test_a_rule_without_a_text_is_listed(
    row: bool, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether its operator has a row or not."""
    if row:
        request.getfixturevalue("with_row")
    assert listed(capsys) == [f"tfl.dummy fp32 -> ? ({UNMEASURED})"]
    assert f"| `tfl.dummy` | fp32 | ? | {UNMEASURED} |" in GENERATOR.operators()


@pytest.mark.usefixtures("with_rule")
def test_an_operator_without_a_case_is_named_with_the_file() -> None:
    message = "no case for tfl.dummy: add a case to tests/support/cases/elementwise.py or the module of its subject"
    with pytest.raises(NoCase, match=message):
        drawing("tfl.dummy", "fp32")
    assert [text.startswith(message) for text in undrawn(claims()).values()] == [True]


def test_a_tosa_operator_without_a_case_is_named_with_the_file() -> None:
    with pytest.raises(NoCase, match=r"no case for tosa.matmul_t: add a case to tests/support/kernel_cases.py"):
        next(cases_of(MATMUL_T, "fp32 fp32"))


def test_every_operator_that_converts_has_a_row_of_cases() -> None:
    roots = {rule.root for rule in rule_pass("tfl").rules if "pseudo" not in rule.root}
    roots -= {f"custom.Flex{name}" for name in MEANINGS}  # tests/support/flex.py makes them of builtin ones' cases
    assert not [str(NoCase(root)) for root in sorted(roots - BY_NAME.keys())]
    assert BY_NAME.keys() <= roots, "rows of operators that nothing converts"
    assert len(BY_NAME) == len(ROWS)


def test_the_files_that_are_named_exist() -> None:
    paths = [word for place in PLACES.values() for word in place.split() if "/" in word]
    assert all((ROOT / path).is_file() for path in paths)
    assert set(PLACES) >= {name.partition(".")[0] for name in BY_NAME}


# ** an engine **


class Complete(Executor):
    """An engine that adds as ours does."""

    name = "dummy"


class Unfinished:
    """An engine with the methods that are written first."""

    name = "dummy"
    opsets = frozenset({"tosa"})

    def takes(self, _model: Model) -> bool:
        return True

    def run(self, _model: Model, _inputs: Arrays) -> dict[str, Array]:
        return {}

    def run_steps(self, _model: Model, _steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        return []


class WithoutOutputs(Unfinished):
    """An engine that computes nothing yet."""

    def missing(self) -> list[str]:
        return []


class WithoutPackage(WithoutOutputs):
    """An engine whose package isn't installed."""

    def missing(self) -> list[str]:
        return ["a driver: install it"]


@pytest.mark.parametrize(
    ("engine", "state", "line"),
    [
        (Complete(), "ready", ""),
        (
            Unfinished(),
            "not ready",
            "misses a method `missing` of test_adding_an_operator.Unfinished, which lists what",
        ),
        (WithoutOutputs(), "not ready", "expected the output 'sum' of an addition, found none"),
        (WithoutPackage(), "not ready", "misses a driver: install it"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_doctor_examines_a_new_engine(
    engine: Any, state: str, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(ENGINES, "dummy", engine)
    assert command("doctor") == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(i for i, text in enumerate(lines) if text.startswith("dummy "))
    assert lines[at].split(maxsplit=1)[1].startswith(state)
    assert lines[at + 1].strip().startswith(line) or not line
