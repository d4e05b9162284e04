"""The names that users may give to a model's outputs."""

from tosa_converter.ir import Model, unique_names


def output_numbers(model: Model) -> dict[str, int]:
    """Returns the positions of the main graph's outputs by name: the graph's own names, and those of signatures.

    A name that the graph and a signature have for different outputs is the graph's.
    """
    outputs = model.main.outputs
    signatures = [signature for signature in model.signatures.values() if signature.graph == model.main.name]
    named = {name: value for signature in signatures for name, value in signature.outputs.items()}
    aliases = {name: outputs.index(value) for name, value in named.items() if value in outputs}
    return aliases | {name: i for i, name in enumerate(unique_names(value.name for value in outputs))}
