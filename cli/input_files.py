"""Inputs out of files: arrays, images, sounds, and folders of them."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tosa_converter import load, with_borders
from tosa_converter.cli.arrays import read_inputs, split_input
from tosa_converter.errors import UsageError
from tosa_converter.execute.inputs import by_tensor_name, main_inputs
from tosa_converter.ir import Array, Model, Value
from tosa_converter.memory import require_memory
from tosa_converter.option_values import parse_names
from tosa_converter.proof.media import IMAGES, SOUNDS, audio_input, image_input, input_of

_ARRAYS = (".npy", ".npz")
_SAMPLES = (*_ARRAYS, *IMAGES, *SOUNDS)


class InputFiles(NamedTuple):
    """The files that the command line names, each text as it stands there: FILE or NAME=FILE, a folder, [NAME=]HOW."""

    inputs: Sequence[str] = ()
    images: Sequence[str] = ()
    sounds: Sequence[str] = ()
    samples: str = ""
    scales: Sequence[str] = ()

    @classmethod
    def of(cls, words: dict[str, Any]) -> "InputFiles":
        """Returns the files of inputs that a command's options name, and takes these options out of `words`."""
        inputs, images, sounds = (words.pop(name) or () for name in ("input", "image", "audio"))
        return cls(inputs, images, sounds, words.pop("samples"), words.pop("scale") or ())

    @property
    def files(self) -> Sequence[str]:
        """The options' texts for single files, FILE or NAME=FILE: arrays, images and sounds."""
        return (*self.inputs, *self.images, *self.sounds)

    def sets(self, model: Model, shapes: Mapping[str, tuple[int, ...]], steps: int) -> list[dict[str, Array]]:
        """Returns sets of arrays by the names of the main graph's inputs: one, or one per file of a folder.

        There is none if the user names no files. An array of several steps, as of a sound that is longer than its
        input, has one more dimension in front.

        Args:
            model: the model whose main graph the arrays are for.
            shapes: shapes of inputs with unknown dimensions.
            steps: the number of steps that an array is for; 0 if the length of a sound decides.

        Raises:
            UsageError: a file that can't be read, is damaged or doesn't fit; a name that no input has.
        """
        reader = _Reader(model, shapes, steps, self.scales)
        if self.samples and self.files:
            raise UsageError("samples: expected a folder or files for the inputs, found both")
        if not self.samples:
            if not self.files and self.scales:
                raise UsageError("scale: expected images or sounds, found none")
            return [reader.read(self)] if self.files else []
        return reader.read_folder(self.samples)


def sample_sets(
    path: str, options: Mapping[str, Any], *, samples: str, scales: Sequence[str]
) -> list[dict[str, Array]]:
    """Returns the sets of inputs of a folder's files, as a verification of many models asks for them in each process.

    Args:
        path: the model's file.
        options: of its verification, as `tc.verify` takes them.
        samples: the folder.
        scales: of images and sounds.

    Raises:
        UsageError: a file that can't be read, is damaged or doesn't fit.
    """
    source = load(path)
    source = with_borders(source, io_types=options.get("io_types"))
    return InputFiles(samples=samples, scales=scales).sets(source, {}, options.get("steps", 0))


class _Reader:
    """Reads files as arrays for a model's inputs."""

    def __init__(self, model: Model, shapes: Mapping[str, tuple[int, ...]], steps: int, scales: Sequence[str]) -> None:
        """Prepares to read files (arrays, images, sounds) for a model's inputs.

        Inputs have `shapes`, and arrays are for `steps` runs. `scales` are texts for images and sounds, `name=scale`,
        or `scale` for all others.
        """
        self._model, self._steps = model, steps
        self._names = main_inputs(model)
        scale_by_name = parse_names("scale", scales)
        self._scale = scale_by_name.pop("", "")
        self._scales = by_tensor_name(model, scale_by_name)
        self._shapes = shapes

    def read(self, files: InputFiles) -> dict[str, Array]:
        """Returns one set of arrays by input name, from the files of arrays, images and sounds.

        With steps, or if a sound is longer than its input, the sound becomes an array [windows, ...]. Raises UsageError
        if an input is given twice.
        """
        arrays = read_inputs(self._model, files.inputs, self._steps)
        texts = [*((text, False) for text in files.images), *((text, True) for text in files.sounds)]
        for text, is_sound in texts:
            name, path = split_input(text, self._names)
            value = self._value(path, name)
            if value.name in arrays:
                raise UsageError(f"input {path}: expected one array for {value.name!r}, found two")
            scale = self._scales.get(value.name, self._scale)
            if is_sound:
                windows = audio_input(path, value, scale, self._steps)
                arrays[value.name] = windows if self._steps or len(windows) > 1 else windows[0]
            else:
                arrays[value.name] = image_input(path, value, scale)
        return arrays

    def read_folder(self, folder: str) -> list[dict[str, Array]]:
        """Returns one set of arrays per file of a folder (array, image or sound), in the order of their names.

        Raises UsageError as soon as the sets wouldn't fit into memory.
        """
        names = sample_names(folder)
        sets: list[dict[str, Array]] = []
        for name in names:
            sets.append(self.read(_files_of(os.path.join(folder, name))))
            # All files fill the same inputs, so the first set tells the size of the rest: after 1 of 1000 files, 999
            # are to come.
            size = sum(array.nbytes for array in sets[0].values())
            require_memory(f"samples {folder}: {len(names)} files", (len(names) - len(sets)) * size)
        return sets

    def _value(self, path: str, name: str) -> Value:
        """Returns the input that a file is for, with the shape of this run."""
        try:
            value = input_of(self._model, name)
        except UsageError as error:
            raise UsageError(f"input {path}: {error}") from None
        shape = self._shapes.get(value.name, value.type.shape)
        return Value(value.type._replace(shape=shape), value.name)


def sample_names(folder: str) -> list[str]:
    """Returns the names of a folder's arrays, images and sounds in order; raises UsageError if there are none."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.lower().endswith(_SAMPLES))
    except OSError as error:
        raise UsageError(f"samples {folder}: {error.strerror}") from None
    if not names:
        raise UsageError(f"samples {folder}: expected files ending in {', '.join(_SAMPLES)}, found none")
    return names


def _files_of(path: str) -> InputFiles:
    """Returns the `InputFiles` with one file of a folder: an array or a sound by its extension, else an image."""
    if path.lower().endswith(_ARRAYS):
        return InputFiles(inputs=[path])
    return InputFiles(sounds=[path]) if path.lower().endswith(SOUNDS) else InputFiles(images=[path])
