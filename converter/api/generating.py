"""Greedy generation by a language model: prefill, then one token at a time, with the cache carried along."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tosa_converter.api.comparing import RunOptions
from tosa_converter.api.sessions import Session, part_states
from tosa_converter.api.tokenizers import load_tokenizer
from tosa_converter.compare_options import CompareOptions
from tosa_converter.dtypes import DType
from tosa_converter.engines import engines_for
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Model, TensorType
from tosa_converter.proof.generation import Generation, compare_logits

TOKENS = ("tokens", "input_ids", "token_ids", "ids")
POSITIONS = ("input_pos", "input_position", "position_ids", "positions", "cache_position")
MASKS = ("mask", "attention_mask", "attn_mask")
LOGITS = ("logits",)
PREFILL, DECODE = "prefill", "decode"  # what the names of signatures begin with
MASKED = -1e9  # the score that hides a position; LiteRT-LM takes float32's lowest * 0.7, which no fp16 holds
PADDING = 0  # the token behind a prompt that is shorter than what is prefilled


class Role(NamedTuple):
    """A signature as a language model's: the names of its inputs and of its logits, and how many tokens it takes."""

    signature: str
    tokens: str
    positions: str
    mask: str
    logits: str
    length: int


class LanguageModel:
    """A session whose signatures prefill and decode."""

    def __init__(self, session: Session) -> None:
        """Prepares to generate tokens by a language model: finds the signatures that prefill and decode.

        The decoder is the first signature that takes one token and gives logits; those whose name begins with "decode"
        go first. Signatures named "prefill..." fill the cache with several tokens at once.

        Raises:
            UsageError: no signature takes one token and gives logits, or one has other inputs.
        """
        self.session = session
        roles = [_role(session, name) for name in session.signatures if _is_of_language(session, name)]
        decoders = [role for role in roles if role.length == 1 and role.logits]
        if not decoders:
            names = ", ".join(map(repr, session.signatures))
            expectation = f"expected a signature that takes one of {', '.join(TOKENS)} and gives logits"
            raise UsageError(f"generate: {expectation}, found {names}")
        named = [role for role in decoders if role.signature.startswith(DECODE)]
        self.decoder = (named or decoders)[0]
        prefills = [role for role in roles if role.length > 1 and role.signature.startswith(PREFILL)]
        self.prefills = sorted(prefills, key=lambda role: role.length)
        shapes = {value.name: value.type.static for value in session.part(self.decoder.signature).main.inputs}
        states = part_states(session.part(self.decoder.signature))
        # A cache has a dimension for positions, which is its largest; 0 is for a model without a cache.
        self.capacity = max((max(shapes[state.input], default=0) for state in states), default=0)

    def logits(self, prompt: Sequence[int], count: int) -> Generator[Array, int | None, None]:
        """Yields the logits of each of `count` steps.

        The token with the largest logit is the next one, unless the caller sends another one by the generator's `send`.

        Raises:
            UsageError: a token that the model doesn't have, or more positions than the cache holds.
        """
        if not prompt or not all(0 <= token < self.vocabulary for token in prompt):
            raise UsageError(f"prompt: expected tokens of 0 to {self.vocabulary - 1}, found {list(prompt)}")
        if self.capacity and len(prompt) + count > self.capacity:
            wish = f"{len(prompt)} of the prompt and {count} new ones"
            raise UsageError(f"generate: the cache holds {self.capacity} positions, found {wish}")
        self.session.reset()
        position = self._prefill(prompt[:-1])
        for token in prompt[position:-1]:
            self._step(self.decoder, [token], position)
            position += 1
        token = prompt[-1]
        for _ in range(count):
            logits = self._step(self.decoder, [token], position)
            position += 1
            chosen = yield logits
            token = int(logits.argmax()) if chosen is None else chosen

    @property
    def vocabulary(self) -> int:
        """How many tokens there are, which is how many logits the decoder gives."""
        part, names = self.session.part(self.decoder.signature), self.session.caller_names(self.decoder.signature)
        (value,) = (value for value in part.main.outputs if names[value.name] == self.decoder.logits)
        return int(value.type.static[-1])

    def _prefill(self, tokens: Sequence[int]) -> int:
        """Runs the tokens in front of the last one through the largest signatures that they fill; returns how many.

        The first run may be padded: the decoder overwrites a padded position before a token sees it.
        """
        done = 0
        while done < len(tokens) and self.prefills:
            rest = len(tokens) - done
            fitting = [role for role in self.prefills if role.length <= rest]
            if not fitting and done:
                break
            role = fitting[-1] if fitting else self.prefills[0]
            chunk = [*tokens[done : done + role.length]]
            self._step(role, chunk + [PADDING] * (role.length - len(chunk)), done)
            done += len(chunk)
        return done

    def _step(self, role: Role, tokens: Sequence[int], position: int) -> Array:
        """Runs a signature on tokens from a position on; returns the real values of the last token's logits.

        `role` names the inputs and outputs of the signature. A signature without logits, which only fills the cache,
        gives an empty array.
        """
        part, names = self.session.part(role.signature), self.session.caller_names(role.signature)
        types = {names[value.name]: value.type for value in part.main.inputs}
        borders = {names[v.name]: part.border(v) for v in (*part.main.inputs, *part.main.outputs)}
        positions = np.arange(position, position + len(tokens))
        inputs = {role.tokens: _with_type(np.asarray(tokens), types[role.tokens])}
        if role.positions:
            inputs[role.positions] = _with_type(positions, types[role.positions])
        if role.mask:
            border = borders[role.mask]
            inputs[role.mask] = causal_mask(positions, types[role.mask], border.type if border else None)
        outputs = self.session.run(inputs, signature=role.signature)
        if not role.logits:
            return np.zeros(0)
        (value,) = (value for value in part.main.outputs if names[value.name] == role.logits)
        border = borders[role.logits]
        return real_values(outputs[role.logits], value.type, border.type if border else None)


def real_values(array: Array, type: TensorType, source: TensorType | None) -> Array:
    """Returns the last row of logits as reals; quantized ones by the scale of their type, or of the source's type."""
    quant = type.quant or (source.quant if source is not None else None)
    row: Array = array.reshape(-1, array.shape[-1])[-1].astype(np.float64)
    if quant is None or not quant.per_tensor or not quant.scale:
        return row
    real: Array = (row - quant.zero_point[0]) * quant.scale[0]
    return real


def causal_mask(positions: Array, type: TensorType, source: TensorType | None) -> Array:
    """Returns a mask by which each position sees itself and those before it, in the type and shape of the input.

    Booleans and plain integers are 1 for what is seen. Reals are added to scores: 0 for what is seen, else MASKED or
    the lowest real of the type. Quantized elements stand for these, by the scale of the type or of its counterpart in
    the `source` model.
    """
    *front, columns = type.static
    visible = np.arange(columns) <= positions.reshape(-1, 1)
    shape = (*front[:-1], len(positions), columns) if front else (columns,)
    visible = np.broadcast_to(visible if front else visible[-1], shape)
    dtype, quant = type.dtype.numpy, type.quant or (source.quant if source is not None else None)
    if type.dtype.is_float:
        lowest = max(MASKED, float(np.finfo(np.float16).min)) if type.dtype is DType.FP16 else MASKED
        return np.where(visible, 0.0, lowest).astype(dtype)
    if quant is not None and quant.per_tensor and quant.scale:
        return np.where(visible, quant.zero_point[0], np.iinfo(dtype).min).astype(dtype)
    return visible.astype(dtype)


def _with_type(numbers: Array, type: TensorType) -> Array:
    """Returns numbers in the type and shape of an input, such as [8] or [1, 8]."""
    return numbers.astype(type.dtype.numpy).reshape(type.static)


def _is_of_language(session: Session, name: str) -> bool:
    """Returns whether a signature takes tokens."""
    return any(caller in TOKENS for caller in _inputs(session, name))


def _inputs(session: Session, name: str) -> dict[str, TensorType]:
    """Returns the types of a signature's inputs that aren't state, by the signature's names."""
    part, names = session.part(name), session.caller_names(name)
    states = {state.input for state in part_states(part)}
    return {names[value.name]: value.type for value in part.main.inputs if value.name not in states}


def _role(session: Session, name: str) -> Role:
    """Returns which inputs of a signature are the tokens, their positions and the mask, and which output the logits.

    The signature has an input for tokens. Names of others that it lacks are "".

    Raises:
        UsageError: an input that is none of a language model's.
    """
    part, names, inputs = session.part(name), session.caller_names(name), _inputs(session, name)
    outputs = [names[value.name] for value in part.main.outputs]
    tokens, positions, mask = (
        next((caller for caller in inputs if caller in group), "") for group in (TOKENS, POSITIONS, MASKS)
    )
    unknown = [caller for caller in inputs if caller not in (tokens, positions, mask)]
    if unknown:
        recognized = ", ".join((*TOKENS, *POSITIONS, *MASKS))
        expectation = f"expected inputs called {recognized}, and state"
        raise UsageError(f"generate: signature {name!r}: {expectation}, found {unknown[0]!r}")
    logits = next((caller for caller in outputs if caller in LOGITS), "")
    return Role(name, tokens, positions, mask, logits, inputs[tokens].elements or 0)


def generate(session: Session, prompt: Sequence[int], count: int) -> list[int]:
    """Returns the tokens that follow a prompt, each the one of the largest logit.

    Args:
        session: of a language model, with signatures that prefill and decode.
        prompt: the numbers of the tokens in front.
        count: how many follow.

    Raises:
        UsageError: it is no language model, or the prompt doesn't fit.

    Example:
        >>> import tosa_converter as tc
        >>> session = tc.Session("models/language/llama.float32.tflite")
        >>> tc.generate(session, [5, 17, 99, 42, 7, 5, 17], 5)
        [99, 42, 7, 5, 17]
    """
    return [int(logits.argmax()) for logits in LanguageModel(session).logits(prompt, count)]


def logits_of_both(
    first: LanguageModel, second: LanguageModel, prompt: Sequence[int], count: int
) -> tuple[list[Array], list[Array]]:
    """Returns the logits of two models for each step, until the tokens that they choose differ.

    Both choose the same tokens before that step, so the logits are of the same inputs.
    """
    rows: tuple[list[Array], list[Array]] = [], []
    sides = first.logits(prompt, count), second.logits(prompt, count)
    for pair in zip(*sides, strict=True):
        for side, logits in zip(rows, pair, strict=True):
            side.append(logits)
        if pair[0].argmax() != pair[1].argmax():
            break
    return rows


def compare_generations(
    source: Model, model: Model, options: CompareOptions, run: RunOptions
) -> tuple[Generation, ...]:
    """Returns what a source and each engine that runs its conversion generate; nothing unless it is asked for.

    Raises:
        UsageError: no prompt, or as `generate`.
        MissingExtra: the tokenizer's package isn't installed.
    """
    if not options.generate:
        return ()
    if not options.prompt:
        raise UsageError("--generate (generate) needs a prompt", "next: add --prompt 1,2,3")
    options.progress("generating")
    prompt = prompt_tokens(options.prompt, options.tokenizer)
    (reference, *_), engines = engines_for(source, run.against, run.limit, model.opset, same=run.existing)
    first = LanguageModel(Session(source, engine=reference))
    generations = []
    for engine in engines:
        second = LanguageModel(Session(model, engine=engine, limit=run.limit))
        logits = logits_of_both(first, second, prompt, options.generate)
        generation = compare_logits((reference.name, engine.name), prompt, *logits)
        generations.append(replace(generation, text=detokenize(options.tokenizer, generation.tokens)))
    return tuple(generations)


def detokenize(tokenizer: str, tokens: Sequence[int]) -> str:
    """Returns the text of tokens; "" without a tokenizer."""
    return load_tokenizer(tokenizer).decode(tokens) if tokenizer else ""


def prompt_tokens(prompt: str | Sequence[int], tokenizer: str) -> list[int]:
    """Returns the numbers of a prompt's tokens: a text by a tokenizer, or numbers between commas.

    Raises:
        UsageError: a text without a tokenizer.
        MissingExtra: the tokenizer's package isn't installed.
    """
    if not isinstance(prompt, str):
        return [int(token) for token in prompt]
    if tokenizer:
        return load_tokenizer(tokenizer).encode(prompt)
    try:
        return [int(token) for token in prompt.split(",")]
    except ValueError:
        raise UsageError(
            f"--prompt (prompt): expected numbers of tokens such as 1,2,3, found {prompt!r}",
            "next: name the tokenizer of the text with --tokenizer FILE",
        ) from None
