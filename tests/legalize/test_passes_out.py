"""Each pass before the rules out of TOSA changes a model written for it."""

import pytest
from support import golden
from support.golden_sources import sources

import tosa_converter as tc
from tosa_converter.conversion import convert_from_tosa
from tosa_converter.ir import Model
from tosa_converter.legalize.invert.tflite.pipeline import PASSES as TO_TFLITE
from tosa_converter.legalize.invert.xnnpack.pipeline import PASSES as TO_XNN

# A pass, a model, an operator of which fewer are left, and one that takes their place.
CASES = (
    ("to-xnngraph", "fp32-conv_grouped.xnn", "tosa.concat", "xnn.conv_2d"),
    ("to-xnngraph", "fp32-transposed_grouped.xnn", "tosa.concat", "xnn.conv_transpose_2d"),
    ("composed-nodes", "alike.CONV_2D.float32.1", "tosa.conv2d", "xnn.conv_2d"),
    ("composed-nodes", "alike.BATCH_MATMUL.float32.0.xnnpack", "tosa.matmul", "xnn.batch_matrix_multiply"),
    ("composed-nodes", "alike.SOFTMAX.float32.0", "tosa.exp", "xnn.softmax"),
    ("composed-nodes", "alike.LEAKY_RELU.float32.0.xnnpack", "tosa.mul", "xnn.leaky_relu"),
    ("composed-nodes", "fp32-largest.xnn", "tosa.argmax", "xnn.arg_max_pooling_2d"),
    ("quantized-nodes", "alike.ADD.int8.0.xnnpack", "tosa.rescale", "xnn.add"),
    ("composed-operators", "alike.SOFTMAX.float32.0", "tosa.exp", "tfl.softmax"),
    ("composed-operators", "alike.CONV_2D.float32.1", "tosa.conv2d", "tfl.conv_2d"),
    ("quantized-operators", "alike.ADD.int8.0", "tosa.rescale", "tfl.add"),
    ("quantized-operators", "alike.SOFTMAX.int8.0", "tosa.gather", "tfl.softmax"),
    ("tidy", "alike.FULLY_CONNECTED.float32.0", "tfl.reshape", "tfl.fully_connected"),
)


def texts_by_pass(name: str, way: str) -> dict[str, str]:
    """Returns the graph's text before the passes and after each."""
    source = sources()[name].make()
    model = tc.convert(source, numerics="reference" if way == "tfl" else "xnnpack")
    texts = {"": golden.model_text(model)}

    def dump(step: str, changed: Model) -> None:
        texts[step] = golden.model_text(changed)

    convert_from_tosa(model, TO_TFLITE if way == "tfl" else TO_XNN, way, dump=dump)
    return texts


@pytest.mark.parametrize(("step", "name", "before", "after"), CASES)
def test_a_pass_changes_its_model_as_stated(step: str, name: str, before: str, after: str) -> None:
    texts = texts_by_pass(name, "tfl" if after.startswith("tfl.") else "xnn")
    old, new = list(texts.values())[list(texts).index(step) - 1], texts[step]
    assert old.count(f'"{before}"') > new.count(f'"{before}"')
    assert f'"{after}"' in new
    assert after.startswith("tosa.") or f'"{after}"' not in old
