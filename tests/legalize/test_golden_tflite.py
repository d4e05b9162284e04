"""The TFLite operators of every rule from TOSA, as text: one file each in `golden_tflite`, each read by a person.

Quantized operators, which stand for several of TOSA's, have one that begins with `quantized`.
"""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support import golden
from support.cases.case import Case, tensor
from support.cases.table import bases
from support.kernel_cases import COMBINATIONS_1_0, cases_of, graph_of
from support.tflite_models import Tensor

import tosa_converter as tc
from tosa_converter.conversion import convert_from_tosa
from tosa_converter.dtypes import DType
from tosa_converter.formats import parse
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.legalize.invert.tflite.pipeline import PASSES
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.control import cond_if, while_loop
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pipeline import legalization_pass, prefer_rules
from tosa_converter.rewriting.rule import Result, Rule
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import BuiltinOperator as B

GOLDEN = Path(__file__).parent / "golden_tflite"
RULES = legalization_pass(PASSES).rules


def eight_bit(scale: float, zero_point: int) -> Tensor:
    """Returns an image of i8."""
    return replace(tensor("int8"), scale=scale, zero_point=zero_point)


X, Y = eight_bit(0.05, -3), eight_bit(0.03, 7)
BUILTINS = (B.CONV_2D, B.DEPTHWISE_CONV_2D, B.TRANSPOSE_CONV, B.FULLY_CONNECTED, B.ADD, B.MEAN, B.SOFTMAX, B.DEQUANTIZE)
FUNCTIONS = (
    Case(B.LEAKY_RELU, (X,), (Y,), {"alpha": 0.25}),
    Case(B.LOGISTIC, (X,), (eight_bit(1 / 256, -128),)),
    Case(B.QUANTIZE, (X,), (Y,)),
    Case(B.QUANTIZE, (replace(X, dtype="uint8", zero_point=125),), (X,)),
)


def label(rule: Rule) -> str:
    """Returns the rule's name behind that of its package, with the operator."""
    return f"{rule.name.partition('.')[2].rstrip('_')}.{rule.root.partition('.')[2]}"


LABELS = {label(rule): rule for rule in RULES}


def fired(model: Model) -> tuple[list[str], Model]:
    """Returns the rules that fire on a model, and the converted model."""
    names: list[str] = []

    def watched(rule: Rule) -> Rule:
        @functools.wraps(rule.build)
        def build(match: Match) -> Result | Sequence[Result]:
            names.append(label(rule))
            return rule.build(match)

        return rule._replace(build=build)

    return names, convert_from_tosa(model, prefer_rules(list(map(watched, RULES)), PASSES), "tfl")


def control() -> Iterator[Graph]:
    """Yields IF, WHILE and variables."""
    x = Value(TensorType(DType.I32, (1,)), "x")
    with Builder(Graph("main", [x])) as builder:
        (y,) = while_loop([Expr(x)], lambda values: values[0] < 100, lambda values: [values[0] + 100])
        (z,) = cond_if(y < 100, lambda: [y + 100], lambda: [y - 100])
    yield builder.model(z=z.value).main
    declared = {"name": "sum", "var_shape": (1,), "type": DType.FP32, "initial_value": np.array([1], np.float32)}
    read = Op(ops.VARIABLE_READ, (), [TensorType(DType.FP32, (1,))], {"name": "sum"}, result_names=["y"])
    write = Op(ops.VARIABLE_WRITE, [read.result], (), {"name": "sum"})
    yield Graph("main", [], read.results, [Op(ops.VARIABLE, (), (), declared), read, write])


def graphs() -> Iterator[Graph]:
    """Yields each operator in all types that LiteRT has."""
    for row, types in COMBINATIONS_1_0:
        if "fp8" not in types:
            yield graph_of(row, next(iter(cases_of(row, types))))[0]
    yield from control()


def quantized() -> Iterator[tuple[str, Model]]:
    """Yields conversions of 8-bit operators that come back as one operator, by its name."""
    pairs = [(case, case.operands[0]) for case in bases() if case.builtin in BUILTINS]
    cases = [case for case, x in pairs if x is not None and x.dtype == "int8"]
    for case in (*cases, *FUNCTIONS):
        model = tc.convert(parse(case.file()))
        opcodes = [op.name for op in tc.to_tflite(model).main if "const" not in op.name]
        if len(opcodes) == 1:
            yield f"quantized.{opcodes[0][4:]}", model


@functools.cache
def goldens() -> dict[str, tuple[str, str]]:
    """Returns texts before and after by rule, from the first graph that needs the rule."""
    texts: dict[str, tuple[str, str]] = {}
    for graph in graphs():
        names, converted = fired(Model({"main": graph}))
        for name in names:
            texts.setdefault(name, (golden.text(graph), golden.model_text(converted)))
    for name, model in quantized():
        texts.setdefault(name, (golden.model_text(model), golden.model_text(tc.to_tflite(model))))
    return texts


@pytest.mark.parametrize("name", sorted({*LABELS, *(path.stem for path in GOLDEN.glob("*.mlir"))}))
def test_golden(name: str) -> None:
    golden.check(GOLDEN / f"{name}.mlir", *goldens()[name])


def test_every_rule_and_quantized_operator_has_a_text() -> None:
    assert len(LABELS) == len(RULES)
    assert set(goldens()) >= LABELS.keys()
    assert set(goldens()) == {path.stem for path in GOLDEN.iterdir()}
