"""Runs a fixed sample of the differential suite, for every operator and type that a rule states."""

import importlib.util

import pytest
from support.cases.draw import Draw
from support.cases.table import drawing, undrawn
from support.xnnpack_cases import ON_X86

import tosa_converter as tc
from differential.judge import EQUAL, NO_KERNEL, WITHIN, claims, for_delegate, judge
from tosa_converter.legalize.quant.elements import LEFT

CLAIMS = sorted(claims())
DELEGATES = sorted(claims("xnnpack"))
SEEDS = 3
MOST = 12  # the most cases drawn until one converts
SOME_TAKEN = 50  # the delegate takes one of them: 2 bits in fours, with a scale per channel
REFERENCE_MODEL = importlib.util.find_spec("tosa_reference_model") is not None

Interpreter = pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed").Interpreter


@pytest.mark.parametrize("numerics", ["reference", "xnnpack"])
def test_every_operator_that_a_rule_takes_is_drawn(numerics: str) -> None:
    assert not list(undrawn(claims(numerics)))


@pytest.mark.parametrize(("name", "types"), CLAIMS, ids=list(map(":".join, CLAIMS)))
def test_operators_equal_litert(name: str, types: str) -> None:
    """No case that LiteRT runs is refused: none of them needs a refusal."""
    draw, verdicts = drawing(name, types), []
    for seed in range(MOST):
        verdict = judge(name, types, draw(Draw(seed, types)), by_reference_model=REFERENCE_MODEL and seed == 0)
        assert verdict.verdict in (EQUAL, WITHIN, NO_KERNEL), f"seed {seed}: {verdict}"
        verdicts.append(verdict)
        if seed + 1 >= SEEDS and any(earlier.verdict in (EQUAL, WITHIN) for earlier in verdicts):
            return
    pytest.fail(f"none of {MOST} cases was converted and compared: {verdicts[-1]}")


@ON_X86
@pytest.mark.parametrize(("name", "types"), DELEGATES, ids=list(map(":".join, DELEGATES)))
def test_operators_of_the_delegate_equal_it(name: str, types: str) -> None:
    """The rules also decline every case that the delegate leaves, and report it."""
    draw, taken = drawing(name, types), 0
    for seed in range(SOME_TAKEN):
        case = for_delegate(draw(Draw(seed, types)))
        verdict = judge(name, types, case, numerics="xnnpack")
        assert verdict.verdict in (EQUAL, WITHIN, NO_KERNEL), f"seed {seed}: {verdict}"
        if verdict.verdict != NO_KERNEL:
            data, _ = case.model()
            left = [note.text for note in tc.convert(data, numerics="xnnpack").report.notes].count(LEFT)
            assert delegated(data) == (not left), f"seed {seed}"
            taken += not left
        if seed + 1 >= SEEDS and taken:
            return
    pytest.fail(f"none of {SOME_TAKEN} cases was delegated")


def delegated(data: bytes) -> bool:
    """Returns whether LiteRT gives the model's only operator to its delegate."""
    interpreter = Interpreter(model_content=data)
    interpreter.allocate_tensors()
    return "DELEGATE" in {node["op_name"] for node in interpreter._get_ops_details()}
