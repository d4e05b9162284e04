"""Compares LiteRT's verdicts with ours on operators with one or two faults in types, shapes, numbers or quantization.

`python -m longer.malformed_models FIRST LAST` tries the seeds from FIRST to before LAST in LiteRT's reference kernels
(allocation and one run, in a process of its own) and in our import and conversion, and prints every disagreement.
"""

import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from support.cases.case import Case
from support.cases.table import bases
from support.commands import ROOT
from support.tflite_models import Tensor

import tosa_converter as tc
from tosa_converter.engines.process import Worker
from tosa_converter.errors import ConverterError, FormatError
from tosa_converter.formats import parse
from tosa_converter.schemas.tflite import BuiltinOperator as B

DTYPES = ("float32", "float16", "int32", "uint8", "int64", "bool", "int16", "int8")


@cache
def _all_bases() -> tuple[Case, ...]:
    return tuple(bases())


# ** faults **


def faulty(seed: int) -> tuple[Case, str]:
    """Returns a base with one fault, or two in every fourth case, and a description of the faults."""
    rng = np.random.default_rng(seed)
    cases = _all_bases()
    case = cases[int(rng.integers(len(cases)))]
    done = []
    for _ in range(1 + (seed % 4 == 0)):
        fault = FAULTS[int(rng.integers(len(FAULTS)))]
        case, description = fault(case, rng)
        done.append(description)
    return case, f"{case.builtin.name}: {', '.join(done)}"


def _changed(case: Case, rng: np.random.Generator, **changes: Any) -> tuple[Case, int]:
    """Returns the case with other fields of one tensor; constants are cast to their new type and shape."""
    places = [i for i, tensor in enumerate((*case.operands, *case.results)) if tensor is not None]
    index = places[int(rng.integers(len(places)))] if places else -1
    if index < 0:
        return case, index
    tensors = [*case.operands, *case.results]
    tensor = tensors[index]
    assert tensor is not None
    new = {key: change(tensor) for key, change in changes.items()}
    tensors[index] = changed = replace(tensor, **new)
    if changed.data is not None:
        count = int(np.prod(changed.shape))
        changed.data = np.resize(np.asarray(tensor.data), count).astype(changed.dtype).reshape(changed.shape)
    cut = len(case.operands)
    return replace(case, operands=tuple(tensors[:cut]), results=tuple(tensors[cut:])), index  # type: ignore[arg-type]


def _dtype(case: Case, rng: np.random.Generator) -> tuple[Case, str]:
    dtype = DTYPES[int(rng.integers(len(DTYPES)))]
    quantized = dtype in ("int8", "uint8", "int16") and bool(rng.integers(4))
    case, index = _changed(
        case, rng, dtype=lambda _: dtype, scale=lambda t: (0.05 if t.scale is None else t.scale) if quantized else None
    )
    return case, f"tensor {index} is {dtype}{' quantized' if quantized else ''}"


def _quantization(case: Case, rng: np.random.Generator) -> tuple[Case, str]:
    scale = (None, 0.05, 0.07, 1 / 256, 1 / 128, 1 / 32768)[int(rng.integers(6))]
    zero_point = int(rng.integers(-3, 4))
    case, index = _changed(case, rng, scale=lambda _: scale, zero_point=lambda _: zero_point)
    return case, f"tensor {index} has scale {scale} and zero point {zero_point}"


def _shape(case: Case, rng: np.random.Generator) -> tuple[Case, str]:
    kind, place = int(rng.integers(3)), int(rng.integers(4))

    def other(tensor: Tensor) -> tuple[int, ...]:
        shape = tuple(tensor.shape)
        at = min(place, len(shape))
        if kind == 0:
            return shape[:at] + shape[at + 1 :]
        return (*shape[:at], 1, *shape[at:]) if kind == 1 else (*shape[:at], 3, *shape[at + 1 :])

    case, index = _changed(case, rng, shape=other)
    tensors = (*case.operands, *case.results)
    return case, f"tensor {index} has shape {tensors[index].shape if tensors else ()}"  # type: ignore[union-attr]


def _operands(case: Case, rng: np.random.Generator) -> tuple[Case, str]:
    count, kind = len(case.operands), int(rng.integers(3))
    at = int(rng.integers(max(count, 1)))
    if kind == 0:
        return replace(case, operands=(*case.operands[:at], *case.operands[at + 1 :])), f"operand {at} left out"
    if kind == 1 and count:
        return replace(case, operands=(*case.operands, case.operands[at])), f"operand {at} once more"
    return replace(case, operands=(*case.operands[:at], None, *case.operands[at + 1 :])), f"operand {at} absent"


def _results(case: Case, rng: np.random.Generator) -> tuple[Case, str]:
    if rng.integers(2) and len(case.results) > 1:
        return replace(case, results=case.results[:-1]), "a result left out"
    return replace(case, results=(*case.results, case.results[0])), "a result more"


def _constant(case: Case, rng: np.random.Generator) -> tuple[Case, str]:
    index = int(rng.integers(len(case.operands))) if case.operands else 0
    tensor = case.operands[index] if case.operands else None
    if tensor is None:
        return case, "nothing"
    data = np.ones(tensor.shape, tensor.dtype) if tensor.data is None else None
    other = (*case.operands[:index], replace(tensor, data=data), *case.operands[index + 1 :])
    return replace(case, operands=other), f"operand {index} {'no ' if data is None else ''}constant"


# Kernels that don't compare these types and read or write the bytes of one as another's, past the end if it is wider.
UNDEFINED = frozenset(
    {
        B.RESHAPE,
        B.MUL,
        B.PRELU,
        B.SOFTMAX,
        B.MEAN,
        B.SUM,
        B.REDUCE_MAX,
        B.REDUCE_MIN,
        B.REDUCE_PROD,
        B.SQUEEZE,
        B.REDUCE_ANY,
        B.REDUCE_ALL,
        B.MATRIX_SET_DIAG,
        B.ONE_HOT,
        B.DILATE,
        B.SPACE_TO_BATCH_ND,
        B.BATCH_TO_SPACE_ND,
        B.TRANSPOSE,
        B.BATCH_MATMUL,
        B.ATAN2,
        B.FAKE_QUANT,
        B.SEGMENT_SUM,
        B.UNSORTED_SEGMENT_SUM,
        B.UNSORTED_SEGMENT_PROD,
        B.UNSORTED_SEGMENT_MAX,
        B.UNSORTED_SEGMENT_MIN,
        B.LSTM,
        B.RNN,
        B.SVDF,
        B.BIDIRECTIONAL_SEQUENCE_LSTM,
        B.BIDIRECTIONAL_SEQUENCE_RNN,
        B.UNIDIRECTIONAL_SEQUENCE_LSTM,
        B.UNIDIRECTIONAL_SEQUENCE_RNN,
    }
)
# BUILTIN_REF of LiteRT 2.3.0 doesn't have them; BROADCAST_TO starts with version 2.
OPTIMIZED = frozenset({B.ELU, B.CEIL, B.BROADCAST_TO, B.ROUND, B.SEGMENT_SUM})
FAULTS = (_dtype, _dtype, _quantization, _quantization, _shape, _shape, _operands, _results, _constant)


# ** verdicts **


class Verdicts(NamedTuple):
    """LiteRT's verdict (runs, refuses, crashes) and ours (converts, notes, refuses (3), unsupported (4), fails)."""

    litert: str
    ours: str
    words: str

    @property
    def agree(self) -> bool:
        """Returns whether we convert what runs, and convert nothing else without a note."""
        if self.ours == "fails":
            return False
        return self.ours != "refuses" if self.litert == "runs" else self.ours != "converts" or self.litert == "crashes"


def judge() -> Worker:
    """Returns a process that runs models in LiteRT, and survives its refusals."""
    worker = Worker("litert", "LiteRT", "verify", lambda _folder: {"PYTHONPATH": str(ROOT / "tests")})
    worker.command = [sys.executable, "-m", "longer.malformed_models", "serve"]
    return worker


def _serve() -> int:
    from ai_edge_litert import interpreter as litert

    from tosa_converter.engines.process import Answer, serve
    from tosa_converter.engines.workers.litert import _run

    def answer(data: bytes, resolver: str, arrays: list[Any]) -> Answer:
        try:
            kind = getattr(litert.OpResolverType, resolver)
            _run(litert.Interpreter(model_content=data, experimental_op_resolver_type=kind), [arrays], [])
        except (RuntimeError, ValueError) as error:
            return str(error), None
        return "", None

    return serve(answer)


def verdicts(worker: Worker, case: Case) -> Verdicts:
    """Runs both sides on one case."""
    data, arrays = case.model()
    ours, words = "converts", ""
    try:
        model = parse(data)
        assumed = any("known at run time only" in note.text for note in tc.convert(model).report.notes)
        ours = "notes" if model.notes or assumed else ours
    except FormatError as error:
        ours, words = "refuses", str(error)
    except ConverterError as error:
        ours, words = "unsupported", str(error)
    except Exception as error:  # any other is our mistake, to be listed with the rest
        ours, words = "fails", repr(error)
    try:
        resolver = "BUILTIN_WITHOUT_DEFAULT_DELEGATES" if case.builtin in OPTIMIZED else "BUILTIN_REF"
        refusal = worker.ask("a model", data, resolver, arrays)
        litert = "refuses" if refusal else "runs"
    except ConverterError as error:
        litert, refusal = "crashes", str(error)
    return Verdicts(litert, ours, f"{words} | {refusal}".replace("\n", " "))


def main(first: str, last: str) -> int:
    """Prints the disagreements, and the count of each pair of verdicts."""
    worker = judge()
    counts: Counter[tuple[str, str]] = Counter()
    wrong = 0
    for seed in range(int(first), int(last)):
        case, done = faulty(seed)
        verdict = verdicts(worker, case)
        counts[verdict[:2]] += 1
        if not verdict.agree and not (case.builtin in UNDEFINED and verdict[:2] == ("runs", "refuses")):
            wrong += 1
            print(f"{seed} {done}: LiteRT {verdict.litert}, we {verdict.ours}: {verdict.words[:300]}")
    for pair, count in counts.most_common():
        print(f"{count:6d} LiteRT {pair[0]}, we {pair[1]}")
    print(f"{wrong} of {int(last) - int(first)} disagree")
    worker.close()
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(_serve() if sys.argv[1:] == ["serve"] else main(*sys.argv[1:]))
