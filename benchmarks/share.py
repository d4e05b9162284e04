"""The share of the zoo's operators that run in a quick form, and which run by their definition.

    python benchmarks/share.py

What depends on constants only is folded before the first run, and doesn't count.
"""

from collections import Counter
from collections.abc import Iterator

import tosa_converter as tc
from tosa_converter.errors import ConverterError
from tosa_converter.execute.fast.plans import FAST
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import CONSTANTS, Graph
from tosa_converter.proof import zoo


def forms(graph: Graph) -> Iterator[tuple[str, bool]]:
    """Every operator that a run executes, and whether in a quick form."""
    plan_context = Executable(graph, limit=float("inf"))._plan_context
    for op in graph.walk():
        if op.name not in CONSTANTS and not plan_context.folded.keys() & set(op.results):
            plan = FAST.get(op.row)
            yield op.name, plan is not None and plan(op, plan_context) is not None


def main() -> None:
    """Print what runs by its definition, by number, and the share of the rest."""
    counts: Counter[tuple[str, bool]] = Counter()
    models = 0
    for path in sorted(zoo.cache_folder().glob("*.tflite")):
        try:
            counts.update(forms(tc.convert(tc.load(path)).main))
            models += 1
        except ConverterError as error:
            print(f"{path.name}: {str(error).splitlines()[0]}")
    for (name, quick), count in counts.most_common():
        if not quick:
            print(f"{name}: {count} by definition")
    total, quickly = counts.total(), sum(count for (_, quick), count in counts.items() if quick)
    print(f"{quickly} of {total} operators of {models} models run in a quick form: {quickly / total:.1%}")


if __name__ == "__main__":
    main()
