"""The names that users may give to a model's outputs."""

import re

from tosa_converter.ir import Model, unique_names

_POSITION = re.compile(r"arr_(\d{1,9})")  # the names that numpy.savez gives to arrays without one


def output_names(model: Model) -> list[str]:
    """Returns the names of the main graph's outputs in order, each for one output."""
    return unique_names(value.name for value in model.main.outputs)


def output_numbers(model: Model) -> dict[str, int]:
    """Returns the positions of the main graph's outputs by name: the graph's own names, and those of signatures.

    A name that the graph and a signature have for different outputs is the graph's.
    """
    outputs = model.main.outputs
    signatures = [signature for signature in model.signatures.values() if signature.graph == model.main.name]
    named = {name: value for signature in signatures for name, value in signature.outputs.items()}
    aliases = {name: outputs.index(value) for name, value in named.items() if value in outputs}
    return aliases | {name: i for i, name in enumerate(output_names(model))}


def number_of_array(model: Model, name: str) -> int | None:
    """Returns the position of the output that a saved array is for, by its name or arr_0, arr_1, ...; else None."""
    numbers, position = output_numbers(model), _POSITION.fullmatch(name)
    number = numbers.get(name, int(position[1]) if position else len(model.main.outputs))
    return number if number < len(model.main.outputs) else None
