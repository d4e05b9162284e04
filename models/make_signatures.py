"""Make `signatures_int8.tflite`: three graphs on shared weights, each with a signature, whose inputs are all called x.

A developer tool: it needs tensorflow-cpu==2.21.0, which nothing else here does.

    python models/make_signatures.py
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import tensorflow as tf

RNG = np.random.default_rng(11)
SHAPES = {"encode": (1, 16, 16, 3), "classify": (1, 4, 4, 8), "mix": (1, 4, 4, 8)}


def weights(*shape: int) -> tf.Variable:
    """Random weights whose products keep the size of what they are multiplied with."""
    scale = np.float32(np.sqrt(np.prod(shape[:-1])))
    return tf.Variable(RNG.standard_normal(shape, np.float32) / scale)


class Network(tf.Module):
    """An encoder, a classifier behind it, and a graph of two inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second, self.dense = weights(3, 3, 3, 8), weights(3, 3, 8, 8), weights(128, 5)

    @tf.function(input_signature=[tf.TensorSpec(SHAPES["encode"], name="x")])
    def encode(self, x: tf.Tensor) -> dict[str, tf.Tensor]:
        """An image's features."""
        y = tf.nn.relu(tf.nn.conv2d(x, self.first, 2, "SAME"))
        return {"features": tf.nn.relu(tf.nn.conv2d(y, self.second, 2, "SAME"))}

    @tf.function(input_signature=[tf.TensorSpec(SHAPES["classify"], name="x")])
    def classify(self, x: tf.Tensor) -> dict[str, tf.Tensor]:
        """The scores of features, and the largest."""
        scores = tf.nn.softmax(tf.reshape(x, (1, 128)) @ self.dense)
        return {"scores": scores, "best": tf.reduce_max(scores, 1)}

    @tf.function(input_signature=[tf.TensorSpec(SHAPES["mix"], name=name) for name in ("x", "weight")])
    def mix(self, x: tf.Tensor, weight: tf.Tensor) -> dict[str, tf.Tensor]:
        """One output of two inputs."""
        return {"mixed": tf.nn.conv2d(x * weight + x, self.second, 1, "SAME")}


def samples() -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    """What the quantization is calibrated on."""
    for _ in range(8):
        for name, shape in SHAPES.items():
            x = RNG.standard_normal(shape, np.float32)
            yield name, {"x": x, **({"weight": x[:, ::-1].copy()} if name == "mix" else {})}


def main() -> None:
    """Write the file beside this one."""
    network = Network()
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(network, folder, {name: getattr(network, name) for name in SHAPES})
        converter = tf.lite.TFLiteConverter.from_saved_model(folder, signature_keys=list(SHAPES))
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = samples
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = converter.inference_output_type = tf.int8
        data = converter.convert()
    Path(__file__).with_name("signatures_int8.tflite").write_bytes(data)


if __name__ == "__main__":
    main()
