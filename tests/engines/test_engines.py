"""The table of engines: what each takes and returns, and the number of steps of engines without state."""

import io

import numpy as np
import pytest
from support.commands import INT8, MODELS

import tosa_converter as tc
from tosa_converter.engines import ENGINES, Engine, can_keep_values, engines_for, reference_model
from tosa_converter.engines.reference_model import ReferenceModel, _error_lines
from tosa_converter.errors import ConverterError, UnpredictableError, UsageError
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value

# Engine: the opset that it runs, and whether a run keeps intermediate values.
TABLE = {
    "executor": ("tosa", True),
    "litert": ("tfl", True),
    "litert-optimized": ("tfl", False),
    "litert-xnnpack": ("tfl", False),
    "tosa-reference-model": ("tosa", False),
    "vulkan": ("tosa", False),
    "iree": ("tosa", False),
    "executorch": ("xnn", False),
}


def model(opset: str) -> Model:
    """Returns a graph of one operator."""
    x = Value(TensorType(tc.DType.FP32, (2,)), "x")
    op = Op(f"{opset}.abs", [x], [x.type])
    return Model({"main": Graph("main", [x], [op.result], [op])}, opset=opset)


def test_the_table_has_every_engine() -> None:
    assert set(TABLE) == set(ENGINES)


@pytest.mark.parametrize("engine", ENGINES.values(), ids=lambda engine: engine.name)
def test_an_engine_takes_one_opset(engine: Engine) -> None:
    opset, keeping = TABLE[engine.name]
    assert {name for name in ("tosa", "tfl", "xnn") if engine.takes(model(name))} == {opset} == engine.opsets
    assert can_keep_values(engine) is keeping


def test_the_reference_is_the_first_engine_that_takes_the_source() -> None:
    references, engines = engines_for(tc.load(INT8), ["iree", "litert-optimized", "litert", "executor"])
    assert [engine.name for engine in references] == ["litert-optimized"]
    assert [engine.name for engine in engines] == ["iree", "executor"]


def test_the_reference_model_has_one_step_where_there_are_variables() -> None:
    """Each run starts with the initial values."""
    pytest.importorskip("tosa_reference_model", reason="the TOSA reference model is not installed")
    source = tc.load(MODELS / "small" / "keywords.int8.tflite")
    with_variables, without = tc.convert(source, state="variables"), tc.convert(source, state="io")
    for tosa, most in ((with_variables, 1), (without, 2)):
        inputs = {value.name: np.zeros(value.type.static, value.type.dtype.numpy) for value in tosa.main.inputs}
        for steps in (1, 2):
            if steps > most:
                with pytest.raises(UsageError, match="tosa-reference-model keeps no variables from run to run"):
                    ReferenceModel().run_steps(tosa, [inputs] * steps)
            else:
                assert len(ReferenceModel().run_steps(tosa, [inputs] * steps)) == steps


VALUES = np.array([1, 2], np.float32)


@pytest.mark.parametrize(
    ("status", "outputs", "error", "words"),
    [
        ("TOSA_VALID", [VALUES], None, ""),
        ("TOSA_VALID", [], ConverterError, "the TOSA reference model's answer has another number of outputs"),
        ("TOSA_VALID", [VALUES] * 2, ConverterError, "the TOSA reference model's answer has another number of outputs"),
        ("TOSA_UNPREDICTABLE", [], UnpredictableError, "the TOSA reference model calls the graph {}: why"),
        ("TOSA_UNPREDICTABLE", [VALUES], UnpredictableError, "the TOSA reference model calls the graph {}: why"),
        ("TOSA_ERROR", [], ConverterError, "the TOSA reference model calls the graph {}: why"),
        ("TOSA_ERROR", [VALUES], ConverterError, "the TOSA reference model calls the graph {}: why"),
    ],
)
def test_every_answer_of_the_reference_model(
    status: str, outputs: list[Array], error: type[Exception] | None, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference_model, "run_tosa_file", lambda *_: (status, outputs, "why"))
    absolute = model("tosa")
    if error is None:
        (y,) = ReferenceModel().run(absolute, {"x": -VALUES}).values()
        np.testing.assert_array_equal(y, VALUES)
        return
    with pytest.raises(ConverterError) as caught:
        ReferenceModel().run(absolute, {"x": -VALUES})
    assert (type(caught.value), str(caught.value)) == (error, words.format(status))


@pytest.mark.parametrize("beyond", [0, 1])
def test_errors_are_in_the_last_64_kib_that_the_reference_model_printed(beyond: int) -> None:
    rest = b"x" * (64 * 1024 - len(b"error one\n") + beyond)
    error_lines = _error_lines(io.BytesIO(b"earlier error\n" + b"error one\n" + rest))
    assert error_lines == ("error one" if not beyond else "rror one")
    assert _error_lines(io.BytesIO(rest)) == "it printed no error"


def test_messages_list_three_errors_of_the_reference_model() -> None:
    lines = [b"fine", b"Error 1", b"it fails", b"an error", b"error 4"]
    assert _error_lines(io.BytesIO(b"\n".join(lines))) == "Error 1; it fails; an error"
    assert _error_lines(io.BytesIO(b"\xff error")) == "\N{REPLACEMENT CHARACTER} error"
