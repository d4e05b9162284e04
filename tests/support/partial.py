"""Models with an unknown operator, and chains in which the operator is restored."""

from typing import Any

import tosa_converter as tc
from tosa_converter.ir.edit import copy_model

Original = tuple[str, dict[str, Any]]
CODE = "Unknown"


def without(source: tc.Model, number: int) -> tuple[tc.Model, Original]:
    """Returns a copy whose operator of that number, without constants, has an unknown code; and that operator."""
    model = copy_model(source)
    model.edited = True
    op = operators(model)[number]
    was = (op.name, op.attributes)
    op.name, op.attributes = "tfl.custom", {"custom_code": CODE, "custom_options": b""}
    return model, was


def operators(model: tc.Model) -> list[tc.Op]:
    return [op for op in model.main if not op.name.startswith("tfl.pseudo_")]


def with_known(chain: tc.Model, was: Original) -> tc.Model:
    """Restores the operator's code in the remaining TFLite models, since LiteRT doesn't have the unknown one."""
    left = [op.attributes["model"] for op in chain.main if op.attributes["model"].opset == "tfl"]
    (op,) = [op for part in left for op in part.main if op.attributes.get("custom_code") == CODE]
    op.name, op.attributes = was
    return chain


def sizes(chain: tc.Model) -> list[tuple[str, int]]:
    """Returns the opset and the number of operators of each step, without constants."""
    parts = [op.attributes["model"] for op in chain.main]
    return [(part.opset, len([op for op in part.main if "const" not in op.name])) for part in parts]
