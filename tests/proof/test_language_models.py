"""The models in models/language: as their manifest says, with the same tokens and outputs as LiteRT."""

import hashlib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from support.commands import MODELS

import tosa_converter as tc
from tosa_converter.api.generating import LanguageModel, causal_mask, logits_of_both
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError, UsageError
from tosa_converter.ir import Quant, TensorType
from tosa_converter.proof.generation import compare_logits
from tosa_converter.proof.zoo import read_manifest

FOLDER = MODELS / "language"
FILES = {Path(model.path): model for model in read_manifest(FOLDER / "models.toml")}
DECODERS = [path for path in FILES if path.stem.startswith("llama")]
LLAMA = FOLDER / "llama.float32.tflite"
PROMPT = [5, 17, 99, 42, 7, 5, 17]
PATTERN = [99, 42, 7, 5, 17] * 4


def test_the_manifest_names_every_file() -> None:
    assert {path for path in FOLDER.iterdir() if path.suffix == ".tflite"} == set(FILES)
    assert all(hashlib.sha256(path.read_bytes()).hexdigest() == model.sha256 for path, model in FILES.items())
    sizes = [path.stat().st_size for path in FILES]
    assert max(sizes) < 1 << 20
    assert sum(sizes) < 10_000_000


@pytest.mark.parametrize("path", DECODERS, ids=lambda path: path.stem)
def test_twenty_tokens_are_those_of_litert(path: Path) -> None:
    source = tc.load(path)
    first, second = (LanguageModel(tc.Session(model)) for model in (source, tc.convert(source)))
    generation = compare_logits(("litert", "executor"), PROMPT, *logits_of_both(first, second, PROMPT, 20))
    assert generation.verdict, generation.sentence
    assert len(generation.tokens) == 20
    if path.stem.endswith(("float32", "wi8_afp32", "wi4_afp32", "wi4b32_afp32", "hr_afp32")):
        assert list(generation.tokens) == PATTERN, "the trained network goes on with the pattern of its prompt"
    if path.stem.endswith("ai8"):
        assert max(generation.distances) == 0.0


def test_a_static_model_decodes_in_integers_alone() -> None:
    """For an NPU, with LiteRT's tokens bit by bit; attention as a composite stays in floats and is refused."""
    path = FOLDER / "llama_hf.static_wi8_ai8.tflite"
    model = tc.convert(path, target="ethos-u85")
    ops = [op for graph in model.graphs.values() for op in graph.ops]
    assert not any(value.type.dtype.is_float for op in ops for value in op.results)
    rows = logits_of_both(LanguageModel(tc.Session(path)), LanguageModel(tc.Session(model)), PROMPT, 20)
    assert compare_logits(("litert", "executor"), PROMPT, *rows).distances == (0.0,) * 20
    with pytest.raises(UnsupportedError, match="computes 68 of 342 operators in float"):
        tc.convert(FOLDER / "llama.static_wi8_ai8.tflite", target="ethos-u85")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_network_is_equal(path: Path) -> None:
    """In every signature, as `zoo verify --manifest models/language/models.toml` says."""
    verification = tc.verify(path)
    assert verification.verdict, str(verification)
    if path.stem == "llama.static_wi8_ai16":  # a float of attention next to a tie, which LiteRT sums in another order
        assert "every operator by itself computes the same" in str(verification.proof)


def test_a_session_carries_state_as_callers_do_by_hand() -> None:
    """Against single runs of the signatures, with the cache passed on by the test."""
    model = tc.convert(LLAMA)
    session = tc.Session(model)
    cache = {f"kv_cache_{kind}_{layer}": np.zeros((1, 64, 2, 16), np.float32) for kind in "kv" for layer in (0, 1)}
    steps = [("prefill_8", [*PROMPT, 3], range(8)), ("decode", [17], [8]), ("decode", [99], [9])]
    for signature, tokens, positions in steps:
        inputs = {"tokens": np.array([tokens], np.int32), "input_pos": np.array(positions, np.int32)}
        outputs = tc.run(model, {**inputs, **cache}, signature=signature)
        cache = {name: outputs[name] for name in cache}
        carried = session.run(inputs, signature=signature)
        assert all(np.array_equal(carried[name], outputs[name]) for name in outputs)
    assert session.state.keys() == cache.keys()
    session.reset()
    assert session.state == {}


def test_signatures_of_one_graph_have_names_of_their_own() -> None:
    model = tc.load(MODELS / "signatures_int8.tflite")
    mix = model.signatures["mix"]
    model.signatures["blend"] = mix._replace(inputs={f"other_{name}": value for name, value in mix.inputs.items()})
    session = tc.Session(model)
    assert session.signatures == ("classify", "encode", "mix", "blend")
    inputs = {name: np.full(value.type.static, 3, value.type.dtype.numpy) for name, value in mix.inputs.items()}
    expected = session.run(inputs, signature="mix")
    actual = session.run({f"other_{name}": array for name, array in inputs.items()}, signature="blend")
    np.testing.assert_array_equal(actual["mixed"], expected["mixed"])


def test_a_written_file_keeps_its_state_pairs(tmp_path: Path) -> None:
    tc.save(tc.convert(LLAMA), tmp_path / "llama.tosa")
    assert tc.generate(tc.Session(tmp_path / "llama.tosa"), PROMPT, 20) == PATTERN
    (prefill, decode) = tc.inspect(tmp_path / "llama.tosa").graphs
    assert len(prefill.states) == len(decode.states) == 4


def test_prompts_of_every_length() -> None:
    """Shorter and longer than a prefill; the logits are those of token after token, which needs no prefill."""
    session = tc.Session(LLAMA)
    for length in (1, 2, 8, 9, 10, 17, 20):
        prompt = [3 + i * 7 % 100 for i in range(length)]
        expected = tc.Session(LLAMA)
        for position, token in enumerate(prompt):
            inputs = {"tokens": np.array([[token]], np.int32), "input_pos": np.array([position], np.int32)}
            logits = expected.run(inputs, signature="decode")["logits"].ravel()
        (result,) = LanguageModel(session).logits(prompt, 1)
        np.testing.assert_allclose(result, logits, rtol=0, atol=1e-4 * np.abs(logits).max())


def test_tokens_that_part_are_told_with_the_distance() -> None:
    first = [np.array([0.0, 2.0, 1.9]), np.array([3.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])]
    second = [first[0] + 0.01, np.array([2.5, 2.75, 0.0]), first[2]]
    generation = compare_logits(("litert", "executor"), [1], first, second)
    assert (generation.tokens, generation.conversion_tokens, generation.verdict) == ((1, 0), (1, 1), False)
    assert generation.distances == pytest.approx((0.01, 1.75))
    assert generation.margin == 2.0
    assert generation.sentence == (
        "token 1 (counted from 0) is 0 in the source and 1 in the conversion: the logits differ there by 1.75 at most; "
        "the source prefers its token by 2"
    )


def test_a_fault_in_the_conversion_is_found() -> None:
    """With the signs of a weight turned, the tokens part, and verify fails."""
    model = tc.convert(LLAMA)
    weights = [op for op in model.graphs["decode"].ops if "values" in op.attributes]
    largest = max(weights, key=lambda op: op.attributes["values"].size)
    largest.attributes = largest.attributes | {"values": -largest.attributes["values"]}
    first, second = LanguageModel(tc.Session(LLAMA)), LanguageModel(tc.Session(model))
    rows = logits_of_both(first, second, PROMPT, 20)
    assert not compare_logits(("litert", "executor"), PROMPT, *rows).verdict
    assert len(rows[0]) < 20


@pytest.mark.parametrize(
    ("prompt", "count", "message"),
    [
        ([], 1, "expected tokens of 0 to 127"),
        ([128], 1, "expected tokens of 0 to 127"),
        ([-1], 1, "expected tokens of 0 to 127"),
        ([5] * 45, 20, "the cache holds 64 positions, found 45 of the prompt and 20 new ones"),
    ],
)
def test_prompts_that_do_not_fit(prompt: list[int], count: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        tc.generate(tc.Session(LLAMA), prompt, count)


def test_models_without_a_decoder_are_refused() -> None:
    with pytest.raises(UsageError, match="expected a signature that takes one of tokens"):
        tc.generate(tc.Session(MODELS / "digits_int8.tflite"), [1], 1)
    with pytest.raises(UsageError, match="'prefill_8', 'decode'"):
        tc.Session(LLAMA).run({})


def test_masks_in_every_type() -> None:
    positions = np.array([0, 2])
    seen = [[True, False, False, False], [True, True, True, False]]
    shape = (1, 1, 2, 4)
    for dtype, shown, hidden in ((DType.BOOL, 1, 0), (DType.I32, 1, 0), (DType.FP32, 0, -1e9), (DType.FP16, 0, -65504)):
        mask = causal_mask(positions, TensorType(dtype, shape), None)
        assert (mask.shape, mask.dtype) == (shape, dtype.numpy)
        assert np.array_equal(mask[0, 0], np.where(seen, shown, hidden).astype(dtype.numpy))
    quantized = TensorType(DType.I8, shape, Quant((0.25,), (127,)))
    assert np.array_equal(causal_mask(positions, quantized, None)[0, 0], np.where(seen, 127, -128))
    assert np.array_equal(
        causal_mask(positions, TensorType(DType.I8, shape), quantized)[0, 0], np.where(seen, 127, -128)
    )


def test_rows_of_quantizations_are_distinct() -> None:
    """Every committed file is another one: equal recipes were left out."""
    contents = sorted(path.read_bytes() for path in FILES)
    assert all(a != b for a, b in pairwise(contents))
