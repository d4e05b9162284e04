"""Images and sounds as inputs: decoded, fitted to an input's shape, scaled to its type.

The files may be hostile: sizes are compared with limits before anything is decoded, and the decoders that would run
other programs aren't asked. Numbers go through an input's own scale and zero point; they round to the nearest, ties to
even, and saturate.
"""

import math
import os
import shlex
import warnings
import wave
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tosa_converter.errors import MissingExtra, UsageError, did_you_mean, list_names
from tosa_converter.execute.inputs import main_inputs
from tosa_converter.ir import Array, Model, TensorType, Value
from tosa_converter.memory import require_memory

if TYPE_CHECKING:
    from PIL.Image import Image

IMAGES = (".bmp", ".gif", ".jpeg", ".jpg", ".pbm", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp")
SOUNDS = (".wav",)
_FORMATS = ("BMP", "GIF", "JPEG", "PNG", "PPM", "TIFF", "WEBP")
_MODES = {1: "L", 3: "RGB", 4: "RGBA"}  # by channels
_EIGHT_BITS = {"1", "CMYK", "L", "LA", "P", "PA", "RGB", "RGBA", "YCbCr"}
_INTERVALS = {"0..1": (0.0, 1.0), "-1..1": (-1.0, 1.0)}


class Depth(NamedTuple):
    """The range of numbers that a file holds, and which of them represent the ends of an interval of reals."""

    lowest: float
    highest: float
    end: float
    interval: str  # that floats get unless somebody says


_PIXELS = Depth(0, 255, 255, "0..1")


class Picture(NamedTuple):
    """How an input holds images: height and width, None for the file's, and whether channels come first."""

    height: int | None
    width: int | None
    channels: int
    first: bool


def image_input(path: str, value: Value, scale: str = "") -> Array:
    """Returns an image file as an input, resized to its height and width, with 1 (gray), 3 (RGB) or 4 channels.

    Args:
        path: PNG, JPEG, BMP, GIF (its first picture), PPM, TIFF or WebP, of 8 bits.
        value: [H, W], [H, W, C] or [N, H, W, C], or with the channels in front; N are the same.
        scale: raw (0 to 255), 0..1, -1..1 or MEAN,STD for (pixel - MEAN) / STD. Unless given, the whole range of a
            quantized input or of one of 8 or 16 bits, raw for wider integers, 0..1 for floats.

    Raises:
        MissingExtra: Pillow is not installed.
        UsageError: a file that isn't such an image, is damaged or too large; an input that holds no image.
    """
    picture = picture_of(value)
    pixels = _decode_image(path, picture)
    pixels = pixels.transpose(2, 0, 1) if picture.first else pixels
    array = _scale_numbers(value, pixels if value.type.rank > 2 else pixels[..., 0], _PIXELS, scale)
    if value.type.rank < 4:
        return array
    count = value.type.shape[0] or 1
    require_memory(f"image {path}: a batch", count * array.nbytes)
    return np.repeat(array[None], count, axis=0)


def input_of(model: Model, name: str) -> Value:
    """Returns the input of that name of a model's main graph, or the only one if there is no name.

    Unknown sizes are those of its default shape, if the file has one.

    Raises:
        UsageError: there is none, or several.
    """
    names, inputs = main_inputs(model), model.main.inputs
    if name not in names and (name or len(inputs) != 1):
        there_are = list_names(sorted(names)) + did_you_mean(name, names)
        raise UsageError(f"no input is called {name!r}; there are {there_are}")
    value = names[name] if name else inputs[0]
    return Value(value.type._replace(shape=model.default_shapes.get(value, value.type.shape)), value.name)


def picture_of(value: Value) -> Picture:
    """Returns an input's height, width and channels; channels are last if the last dimension can be theirs, else first.

    Raises:
        UsageError: it holds none.
    """
    shape = value.type.shape
    if len(shape) == 2:
        return Picture(*shape, 1, False)
    if len(shape) in (3, 4):
        front, middle, last = shape[-3:]
        if last in _MODES:
            return Picture(front, middle, last, False)
        if front in _MODES:
            return Picture(middle, last, front, True)
    raise UsageError(f"input {value.name!r}: expected [N, H, W, C] with 1, 3 or 4 channels, found {value.type}")


def _decode_image(path: str, picture: Picture) -> Array:
    """Returns an image file decoded as u8 [H, W, C], in the sizes of `picture`, or those of the file where it has none.

    Raises UsageError for files that Pillow can't decode, that aren't of 8 bits, or that exceed the memory.
    """
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtra("decoding images", "media") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(path, formats=_FORMATS) as image:
                mode, (width, height) = image.mode, image.size
                size = (picture.width or width, picture.height or height)
                if mode in _EIGHT_BITS:
                    # A pixel of the file has up to 4 channels of a byte, once more in the rotated copy. A pixel of the
                    # input has up to 4 channels in fp64, in two arrays at once while they are scaled: 64 bytes.
                    require_memory(f"image {path}: it", 8 * (width * height + 8 * math.prod(size)))
                    return _fit_image(image, size, picture.channels)
        except UsageError:
            raise
        except Exception as error:  # Pillow's readers raise whatever damage leads them to
            reason = " ".join(str(getattr(error, "strerror", None) or error or type(error).__name__).split())
            raise UsageError(f"image {path}: expected a whole {', '.join(_FORMATS)}, found: {reason}") from None
    raise UsageError(f"image {path}: expected 8 bits in a channel, found mode {mode}")


def _fit_image(image: "Image", size: tuple[int, int], channels: int) -> Array:
    """Returns an image rotated as its EXIF data says, with so many channels, resized bilinearly: u8 [H, W, C]."""
    from PIL import Image, ImageOps

    turned = ImageOps.exif_transpose(image).convert(_MODES[channels])
    fitted = turned if turned.size == size else turned.resize(size, Image.Resampling.BILINEAR)
    return np.asarray(fitted, np.uint8).reshape(size[1], size[0], channels)


def audio_input(path: str, value: Value, scale: str = "", windows: int = 0) -> Array:
    """Returns a WAV file as an input, [windows, *shape]: one after the other, silence behind the last sample.

    Channels are mixed to one. The rate is the file's: nothing is resampled, as no input says which one it wants.

    Args:
        path: PCM of 8, 16, 24 or 32 bits.
        value: has one dimension of samples, besides those of 1; an unknown one takes the whole file.
        scale: raw (the file's integers, -32768 to 32767 for 16 bits), 0..1, -1..1 or MEAN,STD. Unless given, the whole
            range of a quantized input or of one of 8 or 16 bits, raw for wider integers, -1..1 for floats.
        windows: how many; as many as the file fills if 0.

    Raises:
        UsageError: a file that isn't such a sound, is damaged or too large; an input that holds no samples.
    """
    lengths = [size for size in value.type.shape if size != 1]
    if len(lengths) > 1:
        raise UsageError(f"input {value.name!r}: expected one dimension of samples, found {value.type}")
    length = 1 if not lengths else lengths[0]
    samples, depth = _read_samples(path, windows * length if length else None)
    length = length or len(samples)
    # 40,000 samples in windows of 16,000 fill ceil(2.5) = 3 of them.
    count = windows or max(1, -(-len(samples) // length))
    require_memory(f"sound {path}: it", 16 * count * length)
    padded = np.zeros(count * length)
    padded[: len(samples)] = samples[: len(padded)]
    shape = [length if size is None else size for size in value.type.shape]
    return _scale_numbers(value, padded, depth, scale).reshape(count, *shape)


def _read_samples(path: str, most: int | None) -> tuple[Array, Depth]:
    """Returns up to `most` samples of a WAV file (0 or None: all) as fp64, and their depth; channels are averaged.

    Raises UsageError if there are none, fewer than the header says, or they have more than 32 bits.
    """
    try:
        with open(path, "rb") as stream, wave.open(stream) as sound:
            width, channels, frames = sound.getsampwidth(), sound.getnchannels(), sound.getnframes()
            size = os.fstat(stream.fileno()).st_size
            count = min(most or frames, frames)
            require_memory(f"sound {path}: it", 32 * min(count * channels, size))
            data = sound.readframes(count) if 0 < frames * channels * width <= size and width <= 4 else b""
            if not count or len(data) < count * channels * width:
                raise wave.Error(f"{frames} frames of {channels} x {width} bytes, of which {len(data)} are there")
    except (EOFError, OSError, ValueError, wave.Error) as error:
        reason = getattr(error, "strerror", None) or str(error) or "the end of the file"
        raise UsageError(
            f"sound {path}: expected a whole WAV file of PCM, found: {reason}",
            f"next: convert it, as with ffmpeg -i {shlex.quote(path)} -c:a pcm_s16le sound.wav",
        ) from None
    samples = np.frombuffer(data, np.uint8).reshape(-1, channels, width)
    return np.asarray(_integers(samples).mean(axis=1)), _depth(8 * width)


def _depth(bits: int) -> Depth:
    """Returns the range of PCM samples of so many bits, as signed integers."""
    top = 1 << (bits - 1)
    # -1..1 divides by 2**15 for 16 bits, so -32768 is -1 and 32767 is 1 - 2**-15; the end of the interval isn't
    # reached.
    return Depth(-top, top - 1, top, "-1..1")


def _integers(data: Array) -> Array:
    """Returns PCM samples from their bytes [N, channels, bytes], little endian, as fp64 around 0.

    Samples of 8 bits are unsigned, all others signed.
    """
    if data.shape[-1] == 1:
        return np.asarray(data[..., 0], np.float64) - 128
    wide = np.zeros((*data.shape[:2], 4), np.uint8)
    # The bytes become the upper ones of 32 bits, whose sign is then right: the 24 bits FE FF FF are 00 FE FF FF, which
    # is -512 little endian, and -512 / 2**8 = -2.
    wide[..., 4 - data.shape[-1] :] = data
    return np.asarray(wide.view("<i4")[..., 0] / 2.0 ** (32 - 8 * data.shape[-1]))


def _scale_numbers(value: Value, numbers: Array, depth: Depth, scale: str) -> Array:
    """Returns a file's numbers as the input stores them, scaled from the range of their `depth` as `scale` says.

    `scale` is raw (as they are), an interval such as 0..1, or MEAN,STD. "" is the interval of `depth` for floats, the
    whole range of integers that are quantized or of up to 16 bits, and raw for others.
    """
    type = value.type
    if not (type.dtype.is_float or type.dtype.is_integer):
        raise UsageError(f"input {value.name!r}: expected numbers, found {type}")
    if not scale:
        wide = type.dtype.is_integer and type.dtype.bits > 16 and type.quant is None
        scale = "raw" if wide else depth.interval if type.dtype.is_float else ""
    if scale == "raw":
        return store_reals(value, numbers)
    mean, comma, deviation = scale.partition(",")
    if comma:
        return store_reals(value, (numbers - _parse_number(mean, scale)) / _parse_number(deviation, scale))
    if scale and scale not in _INTERVALS:
        raise UsageError(f"scale: expected raw, 0..1, -1..1 or MEAN,STD, found {scale!r}")
    low, high = _INTERVALS[scale] if scale else real_range(value)
    # An interval ends at `depth.end`, 2**15 for 16 bits, and a type's range at the highest number, 2**15 - 1.
    start, end = (depth.lowest, depth.end if scale else depth.highest)
    return store_reals(value, (numbers - start) / (end - start) * (high - low) + low)


def _parse_number(text: str, scale: str) -> float:
    """Returns the number in `text`, which is MEAN or STD of the option `scale`; raises UsageError for an STD of 0."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or (not number and scale.endswith(f",{text}")):
        raise UsageError(f"scale: expected MEAN,STD, finite numbers and STD not 0, found {scale!r}")
    return number


def real_range(value: Value) -> tuple[float, float]:
    """Returns the least and the greatest real number that an input of integers can represent."""
    scale, zero = quantization_of(value)
    low, high = integer_range(value.type)
    return (low - zero) * scale, (high - zero) * scale


def store_reals(value: Value, reals: Array) -> Array:
    """Returns real numbers as an input stores them: quantized, rounded to the nearest, and saturated if integers."""
    dtype = value.type.dtype.numpy
    if value.type.dtype.is_float:
        with np.errstate(over="ignore"):
            return np.asarray(reals, dtype)
    scale, zero = quantization_of(value)
    low, high = integer_range(value.type)
    return np.asarray(np.clip(np.rint(reals / scale + zero), low, high), dtype)


def quantization_of(value: Value) -> tuple[float, int]:
    """Returns the scale and the zero point of a value; 1 and 0 for floats and integers without."""
    quant = value.type.quant
    if quant is None or value.type.dtype.is_float:
        return 1.0, 0
    if not quant.per_tensor or not (math.isfinite(quant.scale[0]) and quant.scale[0] > 0):
        raise UsageError(f"input {value.name!r}: expected one finite scale beyond 0, found {quant.scale[:4]}")
    return quant.scale[0], quant.zero_point[0]


def integer_range(type: TensorType) -> tuple[int, int]:
    """Returns the least and the greatest integer of a type, as far as fp64 holds every integer between them."""
    dtype = type.dtype
    low, high = (0, (1 << dtype.bits) - 1) if dtype.numpy.kind == "u" else dtype.limits
    return max(low, -(1 << 53)), min(high, 1 << 53)
