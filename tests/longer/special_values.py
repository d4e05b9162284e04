"""Runs NaN and infinities through every operator of floats, and lists the operators that differ from LiteRT.

`PYTHONPATH=tests python -m longer.special_values --count 5 [--only PART ...]`. Each case of the differential suite gets
NaN, infinity and -infinity, one of them in a place of every float that is fed. Prints the operators whose results
differ; exit status 1 if one has no row in `schemas/float_corners.py`.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from differential.judge import DIFFERS, claims, compared, signless
from support.cases.case import Case
from support.cases.draw import Draw
from support.cases.table import drawing

import tosa_converter as tc
from tosa_converter.engines import source_engine
from tosa_converter.errors import ConverterError
from tosa_converter.schemas.float_corners import CORNERS

TOLERANCE = 1e-4  # NaN and infinities count, not digits
ELSEWHERE = ("custom.", "tfl.stablehlo_")


def cases(name: str, types: str, count: int) -> Iterator[tuple[int, float, Case]]:
    """Yields cases with a seed and the value that each of their floats contains."""
    draw = drawing(name, types)
    for seed in range(count):
        case = draw(Draw(seed, types))
        for value in (np.nan, np.inf, -np.inf):
            if isinstance(case, Case) and not case.further and (changed := with_value(case, value, seed)) is not None:
                yield seed, value, changed


def with_value(case: Case, value: float, seed: int) -> Case | None:
    """Returns the case with a value in one place of every fed float; None if no float is fed."""
    rng = np.random.default_rng(seed)
    operands, changed = [], False
    for operand in case.operands:
        if operand is not None and operand.array is not None and operand.fed and operand.array.dtype == np.float32:
            array = operand.array.copy()
            if array.size:
                array.reshape(-1)[rng.integers(array.size)] = value
                operand, changed = replace(operand, array=array), True
        operands.append(operand)
    return replace(case, operands=operands) if changed else None


def difference(case: Case) -> str:
    """Returns how the conversion's results differ from LiteRT's; empty if they don't, or if either refuses."""
    data, arrays = case.model()
    try:
        source = tc.load(data)
        inputs = dict(zip((value.name for value in source.main.inputs), arrays, strict=True))
        expected = case.settled(list(source_engine(source).run(source, inputs).values()))
        model = tc.convert(data, **case.conversion)
        outputs = tc.run(model, {name: signless(array) for name, array in inputs.items()})
    except ConverterError:
        return ""
    verdict = compared(list(outputs.values()), expected, TOLERANCE)
    return verdict.reason if verdict.verdict == DIFFERS else ""


def keys(only: Sequence[str]) -> list[tuple[str, str]]:
    """Returns the operators and types to examine, floats first."""
    asked = [key for key in sorted(claims()) if any(part in ":".join(key) for part in only)]
    return [key for key in asked if key[1].split("*")[0] == "fp32" and not key[0].startswith(ELSEWHERE)]


def stated() -> set[str]:
    """Returns the operators that the table of corners names."""
    return {f"tfl.{name}" for corner in CORNERS for name in corner.operators.split()}


def main() -> int:
    """Draws, runs and prints; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m longer.special_values", description=__doc__)
    parser.add_argument("--count", type=int, default=5, help="cases for each operator and type")
    parser.add_argument("--only", nargs="+", default=[""], help="parts of operator:type")
    options = parser.parse_args()
    missing = set[str]()
    for name, types in keys(options.only):
        reasons = [
            (seed, value, why) for seed, value, case in cases(name, types, options.count) if (why := difference(case))
        ]
        if reasons:
            seed, value, why = reasons[0]
            print(f"{name}:{types}  {len(reasons)} cases, seed {seed} with {value}: {why}", flush=True)
            missing |= {name} - stated()
    print("not in the table:", " ".join(sorted(missing)) or "none")
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
