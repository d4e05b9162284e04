"""Images and sounds as inputs: files made by hand, arrays computed beside; damaged and hostile files."""

import resource
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Quant, TensorType, Value
from tosa_converter.proof.media import audio_input, image_input

pytest.importorskip("PIL", reason="Pillow is not installed")
RNG = np.random.default_rng(5)
COLOURS = RNG.integers(0, 256, (4, 6, 3), dtype=np.uint8)
KINDS = {1: 0, 2: 4, 3: 2, 4: 6}  # PNG's colour types by channels


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(pixels: Array, *, bits: int = 8, claimed: tuple[int, int] | None = None) -> bytes:
    """[H, W, C] as a file, whatever size it claims."""
    height, width, channels = pixels.shape
    rows = b"".join(b"\0" + row.astype(">u2" if bits == 16 else np.uint8).tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", *(claimed or (width, height)), bits, KINDS[channels], 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def wav(frames: bytes, *, channels: int = 1, width: int = 2, form: int = 1, claimed: int | None = None) -> bytes:
    """PCM frames as a file."""
    size = len(frames) if claimed is None else claimed
    form_chunk = struct.pack("<HHIIHH", form, channels, 16000, 16000 * channels * width, channels * width, 8 * width)
    body = b"WAVEfmt " + struct.pack("<I", 16) + form_chunk + b"data" + struct.pack("<I", size) + frames
    return b"RIFF" + struct.pack("<I", len(body) + size - len(frames) & 0xFFFFFFFF) + body


def value(dtype: DType, *shape: int | None, scale: float = 0, zero_point: int = 0) -> Value:
    return Value(TensorType(dtype, shape, Quant((scale,), (zero_point,)) if scale else None), "x")


@pytest.fixture
def write(tmp_path: Path) -> Callable[[bytes], str]:
    def written(content: bytes) -> str:
        (tmp_path / "file").write_bytes(content)
        return str(tmp_path / "file")

    return written


Write = Callable[[bytes], str]

# ** images **


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        ("", COLOURS / np.float32(255)),
        ("0..1", COLOURS / np.float32(255)),
        ("raw", COLOURS.astype(np.float32)),
        ("-1..1", COLOURS / np.float32(127.5) - 1),
        ("127,64", (COLOURS - np.float32(127)) / 64),
    ],
)
def test_floats_are_scaled_as_asked(write: Write, scale: str, expected: Array) -> None:
    pixels = image_input(write(png(COLOURS)), value(DType.FP32, 1, 4, 6, 3), scale)
    assert pixels.dtype == np.float32
    np.testing.assert_allclose(pixels, expected[None], rtol=1e-6, atol=1e-7)


def test_integers_go_through_the_input_s_own_scale(write: Write) -> None:
    path = write(png(COLOURS))
    for dtype, less in ((DType.UI8, 0), (DType.I8, 128)):
        for odd in ({}, {"scale": 0.3, "zero_point": 7 - less}):
            pixels = image_input(path, value(dtype, 1, 4, 6, 3, **odd))  # type: ignore[arg-type]
            np.testing.assert_array_equal(pixels[0], COLOURS.astype(int) - less)
    pixels = image_input(path, value(DType.I8, 1, 4, 6, 3, scale=1 / 64, zero_point=-3), "-1..1")
    np.testing.assert_array_equal(pixels[0], np.rint((COLOURS / 127.5 - 1) * 64 - 3))
    pixels = image_input(path, value(DType.I8, 1, 4, 6, 3, scale=0.5), "raw")
    np.testing.assert_array_equal(pixels[0], np.minimum(2 * COLOURS.astype(int), 127))
    np.testing.assert_array_equal(image_input(path, value(DType.I32, 4, 6, 3)), COLOURS)


def test_layouts_batches_and_unknown_sizes(write: Write) -> None:
    path = write(png(COLOURS))
    np.testing.assert_array_equal(image_input(path, value(DType.UI8, 1, 3, 4, 6))[0], COLOURS.transpose(2, 0, 1))
    np.testing.assert_array_equal(image_input(path, value(DType.UI8, 2, 4, 6, 3))[1], COLOURS)
    np.testing.assert_array_equal(image_input(path, value(DType.UI8, None, None, None, 3))[0], COLOURS)
    for wrong in ((4, 6, 3, 1, 1), (1, 7, 9, 5), (3,)):
        with pytest.raises(UsageError, match="channels"):
            image_input(path, value(DType.UI8, *wrong))
    with pytest.raises(UsageError, match="expected numbers"):
        image_input(path, value(DType.BOOL, 4, 6, 3))


def test_channels(write: Write) -> None:
    """Gray as ITU-R 601 weighs colours; gray alike in all three; transparency is left out."""
    r, g, b = (COLOURS[..., i].astype(int) for i in range(3))
    gray = (19595 * r + 38470 * g + 7471 * b + 0x8000) >> 16
    path = write(png(COLOURS))
    np.testing.assert_array_equal(image_input(path, value(DType.UI8, 4, 6)), gray)
    np.testing.assert_array_equal(image_input(path, value(DType.UI8, 4, 6, 4))[..., 3], np.full((4, 6), 255))
    path = write(png(COLOURS[..., :1]))
    np.testing.assert_array_equal(image_input(path, value(DType.UI8, 4, 6, 3)), np.repeat(COLOURS[..., :1], 3, 2))
    seen = np.concatenate([COLOURS, COLOURS[..., :1]], 2)
    np.testing.assert_array_equal(image_input(write(png(seen)), value(DType.UI8, 4, 6, 3)), COLOURS)


def triangle(size: int, to: int) -> Array:
    """The weights [to, size] of a bilinear filter as wide as what is left out."""
    ratio = size / to
    reach = max(1.0, ratio)
    weights = 1 - np.abs((np.arange(size) + 0.5)[None] - ((np.arange(to) + 0.5) * ratio)[:, None]) / reach
    weights = np.maximum(weights, 0)
    return np.asarray(weights / weights.sum(1, keepdims=True))


@pytest.mark.parametrize("to", [(2, 3), (8, 12), (5, 4)])
def test_images_are_resized_with_antialiasing(write: Write, to: tuple[int, int]) -> None:
    pixels = image_input(write(png(COLOURS)), value(DType.UI8, 1, *to, 3))
    across = np.floor(np.einsum("hwc,ow->hoc", COLOURS, triangle(6, to[1])) + 0.5)
    expected = np.einsum("hwc,oh->owc", across, triangle(4, to[0]))
    np.testing.assert_allclose(pixels[0], expected, atol=0.51)


IMAGES = {
    "empty": (b"", "cannot identify"),
    "text": (b"no image", "cannot identify"),
    "a sound": (wav(bytes(8)), "cannot identify"),
    "truncated": (png(RNG.integers(0, 256, (64, 64, 3), dtype=np.uint8))[:-4000], "found: "),
    "damaged": (png(COLOURS).replace(b"IDAT", b"IDAU"), "found: "),
    "a bomb": (png(COLOURS, claimed=(1 << 20, 1 << 20)), "decompression bomb"),
    "a large one": (png(COLOURS, claimed=(10000, 10000)), "decompression bomb"),
    "no pixel": (png(COLOURS, claimed=(0, 5)), "found: "),
    "a program": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n", "cannot identify"),
    "16 bits": (png(COLOURS[..., :1], bits=16), "expected 8 bits in a channel, found mode I;16"),
}


@pytest.mark.parametrize("name", IMAGES)
def test_damaged_images(write: Write, name: str) -> None:
    content, words = IMAGES[name]
    path = write(content)
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with pytest.raises(UsageError) as caught:
        image_input(path, value(DType.FP32, 1, 4, 6, 3))
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"image {path}: expected ")
    assert words in str(caught.value)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40 << 10
    assert time.monotonic() - started < 2


def test_images_that_are_none_at_all(tmp_path: Path) -> None:
    for path in (tmp_path / "none.png", tmp_path):
        with pytest.raises(UsageError, match=rf"image {path}: .*(No such file|Is a directory)"):
            image_input(str(path), value(DType.FP32, 1, 4, 6, 3))


@pytest.mark.parametrize("scale", ["2..3", "raw,", "0,0", "1,nan", "a,b", "1,2,3"])
def test_scales_that_are_none(write: Write, scale: str) -> None:
    with pytest.raises(UsageError, match="scale: expected"):
        image_input(write(png(COLOURS)), value(DType.FP32, 1, 4, 6, 3), scale)


def test_an_input_as_large_as_nothing_holds(write: Write) -> None:
    with pytest.raises(UsageError, match="MB of memory"):
        image_input(write(png(COLOURS)), value(DType.FP32, 1, 1 << 22, 1 << 20, 3))
    with pytest.raises(UsageError, match="MB of memory"):
        image_input(write(png(COLOURS)), value(DType.FP32, 1 << 40, 4, 6, 3))


# ** sounds **

SAMPLES = RNG.integers(-(1 << 15), 1 << 15, 10)


@pytest.mark.parametrize(
    ("scale", "expected"),
    [("", SAMPLES / 32768), ("-1..1", SAMPLES / 32768), ("raw", SAMPLES), ("0..1", SAMPLES / 65536 + 0.5)],
)
def test_samples_are_scaled_as_asked(write: Write, scale: str, expected: Array) -> None:
    path = write(wav(SAMPLES.astype("<i2").tobytes()))
    np.testing.assert_allclose(audio_input(path, value(DType.FP32, 1, 10), scale)[0, 0], expected, rtol=1e-6)


def test_windows_and_silence(write: Write) -> None:
    path = write(wav(SAMPLES.astype("<i2").tobytes()))
    x = value(DType.I16, 1, 4, 1)
    filled = np.append(SAMPLES, [0, 0]).reshape(3, 1, 4, 1)
    np.testing.assert_array_equal(audio_input(path, x), filled)
    np.testing.assert_array_equal(audio_input(path, x, windows=2), filled[:2])
    np.testing.assert_array_equal(audio_input(path, x, windows=5)[3:], np.zeros((2, 1, 4, 1)))
    np.testing.assert_array_equal(audio_input(path, value(DType.I16, None))[0], SAMPLES)
    for wrong in ((2, 4), (None, 16)):
        with pytest.raises(UsageError, match="one dimension of samples"):
            audio_input(path, value(DType.I16, *wrong))


def test_widths_and_channels(write: Write) -> None:
    """8 bits are unsigned about 128; of 24 the last three bytes of 32 count; channels are averaged."""
    high = SAMPLES.astype("<i4") << 16
    x = value(DType.FP32, 10)
    bytes8 = (SAMPLES >> 8) + 128
    np.testing.assert_array_equal(
        audio_input(write(wav(bytes8.astype(np.uint8).tobytes(), width=1)), x, "raw")[0], SAMPLES >> 8
    )
    cut = high.view(np.uint8).reshape(-1, 4)[:, 1:].tobytes()
    np.testing.assert_array_equal(audio_input(write(wav(cut, width=3)), x, "raw")[0], SAMPLES * 256)
    np.testing.assert_allclose(audio_input(write(wav(high.tobytes(), width=4)), x)[0], SAMPLES / 32768, rtol=1e-6)
    two = np.stack([SAMPLES, SAMPLES[::-1]], 1).astype("<i2").tobytes()
    np.testing.assert_array_equal(audio_input(write(wav(two, channels=2)), x, "raw")[0], (SAMPLES + SAMPLES[::-1]) / 2)


def test_samples_of_a_quantized_input(write: Write) -> None:
    path = write(wav(SAMPLES.astype("<i2").tobytes()))
    samples = audio_input(path, value(DType.I16, 10, scale=1e-3, zero_point=0))[0]
    np.testing.assert_array_equal(samples, SAMPLES)
    samples = audio_input(path, value(DType.I8, 10, scale=1 / 64, zero_point=2), "-1..1")[0]
    np.testing.assert_array_equal(samples, np.rint(SAMPLES / 512 + 2))


SOUNDS = {
    "empty": (b"", "the end of the file"),
    "text": (b"no sound at all", "RIFF"),
    "an image": (png(COLOURS), "RIFF"),
    "cut header": (wav(bytes(8))[:30], "found: "),
    "cut samples": (wav(bytes(64))[:-8], "32 frames of 1 x 2 bytes, of which 56 are there"),
    "cut header and all": (wav(bytes(64), claimed=1 << 20), "frames of 1 x 2 bytes"),
    "4 GB": (wav(bytes(8), claimed=0xFFFFFFF0), "found: "),
    "floats": (wav(bytes(8), width=4, form=3), "unknown format"),
    "no channel": (wav(bytes(8), channels=0), "channels"),
    "wide": (wav(bytes(32), width=8), "bytes"),
    "no sample": (wav(b""), "0 frames"),
}


@pytest.mark.parametrize("name", SOUNDS)
def test_damaged_sounds(write: Write, name: str) -> None:
    content, words = SOUNDS[name]
    path = write(content)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(UsageError) as caught:
        audio_input(path, value(DType.FP32, 1, 16))
    assert str(caught.value).startswith(f"sound {path}: expected ")
    assert words in str(caught.value)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 << 10


def test_more_windows_than_memory_holds(write: Write) -> None:
    path = write(wav(SAMPLES.astype("<i2").tobytes()))
    with pytest.raises(UsageError, match="MB of memory"):
        audio_input(path, value(DType.FP32, 1 << 30), windows=1 << 20)
