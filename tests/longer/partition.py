"""Converts every model of the zoo in part, with one unknown operator, and compares the chain with the model.

`python -m longer.partition [SEED] [MODEL ...]` takes an operator by random from each model that the cache folder has
(`tflite-to-tosa zoo fetch`), converts the rest, gives the operator its code back in what is left, as LiteRT has none
that nobody knows, and compares the chain with the model. It prints a line for each, `refused` where the model has
state or LiteRT doesn't run it; exit status 1 if one differs or has more than two TOSA pieces and one that is left.
"""

import random
import sys
from pathlib import Path

from support.partial import operators, sizes, with_known, without

import tosa_converter as tc
from tosa_converter.errors import ConverterError
from tosa_converter.proof import zoo


def verdict(path: Path, seed: int) -> tuple[bool, str]:
    """Returns whether the model passes, and the outcome in words."""
    source = tc.load(path)
    number = random.Random(seed).randrange(len(operators(source)))
    model, was = without(source, number)
    try:
        chain = with_known(tc.convert_partially(model), was)
        (comparison,) = tc.compare(source, chain, limit=1e9)
    except ConverterError as error:
        return True, f"refused: {error.lines[0][:100]}"
    parts = sizes(chain)
    opsets = [opset for opset, _ in parts]
    worst = sum(output.mismatches for output in comparison.outputs)
    few = opsets.count("tfl") == 1 and opsets.count("tosa") <= 2
    words = "equal" if comparison.verdict and few else "DIFFERENT"
    pieces = ", ".join(f"{count} {opset}" for opset, count in parts)
    return (
        comparison.verdict and few,
        f"{words}: {was[0]} of {len(operators(source))}: {pieces}; {worst} elements differ",
    )


def main() -> int:
    """Checks the named models, or all."""
    words = sys.argv[1:]
    seed = int(words.pop(0)) if words and words[0].isdigit() else 0
    done = []
    for path in sorted(zoo.cache_folder().glob("*.tflite")):
        if not words or path.stem in words:
            well, text = verdict(path, seed)
            print(f"{path.stem:<45}{text}", flush=True)
            done.append(well)
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
