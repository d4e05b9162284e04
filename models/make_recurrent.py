"""Make recurrent networks in every kind of quantization of TFLite's converter that it has for them.

A developer tool: it needs tensorflow-cpu==2.21.0 and tf-keras==2.21.0 (installed with --no-deps), whose LSTM becomes
one operator, and the tests' pytest; GRU and others become loops. Weights are random. SVDF, which the converter makes
of nothing in Keras, is written operator by operator with the tests' builder.

    PYTHONPATH=tests python models/make_recurrent.py FOLDER [NAME.KIND ...]
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ["TF_USE_LEGACY_KERAS"] = "1"

import numpy as np
import tensorflow as tf
from support.tflite_models import Operator, Tensor, build

from tosa_converter.schemas.tflite import ActivationFunctionType
from tosa_converter.schemas.tflite import BuiltinOperator as B

keras = tf.keras
KINDS = ("float32", "dynamic", "int8", "int16x8")
RNG = np.random.default_rng(11)
FRAMES, FEATURES, WORDS = 16, 20, 6


def _network(*layers: keras.layers.Layer) -> Callable[[], keras.Model]:
    def network() -> keras.Model:
        head = keras.layers.Dense(WORDS, activation="softmax")
        return keras.Sequential([keras.Input((FRAMES, FEATURES), batch_size=1, name="frames"), *layers, head])

    return network


NETWORKS: dict[str, Callable[[], keras.Model]] = {
    "lstm": _network(keras.layers.LSTM(64, return_sequences=True), keras.layers.LSTM(32)),
    "lstm_stateful": _network(keras.layers.LSTM(56, stateful=True)),
    "lstm_unrolled": _network(keras.layers.LSTM(16, unroll=True)),
    "bidirectional": _network(keras.layers.Bidirectional(keras.layers.LSTM(52))),
    "gru": _network(keras.layers.GRU(56)),
    "rnn": _network(keras.layers.SimpleRNN(56)),
}


def converted(network: keras.Model, kind: str) -> bytes:
    """The network in one kind of quantization."""
    converter = tf.lite.TFLiteConverter.from_keras_model(network)
    if kind != "float32":
        converter.optimizations = [tf.lite.Optimize.DEFAULT]

    def dataset() -> Iterator[list[np.ndarray]]:
        yield from ([RNG.standard_normal((1, FRAMES, FEATURES), np.float32)] for _ in range(16))

    if kind in ("int8", "int16x8"):
        converter.representative_dataset = dataset
        ops = tf.lite.OpsSet
        wide = ops.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8
        converter.target_spec.supported_ops = [ops.TFLITE_BUILTINS_INT8 if kind == "int8" else wide]
        converter.inference_input_type = converter.inference_output_type = tf.int8 if kind == "int8" else tf.int16
    data: bytes = converter.convert()
    return data


def keywords(kind: str) -> bytes:
    """Two SVDFs and a layer that spot words in a stream of frames: what recorders in small devices run."""
    if kind not in KINDS[:3]:
        raise ValueError(f"no kernel of SVDF is {kind}")
    integer, hybrid = kind == "int8", kind == "dynamic"
    tensors: list[Tensor] = [Tensor((1, FEATURES), "int8" if integer else "float32", scale=0.05 if integer else None)]
    operators = []
    for units, rank, memory in ((32, 2, 8), (16, 1, 4)):
        operators.append(_svdf(tensors, units, rank, memory, integer=integer, hybrid=hybrid))
    weight = RNG.uniform(-0.5, 0.5, (WORDS, 16)).astype(np.float32)
    stored = np.rint(weight * 127).astype(np.int8) if integer or hybrid else weight
    scale = 1 / 127 if integer or hybrid else None
    tensors.append(Tensor(weight.shape, str(stored.dtype), stored, scale=scale))
    bias = np.zeros(WORDS, np.int32 if integer else np.float32)
    tensors.append(Tensor((WORDS,), str(bias.dtype), bias, scale=0.02 / 127 if integer else None))
    tensor_type = "int8" if integer else "float32"
    tensors.append(Tensor((1, WORDS), tensor_type, scale=0.05 if integer else None))
    last = len(tensors) - 1
    operators.append(Operator(B.FULLY_CONNECTED, [last - 3, last - 2, last - 1], [last]))
    return build(tensors, operators, [0], [last])


def _svdf(tensors: list[Tensor], units: int, rank: int, memory: int, *, integer: bool, hybrid: bool) -> Operator:
    """Its tensors behind those that are there, of which the last is its input."""
    x, filters = len(tensors) - 1, units * rank
    feature = RNG.uniform(-1, 1, (filters, tensors[x].shape[1])).astype(np.float32) / 2
    time = RNG.uniform(-1, 1, (filters, memory)).astype(np.float32) / 2
    bias = RNG.uniform(-0.1, 0.1, units).astype(np.float32)
    quantization: dict[str, object] = {"scale": 1 / 4096} if integer else {}
    dtype = "int8" if integer or hybrid else "float32"
    if integer:
        time_weight = Tensor(time.shape, "int16", np.rint(time * 4096).astype(np.int16), scale=1 / 4096)
        steps = Tensor(bias.shape, "int32", np.rint(bias * 4096**2).astype(np.int32), scale=1 / 4096**2)
    else:
        time_weight, steps = Tensor(time.shape, "float32", time), Tensor(bias.shape, "float32", bias)
        if hybrid:
            time_weight = Tensor(time.shape, "int8", np.rint(time * 127).astype(np.int8), scale=1 / 127)
    stored = np.rint(feature * 127).astype(np.int8) if dtype == "int8" else feature
    tensors += [
        Tensor(feature.shape, dtype, stored, scale=1 / 127 if dtype == "int8" else None),
        time_weight,
        steps,
        Tensor((1, filters * memory), "int16" if integer else "float32", variable=True, **quantization),
        Tensor(
            (1, units), "int8" if integer else "float32", scale=0.02 if integer else None, zero_point=-128 * integer
        ),
    ]
    options = {"rank": rank, "fused_activation_function": ActivationFunctionType.RELU}
    return Operator(B.SVDF, [x, x + 1, x + 2, x + 3, x + 4], [x + 5], options)


def main() -> None:
    """Write the networks named, or all, into a folder; each in a process of its own, as the converter may abort."""
    folder, names = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    for network in names or [f"{name}.{kind}" for name in (*NETWORKS, "keywords") for kind in KINDS]:
        if len(names) != 1:
            done = subprocess.run(
                [sys.executable, __file__, folder, network], capture_output=True, text=True, check=False
            )
            lines = (done.stdout if not done.returncode else done.stderr).strip().splitlines()
            print(network, lines[-1] if lines else f"status {done.returncode}", flush=True)
            continue
        name, _, kind = network.rpartition(".")
        tf.random.set_seed(7)
        data = keywords(kind) if name == "keywords" else converted(NETWORKS[name](), kind)
        (folder / f"{network}.tflite").write_bytes(data)
        print(len(data))


if __name__ == "__main__":
    main()
