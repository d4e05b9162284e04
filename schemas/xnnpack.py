"""The fb_xnnpack schema of PyTorch's XNNPACK backend (no file identifier) as rows.

ExecuTorch's descendants add fields behind these and members to the unions; only XNNDatatype differs from 4 on.
"""

from __future__ import annotations

from tosa_converter.schemas.flat import U32, Blob16, OneOf, Opt, ShortEnum, Str, Table, Vec

IDENTIFIER = b""

INVALID_VALUE_ID = 0xFFFFFFFF
FLAG_EXTERNAL_INPUT = 1
FLAG_EXTERNAL_OUTPUT = 2


class XNNDatatype(ShortEnum):
    xnn_datatype_invalid = 0
    xnn_datatype_fp32 = 1
    xnn_datatype_fp16 = 2
    xnn_datatype_qint8 = 3
    xnn_datatype_qint32 = 4


class Buffer(Table):
    storage: Opt[Blob16] = None


class XNodeUnion(Table):
    """Union of the tables in `XNodeUnion_MEMBERS`, numbered from 1."""


class XValueUnion(Table):
    """Union of the tables in `XValueUnion_MEMBERS`, numbered from 1."""


class XNNTensorValue(XValueUnion):
    datatype: XNNDatatype = XNNDatatype.xnn_datatype_invalid
    num_dims: U32 = 0
    dims: Vec[U32] = ()
    constant_buffer_idx: U32 = 0
    external_id: U32 = 0
    flags: U32 = 0
    id_out: U32 = 0


class XNode(Table):
    xnode: OneOf[XNodeUnion] = None
    debug_handle: U32 = 0


class XValue(Table):
    xvalue: OneOf[XValueUnion] = None


class XNNAdd(XNodeUnion):
    input1_id: U32 = 0
    input2_id: U32 = 0
    output_id: U32 = 0
    flags: U32 = 0


class XNNGraph(Table):
    version: Str = ""
    xnodes: Vec[XNode] = ()
    xvalues: Vec[XValue] = ()
    num_externs: U32 = 0
    input_ids: Vec[U32] = ()
    output_ids: Vec[U32] = ()
    constant_buffer: Vec[Buffer] = ()
    mem_buffer_sizes: Vec[U32] = ()


XNodeUnion_MEMBERS: tuple[type[XNodeUnion], ...] = (XNNAdd,)

XValueUnion_MEMBERS: tuple[type[XValueUnion], ...] = (XNNTensorValue,)
