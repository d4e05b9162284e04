"""Train and export the models that ship with this package: digits_float32.tflite and digits_int8.tflite.

The data are the 1,797 8x8 digits that scikit-learn carries. A developer tool: it needs tensorflow-cpu==2.21.0 and
scikit-learn, which nothing else here does.

    python models/make_digits.py
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

HERE = Path(__file__).parent


def images() -> tuple[np.ndarray, np.ndarray]:
    """Images in [0, 1] as [N, 8, 8, 1], and labels."""
    digits = load_digits()
    return (digits.images[..., None] / 16).astype(np.float32), digits.target


def network() -> tf.keras.Model:
    """A small residual network: convolutions, a depthwise one, an addition, two poolings, softmax."""
    x = inputs = tf.keras.Input((8, 8, 1), name="image")
    x = tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu6")(x)
    y = tf.keras.layers.DepthwiseConv2D(3, padding="same", activation="relu")(x)
    y = tf.keras.layers.Conv2D(16, 1)(y)
    x = tf.keras.layers.Add()([x, y])
    x = tf.keras.layers.MaxPool2D(2)(x)
    x = tf.keras.layers.Conv2D(32, 3, activation="relu")(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    outputs = tf.keras.layers.Dense(10, activation="softmax", name="digit")(x)
    return tf.keras.Model(inputs, outputs)


def main() -> None:
    """Train, export both models, print accuracy and hashes."""
    tf.keras.utils.set_random_seed(1)
    x, y = images()
    train = np.arange(len(x)) % 5 != 0
    model = network()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(x[train], y[train], batch_size=32, epochs=40, verbose=0)
    print("accuracy on held-out digits", model.evaluate(x[~train], y[~train], verbose=0)[1])

    def samples() -> Iterator[list[np.ndarray]]:
        for image in x[train][:200]:
            yield [image[None]]

    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    export("digits_float32.tflite", converter.convert())
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = samples
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    export("digits_int8.tflite", converter.convert())


def export(name: str, content: bytes) -> None:
    """Write a model and print its hash, which models/SHA256SUMS records."""
    (HERE / name).write_bytes(content)
    print(hashlib.sha256(content).hexdigest(), name, len(content))


if __name__ == "__main__":
    main()
