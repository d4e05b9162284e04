"""The record of a source's borders has an exact text, and every limit of its parts holds from both sides."""

import json
from typing import Any

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.formats.borders import MARK, attach_borders, encode_borders, split_borders
from tosa_converter.ir import Border, Graph, Model, Op, Quant, Signature, State, TensorType, Value

LARGEST = float(np.finfo(np.float32).max)
TYPE = TensorType(DType.I8, (2, 3))
NUMBERED = TensorType(DType.UI8, (None, 2), Quant((0.5, 2.0), (-1, 128), 1))


def graph(type: TensorType = TYPE) -> Model:
    """Returns a model of one operator with the input x and the output y."""
    x = Value(type, "x")
    op = Op("tosa.abs", [x], [type])
    op.result.name = "y"
    main = Graph("main", [x], [op.result], [op])
    return Model({"main": main}, signatures={"main": Signature.of(main)})


def row(name: str, **fields: object) -> dict[str, Any]:
    return {"name": name, "source": name.upper(), "type": "i8", "shape": [2, 3], **fields}


def read(changes: dict[str, Any], type: TensorType = TYPE) -> tuple[Model, str]:
    """Returns the model with a record, and the note of a record that is ignored."""
    model = graph(type)
    record = {"inputs": [row("x")], "outputs": [row("y")], "signatures": [], **changes}
    attach_borders(model, model.main, MARK + json.dumps(record))
    notes = [text.removeprefix("its record of the source's borders is ignored: ") for _, text in model.notes]
    assert bool(notes) == (not model.borders)
    return model, "".join(notes)


def test_a_record_has_its_exact_text() -> None:
    """The text is JSON in ASCII with sorted keys; signatures are listed if they differ from the graph's."""
    model = graph()
    x, y = model.main.inputs[0], model.main.outputs[0]
    model.borders = {x: Border("a b#\u00e4\n", NUMBERED, (1, 0)), y: Border("plain name", TYPE)}
    columns = '"name":"x","permutation":[1,0],"scale":[0.5,2.0],"shape":[-1,2],"source":"a b\\u0023\\u00e4\\u000a",'
    inputs = f'"inputs":[{{"axis":1,{columns}"type":"ui8","zero_point":[-1,128]}}]'
    outputs = '"outputs":[{"name":"y","shape":[2,3],"source":"plain name","type":"i8"}]'
    assert encode_borders(model, model.main, {}) == f'{MARK}{{{inputs},{outputs},"signatures":[]}}'
    model.borders = {y: Border("s", TYPE)}
    model.signatures = {"s": Signature("main", {"in": x}, {"out": y}), "t": Signature("other", {"in": x}, {"out": y})}
    model.states = {"main": (State("x", "y", None), State("x", "elsewhere", None))}
    expected = '"inputs":[{"name":"n"}],"outputs":[{"name":"y","shape":[2,3],"source":"s","type":"i8"}]'
    ends = '"signatures":[["s",[["in","n"]],[["out","y"]]]],"states":[["n","y"]]'
    assert encode_borders(model, model.main, {x: "n"}) == f"{MARK}{{{expected},{ends}}}"
    model.states = {"other": (State("x", "y", None),)}
    assert '"states"' not in encode_borders(model, model.main, {})
    alike = encode_borders(model, model.main, {x: "y"})
    assert '"signatures":[["s",[["in","y"]],[["out","y"]]]]' in alike  # as a decoder's caches are called
    other = Value(x.type, "other")
    model.main.inputs.append(other)
    assert encode_borders(model, model.main, {other: "x"}) == ""
    model.main.inputs.pop()
    y.name = ""
    assert encode_borders(model, model.main, {}) == ""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a ~!", '"a ~!"'),
        ("~ #", '"~ \\u0023"'),
        ('q"\\', '"q\\u0022\\u005c"'),
        ("\x1f\x7f\n", '"\\u001f\\u007f\\u000a"'),
        ("\u00e4\u2028", '"\\u00e4\\u2028"'),
        ("\U0001f600z", '"\\ud83d\\ude00z"'),
    ],
)
def test_characters_beyond_printable_ascii_are_escaped(name: str, text: str) -> None:
    """All characters but printable ASCII are escaped, in units of UTF-16."""
    model = graph()
    model.borders = {model.main.outputs[0]: Border(name, TYPE)}
    assert f'"source":{text},' in encode_borders(model, model.main, {})


def test_one_unsupported_border_leaves_out_the_record() -> None:
    model = graph()
    x, y = model.main.inputs[0], model.main.outputs[0]
    model.borders = {x: Border("x", TYPE), y: Border("y", TYPE._replace(quant=Quant((0.1,), (0,))))}
    assert encode_borders(model, model.main, {}) == ""


@pytest.mark.parametrize("size", [131072, 131073])
def test_a_record_has_up_to_128_kib(size: int) -> None:
    model = graph()
    y = model.main.outputs[0]
    model.borders = {y: Border("", TYPE)}
    rest = len(encode_borders(model, model.main, {})) - len(MARK)
    model.borders = {y: Border("s" * (size - rest), TYPE)}
    text = encode_borders(model, model.main, {})
    assert len(text) == (len(MARK) + size if size <= 1 << 17 else 0)
    back = graph()
    attach_borders(back, back.main, text or MARK + " " * size)
    assert [text for _, text in back.notes] == (
        []
        if text
        else ["its record of the source's borders is ignored: expected up to 131072 characters, found 131073"]
    )


@pytest.mark.parametrize("length", [103, 104, 105])
def test_a_reason_has_up_to_160_characters(length: int) -> None:
    """The reason has 56 characters besides the signature's name."""
    note = read({"signatures": [["s" * length, [["a", "y"]], []]]})[1]
    whole = f"signature '{'s' * length}' names tensors that are no inputs or outputs"
    assert note == (whole if len(whole) <= 160 else f"{whole[:160]}... (161 characters)")
    assert len(whole) == length + 56


@pytest.mark.parametrize(
    ("quant", "rank", "fits"),
    [
        (Quant((LARGEST,), (1 << 31,)), 16, True),
        (Quant((-LARGEST,), (-1 << 31,)), 16, True),
        (Quant((float(np.nextafter(np.float64(LARGEST), np.inf)),), (0,)), 1, False),
        (Quant((0.1,), (0,)), 1, False),
        (Quant((1.0, 0.1), (0, 0), 0), 1, False),
        (Quant((1.0,), ((1 << 31) + 1,)), 1, False),
        (Quant((1.0,), ((-1 << 31) - 1,)), 1, False),
        (Quant((1.0,), (0,)), 17, False),
        (Quant((1.0,) * 4096, (0,) * 4096, 0), 1, True),
        (Quant((1.0,) * 4097, (0,) * 4097, 0), 1, False),
    ],
)
def test_borders_within_the_limits_are_recorded(quant: Quant, rank: int, fits: bool) -> None:
    type = TensorType(DType.I8, (1,) * rank, quant)
    model = graph(type)
    model.borders = {model.main.inputs[0]: Border("x", type)}
    assert bool(encode_borders(model, model.main, {})) == fits


LONG = "expected a list of up to 4096"
PART = "expected a list of up to 16"
SIZE = "expected an integer in [-1, 2147483647]"
ZERO = "expected an integer in [-2147483648, 2147483648]"
SCALE = "expected a scale of 32 bits"
COUNTS = "expected one zero point for each scale"
ORDER = "expected a permutation of the dimensions"
TEXT = "expected a string"
NAMED = "expected fields name, shape, source, type"
OTHER = "the graph has other inputs or outputs than the record"
STALE = "'x' is i8[2x3] in the graph and "


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"shape": [-1, -1]}, ""),
        ({"shape": [(1 << 31) - 1, 3]}, f"{STALE}i8[2147483647x3] in the record"),
        ({"shape": [1 << 31, 3]}, SIZE),
        ({"shape": [-2, 3]}, SIZE),
        ({"shape": [2.0, 3]}, SIZE),
        ({"shape": [True, 3]}, SIZE),
        ({"shape": {}}, PART),
        ({"shape": [1] * 16}, f"{STALE}i8[1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1] in the record"),
        ({"shape": [1] * 17}, PART),
        ({"type": "ui8"}, ""),
        ({"type": "fp32"}, f"{STALE}fp32[2x3] in the record"),
        ({"type": "i9"}, "expected an element type"),
        ({"type": 8}, TEXT),
        ({"source": 1}, TEXT),
        ({"source": "\ud7ff\ue000"}, ""),
        ({"source": "\ud800"}, TEXT),
        ({"source": "a\udfff"}, TEXT),
        ({"extra": 1}, NAMED),
        ({"scale": [0.5], "zero_point": [3]}, ""),
        ({"scale": [-LARGEST], "zero_point": [1 << 31]}, ""),
        ({"scale": [LARGEST], "zero_point": [-1 << 31]}, ""),
        ({"scale": [float(np.nextafter(np.float64(LARGEST), np.inf))], "zero_point": [0]}, SCALE),
        ({"scale": [0.1], "zero_point": [0]}, SCALE),
        ({"scale": [1], "zero_point": [0]}, SCALE),
        ({"scale": [1e300], "zero_point": [0]}, SCALE),
        ({"scale": [1.0], "zero_point": [(1 << 31) + 1]}, ZERO),
        ({"scale": [1.0], "zero_point": [(-1 << 31) - 1]}, ZERO),
        ({"scale": [1.0], "zero_point": [0, 0]}, COUNTS),
        ({"scale": [], "zero_point": []}, COUNTS),
        ({"scale": [1.0]}, LONG),
        ({"zero_point": [0]}, LONG),
        ({"axis": 0}, LONG),
        ({"scale": [1.0] * 4096, "zero_point": [0] * 4096}, ""),
        ({"scale": [1.0] * 4097, "zero_point": [0] * 4097}, LONG),
        ({"scale": [1.0] * 2, "zero_point": [0] * 2, "axis": 0}, ""),
        ({"scale": [1.0] * 3, "zero_point": [0] * 3, "axis": 1}, ""),
        ({"scale": [1.0] * 2, "zero_point": [0] * 2, "axis": 2}, "expected an integer in [0, 1]"),
        ({"scale": [1.0] * 2, "zero_point": [0] * 2, "axis": -1}, "expected an integer in [0, 1]"),
        ({"shape": [3, 2], "permutation": [1, 0]}, ""),
        ({"permutation": [0, 1]}, ""),
        ({"permutation": [0, 0]}, ORDER),
        ({"permutation": [0, 1, 2]}, ORDER),
        ({"permutation": [-1, 0]}, "expected an integer in [0, 16]"),
        ({"permutation": [17, 0]}, "expected an integer in [0, 16]"),
    ],
)
def test_a_border_is_read_within_its_limits(fields: dict[str, Any], reason: str) -> None:
    model, note = read({"inputs": [row("x", **fields)]})
    assert note == reason
    if not reason:
        expected = row("x", **fields)
        quant = (tuple(expected["scale"]), tuple(expected["zero_point"])) if "scale" in fields else None
        name, (dtype, shape, stored_quant), order = model.borders[model.main.inputs[0]]
        assert (name, dtype.value, list(order)) == (expected["source"], expected["type"], fields.get("permutation", []))
        assert [-1 if size is None else size for size in shape] == expected["shape"]
        assert (None if stored_quant is None else (stored_quant.scale, stored_quant.zero_point)) == quant
        assert stored_quant is None or stored_quant.axis == fields.get("axis")


def test_the_axis_of_no_dimensions_is_0() -> None:
    quantized = {"shape": [], "scale": [1.0], "zero_point": [0]}
    scalars = {"outputs": [row("y", shape=[])]}
    assert read({"inputs": [row("x", axis=0, **quantized)], **scalars}, TensorType(DType.I8, ()))[1] == ""
    assert (
        read({"inputs": [row("x", axis=1, **quantized)], **scalars}, TensorType(DType.I8, ()))[1]
        == "expected an integer in [0, 0]"
    )


PAIR = "expected a pair of names"
SIDES = "expected a signature with a name, inputs and outputs"
NOWHERE = "signature 's' names tensors that are no inputs or outputs"
STATES = "expected an input and an output of one type as state"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"inputs": [{"name": "x"}]}, ""),
        ({"inputs": [{"name": "z"}]}, OTHER),
        ({"inputs": [{"name": 1}]}, TEXT),
        ({"inputs": []}, OTHER),
        ({"outputs": [row("y"), row("z")]}, OTHER),
        ({"inputs": {}}, LONG),
        ({"inputs": [{"name": "x"}] * 4096}, OTHER),
        ({"inputs": [{"name": "x"}] * 4097}, LONG),
        ({"inputs": ["x"]}, NAMED),
        ({"further": []}, "expected fields inputs, outputs, signatures"),
        ({"signatures": [["s", [["a", "x"]], [["b", "y"]]]]}, ""),
        ({"signatures": [["s", [], []]]}, ""),
        ({"signatures": [["s", [["a", "y"]], [["b", "y"]]]]}, NOWHERE),
        ({"signatures": [["s", [["a", "x"]], [["b", "x"]]]]}, NOWHERE),
        ({"signatures": [["s", []]]}, SIDES),
        ({"signatures": [["s", [], [], []]]}, SIDES),
        ({"signatures": ["s"]}, SIDES),
        ({"signatures": [["s", [["a"]], []]]}, PAIR),
        ({"signatures": [["s", [["a", "x", "x"]], []]]}, PAIR),
        ({"signatures": [["s", [["a", 1]], []]]}, TEXT),
        ({"signatures": [["other", [], []]]}, "another graph has a signature of that name"),
        ({"states": [["x", "y"]]}, ""),
        ({"states": []}, ""),
        ({"states": [["y", "x"]]}, f"{STATES}, found 'y' and 'x'"),
        ({"states": [["x", "z"]]}, f"{STATES}, found 'x' and 'z'"),
        ({"states": [["x", "y"], ["x", "y"]]}, "expected each state once"),
    ],
)
def test_a_record_is_read_within_its_limits(changes: dict[str, Any], reason: str) -> None:
    model = graph()
    model.signatures["other"] = Signature("other", {}, {})
    fields = {"inputs": [row("x")], "outputs": [row("y")], "signatures": [], **changes}
    attach_borders(model, model.main, MARK + json.dumps(fields))
    assert model.notes == (
        [("graph 'main'", f"its record of the source's borders is ignored: {reason}")] if reason else []
    )
    named = [] if reason else [key for key, *_ in fields["signatures"]]
    assert list(model.signatures) == [*(named or ["main"]), "other"]
    pairs = None if reason or "states" not in changes else changes["states"]
    states = model.states.get("main")
    assert (None if states is None else [[s.input, s.output] for s in states]) == pairs
    assert states is None or all(state.initial is None for state in states)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("place", ("place", "")),
        (f"place{MARK}{{}}", ("place", f"{MARK}{{}}")),
        (f"{MARK}a{MARK}b", (f"{MARK}a", f"{MARK}b")),
    ],
)
def test_the_record_is_at_the_end_of_a_text(text: str, parts: tuple[str, str]) -> None:
    assert split_borders(text) == parts
