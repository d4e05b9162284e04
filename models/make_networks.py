"""Make the networks that no package ships: common architectures in every kind of quantization of TFLite's converter.

A developer tool: it needs tensorflow-cpu==2.21.0, which nothing else here does. Weights are random; BatchNorm's
statistics settle in a few steps first, as otherwise the quantized networks give one value for everything.

    python models/make_networks.py FOLDER [NAME ...]
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import tensorflow as tf

keras = tf.keras
KINDS = ("float32", "float16", "dynamic", "int8", "uint8_io", "int16x8")
RNG = np.random.default_rng(7)


def encoder() -> keras.Model:
    """Two layers of a transformer's encoder over 32 positions of 64 features."""
    x = inputs = keras.Input((32, 64), batch_size=1, name="tokens")
    for _ in range(2):
        y = keras.layers.MultiHeadAttention(4, 16)(x, x)
        x = keras.layers.LayerNormalization(epsilon=1e-5)(x + y)
        y = keras.layers.Dense(128, activation="gelu")(x)
        x = keras.layers.LayerNormalization(epsilon=1e-5)(x + keras.layers.Dense(64)(y))
    return keras.Model(inputs, keras.layers.Dense(2)(x[:, 0]))


def detector() -> keras.Model:
    """A feature pyramid: upsampling, concatenation, transposed convolution, leaky and hard activations."""
    x = inputs = keras.Input((64, 64, 3), batch_size=1, name="image")
    steps = []
    for channels in (16, 24, 32):
        x = keras.layers.Conv2D(channels, 3, 2, padding="same")(x)
        x = keras.layers.BatchNormalization()(x)
        x = keras.layers.LeakyReLU(negative_slope=0.1)(x)
        steps.append(x)
    up = keras.layers.UpSampling2D(interpolation="bilinear")(x)
    x = keras.layers.Concatenate()([up, steps[1]])
    x = keras.layers.DepthwiseConv2D(5, padding="same", activation="hard_swish")(x)
    x = keras.layers.Conv2DTranspose(16, 3, 2, padding="same", activation="relu6")(x)
    x = keras.layers.Concatenate()([x, steps[0]])
    boxes = keras.layers.Reshape((-1, 4))(keras.layers.Conv2D(8, 1)(x))
    scores = keras.layers.Activation("sigmoid")(keras.layers.Reshape((-1, 1))(keras.layers.Conv2D(2, 1)(x)))
    return keras.Model(inputs, [boxes, scores])


def _application(make: Callable[..., keras.Model], size: int, **options: object) -> Callable[[], keras.Model]:
    def network() -> keras.Model:
        inputs = keras.Input((size, size, 3), batch_size=1, name="image")
        return make(weights=None, input_tensor=inputs, classes=100, **options)

    return network


NETWORKS: dict[str, Callable[[], keras.Model]] = {
    "encoder": encoder,
    "detector": detector,
    "mobilenet_v2": _application(keras.applications.MobileNetV2, 96, alpha=0.35),
    "mobilenet_v3": _application(keras.applications.MobileNetV3Small, 96, include_preprocessing=False),
    "efficientnet_b0": _application(keras.applications.EfficientNetB0, 96),
    "resnet_50": _application(keras.applications.ResNet50, 64),
    "convnext_tiny": _application(keras.applications.ConvNeXtTiny, 64),
}


def settle(network: keras.Model) -> None:
    """Give BatchNorm the statistics of what it sees."""
    for _ in range(8):
        network(sample(network, 8), training=True)


def sample(network: keras.Model, count: int = 1) -> np.ndarray:
    """Random inputs."""
    return RNG.standard_normal((count, *network.inputs[0].shape[1:])).astype(np.float32)


def converted(network: keras.Model, kind: str) -> bytes:
    """The network as TFLite's converter makes it."""
    converter = tf.lite.TFLiteConverter.from_keras_model(network)
    if kind == "float32":
        return bytes(converter.convert())
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if kind == "float16":
        converter.target_spec.supported_types = [tf.float16]
    elif kind != "dynamic":

        def dataset() -> Iterator[list[np.ndarray]]:
            for _ in range(8):
                yield [sample(network)]

        converter.representative_dataset = dataset
        sets = tf.lite.OpsSet
        wide = sets.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8
        converter.target_spec.supported_ops = [wide if kind == "int16x8" else sets.TFLITE_BUILTINS_INT8]
        if kind == "int16x8":
            converter.target_spec.supported_ops.append(sets.TFLITE_BUILTINS)
        border = {"int8": tf.int8, "uint8_io": tf.uint8, "int16x8": tf.int16}[kind]
        converter.inference_input_type = converter.inference_output_type = border
    return bytes(converter.convert())


def main() -> None:
    """Every network in every kind, or those that are named, as NETWORK.KIND.tflite."""
    folder, names = Path(sys.argv[1]), sys.argv[2:] or list(NETWORKS)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        network = NETWORKS[name]()
        settle(network)
        for kind in KINDS:
            try:
                data = converted(network, kind)
            except Exception as error:  # the other converter's failure: told, and the rest made
                print(f"{name}.{kind}: TFLite's converter fails: {str(error).splitlines()[0]}")
                continue
            (folder / f"{name}.{kind}.tflite").write_bytes(data)
            print(f"{name}.{kind}: {len(data)} bytes", flush=True)


if __name__ == "__main__":
    main()
