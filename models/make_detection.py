"""Make a detector with its post-processing: a small backbone, heads of two levels, anchors, and one custom operator.

A developer tool: it needs tensorflow-cpu==2.21.0, which nothing else here does. Weights are random. What is decorated
as TFLite_Detection_PostProcess becomes that operator, as in detectors out of TensorFlow's Object Detection API.

    python models/make_detection.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np
import tensorflow as tf

keras = tf.keras
IMAGE, CLASSES, DETECTIONS = 64, 5, 10
LEVELS = (8, 4)  # cells along an image, each with an anchor of each shape
SHAPES = ((0.3, 0.3), (0.2, 0.4), (0.4, 0.2))
WIDE = keras.initializers.RandomNormal(stddev=0.1, seed=5)  # so that scores differ
OPTIONS = {
    "max_detections": f"i: {DETECTIONS}",
    "max_classes_per_detection": "i: 1",
    "use_regular_nms": "b: false",
    "nms_score_threshold": "f: 0.9",
    "nms_iou_threshold": "f: 0.5",
    "num_classes": f"i: {CLASSES}",
    **{f"{axis}_scale": f"f: {scale}" for axis, scale in (("y", 10), ("x", 10), ("h", 5), ("w", 5))},
}


def anchors() -> np.ndarray:
    """Centres and sizes [N,4] of all levels, in parts of the image."""
    boxes = []
    for level, size in enumerate(LEVELS):
        centres = (np.arange(size) + 0.5) / size
        for y in centres:
            boxes += [(y, x, height * (level + 1), width * (level + 1)) for x in centres for height, width in SHAPES]
    return np.array(boxes, np.float32)


def network() -> keras.Model:
    """Depthwise separable convolutions, and heads that give boxes and scores, one of them for the background."""
    x = inputs = keras.Input((IMAGE, IMAGE, 3), batch_size=1, name="image")
    boxes, scores = [], []
    for channels in (8, 16, 24, 32):
        x = keras.layers.DepthwiseConv2D(3, 2, padding="same", use_bias=False)(x)
        x = keras.layers.ReLU(6.0)(keras.layers.BatchNormalization(momentum=0.5)(keras.layers.Conv2D(channels, 1)(x)))
        if x.shape[1] in LEVELS:
            for parts, size in ((boxes, 4), (scores, CLASSES + 1)):
                head = keras.layers.Conv2D(size * len(SHAPES), 3, padding="same", kernel_initializer=WIDE)
                parts.append(keras.layers.Reshape((-1, size))(head(x)))
    joined = [keras.layers.Concatenate(axis=1)(levels) for levels in (boxes, scores)]
    return keras.Model(inputs, [joined[0], keras.layers.Activation("sigmoid")(joined[1])])


def signature() -> str:
    """What the converter makes of the function: an operator with these options."""
    options = (f'attr {{ key: "{key}" value {{ {value} }} }}' for key, value in OPTIONS.items())
    return " ".join(['name: "TFLite_Detection_PostProcess"', *options])


@tf.function(experimental_implements=signature())
def post_process(boxes: tf.Tensor, scores: tf.Tensor, anchors: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Stands for the operator."""
    del boxes, scores, anchors
    zeros = (tf.zeros(shape) for shape in ((1, DETECTIONS, 4), (1, DETECTIONS), (1, DETECTIONS), (1,)))
    return tuple(zeros)


class PostProcess(keras.layers.Layer):
    """The operator on boxes and scores, with the anchors."""

    def call(self, heads: list[tf.Tensor]) -> tuple[tf.Tensor, ...]:
        """Corners, classes, scores and their number."""
        detections: tuple[tf.Tensor, ...] = post_process(*heads, tf.constant(anchors()))
        return detections


def converted() -> bytes:
    """The detector as TFLite's converter makes it."""
    keras.utils.set_random_seed(5)
    detector = network()
    for _ in range(8):  # BatchNorm's statistics
        detector(tf.random.normal((8, IMAGE, IMAGE, 3)), training=True)

    whole = keras.Model(detector.inputs, PostProcess()(detector.outputs))
    converter = tf.lite.TFLiteConverter.from_keras_model(whole)
    converter.allow_custom_ops = True
    return bytes(converter.convert())


if __name__ == "__main__":
    (Path(sys.argv[1]) / "detections.float32.tflite").write_bytes(converted())
