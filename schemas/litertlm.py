"""LiteRT-LM's bundles (.litertlm, version 1) as rows: the header, and the table of sections behind it."""

from __future__ import annotations

from tosa_converter.schemas.flat import (
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Bool,
    OneOf,
    Opt,
    Str,
    Table,
    Vec,
)

MAGIC = b"LITERTLM"
HEADER = "<8sIIIIQ"  # magic, version (three numbers), padding, end of the table, which begins behind this header
VERSION = 1  # the first number, which another one replaces when older readers no longer understand the file
LONGEST_TABLE = 16 << 10  # bytes of header and table, as LiteRT-LM reads them

# Kinds of sections, by number: AnySectionDataType. Later kinds are listed by their number.
TFLITE_MODEL, TFLITE_WEIGHTS = 3, 7
KINDS = {
    0: "NONE",
    1: "GenericBinaryData",
    2: "Deprecated",
    TFLITE_MODEL: "TFLiteModel",
    4: "SP_Tokenizer",
    5: "LlmMetadataProto",
    6: "HF_Tokenizer_Zlib",
    TFLITE_WEIGHTS: "TFLiteWeights",
    8: "EmbeddingMetadataProto",
    9: "ExecutorMetadataProto",
    10: "TtsMetadataProto",
    11: "AsrMetadataProto",
}
MODEL_TYPE = "model_type"  # the key of what a model or its weights are for, such as tf_lite_prefill_decode
TYPE_PREFIX = "tf_lite_"


class VData(Table):
    """Union of its subclasses, numbered from 1 in this order."""


class UInt8(VData):
    value: U8 = 0


class Int8(VData):
    value: I8 = 0


class UInt16(VData):
    value: U16 = 0


class Int16(VData):
    value: I16 = 0


class UInt32(VData):
    value: U32 = 0


class Int32(VData):
    value: I32 = 0


class Float32(VData):
    value: F32 = 0.0


class Boolean(VData):
    value: Bool = False


class StringValue(VData):
    value: Str = ""


class UInt64(VData):
    value: U64 = 0


class Int64(VData):
    value: I64 = 0


class Double(VData):
    value: F64 = 0.0


class KeyValuePair(Table):
    key: Str = ""
    value: OneOf[VData] = None


class SystemMetadata(Table):
    entries: Vec[KeyValuePair] = ()


class SectionObject(Table):
    items: Vec[KeyValuePair] = ()
    begin_offset: U64 = 0
    end_offset: U64 = 0
    data_type: U8 = 0


class SectionMetadata(Table):
    objects: Vec[SectionObject] = ()


class LiteRTLMMetaData(Table):
    system_metadata: Opt[SystemMetadata] = None
    section_metadata: Opt[SectionMetadata] = None
