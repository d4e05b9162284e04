"""Models with an operator that nobody knows, and chains in which it is known again."""

from typing import Any

import tosa_converter as tc
from tosa_converter.ir.edit import copy_model

Original = tuple[str, dict[str, Any]]
CODE = "Unknown"


def without(source: tc.Model, number: int) -> tuple[tc.Model, Original]:
    """A copy whose operator of that number, constants left out, became one that nobody knows; and what it was."""
    model = copy_model(source)
    model.edited = True
    op = operators(model)[number]
    was = (op.name, op.attributes)
    op.name, op.attributes = "tfl.custom", {"custom_code": CODE, "custom_options": b""}
    return model, was


def operators(model: tc.Model) -> list[tc.Op]:
    return [op for op in model.main if not op.name.startswith("tfl.pseudo_")]


def with_known(chain: tc.Model, was: Original) -> tc.Model:
    """The operator gets its code back in what is left, as LiteRT has none of that name."""
    left = [op.attributes["model"] for op in chain.main if op.attributes["model"].opset == "tfl"]
    (op,) = [op for part in left for op in part.main if op.attributes.get("custom_code") == CODE]
    op.name, op.attributes = was
    return chain


def sizes(chain: tc.Model) -> list[tuple[str, int]]:
    """The opset of each step, and how many operators it has, constants left out."""
    parts = [op.attributes["model"] for op in chain.main]
    return [(part.opset, len([op for op in part.main if "const" not in op.name])) for part in parts]
