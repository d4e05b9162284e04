"""Recurrent layers in Keras's loops, with tensor lists that are set and read at run-time indices."""

import hashlib

import numpy as np
import pytest
from support.commands import MODELS
from support.tflite_models import Operator, Subgraph, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.schemas.tflite import BuiltinOperator as B

LOOPS = sorted(path.name for path in MODELS.glob("loop_*.tflite"))


def test_the_models_are_those_that_were_made() -> None:
    sums = dict(line.split()[::-1] for line in (MODELS / "SHA256SUMS").read_text().splitlines())
    assert {name: sums[name] for name in LOOPS} == {
        name: hashlib.sha256((MODELS / name).read_bytes()).hexdigest() for name in LOOPS
    }


@pytest.mark.parametrize("control_flow", ["keep", "flatten"])
@pytest.mark.parametrize("name", LOOPS)
def test_layers_equal_litert(name: str, control_flow: str) -> None:
    verification = tc.verify(MODELS / name, control_flow=control_flow)
    assert verification.verdict
    assert ("EXT-CONTROLFLOW" in str(verification.needs)) is (control_flow == "keep")


def ints(*values: int) -> Tensor:
    return Tensor((len(values),), "int32", np.array(values, np.int32))


def setting(entry: tuple[int, ...], *, step: int = 1, before: int = 0, scale: float | None = None) -> bytes:
    """Returns a loop that sets entries of a list of 4; `step` is the distance between the parts around an entry."""
    number, yes, rank, dtype = Tensor((), "int32"), Tensor((), "bool"), 1 + len(entry), "int8" if scale else "float32"
    whole, item, part = (Tensor(shape, dtype, scale=scale) for shape in ((4, *entry), (1, *entry), ()))
    vector, start, rest = ints(1), ints(*[before] * rank), ints(*[-1] * rank)
    tensors = [number, whole, item, Tensor((), "int32", np.int32(step)), number, vector, start, rest]
    joins = [Operator(B.ADD, [0, 3], [4]), Operator(B.RESHAPE, [0, 5], [8]), Operator(B.RESHAPE, [4, 5], [9])]
    tensors += [Tensor((1,), "int32"), Tensor((1,), "int32")]
    size, begin = 8, 9
    if entry:
        tensors += [ints(*[-1] * len(entry)), ints(*[0] * len(entry)), *[Tensor((rank,), "int32")] * 2]
        joins += [Operator(B.CONCATENATION, [8, 10], [12]), Operator(B.CONCATENATION, [9, 11], [13])]
        size, begin = 12, 13
    first = len(tensors)
    tensors += [part, part, whole]
    joins += [Operator(B.SLICE, [1, 6, size], [first]), Operator(B.SLICE, [1, begin, 7], [first + 1])]
    joins.append(Operator(B.CONCATENATION, [first, 2, first + 1], [first + 2]))
    body = Subgraph(tensors, joins, [0, 1, 2], [4, first + 2, 2])
    limit = Tensor((), "int32", np.int32(3))
    test = Subgraph([number, whole, item, limit, yes], [Operator(B.LESS, [0, 3], [4])], [0, 1, 2], [4])
    options = {"cond_subgraph_index": 1, "body_subgraph_index": 2}
    zero = Tensor((), "int32", np.int32(0))
    loop = Operator(B.WHILE, [0, 1, 2], [3, 4, 5], options)
    return build([zero, whole, item, number, whole, item], [loop], [1, 2], [4], [test, body])


@pytest.mark.parametrize("control_flow", ["keep", "flatten"])
@pytest.mark.parametrize(("entry", "scale"), [((), None), ((5,), None), ((2, 3), None), ((3,), 0.1)])
def test_entries_are_set(entry: tuple[int, ...], scale: float | None, control_flow: str) -> None:
    data, rng = setting(entry, scale=scale), np.random.default_rng(3)
    arrays = [rng.integers(-9, 9, (n, *entry)).astype("float32" if scale is None else "int8") for n in (4, 1)]
    model = tc.convert(tc.load(data), control_flow=control_flow)
    (got,) = tc.run(model, dict(zip(("t1", "t2"), arrays, strict=True))).values()
    np.testing.assert_array_equal(got, run_litert(data, arrays)[0])


@pytest.mark.parametrize("other", [{"step": 2}, {"before": 1}])
def test_parts_that_set_no_entry_are_refused(other: dict[str, int]) -> None:
    """Parts that overlap or leave something out have sizes that only the run knows."""
    with pytest.raises(UnsupportedError, match="must be constant"):
        tc.convert(tc.load(setting((5,), **other)))
