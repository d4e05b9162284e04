"""The error about a target that lacks what a conversion needs: by source operator and feature, with what to do next."""

from collections.abc import Iterator
from typing import NamedTuple

from tosa_converter.errors import Refusal, UnsupportedError, count_names, group_refusals
from tosa_converter.ir import Model, Op
from tosa_converter.rewriting.reasons import graph_and_number
from tosa_converter.rules.target import Target, op_with_location

FLOATS, INTEGERS = "PRO-FP", "PRO-INT"
# Features that options of the conversion do without.
_OPTIONS = {
    "EXT-VARIABLE": "--state io makes the state inputs and outputs",
    "EXT-CONTROLFLOW": "--control-flow flatten computes branches and loops without control flow",
    "EXT-DYNAMIC": "--input-shape fixes the sizes of inputs",
}
_AT_BORDERS = frozenset({"QUANTIZE", "DEQUANTIZE", "CAST"})  # with floats at inputs and outputs alone


class _Lack(NamedTuple):
    """Something that an operator of TOSA needs and the target lacks."""

    op: Op
    text: str  # for the list of all places
    feature: str  # such as PRO-FP; "" if the target refuses the operator for `reason`
    reason: str


def require_target(model: Model, target: Target, source: Model) -> None:
    """Raises UnsupportedError for what operators of a TOSA model need and a target lacks.

    The error counts the source's operators by the profile or extension that they need, and lists those that the target
    refuses for other reasons.

    Args:
        model: the conversion.
        target: its profiles, extensions, level and version.
        source: the model that was converted, whose operators the message counts.
    """
    lacks = list(_lacks(model, target))
    if not lacks:
        return
    names = {op.location: op.attributes.get("custom_code") or op.base_name.upper() for op in _operators(source)}
    # An operator of the source may become many of TOSA; those without a location count by themselves.
    by_feature: dict[str, dict[object, str]] = {}
    for lack in lacks:
        key = lack.op.location or lack.op
        by_feature.setdefault(lack.feature, {})[key] = names.get(lack.op.location, lack.op.base_name.upper())
    refused = {lack.op.location: lack for lack in lacks if not lack.feature}
    refusals = [
        Refusal(graph_and_number(at), names.get(at, lack.op.base_name.upper()), lack.reason)
        for at, lack in refused.items()
    ]
    first, step = _summary(source, target, by_feature, len(names))
    needed = [
        f"{len(ops)} operator{'s need' if len(ops) > 1 else ' needs'} {feature}: {count_names(ops.values())}"
        for feature, ops in by_feature.items()
        if feature
    ]
    places = [lack.text for lack in lacks]
    operators = [(lack.op.location, lack.op.name) for lack in lacks]
    raise UnsupportedError(
        first,
        *needed,
        *(group_refusals(refusals) if refusals else ()),
        f"next: {step}",
        places=places,
        operators=operators,
    )


def _lacks(model: Model, target: Target) -> Iterator[_Lack]:
    """Yields what each operator of a TOSA model needs and a target lacks: a feature, or another reason.

    `Target.lacks` gives both as texts: "PRO-FP for ..." names a feature, "CONV2D: ..." the reason for an operator.
    """
    for graph in model.graphs.values():
        for op in graph.walk():
            for text in target.lacks(op):
                name, colon, reason = text.partition(": ")
                is_refused = bool(colon) and name == op.base_name.upper()
                feature = "" if is_refused else text.partition(" for ")[0]
                yield _Lack(
                    op,
                    f"{op_with_location(op)}: needs {text}",
                    feature,
                    f"the target refuses {name}: {reason}" if is_refused else "",
                )


def _summary(source: Model, target: Target, by_feature: dict[str, dict[object, str]], count: int) -> tuple[str, str]:
    """Returns the first line of the error that a target lacks something, and what to do next.

    `by_feature` has the names of the source's operators, each by its location, under the profile or extension that they
    need; `count` is the number of all operators of the source.
    """
    file = repr(source.source) if source.source else "the model"
    name = str(target) if target.preset is None else target.preset.name
    floats, integers = by_feature.get(FLOATS, {}), by_feature.get(INTEGERS, {})
    if floats and FLOATS not in target.profiles:
        widths = "int8 and int16" if "EXT-INT16" in target.extensions else "int8"
        step = "quantize the model first (docs: how-to/quantize)"
        if _AT_BORDERS.issuperset(floats.values()):
            step = "--io-type int8 makes the inputs and outputs integers"
        is_float = 2 * len(floats) >= count
        kind = "is a float model" if is_float else f"computes {len(floats)} of {count} operators in float"
        return f"{file} {kind}, but {name} computes {widths} only", step
    if integers and INTEGERS not in target.profiles:
        is_quantized = 2 * len(integers) >= count
        kind = "is a quantized model" if is_quantized else f"computes {len(integers)} of {count} operators in integers"
        return f"{file} {kind}, but {name} computes floats only", "choose a target that has PRO-INT"
    features = {word for feature in by_feature for word in feature.split(" ")}
    step = next((option for feature, option in _OPTIONS.items() if feature in features), "")
    return f"{file} needs what {name} lacks", step or "choose a target that has what the operators need"


def _operators(model: Model) -> Iterator[Op]:
    """Yields every operator of a model and of its regions, without constants and declarations."""
    for graph in model.graphs.values():
        for op in graph.walk():
            if not op.declares:
                yield op
