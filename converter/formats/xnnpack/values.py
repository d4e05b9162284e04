"""Values of an XNNGraph: their element types, quantization and constants."""

import math
import struct
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats.elements import unpack
from tosa_converter.formats.storage import Bytes
from tosa_converter.ir import Array, Quant, TensorType
from tosa_converter.schemas import xnnpack
from tosa_converter.schemas.xnnpack import XNNDatatype

STORED_ZEROS = 0x88  # two 4-bit elements of 0: they are stored with 8 added


class Stored(NamedTuple):
    """What an XNNPACK datatype stores: an element type, and the table class of its quantization, None for numbers."""

    dtype: DType
    params: type[xnnpack.XNNQuantParams] | None = None


DATATYPES: dict[XNNDatatype, Stored] = {
    XNNDatatype.xnn_datatype_fp32: Stored(DType.FP32),
    XNNDatatype.xnn_datatype_fp16: Stored(DType.FP16),
    XNNDatatype.xnn_datatype_qint8: Stored(DType.I8, xnnpack.PerTensorQuant),
    XNNDatatype.xnn_datatype_quint8: Stored(DType.UI8, xnnpack.PerTensorQuant),
    XNNDatatype.xnn_datatype_qint32: Stored(DType.I32, xnnpack.PerTensorQuant),
    XNNDatatype.xnn_datatype_qcint8: Stored(DType.I8, xnnpack.PerChannelQuant),
    XNNDatatype.xnn_datatype_qcint32: Stored(DType.I32, xnnpack.PerChannelQuant),
    XNNDatatype.xnn_datatype_qcint4: Stored(DType.I4, xnnpack.PerChannelQuant),
    XNNDatatype.xnn_datatype_qdint8: Stored(DType.I8, xnnpack.PerTokenDynamicQuant),
    XNNDatatype.xnn_datatype_qbint4: Stored(DType.I4, xnnpack.PerChannelGroupQuant),
    XNNDatatype.xnn_datatype_int32: Stored(DType.I32),
    XNNDatatype.xnn_datatype_bf16: Stored(DType.BF16),
}
PYTORCH = (XNNDatatype.xnn_datatype_fp32, XNNDatatype.xnn_datatype_fp16)  # what its schema has that means something
Span: TypeAlias = tuple[int, int]  # first byte, size


class Constants(NamedTuple):
    """Finds the constants of an XNNGraph: behind its header, in a program under names, or in the graph itself."""

    root: xnnpack.XNNGraph
    behind: Bytes | None
    named: Mapping[str, Bytes] | None

    def check(self) -> None:
        """Checks that constants behind the header of an XNNGraph lie in the file and don't overlap.

        Raises:
            FormatError: one lies outside, or overlaps another.
        """
        if self.behind is not None:
            spans = [(entry.offset, entry.size) for entry in self.root.constant_data if not entry.named_key]
            check_spans(spans, len(self.behind), "XNNGraph.constant_data")

    def bytes_of(self, index: int, place: str) -> Array:
        """Returns the bytes of an XNNGraph's constant by its index, from wherever they lie.

        Raises:
            FormatError: there is none.
            UnsupportedError: they lie in the ExecuTorch program around the graph, which isn't given.
        """
        inside = self.behind is None and not self.root.constant_data
        entries = self.root.constant_buffer if inside else self.root.constant_data
        if index >= len(entries):
            raise FormatError(f"no constant buffer {index}, there are {len(entries)}", path=place)
        if inside:
            storage = self.root.constant_buffer[index].storage
            return np.zeros(0, np.uint8) if storage is None else storage
        entry = self.root.constant_data[index]
        if entry.named_key:
            return self._named_bytes(entry.named_key, place)
        if self.behind is None:
            raise FormatError(f"constant {index} lies behind a header that isn't there", path=place)
        return np.frombuffer(self.behind, np.uint8)[entry.offset : entry.offset + entry.size]

    def _named_bytes(self, key: str, place: str) -> Array:
        """Returns the bytes of a constant that the ExecuTorch program around the graph stores under a name."""
        if self.named is None:
            raise UnsupportedError(
                f"constant {key!r} lies in the program (.pte) that this graph was taken from",
                "next: convert the program itself; --delegate N takes one of its graphs",
            )
        if key not in self.named:
            raise FormatError(
                f"the program has no data named {key!r}, and no .ptd file beside it has",
                "next: put the .ptd file that was written with the program beside it",
                path=place,
            )
        return np.frombuffer(self.named[key], np.uint8)


def check_spans(spans: Iterable[Span], size: int, place: str) -> None:
    """Checks that pieces, (first byte, size), lie within `size` bytes and don't overlap; a piece may be used twice.

    Raises:
        FormatError: the first piece that lies outside, or overlaps the one before.
    """
    end = 0
    # In order of their begins, it is enough to compare each piece with the one before, whose end is the largest so far:
    # (0, 16) (8, 4) overlap because 8 < 16.
    for start, length in sorted({span for span in spans if span[1]}):
        if start < end:
            raise FormatError(f"bytes {start} to {start + length} overlap those before them, to {end}", path=place)
        end = start + length
        if end > size:
            raise FormatError(f"expected pieces within {size} bytes, found bytes {start} to {end}", path=place)


def split_header(data: Bytes) -> tuple[Bytes, Bytes | None]:
    """Returns the bytes of an XNNGraph without its header, and those of the constants behind; None without a header.

    Raises:
        FormatError: the header leads outside.
    """
    if bytes(data[4:8]) != xnnpack.HEADER_IDENTIFIER:
        return data, None
    size = struct.calcsize(xnnpack.HEADER)
    if len(data) < size:
        raise FormatError(f"expected a header of {size} bytes, found {len(data)}", path="XH00")
    _, length, *spans = struct.unpack_from(xnnpack.HEADER, data)
    if length < size:
        raise FormatError(f"expected a header of {size} bytes, found {length}", path="XH00")
    graph, constants = (spans[0], spans[1]), (spans[2], spans[3])
    check_spans([(0, length), graph, constants], len(data), "XH00")
    view = memoryview(data)
    inside, behind = (view[start : start + count] for start, count in (graph, constants))
    return inside, behind


def tensor_of(value: xnnpack.XValueUnion | None) -> xnnpack.XNNTensorValue | None:
    """Returns the tensor table of an XNNGraph's value, with or without quantization; None if it is no tensor."""
    if isinstance(value, xnnpack.XNNQuantizedTensorValue):
        return value.tensor_value
    return value if isinstance(value, xnnpack.XNNTensorValue) else None


def params_of(value: xnnpack.XValueUnion | None) -> xnnpack.XNNQuantParams | None:
    """Returns the quantization parameters of an XNNGraph's value, or None if it has none."""
    return value.quant_params if isinstance(value, xnnpack.XNNQuantizedTensorValue) else None


def type_of(
    tensor: xnnpack.XNNTensorValue, params: xnnpack.XNNQuantParams | None, constants: Constants, place: str
) -> TensorType:
    """Returns the type of an XNNGraph's value from its tensor table and quantization parameters.

    Raises:
        FormatError: a datatype that no value has, or parameters that don't fit it.
    """
    stored = DATATYPES.get(tensor.datatype)
    if stored is None:
        raise FormatError(f"value {tensor.id_out} has datatype {tensor.datatype.name}", path=place)
    dims = tuple(tensor.dims)
    if stored.params is None or params is None:
        return TensorType(stored.dtype, dims)
    if not isinstance(params, stored.params):
        message = f"expected {stored.params.__name__} for {tensor.datatype.name}, found {type(params).__name__}"
        raise FormatError(message, path=place)
    return TensorType(stored.dtype, dims, _decode_quant(params, dims, stored.dtype, constants, place))


def _decode_quant(
    params: xnnpack.XNNQuantParams, dims: tuple[int, ...], dtype: DType, constants: Constants, place: str
) -> Quant:
    """Returns the quantization of an XNNGraph's value: one scale, one per row at run time, per channel or per group."""
    if isinstance(params, xnnpack.PerTensorQuant):
        limits = np.iinfo(dtype.numpy)
        if not limits.min <= params.zero_point <= limits.max:
            raise FormatError(f"expected a zero point of {dtype.value}, found {params.zero_point}", path=place)
        return Quant(_check_scales(np.array([params.scale], np.float32), place), (params.zero_point,))
    if isinstance(params, xnnpack.PerTokenDynamicQuant):
        if not 0 < params.num_nonbatch_dims <= len(dims):
            raise FormatError(
                f"expected rows of 1 to {len(dims)} dimensions, found {params.num_nonbatch_dims}", path=place
            )
        return Quant((), (), rows=params.num_nonbatch_dims)
    assert isinstance(params, xnnpack.PerChannelQuant | xnnpack.PerChannelGroupQuant)
    if not 0 <= params.channel_dim < len(dims):
        raise FormatError(f"expected a channel_dim below {len(dims)}, found {params.channel_dim}", path=place)
    count, block = dims[params.channel_dim], 0
    if isinstance(params, xnnpack.PerChannelGroupQuant):
        block = params.group_size
        if block < 1 or params.channel_dim == len(dims) - 1 or dims[-1] % block:
            raise FormatError(
                f"expected groups that divide the last dimension of {list(dims)}, found groups of {block}", path=place
            )
        # Weights [4, 64] in groups of 32 have 4 * 2 scales.
        count *= dims[-1] // block
    scales = _channel_scales(params, count, constants, place)
    return Quant(_check_scales(scales, place), (0,) * count, params.channel_dim, block)


def _channel_scales(
    params: xnnpack.PerChannelQuant | xnnpack.PerChannelGroupQuant, count: int, constants: Constants, place: str
) -> Array:
    """Returns the scales of `count` channels or groups; in a constant those of channels are float32, of groups bf16."""
    if not params.scale_buffer_idx:
        scales = np.array(params.scale, np.float32)
    else:
        raw = constants.bytes_of(params.scale_buffer_idx, place)
        dtype = DType.FP32 if isinstance(params, xnnpack.PerChannelQuant) else DType.BF16
        if raw.size < params.num_scales * dtype.numpy.itemsize:
            raise FormatError(f"expected {params.num_scales} scales, found {raw.size} bytes", path=place)
        scales = unpack(raw, dtype, (params.num_scales,)).astype(np.float32)
    if scales.size != count:
        raise FormatError(f"expected {count} scales, found {scales.size}", path=place)
    return scales


def _check_scales(scales: Array, place: str) -> tuple[float, ...]:
    """Returns scales as a tuple; raises FormatError unless all are normal and positive, as XNNPACK requires."""
    invalid = scales[~((scales >= np.finfo(np.float32).smallest_normal) & np.isfinite(scales))]
    if invalid.size:
        raise FormatError(f"expected normal positive scales, found {invalid[0]}", path=place)
    return tuple(scales.tolist())


def elements_of(raw: Array, type: TensorType, place: str) -> Array:
    """Returns the elements of an XNNGraph's constant, whose bytes may be more than it needs.

    XNNPACK stores 4-bit elements with 8 added.

    Raises:
        FormatError: too few bytes.
        UnsupportedError: rows of an odd number of 4-bit elements.
    """
    need = math.prod(type.static) * type.dtype.bits
    if 8 * raw.size < need:
        raise FormatError(f"expected {-(-need // 8)} bytes for constant {type}, found {raw.size}", path=place)
    if type.dtype is not DType.I4:
        return unpack(raw, type.dtype, type.static)
    if not type.rank or type.static[-1] % 2:
        raise UnsupportedError(f"constant {type}: XNNPACK packs 4-bit elements in rows of an even number")
    # XOR with 8 adds 8 to a nibble modulo 16, and takes it away: -1 (f) is stored as 7, -8 (8) as 0, 0 as 8.
    return unpack(raw[: need // 8] ^ np.uint8(STORED_ZEROS), DType.I4, type.static)
