"""The file formats, one row each, and the names that belong to them."""

from typing import NamedTuple

from tosa_converter.schemas.flat import MAX_SIZE

# Magic numbers stand at the beginning, identifiers of flatbuffers behind the offset of the root.
SPIRV_MAGICS = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")  # in both orders of bytes
VGF_MAGIC = b"VGF1"
MLIR_ENDING = ".mlir"
VMFB_ENDING = ".vmfb"  # of what IREE's compiler makes
INPUTS = "inputs"  # the form of constants that are inputs, with their elements in a file beside a .tosa
WEIGHTS_ENDING = ".weights.npz"  # of that file
MANIFEST = "manifest.json"  # of a chain, in a folder of its own


class Format(NamedTuple):
    """A file format; its functions stand as `module:name` and are imported when they are needed."""

    ending: str
    name: str
    opset: str = ""  # of the graphs that it can hold; any if empty
    marks: tuple[bytes, ...] = ()  # one of which its files begin with
    identifier: bytes = b""
    recognize: str = ""  # of a format without a mark
    read: str = ""
    write: str = ""
    save: str = ""  # in place of `write`, where the file isn't made in memory first
    delegates: bool = False  # one alone can be read
    data_files: bool = False  # its data may be in files beside it
    most: int = 0  # bytes that a file holds; 0 for any number
    takes: tuple[str, ...] = ()  # of the options of `save`
    outputs: bool = False  # its graphs have at least one
    unknown_dims: bool = False  # it can hold tensors whose dimensions aren't known


FORMATS = (
    Format(
        ".tflite",
        "TFLite",
        "tfl",
        identifier=b"TFL3",
        read="tflite.reader:read_tflite",
        write="tflite.writer:write_tflite",
        data_files=True,
        most=MAX_SIZE,
    ),
    Format(
        ".tosa",
        "TOSA",
        "tosa",
        identifier=b"TOSA",
        read="tosa.reader:read_tosa",
        write="tosa.writer:write_tosa",
        takes=("constants",),
        unknown_dims=True,
    ),
    Format(
        ".spv",
        "SPIR-V",
        "tosa",
        SPIRV_MAGICS,
        read="spirv.reader:read_spirv",
        save="spirv.constants:save_spirv",
        outputs=True,
        takes=("debug",),
    ),
    Format(
        ".vgf",
        "VGF",
        "tosa",
        (VGF_MAGIC,),
        read="spirv.vgf:read_vgf",
        write="spirv.vgf:write_vgf",
        takes=("debug",),
    ),
    Format(
        ".xnn",
        "XNNGraph",
        "xnn",
        recognize="xnnpack.reader:looks_like_xnnpack",
        read="xnnpack.reader:read_xnnpack",
        write="xnnpack.writer:write_xnnpack",
        outputs=True,
        most=MAX_SIZE,
    ),
    Format(
        ".json",
        "chain",
        "chain",
        recognize="chain:looks_like_chain",
        read="chain:read_chain",
        save="chain:save_chain",
        takes=("debug",),
    ),
    Format(
        MLIR_ENDING,
        "MLIR",
        recognize="mlir.lexer:looks_like_mlir",
        read="mlir.reader:read_mlir",
        write="mlir.encoder:encode_mlir",
        takes=("debug", "dialect"),
        unknown_dims=True,
    ),
    Format(
        ".mlirbc",
        "MLIR bytecode",
        "tosa",
        (b"ML\xefR",),
        read="mlir.bytecode.reader:read_bytecode",
        write="mlir.bytecode.writer:encode_bytecode",
        takes=("debug",),
        unknown_dims=True,
    ),
    Format(
        ".pte",
        "ExecuTorch program",
        "xnn",
        identifier=b"ET12",
        read="xnnpack.program:read_program",
        delegates=True,
        data_files=True,
    ),
    Format(VMFB_ENDING, "IREE module", "tosa", write="vmfb:write_vmfb", takes=("flags",)),
)

TOSA_ENDINGS = tuple(row.ending for row in FORMATS if row.opset in ("tosa", ""))  # of what a conversion becomes
TFLITE_ENDING, XNNPACK_ENDING = ".tflite", ".xnn"  # of what it becomes once it is of their operators
PER_GRAPH = (".spv",)  # endings of formats that hold one graph: several graphs get a file each
BY_ENDING = {row.ending: row for row in FORMATS if row.write or row.save}
