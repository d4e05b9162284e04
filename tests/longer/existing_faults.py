"""Plants faults in files without names, and looks whether the first difference names the operator that has the fault.

`python -m longer.existing_faults COUNT MODEL ...` converts each `.tflite`, takes names and locations from the result,
and compares the source's operators with it: as it is, and COUNT times with a fault that moves an output beyond its
tolerance. It prints a line for each fault that isn't found at its operator, and counts:

* right: the operator with the fault is named;
* fused: a later one is named, and the one with the fault as a part of it;
* neighbour: the operator before or behind it;
* wrong, none: another one, or no operator.

Exit status 1 if an unbroken file has an operator that differs.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from support.existing_files import Planted, anonymous, plant

import tosa_converter as tc
from tosa_converter.proof.operators import OperatorComparison

_TRIES = 8  # faults for each one that moves an output


def faults(source: tc.Model, conversion: tc.Model, rng: random.Random, count: int) -> Iterator[Planted]:
    """Yields so many faults that move an output beyond its tolerance, or fewer if they are hard to find."""
    locations = {op.location for op in source.main.ops}
    for _ in range(_TRIES * count):
        fault = plant(conversion, rng)
        if fault.location not in locations:  # in an operator that keeps state, which no operator of the source is
            continue
        try:
            moved = not all(comparison.verdict for comparison in tc.compare(source, anonymous(fault.model)))
        except tc.ConverterError:  # a REQUIRE doesn't hold any more
            continue
        if moved:
            yield fault
            count -= 1
        if not count:
            return


def judged(comparison: OperatorComparison, fault: Planted) -> str:
    """Returns how near the first difference is to the fault."""
    guilty = comparison.guilty
    if guilty is None:
        return "none"
    if guilty.location == fault.location:
        return "right"
    parts = {row.location for row in comparison.operators if row.inside == guilty.tensor}
    order = list(dict.fromkeys(row.location for row in comparison.operators))
    if fault.location in parts and order.index(fault.location) < order.index(guilty.location):
        return "fused"
    near = fault.location in order and abs(order.index(fault.location) - order.index(guilty.location)) == 1
    return "neighbour" if near else "wrong"


def main(count: int, paths: list[str]) -> int:
    """Prints the results of all models; returns the exit status."""
    totals: Counter[str] = Counter()
    innocent = 0
    for path in paths:
        source = tc.load(path)
        conversion = tc.convert(source)
        unbroken = tc.compare_layers(source, anonymous(conversion), bisect=True)
        innocent += unbroken.guilty is not None
        results: Counter[str] = Counter()
        for fault in faults(source, conversion, random.Random(path), count):
            comparison = tc.compare_layers(source, anonymous(fault.model), bisect=True)
            result = judged(comparison, fault)
            results[result] += 1
            if result != "right":
                guilty = comparison.guilty
                print(f"  {result}: {fault.kind} at {fault.location}, found {guilty and guilty.location}", flush=True)
        print(f"{Path(path).name}: {dict(results)}; unbroken: {unbroken.sentence}", flush=True)
        totals += results
    print(f"{totals.total()} faults: {dict(totals)}; {innocent} unbroken files with a difference")
    return 1 if innocent else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
