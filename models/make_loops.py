"""Make the networks of this folder whose steps go through WHILE: recurrent layers of Keras, a loop over TensorArrays.

A developer tool: it needs tensorflow-cpu==2.21.0, which nothing else here does. Weights are random. TensorFlow's
converter can't quantize what is in a loop to int8: it has no statistics for it.

    python models/make_loops.py
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import tensorflow as tf
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2 as frozen

keras = tf.keras
HERE = Path(__file__).parent
STEPS, WIDTH = 6, 24  # weights of 1,024 elements and more are what dynamic range makes int8
INPUT = tf.TensorSpec((1, STEPS, WIDTH), tf.float32)


def layer(wrapped: keras.layers.Layer) -> Callable[[tf.Tensor], tf.Tensor]:
    """A network of one layer."""
    x = keras.Input(INPUT.shape[1:], batch_size=1)
    return keras.Model(x, wrapped(x))


def scan(x: tf.Tensor) -> list[tf.Tensor]:
    """A loop that reads one TensorArray and writes another."""
    weights = tf.constant(np.random.default_rng(3).standard_normal((WIDTH, WIDTH)).astype(np.float32) * 0.3)
    rows = tf.TensorArray(tf.float32, size=STEPS, element_shape=(WIDTH,)).unstack(x[0])
    output = tf.TensorArray(tf.float32, size=STEPS, element_shape=(1, WIDTH))

    def body(i: tf.Tensor, state: tf.Tensor, output: tf.TensorArray) -> tuple[tf.Tensor, tf.Tensor, tf.TensorArray]:
        state = tf.tanh(tf.matmul(rows.read(i)[None], weights) + state * 0.5)
        return i + 1, state, output.write(i, state)

    _, state, output = tf.while_loop(lambda i, *_: i < STEPS, body, [0, tf.zeros((1, WIDTH)), output])
    return [output.stack(), state]


def export(name: str, network: Callable[[tf.Tensor], object], *, dynamic: bool = False) -> None:
    """Write a model and print its hash, which SHA256SUMS records."""
    function = tf.function(network).get_concrete_function(INPUT)
    converter = tf.lite.TFLiteConverter.from_concrete_functions([frozen(function, lower_control_flow=False)])
    converter.optimizations = [tf.lite.Optimize.DEFAULT] if dynamic else []
    data = converter.convert()
    (HERE / name).write_bytes(data)
    print(f"{hashlib.sha256(data).hexdigest()}  {name}")


def main() -> None:
    """All of them."""
    keras.utils.set_random_seed(7)
    lstm, gru = keras.layers.LSTM(WIDTH, return_sequences=True), keras.layers.GRU(WIDTH, return_sequences=True)
    for name, network in {"lstm": layer(lstm), "gru": layer(gru)}.items():
        export(f"loop_{name}_float32.tflite", network)
        export(f"loop_{name}_dynamic.tflite", network, dynamic=True)
    layer_pair = keras.layers.Bidirectional(keras.layers.LSTM(WIDTH // 2, return_sequences=True))
    export("loop_bidirectional_float32.tflite", layer(layer_pair))
    export("loop_scan_float32.tflite", scan)


if __name__ == "__main__":
    main()
