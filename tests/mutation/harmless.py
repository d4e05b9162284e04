"""Faults that no test can detect because they change no result: each has a reason and doesn't count as caught."""

_SIZE = "how much is done at a time; any amount gives the same result"
_CHOICE = "from where on the faster of two ways pays that give the same result"
_ONE = "the operand has one element"
_PATIENCE = "after how long somebody gives up; no result depends on a second more or less"
_REST = "what follows the last condition that is asked for is not read"
_EXACT = "a short cut: the other way gives the same result"
_CANDIDATES = "how many candidates are tried; each one that lowers to the same operators is right"

# (file, the line with the fault in it): reason. The right line stands for all its faults, a name for its value's.
HARMLESS: dict[tuple[str, str], str] = {
    ("converter/execute/fast/base.py", "BLOCK"): _SIZE,
    (
        "cli/conversion_screen.py",
        "kinds = [(op, 1) for op in coverage.operators] if verbose else coverage.kinds",
    ): "a number is printed for kinds only",
    ("converter/engines/vela.py", "SECONDS"): _PATIENCE,
    ("converter/formats/vmfb.py", "SECONDS"): _PATIENCE,
    (
        "converter/execute/fast/base.py",
        "if element == work and op.operands[0].type.dtype is not op.result.type.dtype:",
    ): "a short cut: comparisons make bool by themselves, and else no type is to be changed",
    ("converter/execute/fast/convolution.py", "_WINDOW_ELEMENTS"): _SIZE,
    ("converter/execute/fast/convolution.py", "_OUTPUT_ELEMENTS"): _SIZE,
    ("converter/execute/fast/convolution.py", "_LONGER"): _CHOICE,
    ("converter/execute/fast/convolution.py", "_WORTH_ADDING"): _CHOICE,
    ("converter/execute/fast/convolution.py", "step"): _SIZE,
    ("converter/execute/fast/convolution.py", "return self.window_size // self.geometry.kernel[1]"): _SIZE,
    (
        "converter/execute/fast/convolution.py",
        "if len(geometry.kernel) == 2 and geometry.kernel[0] > 0 == geometry.stride[0] and 2 * shape[-1] <= row_size:",
    ): _CHOICE,
    (
        "converter/execute/fast/convolution.py",
        "strategy = _Im2colByKernelRow if prod(shape[1:-1]) * window_size >= _WORTH_ADDING else _Im2colWindows",
    ): _CHOICE,
    ("converter/execute/fast/convolution.py", "row"): _SIZE,
    (
        "converter/execute/fast/convolution.py",
        "matrices = matrix.reshape(kernel_y, -1, matrix.shape[1])",
    ): "a matrix has two axes, so this is the last one",
    ("converter/execute/fast/cast.py", "_MANY"): _CHOICE,
    (
        "converter/execute/fast/cast.py",
        "sticky = np.where((magnitude >= 1 << 24) & (dropped != 0), (magnitude & ~np.int64(0x7F)) | 129, magnitude)",
    ): "the bit that says that some are dropped is there; one more below it says the same",
    ("converter/execute/fast/depthwise.py", "_OUTPUT_ELEMENTS"): _SIZE,
    ("converter/execute/fast/depthwise.py", "return best if best * channels * 4 >= _ROW_OF_SUMS else width"): _CHOICE,
    ("converter/execute/fast/depthwise.py", "step"): _SIZE,
    ("converter/execute/fast/depthwise.py", "_ROW_OF_SUMS"): _SIZE,
    (
        "converter/execute/fast/elementwise.py",
        "shift_bits, dtype = int(shift.reshape(1)[0]), op.operands[0].type.dtype",
    ): _ONE,
    (
        "converter/execute/fast/pool.py",
        "if kernel > 1 or stride > 0 or padded:",
    ): "a pass over windows of one position copies",
    ("converter/execute/fast/gemm.py", "_MOST_PARTS"): _CHOICE,
    (
        "converter/execute/fast/rescale.py",
        "doubtful = (scaled < self.guard) | (scaled > 1 + self.guard)",
    ): "thresholds are fp64 numbers and rounding is monotone: what reaches one is not computed to be below",
    (
        "converter/execute/fast/rescale.py",
        "guard = 0.0 if np.all(largest < _EXACT / 2) else 4 * reach / _EXACT",
    ): "looking at what is exact costs time only",
    ("converter/execute/fast/resize.py", "step"): _SIZE,
    ("converter/execute/fast/lookup.py", "_WORTH_SPREADING"): _CHOICE,
    ("converter/execute/fast/rescale_proof.py", "_CHANNELS"): _SIZE,
    ("converter/execute/fast/rescale_proof.py", "_MOST_TRIED"): _CHOICE,
    ("converter/execute/fast/rescale_proof.py", "_ROW"): _SIZE,
    ("converter/execute/fast/rescale_proof.py", "if channels.size * (2 * reach + 1) > _MOST_TRIED:"): _CHOICE,
    (
        "converter/execute/fast/rescale_proof.py",
        "for side, moved in ((ties[ties < 1], away - bias[:, None]), (ties[ties > 0], -away - bias[:, None])):",
    ): "one more candidate, which is tried like the others",
    (
        "converter/execute/fast/rescale_proof.py",
        "ties = np.arange(scaling.low + 1, scaling.high + 2) - scaling.offset - 0.5",
    ): "one more candidate, a step beyond the limits, to which both ways clamp",
    (
        "converter/execute/fast/windows.py",
        "read = [slice(0, (size - 0) * stride + 1, stride) for size, stride in pairs]",
    ): "the input ends where the last window does (idiv_check)",
    ("converter/execute/fast/windows.py", "_SMALL"): _CHOICE,
    (
        "converter/rules/shapes/elementwise.py",
        "integer = c.dtype(1) is DType.I32",
    ): "the type table wants operands of one type",
    (
        "converter/rules/shapes/elementwise.py",
        "if not (input_unsigned or output_unsigned) and scale32 != (in_t is DType.I48) and (scale32 and not double):",
    ): "a short cut past conditions that do not hold",
    (
        "converter/rules/shapes/elementwise.py",
        'c.require(False, "multiplier >= 0", multiplier=max(multipliers))',
    ): "only the value in the message",
    (
        "converter/rules/shapes/layout.py",
        'axis = c.axis(max(0, len(first)), "max(1,rank(shapes1[0]))")',
    ): "the row asks for a rank of at least 1",
    ("converter/rules/shapes/windows.py", "oh, ow = _windows(c, x[1:3], (kh, kw), _AXES, CONV_OUTPUT[1:4])"): _REST,
    (
        "converter/rules/shapes/windows.py",
        'od, oh, ow = _windows(c, tuple(size), tuple(kernel), ("d", "y", "x"), CONV3D_OUTPUT[1:5])',
    ): _REST,
    ("converter/execute/scalars.py", "_SHORTEST"): _CHOICE,
    ("converter/execute/scalars.py", "if not len(functions) == len(chain) > _SHORTEST:"): _CHOICE,
    ("converter/execute/scalars.py", "shift_bits = -1 if shift is None else int(shift.reshape(1)[0])"): _ONE,
    ("converter/execute/scalars.py", "return ((value - _HALF) & _MASK) - _HALF"): "twice _HALF is 0 modulo _MASK + 1",
    (
        "converter/execute/scalars.py",
        "ops.LOGICAL_LEFT_SHIFT: lambda a, b: _wrap_to_int32(a << b) if 0 <= b <= 32 else 0,",
    ): "the low 32 bits of what is shifted by 32 are 0",
    (
        "converter/execute/scalars.py",
        "ops.LOGICAL_LEFT_SHIFT: lambda a, b: _wrap_to_int32(a << b) if 0 <= b < 33 else 0,",
    ): "the low 32 bits of what is shifted by 32 are 0",
    (
        "converter/execute/definition/scaling.py",
        "round = np.left_shift(np.int64(1), shift - 1) + np.where(value >= 1, away, -away)",
    ): "0 stays 0: what is added is less than 1 << shift, and at least 2**30 with either sign where shift > 31",
    (
        "converter/execute/definition/scaling.py",
        "round = np.left_shift(np.int64(1), shift - 1) + np.where(value > 0, away, -away)",
    ): "0 stays 0: what is added is less than 1 << shift, and at least 2**30 with either sign where shift > 31",
    (
        "converter/pictures/layout.py",
        "left = min((centre - widths[node] / 2 for node, centre in centres.items()), default=1.0)",
    ): "without nodes there is nothing to move",
    (
        "converter/pictures/layout.py",
        "centres |= _place_row(row, dict.fromkeys(row, 1.0), widths)",
    ): "all rows are moved alike, and in the end to 0",
    (
        "converter/proof/adversarial.py",
        "chosen = rng.random(array.shape) <= _SPECIAL",
    ): "a random number equals the share once in 2**53, and which elements are special is free",
    (
        "converter/memory.py",
        "if count > SMALL and count > (free := available_memory()):",
    ): "so few bytes are always free",
    (
        "converter/formats/xnnpack/writer.py",
        'return op.name in (XNN_CONSTANT, "xnn.add") and types < _PYTORCH_TYPES and not bounded',
    ): "the operands of an addition and a constant have one type, PyTorch's schema has several",
    (
        "legalize/tflite/delegate_conditions.py",
        "if axes and 0 < 255 * count < I32.max:",
    ): "255 doesn't divide the largest i32",
    ("legalize/tflite/quantized/resize.py", "size = len(rows[0][1]), len(columns[0][0])"): "each row has one weight",
    (
        "legalize/custom/detection.py",
        "counts = [const(np.zeros((1, classes, 1)), tc.DType.I32)] "
        "if per_class < max(size, candidates.box_count) else []",
    ): "no class reaches a share of all detections or boxes, counted or not",
    (
        "legalize/ops/windows.py",
        "if groups >= 1 and operands.weight.shape[-1] == 1 and operands.x.rank == 4:",
    ): "over one channel both convolutions are the same",
    (
        "legalize/tflite/quantized/softmax.py",
        "FARTHEST = -21 << (31 - SCALED_DIFF_BITS)",
    ): "the smallest result stands for -16, so logits that are 20 or more apart give it",
    (
        "legalize/tflite/undefined.py",
        "return np.where(x <= 0, below, undefined_mask(x, quantize_multiplier(ratio)))",
    ): "no product of 0 overflows",
    (
        "legalize/ops/random_numbers.py",
        "upper = upper + _words((factors >> 1) + TOP_BIT)",
    ): "in 32 bits 2**31 and -2**31 are the same word",
    ("legalize/ops/layout.py", "return x.pad(pairs, value.constant.reshape(1)[0])"): _ONE,
    (
        "legalize/aten/movement.py",
        'match.require(min(sizes, default=2) >= 1, f"expected parts of at least 1, found {list(sizes)}")',
    ): "no parts at all are none below 1",
    (
        "legalize/tflite/any_type/strided.py",
        "low, high = (0, last) if stride >= 0 else (entry.size - 1 - last, entry.size - 1)",
    ): "a stride of 0 has been declined",
    (
        "legalize/tflite/any_type/strided.py",
        "if stride <= 0 or not 0 < end <= size - start or options.end_mask >> i & 1:",
    ): "a stride of 0 has been declined",
    (
        "legalize/tflite/recurrent/integer_lstm.py",
        "multiplier=Multiplier(m, np.where(m == 1, 0, shift + 12)),",
    ): "a multiplier is 0 or at least 2**30, and 0 gives 0 with any shift",
    ("legalize/tflite/non_max_suppression.py", "if not sigma.constant.all():"): _ONE,
    (
        "legalize/quant/litert_16.py",
        "SMALLEST_SCALE, LARGEST_SCALE = 2.0*-60, 2.0**15  # with which every sum is 0, or saturates from 1 on",
    ): "a sum of 48 bits times less than 2**-60 is 0, and so are its parts",
    (
        "converter/pictures/explorer.py",
        "for i in range(len(op.inputs) if op.row is not None and op.row.inputs else -1)",
    ): "a range to -1 is as empty as one to 0",
    (
        "converter/proof/page/facts.py",
        'has_files = all(comparison.inputs == "given" for comparison in verification.comparisons)',
    ): "all comparisons of a verification, of which there is at least one, have the same kind of inputs",
    (
        "cli/app.py",
        '"show_default": bool(flag.maximum is not None and default),',
    ): "every number whose default is shown has both limits",
    ("legalize/constant_operands.py", "return int(elements.reshape(1)[0])"): _ONE,
    (
        "legalize/tflite/quantized/elementwise.py",
        "return y if middle <= 14 else where(exponent > 31, 0, y)",
    ): "exponents around 15 are 0 to 31, so none is above 31",
    ("converter/execute/blas.py", "if self.threads or self.before != self.count:"): (
        "the number that is set is the present one"
    ),
    ("converter/execute/definition/layout.py", "out[...] = pad_const.reshape(1)[0]"): _ONE,
    (
        "converter/execute/fast/convolution.py",
        "fits_block = positions * prod(weight[1:]) <= _WINDOW_ELEMENTS and positions * shape[-1] <= _OUTPUT_ELEMENTS",
    ): _CHOICE,
    (
        "converter/execute/fast/reduce.py",
        "if plan_context.check and _largest_magnitude(x) * x.shape[axis] > _I32.min:",
    ): "the running sums of small elements fit, looked at or not",
    (
        "converter/execute/group.py",
        "if constant is not None and constant.size == 0 and _follows_another_operand(reader, value):",
    ): "a constant of one element computes the same as an operand of the group, in three times the time",
    ("converter/execute/scalars.py", "shape = chain[-1].result.type.static"): (
        "all operators of a group have the shape of the last one"
    ),
    (
        "converter/formats/mlir/writer.py",
        "PIECE = 2 << 20  # bytes of a constant that are turned into digits at once",
    ): _SIZE,
    (
        "converter/formats/mlir/writer.py",
        "PIECE = 1 << 21  # bytes of a constant that are turned into digits at once",
    ): _SIZE,
    (
        "converter/formats/mlir/writer.py",
        "PIECE = 1 << 19  # bytes of a constant that are turned into digits at once",
    ): _SIZE,
    ("converter/proof/suspects.py", "changed += 2"): "the numbers are compared with each other and with 0 only",
    ("converter/rules/gate.py", "_ANY_MINOR = (VERSION[0], 2 << 15, 0)"): "any number above every release",
    ("converter/rules/gate.py", "_ANY_MINOR = (VERSION[0], 1 << 16, 0)"): "any number above every release",
    ("converter/rules/gate.py", "_ANY_MINOR = (VERSION[0], 1 << 14, 0)"): "any number above every release",
    (
        "legalize/invert/tflite/short_layers.py",
        "_odd_part(product // _odd_part(x)) <= 2 * MANTISSAS for product in products",
    ): "an odd number is no power of two",
    (
        "legalize/invert/xnnpack/dynamic.py",
        "is_small = self.weight.min(initial=0) >= low and self.weight.max(initial=-1) <= high",
    ): "neither 0 nor -1 is above the limit",
    (
        "legalize/tflite/any_type/shapes.py",
        "count = math.ceil(abs((limit - start) / delta)) if (limit - start) / delta >= 0 else 0",
    ): "a quotient of 0 gives 0 on both ways",
    (
        "legalize/tflite/quantized/softmax.py",
        "return look_up_16_bits(high) * factor + look_up_16_bits(low + (1 << 15))",
    ): "2**15 and -2**15 are the same in 16 bits, of which two bytes are looked up",
    (
        "legalize/tflite/stablehlo/matrices.py",
        "x = pad_with_gaps(x, 0, low, high, [0, *(gap - 1 for gap in gaps), -1])",
    ): "neighbours stay together by a gap of 0 or less",
    (
        "converter/engines/process.py",
        "MISSING = 3  # exit status of a worker without the package that it stands on",
    ): "the workers and who starts them read the same number",
    ("converter/execute/fast/fft.py", "out = op.results[1].type.dtype.numpy"): "both results have one element type",
    (
        "converter/execute/fast/lookup.py",
        "steep = plan_context.check and bool(slope.min() <= -32768 or slope.max() > 32767)",
    ): _EXACT,
    (
        "converter/execute/fast/lookup.py",
        "steep = plan_context.check and bool(slope.min() < -32768 or slope.max() >= 32767)",
    ): _EXACT,
    (
        "converter/execute/fast/rescale_proof.py",
        "if np.any(scaling.multiplier < 0) or np.any((scaling.shift < 3) | (scaling.shift > 62)):",
    ): _EXACT,
    (
        "converter/execute/scalars.py",
        "for value in (value for op in chain for value in op.operands[:3]):",
    ): "a third operand is a constant, which no step reads",
    (
        "converter/formats/tosa/writer.py",
        "TABLES = 1 << 27  # bytes that tables take beside the constants, generously: half a million operators",
    ): "so near to 2 GB, elements may lie in either place",
    (
        "converter/formats/tosa/writer.py",
        "TABLES = 2 << 26  # bytes that tables take beside the constants, generously: half a million operators",
    ): "so near to 2 GB, elements may lie in either place",
    (
        "converter/formats/xnnpack/values.py",
        "return unpack(raw[: need // 7] ^ np.uint8(STORED_ZEROS), DType.I4, type.static)",
    ): "`unpack` leaves out the bytes that are too many",
    (
        "converter/pictures/svg.py",
        "elements += Drawing(width, 1, [*frame, *inner.at((width - inner.width) / 2, LINE + PAD)]).at(right, 0)",
    ): "`at` moves a drawing without asking for its height",
    (
        "legalize/invert/expansions.py",
        "changed, grown = changed or count >= 0, grown + bytes",
    ): "it decides whether the graph is verified behind the pass; a legal one stays as it is",
    (
        "legalize/invert/expansions.py",
        "changed, grown = changed and count > 0, grown + bytes",
    ): "it decides whether the graph is verified behind the pass; a legal one stays as it is",
    ("legalize/invert/tflite/ratios.py", "RANGES = 2 << 8  # ranges that are looked at"): _CANDIDATES,
    ("legalize/invert/tflite/ratios.py", "RANGES = 1 << 9  # ranges that are looked at"): _CANDIDATES,
    ("legalize/invert/tflite/ratios.py", "RANGES = 1 << 7  # ranges that are looked at"): _CANDIDATES,
    (
        "legalize/invert/xnnpack/dynamic.py",
        "if op is None or pads is None or fill is None or fill.all() or x.type.rank != 4:",
    ): _ONE,
    ("legalize/invert/xnnpack/movement.py", "return match.value(-1)"): "the operator has one operand",
    (
        "legalize/invert/xnnpack/quantized.py",
        "for scale in (near, np.nextafter(near, np.float32(-1)), np.nextafter(near, np.float32(np.inf))):",
    ): "the number is positive, so 0 and -1 are in one direction",
    (
        "legalize/tflite/any_type/layout.py",
        "if condition.rank == 1 and a.rank >= 1:",
    ): "a condition is reshaped to the shape that it has",
    (
        "legalize/tflite/recurrent/integer_lstm.py",
        "return int(min(max(F32(real) / scale, F32(low)), F32(high))) if real > -1 else 0",
    ): "`clip` takes any bound of 0 or less as none",
    (
        "legalize/tflite/stablehlo/sorting.py",
        "if comparison_type is total_order and comparison.operands[1].type.dtype.is_float:",
    ): "the operands of a comparison have one type",
    (
        "legalize/tflite/stablehlo/matrices.py",
        "x = pad_with_gaps(x, 0, low, high, [-1, *(gap - 1 for gap in gaps), 0])",
    ): "neighbours stay together by a gap of 0 or less",
}
