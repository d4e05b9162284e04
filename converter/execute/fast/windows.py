"""Describes the windows of a convolution, and the tiles of padded input that blocks of its output read.

A tile is filled when its block is computed, in the type to compute in: neither the padded nor the converted input ever
exists as a whole. Where its parts come from depends on shapes only, and is computed once.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tosa_converter.execute.fast.base import Index
from tosa_converter.ir import Array, Op

_SMALL = 1 << 13  # elements of a tile up to which filling all of it costs less than its borders one by one


@dataclass(frozen=True, slots=True)
class InputTile:
    """The part of the padded input that a block of output rows of a convolution reads, split into phases.

    The last spatial axis is split into phases, as strided windows read it: column c stands in phase c % phases, at c //
    phases.

    Attributes:
        output_rows: the rows of the output that the tile is for.
        shape: phases, rows, columns... of the tile.
        copies: pairs of indices (part of the tile, part of the input that is copied there).
        borders: the other parts of the tile, which are padding.
    """

    output_rows: slice
    shape: tuple[int, ...]
    copies: tuple[tuple[Index, Index], ...]
    borders: tuple[Index, ...]

    def extract(self, x: Array, fill: float, dtype: "np.dtype[Any]") -> Array:
        """Returns the tile of one image as a contiguous array [phases, rows, columns..., C]; padding holds `fill`.

        A strided window reads every second or third column: the columns that belong together form a phase.
        """
        # Without padding and phases the tile is a slice of the input; of one type and in one piece it isn't copied.
        if not self.borders and len(self.copies) == 1:
            return np.ascontiguousarray(x[self.copies[0][1]], dtype)[None]
        out = np.empty((*self.shape, x.shape[-1]), dtype)
        if out.size < _SMALL:  # filling all of it is faster
            out.fill(fill)
        else:
            for border in self.borders:
                out[border] = fill
        for to, source in self.copies:
            out[to] = x[source]
        return out


@dataclass(frozen=True, slots=True)
class WindowGeometry:
    """The windows of a convolution: padding, stride, dilation and the sizes per spatial axis."""

    pad: tuple[tuple[int, int], ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    kernel: tuple[int, ...]
    input: tuple[int, ...]
    output: tuple[int, ...]

    @classmethod
    def of(cls, op: Op, kernel: tuple[int, ...]) -> "WindowGeometry":
        """Returns the windows of a convolution from its attributes, its kernel's size, and input and output shapes."""
        pad = op.attributes["pad"]
        return cls(
            pad=tuple(zip(pad[::2], pad[1::2], strict=True)),
            stride=tuple(op.attributes["stride"]),
            dilation=tuple(op.attributes["dilation"]),
            kernel=kernel,
            input=op.operands[0].type.static[1:-1],
            output=op.result.type.static[1:-1],
        )

    def swap_axes(self) -> "WindowGeometry":
        """Returns the geometry with the spatial axes in reverse order: every field has an entry for each axis."""
        return WindowGeometry(*(getattr(self, name)[::-1] for name in self.__slots__))

    @property
    def is_pointwise(self) -> bool:
        """Whether every output position reads one input position, and never padding."""
        return not any(map(any, self.pad)) and all(k == 1 for k in self.kernel)

    @property
    def windows_partition_input(self) -> bool:
        """Whether the windows cut the input into equal parts in memory order, so that nothing must be gathered."""
        if self.is_pointwise:
            return self.input == self.output
        ones = (1,) * len(self.kernel)
        # A 7x7 kernel over a 7x7 image has one window, which is the image in memory order.
        is_single_window = self.kernel == self.input and self.dilation == ones and self.output == ones
        return is_single_window and not any(map(any, self.pad))

    def tiles(self, block_rows: int, phases: int = 1) -> list[InputTile]:
        """Returns the parts of padded input that blocks of `block_rows` output rows read.

        Their columns are split into phases, column c into phase c % phases, so that strided windows read neighbours.
        """
        count = self.output[0]
        return [
            self._input_tile(slice(start, min(start + block_rows, count)), phases)
            for start in range(0, count, block_rows)
        ]

    def pointwise_tiles(self, block_rows: int) -> list[InputTile]:
        """Returns the parts of the input that blocks of `block_rows` output rows of a 1x1 convolution read.

        They are every stride-th row and column: without padding and kernel, no other elements are copied.
        """
        # 4 positions with a stride of 2 read columns 0, 2, 4 and 6: slice(0, 7, 2).
        pairs = list(zip(self.output, self.stride, strict=True))
        read = [slice(0, (size - 1) * stride + 1, stride) for size, stride in pairs]
        tiles = []
        for rows in (tile.output_rows for tile in self.tiles(block_rows)):
            shape = (1, rows.stop - rows.start, *self.output[1:])
            read_rows = slice(rows.start * self.stride[0], (rows.stop - 1) * self.stride[0] + 1, self.stride[0])
            whole_tile = ()  # the index of all its elements
            copies = ((whole_tile, (read_rows, *read[1:])),)
            tiles.append(InputTile(output_rows=rows, shape=shape, copies=copies, borders=()))
        return tiles

    def _input_tile(self, rows: slice, phases: int) -> InputTile:
        """Returns the part of padded input that these rows of the output read, with columns split into `phases`.

        Column c stands in phase c % phases, so that strided windows read neighbours.
        """
        # 3 output rows, stride 2, kernel 3 and dilation 2: the windows begin 2 rows apart, over (3 - 1) * 2 = 4 rows,
        # and each spans (3 - 1) * 2 + 1 = 5 rows, so the tile has 9.
        height = (rows.stop - 1 - rows.start) * self.stride[0] + (self.kernel[0] - 1) * self.dilation[0] + 1
        sizes = [a + n + b for n, (a, b) in zip(self.input, self.pad, strict=True)]
        # 7 padded columns in 2 phases take 4 positions each: columns 0, 2, 4, 6 and 1, 3, 5. The last position of phase
        # 1 is no column; it is filled like padding, and no window reads it.
        sizes[0], sizes[-1] = height, -(-sizes[-1] // phases)
        before = [a for a, _ in self.pad]
        # A block from output row 4 on, with stride 2, begins at padded row 8. After 1 row of padding that is input row
        # 7: `before` is 1 - 8 = -7, as tile row i holds input row i - before.
        before[0] -= rows.start * self.stride[0]
        copies = []
        for phase in range(phases):
            axes = [_overlap(n, a, size) for n, a, size in zip(self.input, before, sizes, strict=True)]
            axes[-1] = _overlap(self.input[-1], before[-1] - phase, sizes[-1], phases)
            to = slice(phase, phase + 1), *(to for to, _ in axes)
            copies.append((to, tuple(source for _, source in axes)))
        borders = tuple(border for to, _ in copies for border in _surrounding_parts(to, (phases, *sizes)))
        return InputTile(output_rows=rows, shape=(phases, *sizes), copies=tuple(copies), borders=borders)


def _overlap(count: int, before: int, size: int, step: int = 1) -> tuple[slice, slice]:
    """Returns which positions i of a tile's axis of `size` hold input: i * step - before is one of `count` positions.

    Returns:
        These positions, and the input positions that belong to them.
    """
    # 5 input positions after 1 of padding, every second one into an axis of 4: positions 1 and 2 hold inputs 1 and 3,
    # so the result is slice(1, 3) and slice(1, 4, 2).
    first = max(0, -(-before // step))
    last = min(size, (count - 1 + before) // step + 1)
    if last <= first:
        return slice(0, 0), slice(0, 0)
    return slice(first, last), slice(first * step - before, (last - 1) * step - before + 1, step)


def _surrounding_parts(inner: Index, shape: tuple[int, ...]) -> list[Index]:
    """Returns the padding of a tile, as blocks around the part `inner` that holds input.

    The first axis isn't padded: all blocks have the extent of `inner` there.
    """
    first, *rest = inner
    sides: list[Index] = []
    before = [first]
    # Rows 1:3 and columns 1:3 of a 4x5 array leave rows 0:1 and 3:4, whole, and of rows 1:3 the columns 0:1 and 3:5. An
    # axis is cut only within the extents of those before it, so no element is filled twice.
    for part, size in zip(rest, shape[1:], strict=True):
        sides += [(*before, side) for side in (slice(0, part.start), slice(part.stop, size)) if side.stop > side.start]
        before.append(part)
    return sides
