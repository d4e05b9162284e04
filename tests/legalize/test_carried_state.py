"""State pairs as variables: LiteRT runs the changed source, and the conversion shares them over signatures."""

from pathlib import Path

import numpy as np
import pytest
from support.commands import INT8, MODELS

import tosa_converter as tc
from tosa_converter.errors import UsageError
from tosa_converter.legalize.tflite.carried_state import with_variables

FOLDER = MODELS / "language"
NAMES = ("llama.float32", "llama_hf.static_wi8_ai8")
PROMPT = [5, 17, 99, 42, 7, 5, 17]


@pytest.mark.parametrize("name", NAMES)
def test_both_sides_keep_the_cache_inside(name: str) -> None:
    """LiteRT runs the source with the cache as resource variables for ten steps, each with random tokens."""
    done = tc.verify(FOLDER / f"{name}.tflite", state="variables", signature="decode", generate=0)
    assert done.verdict, done.proof
    assert done.comparisons[0].steps == 10
    assert [output.name for output in done.outputs] == ["decode_logits_output"]
    assert "EXT-VARIABLE" in done.needs.extensions


@pytest.mark.parametrize("name", NAMES)
def test_signatures_share_variables(name: str, tmp_path: Path) -> None:
    """The tokens are those of the source, whose cache the session carries."""
    path = FOLDER / f"{name}.tflite"
    model = tc.convert(path, state="variables")
    expected = tc.generate(tc.Session(path), PROMPT, 12)
    session = tc.Session(model)
    assert tc.generate(session, PROMPT, 12) == expected
    assert tc.generate(session, PROMPT, 12) == expected, "every generation begins anew"
    tc.save(model, tmp_path / "llama.tosa")
    assert tc.generate(tc.Session(tmp_path / "llama.tosa"), PROMPT, 12) == expected


def test_verify_generates_with_variables() -> None:
    done = tc.verify(FOLDER / "llama.float32.tflite", state="variables", generate=8, prompt=PROMPT)
    assert done.verdict
    assert done.generations[0].tokens == (99, 42, 7, 5, 17, 99, 42, 7)


def test_named_pairs_stay_inputs_and_outputs() -> None:
    model = tc.convert(FOLDER / "llama.float32.tflite", state="io")
    assert all(state.carried for states in model.states.values() for state in states)
    assert [len(states) for states in model.states.values()] == [4, 4]
    assert not [note for note in model.report.notes if "no effect" in note.text]


def test_models_without_pairs_stay_as_they_are() -> None:
    model = tc.load(INT8)
    assert with_variables(model) is model


def test_sessions_need_an_engine_that_keeps_variables() -> None:
    source = with_variables(tc.load(FOLDER / "llama.float32.tflite"))
    with pytest.raises(UsageError, match="has variables, which litert keeps within a run of steps only"):
        tc.Session(source)


def test_state_of_unlike_types_is_refused() -> None:
    """Two signatures that call caches of other shapes by one name can't share a variable."""
    model = tc.load(FOLDER / "llama.float32.tflite")
    decode = model.graphs[model.signatures["decode"].graph]
    for value in (*decode.inputs, *decode.outputs):
        if value.type.shape == (1, 64, 2, 16):
            value.type = value.type._replace(shape=(1, 32, 2, 16))
    with pytest.raises(UsageError, match="expected state 'kv_cache_k_0' of one type in all signatures"):
        with_variables(model)


def test_variables_begin_with_what_stands_for_zero() -> None:
    model = with_variables(tc.load(FOLDER / "llama_hf.static_wi8_ai8.tflite"))
    constants = [op.attributes["values"] for op in model.graphs["initial_state"].ops if "values" in op.attributes]
    original = tc.load(FOLDER / "llama_hf.static_wi8_ai8.tflite").signatures["prefill_8"].inputs
    zeros = [
        value.type.quant.zero_point[0] for name, value in original.items() if name.startswith("kv") and value.type.quant
    ]
    assert sorted(int(array.flat[0]) for array in constants) == sorted(zeros)
    assert all(np.all(array == array.flat[0]) for array in constants)
