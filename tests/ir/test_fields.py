"""Facts of values and operators are fields: opsets, declarations, and a value's origin in the source."""

import numpy as np
import pytest
from support.commands import MODELS
from support.golden_sources import sources

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.formats import encode, parse
from tosa_converter.ir import Form, Graph, Model, Op, Origin, TensorType, Value
from tosa_converter.proof.places import find_places

U8 = TensorType(DType.UI8, (2,))


@pytest.mark.parametrize(
    ("name", "opset", "base_name", "declares"),
    [
        ("tfl.conv_2d", "tfl", "conv_2d", False),
        ("aten.add.out", "aten", "add.out", False),
        ("tosa.const", "tosa", "const", True),
        ("xnn.const", "xnn", "const", True),
        ("tfl.pseudo_variable", "tfl", "pseudo_variable", True),
        ("tfl.pseudo_read", "tfl", "pseudo_read", False),
    ],
)
def test_the_opset_of_an_operator_is_its_prefix(name: str, opset: str, base_name: str, declares: bool) -> None:
    op = Op(name, [], [])
    assert (op.opset, op.base_name, op.declares) == (opset, base_name, declares)


def test_the_opset_of_a_model_is_a_field() -> None:
    """A graph of TFLite may be empty, so no operator decides."""
    assert Model({"main": Graph("main")}, opset="tfl").opset == "tfl"
    assert tc.load(MODELS / "digits_int8.tflite").opset == "tfl"
    assert tc.convert(MODELS / "digits_int8.tflite").opset == "tosa"
    assert tc.to_tflite(tc.convert(MODELS / "digits_int8.tflite")).opset == "tfl"
    assert tc.to_xnn(tc.convert(MODELS / "digits_float32.tflite")).opset == "xnn"


def test_a_file_states_origins_in_names() -> None:
    assert Origin.of("x_int8") == Origin("x", Form.FLIPPED)
    assert Origin.of("x_flat") == Origin("x", Form.FLAT)
    assert Origin.of("x_fp16") == Origin("x", Form.FP16)
    assert Origin.of("int8") is None


def origins(model: Model) -> list[Origin]:
    values = (value for op in model.main for value in op.results)
    return [value.origin for value in values if value.origin is not None]


def test_origins_come_from_the_names_in_a_file() -> None:
    model = tc.convert(sources()["fp32-to_quint8.xnn"].make())
    back = parse(b"".join(map(bytes, encode(model, ".tosa"))))
    assert origins(back) == origins(model) != []


def test_narrowed_floats_have_an_origin() -> None:
    model = tc.convert(MODELS / "digits_float32.tflite", float_type="fp16")
    assert {origin.form for origin in origins(model)} == {Form.FP16}


def test_the_ending_of_a_name_decides_nothing() -> None:
    """`x_int8` is a tensor of the source here, not one that holds `x`."""
    source_input, x = Value(U8, "in"), Op("tfl.relu", [Value(U8, "in")], [U8], location="a", result_names=["x"])
    x.inputs = (source_input,)
    source = Model({"main": Graph("main", [source_input], [x.result], [x])}, opset="tfl")
    operand = Value(TensorType(DType.I8, (2,)), "in")
    op = Op("tosa.identity", [operand], [operand.type], location="a", result_names=["x_int8"])
    model = Model({"main": Graph("main", [operand], [op.result], [op])})
    assert find_places(source, model) == {}
    op.result.origin = Origin("x", Form.FLIPPED)
    ((place,),) = find_places(source, model).values()
    assert (place.source, place.value, place.flipped) == (x.result, op.result, True)
    stored = place.from_source(np.array([0, 255], np.uint8))
    assert stored is not None
    assert stored.tolist() == [-128, 127]
