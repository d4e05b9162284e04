"""External buffers (TFLite schema 3d): constants whose bytes are in a data file beside the model."""

import numpy as np

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats.data_files import DataFiles
from tosa_converter.ir import Array
from tosa_converter.schemas import tflite

_PACKINGS = ("", "unpacked")  # of bytes as the tensor's type has them


class ExternalBuffers:
    """Finds the bytes of external buffers by their id, in the data files that the model's groups name."""

    def __init__(self, root: tflite.Model, files: DataFiles) -> None:
        """Prepares to find a model's external buffers by their ids; `files` opens the data files that hold them.

        Raises:
            FormatError: two buffers have one id.
        """
        self.groups = root.external_buffer_groups
        self.files = files
        self.rows: dict[int, tuple[int, tflite.ExternalBuffer]] = {}
        for i, row in enumerate(root.external_buffers):
            if row.id in self.rows:
                raise FormatError(f"the id {row.id} is another buffer's", path=f"Model.external_buffers[{i}]")
            self.rows[row.id] = i, row

    def find(self, tensor: tflite.Tensor, place: str) -> Array:
        """Returns the bytes of a tensor with an external buffer.

        Raises:
            FormatError: there is no such buffer or group, it lies outside of its file, or the tensor has other data.
            UnsupportedError: the buffer is packed in a way that this reader doesn't know.
            UsageError: its file isn't beside the model.
        """
        if tensor.buffer or tensor.is_variable:
            other_data = "variable tensor" if tensor.is_variable else f"buffer {tensor.buffer}"
            raise FormatError(f"expected no other data beside an external buffer, found a {other_data}", path=place)
        if tensor.external_buffer not in self.rows:
            ids = f"{len(self.rows)} external buffers"
            raise FormatError(f"no external buffer has the id {tensor.external_buffer}, there are {ids}", path=place)
        i, row = self.rows[tensor.external_buffer]
        path = f"Model.external_buffers[{i}]"
        if row.group >= len(self.groups):
            raise FormatError(f"no group {row.group}, there are {len(self.groups)}", path=path)
        if row.packing not in _PACKINGS:
            raise UnsupportedError(f"{path}: its bytes are packed as {row.packing!r}, which is not supported")
        name = self.groups[row.group].name
        data = self.files.open(name, f"Model.external_buffer_groups[{row.group}]")
        if row.offset + row.length > len(data):
            spans = f"bytes {row.offset} to {row.offset + row.length} of {name!r}, which has {len(data)}"
            raise FormatError(f"an external buffer takes {spans}", path=path)
        return np.frombuffer(data, np.uint8, row.length, row.offset) if row.length else np.zeros(0, np.uint8)
