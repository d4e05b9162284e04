"""Compares the states of streaming models, step by step, with the values that LiteRT assigns to its variables.

Their outputs say little on random inputs: a probability of 0 at every step. Prints a line for each model of the zoo
with variables; exit status 1 if an element differs. `PYTHONPATH=tests python -m longer.streaming_states`.
"""

import sys
from pathlib import Path

import numpy as np

import tosa_converter as tc
from tosa_converter.engines.litert import LiteRT
from tosa_converter.ir import NEXT, Model
from tosa_converter.proof.zoo import manifest, path_of

AFTER = (1, 2, 5, 17, 50)  # steps


def assigned(model: Model) -> dict[str, str]:
    """Returns the tensor that each variable is assigned, by the variable's name."""
    handles = {op.result: op.attributes["shared_name"] for op in model.main if op.name == "tfl.var_handle"}
    writes = [op for op in model.main if op.name == "tfl.assign_variable"]
    return {handles[op.operands[0]]: op.operands[1].name for op in writes}


def differing(path: Path) -> tuple[int, int] | None:
    """Returns how many elements of states differ, and their total; None for a model without variables."""
    model = tc.load(path)
    names = assigned(model)
    if not names:
        return None
    converted = tc.convert(model, state="io", control_flow="flatten")
    steps = [tc.random_inputs(model, seed=seed) for seed in range(max(AFTER))]
    wrong = elements = 0
    for count in AFTER:
        _, observed = LiteRT().run_observed_steps(model, steps[:count], list(names.values()))
        ours = tc.run_steps(converted, steps[:count])[-1]
        for variable, tensor in names.items():
            wrong += int(np.count_nonzero(ours[variable + NEXT] != observed[tensor]))
            elements += observed[tensor].size
    return wrong, elements


def main() -> int:
    """Checks every cached model of the zoo."""
    counts_by_name = {model.name: differing(path_of(model)) for model in manifest() if path_of(model).exists()}
    counts = {name: count for name, count in counts_by_name.items() if count is not None}
    for name, (wrong, elements) in counts.items():
        print(f"{name}: {wrong} of {elements} elements of states differ")
    return int(not counts or any(wrong for wrong, _ in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
