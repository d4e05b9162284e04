"""Where the windows of a convolution lie, and the slabs of padded input that blocks of its output read.

A slab is made when its block is, in the type to compute in: neither the padded nor the widened input ever exists as a
whole. How it is put together depends on shapes only and is found once.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tosa_converter.execute.fast.base import Index
from tosa_converter.ir import Array, Op

_SMALL = 1 << 13  # elements of a slab up to which filling all of it costs less than its borders one by one


@dataclass(frozen=True, slots=True)
class Slab:
    """The rows of the output that make up a block, and how the padded input that they read is put together.

    The last spatial axis is split into phases: column c stands in phase c % phases, at c // phases.
    """

    rows: slice
    shape: tuple[int, ...]  # phases, rows, columns...
    copies: tuple[tuple[Index, Index], ...]  # where in the slab which part of the input stands
    borders: tuple[Index, ...]  # the rest of it

    def of(self, x: Array, fill: float, dtype: "np.dtype[Any]") -> Array:
        """Returns the slab [phases, rows, columns..., C] of one image, contiguous."""
        if not self.borders and len(self.copies) == 1:
            return np.ascontiguousarray(x[self.copies[0][1]], dtype)[None]
        out = np.empty((*self.shape, x.shape[-1]), dtype)
        if out.size < _SMALL:
            out.fill(fill)
        else:
            for border in self.borders:
                out[border] = fill
        for to, source in self.copies:
            out[to] = x[source]
        return out


@dataclass(frozen=True, slots=True)
class Geometry:
    """Where the windows of a convolution lie, per spatial axis."""

    pad: tuple[tuple[int, int], ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    kernel: tuple[int, ...]
    input: tuple[int, ...]
    output: tuple[int, ...]

    @classmethod
    def of(cls, op: Op, kernel: tuple[int, ...]) -> "Geometry":
        """Returns the geometry of a convolution from its attributes and the types of its input and output."""
        pad = op.attributes["pad"]
        return cls(
            tuple(zip(pad[::2], pad[1::2], strict=True)),
            tuple(op.attributes["stride"]),
            tuple(op.attributes["dilation"]),
            kernel,
            op.operands[0].type.static[1:-1],
            op.result.type.static[1:-1],
        )

    def swapped(self) -> "Geometry":
        """Returns the geometry with the spatial axes the other way round."""
        return Geometry(*(getattr(self, name)[::-1] for name in self.__slots__))

    @property
    def pointwise(self) -> bool:
        """Whether each output position reads one input position only, and never padding."""
        return not any(map(any, self.pad)) and all(k == 1 for k in self.kernel)

    @property
    def flat(self) -> bool:
        """Whether the windows are the input as it lies in memory, cut into equal parts."""
        if self.pointwise:
            return self.input == self.output
        every = (self.input, (1,) * len(self.kernel), (1,) * len(self.kernel))
        return not any(map(any, self.pad)) and (self.kernel, self.dilation, self.output) == every

    def slabs(self, step: int, phases: int = 1) -> list[Slab]:
        """Returns what blocks of `step` rows of the output read."""
        count = self.output[0]
        return [self._slab(slice(start, min(start + step, count)), phases) for start in range(0, count, step)]

    def picks(self, step: int) -> list[Slab]:
        """Returns the slabs of a pointwise convolution: nothing but the positions that it reads."""
        picked = [slice(0, (b - 1) * stride + 1, stride) for b, stride in zip(self.output, self.stride, strict=True)]
        slabs = []
        for rows in (slab.rows for slab in self.slabs(step)):
            shape = (1, rows.stop - rows.start, *self.output[1:])
            read = slice(rows.start * self.stride[0], (rows.stop - 1) * self.stride[0] + 1, self.stride[0])
            slabs.append(Slab(rows, shape, (((), (read, *picked[1:])),), ()))
        return slabs

    def _slab(self, rows: slice, phases: int) -> Slab:
        """Returns how the padded input that some rows of the output read is put together."""
        height = (rows.stop - 1 - rows.start) * self.stride[0] + (self.kernel[0] - 1) * self.dilation[0] + 1
        sizes = [a + n + b for n, (a, b) in zip(self.input, self.pad, strict=True)]
        sizes[0], sizes[-1] = height, -(-sizes[-1] // phases)
        before = [a for a, _ in self.pad]
        before[0] -= rows.start * self.stride[0]
        copies = []
        for phase in range(phases):
            axes = [_shared(n, a, size) for n, a, size in zip(self.input, before, sizes, strict=True)]
            axes[-1] = _shared(self.input[-1], before[-1] - phase, sizes[-1], phases)
            to = slice(phase, phase + 1), *(to for to, _ in axes)
            copies.append((to, tuple(source for _, source in axes)))
        borders = tuple(border for to, _ in copies for border in _around(to, (phases, *sizes)))
        return Slab(rows, (phases, *sizes), tuple(copies), borders)


def _shared(count: int, before: int, size: int, step: int = 1) -> tuple[slice, slice]:
    """Returns where position i of an axis of `size` and i * step - before of an axis of `count` both exist."""
    first = max(0, -(-before // step))
    last = min(size, (count - 1 + before) // step + 1)
    if last <= first:
        return slice(0, 0), slice(0, 0)
    return slice(first, last), slice(first * step - before, (last - 1) * step - before + 1, step)


def _around(inner: Index, shape: tuple[int, ...]) -> list[Index]:
    """Returns what surrounds a part of an array, whose first axis belongs to it."""
    first, *rest = inner
    sides: list[Index] = []
    before = [first]
    for part, size in zip(rest, shape[1:], strict=True):
        sides += [(*before, side) for side in (slice(0, part.start), slice(part.stop, size)) if side.stop > side.start]
        before.append(part)
    return sides
