"""Pages of verifications for tests: one that differs, with hostile names, and what is in a page's text."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np

import tosa_converter as tc
from support.planted import SHAPE, planted
from support.tflite_models import Operator, Tensor, build
from tosa_converter.schemas.tflite import BuiltinOperator as B

EVIL = "<script>alert(1)</script>\x1b[31m$x$\ud800\u202e\"'><img src=x onerror=alert(2)>{{ 1 }}</style>"


def different(verification: tc.Verification) -> tc.Verification:
    """The same with an operator and an output that differ, in names that somebody chose."""
    (layers,) = verification.operators
    guilty = layers.operators[3]
    assert guilty.whole is not None
    worse = replace(guilty.whole, max_abs=7.0, verdict=False)
    rows = [replace(guilty, tensor=EVIL, verdict=False, alone=worse, whole=worse)]
    operators = replace(
        layers, operators=(*layers.operators[:3], *rows, *layers.operators[4:]), sentence=f"They part at {EVIL}"
    )
    (comparison,) = verification.comparisons
    outputs = tuple(replace(output, name=EVIL, verdict=False) for output in comparison.outputs)
    changed = replace(
        verification, file=EVIL, operators=(operators,), comparisons=(replace(comparison, outputs=outputs),)
    )
    assert not changed.verdict
    return changed


def hostile() -> tc.Verification:
    """NEG, then ABS, then EXP, whose tensors have hostile names, by a conversion in which NEG is off."""
    tensors = [Tensor(SHAPE, name=f"{name}{EVIL.encode('utf-8', 'ignore').decode()}") for name in "xyzw"]
    kinds = (B.NEG, B.ABS, B.EXP)
    model = build(tensors, [Operator(kind, (i,), (i + 1,)) for i, kind in enumerate(kinds)], (0,), (3,))
    inputs = {tensors[0].name: np.array([1, -2, 4, 0.5, -0.25, 2], np.float32).reshape(SHAPE)}
    error = np.array([0, 0.5, 0, 0, 0.25, 0.5], np.float32).reshape(SHAPE)
    return replace(tc.verify(model, inputs=[inputs], rules=planted(error), layers=True), file=EVIL)


def dangling_links(text: str) -> set[str]:
    """Links of a page to what it doesn't have."""
    return set(re.findall(r'href="#([^"]*)"', text)) - set(ids(text))


def ids(text: str) -> list[str]:
    return re.findall(r'\bid="([^"]*)"', text)


def repeated_ids(text: str) -> list[str]:
    return [name for name, count in Counter(ids(text)).items() if count > 1]


def row_states(text: str) -> dict[str, str]:
    """The state of each row of the table of operators, by its id."""
    return dict(re.findall(r'<tr id="(r[\d.-]+)"[^>]*>.*?<td class="state (\w+)"', text, re.S))
