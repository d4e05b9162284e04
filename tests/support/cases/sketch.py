"""A network under construction that the layers of the table extend, one operator after the other.

A `Sketch` tracks the shapes itself, keeps tensors small, and with an unknown batch leaves the first dimension alone.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from support.random_numbers import Numbers
from support.tflite_models import Operator, Tensor, build
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B

DTYPES = ("float32", "int8", "uint8")
LIMIT = 3000  # elements of one tensor
BATCH = 3  # the size of an unknown batch in a run


class Refused(Exception):
    """Raised by a layer that doesn't fit the tensor it was tried on."""


class Sketch(Numbers):
    """A random model under construction."""

    def __init__(self, seed: int, dtype: str, *, unknown_batch: bool = False) -> None:
        super().__init__(seed)
        self.dtype = dtype
        self.free = int(unknown_batch)  # the first axis that a step may touch
        self.tensors: list[Tensor] = []
        self.operators: list[Operator] = []
        self.live: list[int] = []
        self.inputs = [self.input() for _ in range(int(self.rng.integers(1, 3)))]

    # ** tensors **

    def add(self, tensor: Tensor) -> int:
        """Adds a tensor; returns its index."""
        self.tensors.append(tensor)
        return len(self.tensors) - 1

    def constant(self, values: Any, dtype: str = "int32", **quant: Any) -> int:
        """Adds a constant; returns its index."""
        array = np.asarray(values, dtype)
        return self.add(Tensor(array.shape, dtype, array, **quant))

    def quant(self) -> dict[str, Any]:
        """Returns a scale and a zero point for activations; nothing for floats."""
        if self.dtype == "float32":
            return {}
        scale = np.float32(np.exp(self.rng.uniform(np.log(0.005), np.log(0.2))))
        low = 128 if self.dtype == "uint8" else 0
        return {"scale": scale, "zero_point": self.among(-128, 0, self.whole(-128, 127), self.whole(-20, 20)) + low}

    def like(self, x: int) -> dict[str, Any]:
        """Returns the quantization of a tensor."""
        tensor = self.tensors[x]
        return {} if tensor.scale is None else {"scale": tensor.scale, "zero_point": tensor.zero_point}

    def input(self) -> int:
        """Adds an input, mostly of rank 4."""
        rank = self.among(4, 4, 4, 4, 3, 2)
        sizes = [self.whole(1, 9) for _ in range(rank)]
        sizes[0] = 1 if self.free else self.among(1, 1, 2)
        sizes[-1] = self.among(1, 2, 3, 4, 8)
        return self.tensor(sizes, **self.quant())

    def tensor(self, shape: Sequence[int], dtype: str = "", **quant: Any) -> int:
        """Adds a computed tensor, which later operators may read."""
        if int(np.prod(shape)) > LIMIT or not 0 < len(shape) <= 5 or min(shape) < 1:
            raise Refused
        signature = (-1, *shape[1:]) if self.free else ()
        index = self.add(Tensor(tuple(map(int, shape)), dtype or self.dtype, signature=signature, **quant))
        self.live.append(index)
        return index

    def shape(self, x: int) -> tuple[int, ...]:
        """Returns the shape of a tensor."""
        return tuple(self.tensors[x].shape)

    def image(self, x: int) -> tuple[int, int, int, int]:
        """Returns batch, height, width and channels of a tensor."""
        shape = self.shape(x)
        if len(shape) != 4:
            raise Refused
        return shape

    def weights(self, shape: Sequence[int], fan_in: int, channels: int | None, axis: int) -> tuple[int, Any]:
        """Adds weights with their scale; with `channels`, mostly one scale for each channel of `axis`."""
        if self.dtype == "float32":
            return self.constant(self.rng.standard_normal(shape) / np.sqrt(fan_in), "float32"), None
        per_channel = channels is not None and self.dtype == "int8" and self.whole(0, 3) > 0
        size = channels if per_channel else None
        scale = np.exp(self.rng.uniform(np.log(0.3), np.log(3), size)).astype(np.float32) / np.float32(
            60 * np.sqrt(fan_in)
        )
        zero_point = self.whole(100, 150) if self.dtype == "uint8" else 0
        low, high = (0, 255) if self.dtype == "uint8" else (-127, 127)
        stored = self.rng.integers(low, high + 1, shape)
        return self.constant(stored, self.dtype, scale=scale, zero_point=zero_point, axis=axis), scale

    def bias(self, x: int, scale: Any, channels: int) -> int:
        """Adds a bias."""
        if self.dtype == "float32":
            return self.constant(self.rng.standard_normal(channels), "float32")
        combined = np.float32(self.tensors[x].scale) * scale
        stored = self.rng.integers(-3000, 3000, channels)
        return self.constant(stored, "int32", scale=combined, zero_point=0)

    # ** operators **

    def emit(self, builtin: B, inputs: Sequence[int], outputs: int | Sequence[int], **options: Any) -> None:
        """Appends an operator; the tensors it reads need not become outputs."""
        outputs = [outputs] if isinstance(outputs, int) else outputs
        self.operators.append(Operator(builtin, list(inputs), list(outputs), options))

    def pick(self) -> int:
        """Draws a live tensor of the model's type, mostly a recent one."""
        mine = [x for x in self.live if self.tensors[x].dtype == self.dtype]
        return mine[-1 - min(int(self.rng.geometric(0.4)) - 1, len(mine) - 1)]

    def finish(self) -> tuple[bytes, list[Array]]:
        """Returns the file and the input arrays. Outputs are the tensors without a reader and a few others."""
        read = {x for operator in self.operators for x in operator.inputs}
        results = [x for operator in self.operators for x in operator.outputs]
        outputs = [x for x in results if x not in read or self.whole(0, 9) == 0]
        data = build(self.tensors, self.operators, self.inputs, outputs)
        return data, [self.feed(x) for x in self.inputs]

    def feed(self, x: int) -> Array:
        """Returns an array for an input."""
        shape = (BATCH, *self.shape(x)[1:]) if self.free else self.shape(x)
        if self.dtype == "float32":
            return self.rng.standard_normal(shape).astype(np.float32)
        return self.rng.integers(0, 256, shape).astype(np.uint8).view(self.dtype)


Append: TypeAlias = Callable[[Sketch, int], None]  # operators behind a live tensor


class Layer(NamedTuple):
    """A function that extends a network, the types of networks it fits, and its share among layers."""

    append: Append
    dtypes: Sequence[str] = DTYPES
    weight: int = 1
