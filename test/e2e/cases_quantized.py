"""Models of cases.py: integers that stand for reals. What is rounded and what saturates is in the data."""
import numpy as np
from onnx import TensorProto

TYPES = {"u8": np.uint8, "i8": np.int8, "u16": np.uint16, "i16": np.int16}
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.25, 0.75, 1.25, -0.25, 1e30, -1e30, 63.6, -64.2, 16384.1], np.float32)


def reals(b, shape):
    """An input of reals around the ends of what 8 and 16 bits hold, NaN and infinity among them."""
    name = b.input(shape, -200, 200)
    b.feeds[name].flat[:len(SPECIAL)] = SPECIAL
    return name


def integers(b, shape, dtype, low=None, high=None):
    info = np.iinfo(dtype)
    name = b.input(shape, 0, 1, dtype)
    b.feeds[name] = b.rng.integers(info.min if low is None else low, info.max if high is None else high, shape, dtype, endpoint=True)
    return name


def some(b, shape, dtype, low=None, high=None):
    info = np.iinfo(dtype)
    return b.const(b.rng.integers(info.min if low is None else low, info.max if high is None else high, shape, dtype, endpoint=True))


def one(b, value, dtype):
    return b.const(np.array(value, dtype))


def rounding(new):
    for name, dtype in TYPES.items():
        info = np.iinfo(dtype)
        for zero in (info.min, 5, info.max):
            b = new(f"quantize-{name}-zero-{zero}", 21)
            b.done(b.op("QuantizeLinear", reals(b, (4, 25)), one(b, 0.5, np.float32), one(b, zero, dtype)))
            b = new(f"dequantize-{name}-zero-{zero}", 21)
            b.done(b.op("DequantizeLinear", integers(b, (4, 25), dtype), one(b, 0.37, np.float32), one(b, zero, dtype)))
        for axis in (0, 1, -1):
            b = new(f"quantize-{name}-axis{axis}", 21)
            x, size = reals(b, (3, 4, 8)), (3, 4, 8)[axis]
            b.done(b.op("QuantizeLinear", x, b.const((size,), 0.5, 3), some(b, size, dtype), axis=axis))
            b = new(f"dequantize-{name}-axis{axis}", 21)
            x = integers(b, (3, 4, 8), dtype)
            b.done(b.op("DequantizeLinear", x, b.const((size,), 0.5, 3), some(b, size, dtype), axis=axis))
        b = new(f"quantize-{name}-blocks", 21)
        x = reals(b, (3, 4, 8))
        b.done(b.op("QuantizeLinear", x, b.const((3, 4, 4), 0.5, 3), some(b, (3, 4, 4), dtype), axis=2, block_size=2))
        b = new(f"dequantize-{name}-blocks", 21)
        x = integers(b, (3, 4, 8), dtype)
        b.done(b.op("DequantizeLinear", x, b.const((3, 2, 8), 0.5, 3), some(b, (3, 2, 8), dtype), axis=1, block_size=2))
    b = new("quantize-no-zero-point", 21)
    b.done(b.op("QuantizeLinear", reals(b, (4, 25)), one(b, 0.5, np.float32)))
    b = new("quantize-output-type", 21)
    b.done(b.op("QuantizeLinear", reals(b, (4, 25)), one(b, 0.5, np.float32), output_dtype=TensorProto.INT16))
    b = new("quantize-scale-computed", 21)
    x = reals(b, (4, 25))
    b.done(b.op("QuantizeLinear", x, b.input((25,), 0.5, 3), axis=1))
    b = new("dequantize-i32", 21)
    b.done(b.op("DequantizeLinear", integers(b, (4, 25), np.int32), one(b, 0.37, np.float32)))
    for tag, low, high in (("both-signs", -3, 5), ("positive", 1, 5), ("negative", -5, -1)):
        b = new(f"dynamic-quantize-{tag}", 21)
        b.done(*b.op("DynamicQuantizeLinear", b.input((3, 50), low, high), outputs=3))
    b = new("dynamic-quantize-zeros", 21)
    b.done(*b.op("DynamicQuantizeLinear", b.input((3, 5), 0, 0), outputs=3))


def products(new):
    # onnxruntime adds two products of u8 and i8 in 16 bits where there are no instructions for more: of 7 bits they fit.
    for tag, left, right, low, high in (("u8-i8", np.uint8, np.int8, -64, 63), ("u8-u8", np.uint8, np.uint8, None, None),
                                        ("i8-i8", np.int8, np.int8, None, None)):
        zeros = np.iinfo(left).min + 7, np.iinfo(right).min + (61 if low else 2)
        for columns in ((), (9,)):
            b = new(f"matmul-integer-{tag}-{len(columns)}")
            a, w = integers(b, (5, 70), left), some(b, (70, 9), right, low, high)
            b.done(b.op("MatMulInteger", a, w, one(b, zeros[0], left), some(b, columns, right, low, high)))
        b = new(f"qlinear-matmul-{tag}")
        a, w = integers(b, (2, 5, 70), left), some(b, (2, 70, 9), right, low, high)
        b.done(b.op("QLinearMatMul", a, one(b, 0.02, np.float32), one(b, zeros[0], left), w, one(b, 0.03, np.float32),
                    one(b, 3, right), one(b, 1.1, np.float32), one(b, 11, left)))
        for form, attributes in (("plain", {}), ("pads", {"pads": [1, 1, 1, 1]}), ("strides", {"strides": [2, 1], "pads": [0, 1, 2, 1]}),
                                 ("dilations", {"dilations": [2, 2]}), ("same", {"auto_pad": "SAME_UPPER"}), ("groups", {"group": 2})):
            b = new(f"qlinear-conv-{tag}-{form}")
            x, w = integers(b, (2, 6, 9, 10), left), some(b, (8, 6 // attributes.get("group", 1), 3, 3), right, low, high)
            b.done(b.op("QLinearConv", x, one(b, 0.02, np.float32), one(b, zeros[0], left), w, b.const((8,), 0.01, 0.05),
                        b.const(np.zeros(8, right)), one(b, 0.9, np.float32), one(b, 11, left), some(b, 8, np.int32, -9999, 9999), **attributes))
        if left == np.uint8:
            b = new(f"conv-integer-{tag}")
            x, w = integers(b, (1, 6, 9, 10), left), some(b, (8, 6, 3, 3), right, low, high)
            b.done(b.op("ConvInteger", x, w, one(b, zeros[0], left), one(b, 3, right), pads=[1, 0, 1, 1]))


def around_reals(new):
    """Reals computed on between: as quantisers write models."""
    b = new("qdq-conv-relu", 21)
    scale, zero = one(b, 0.02, np.float32), one(b, 128, np.uint8)
    x = b.op("DequantizeLinear", b.op("QuantizeLinear", b.input((1, 8, 10, 10)), scale, zero), scale, zero)
    w = b.op("DequantizeLinear", some(b, (16, 8, 3, 3), np.int8), b.const((16,), 0.001, 0.01), b.const(np.zeros(16, np.int8)), axis=0)
    bias = b.op("DequantizeLinear", some(b, 16, np.int32, -999, 999), b.const((16,), 0.0001, 0.001), axis=0)
    y = b.op("Relu", b.op("Conv", x, w, bias, pads=[1, 1, 1, 1]))
    b.done(b.op("DequantizeLinear", b.op("QuantizeLinear", y, scale, zero), scale, zero))
    b = new("unsigned-ops", 21)
    x, y = integers(b, (3, 40), np.uint8), integers(b, (3, 40), np.uint8, 1)
    high = b.op("Max", b.op("Transpose", b.op("Concat", x, y, axis=0), perm=[1, 0]), one(b, 100, np.uint8))
    b.done(b.op("Min", x, y), high, b.op("Cast", high, to=TensorProto.FLOAT))
    b = new("unsigned-max-pool", 21)
    b.done(b.op("MaxPool", integers(b, (1, 3, 8, 8), np.uint8), kernel_shape=[2, 2], pads=[1, 1, 0, 0]))


def microsoft(new):
    """What onnxruntime's quantiser writes beside ONNX's own operators."""
    for tag, dtype in (("u8", np.uint8), ("i8", np.int8)):
        for op, scale in (("QLinearAdd", 0.043), ("QLinearMul", 0.1)):
            b = new(f"{op.lower()}-{tag}")
            x = integers(b, (3, 50), dtype)
            y = b.op(op, x, one(b, 0.021, np.float32), one(b, 9, dtype), integers(b, (50,), dtype), one(b, 0.033, np.float32),
                     one(b, 101, dtype), one(b, scale, np.float32), one(b, 3, dtype), domain="com.microsoft")
            b.done(b.op("Cast", y, to=TensorProto.FLOAT), shape=(3, 50))
        for transposed in (0, 1):
            b = new(f"qgemm-{tag}-{'transposed' if transposed else 'plain'}")
            x, w = integers(b, (5, 40), dtype), some(b, (9, 40) if transposed else (40, 9), np.int8, -64, 63)
            y = b.op("QGemm", x, one(b, 0.021, np.float32), one(b, 7, dtype), w, b.const((9,), 0.01, 0.04), b.const(np.zeros(9, np.int8)),
                     some(b, 9, np.int32, -9999, 9999), one(b, 0.9, np.float32), one(b, 3, dtype), domain="com.microsoft",
                     transB=transposed, alpha=0.5)
            b.done(b.op("Cast", y, to=TensorProto.FLOAT), shape=(5, 9))


def windows_and_functions(new):
    """QLinear* of one tensor, and of several."""
    for dtype in (np.uint8, np.int8):
        name, zero = dtype.__name__, one_zero(dtype)

        def unary(op, shape, scale, result=None, **attributes):
            b = new(f"{op.lower()}-{name}{'-last' * attributes.get('channels_last', 0)}", 17)
            y = b.op(op, integers(b, shape, dtype), one(b, 0.031, np.float32), one(b, zero, dtype), one(b, scale, np.float32),
                     one(b, zero, dtype), domain="com.microsoft", **attributes)
            b.done(b.op("Cast", y, to=TensorProto.FLOAT), shape=result or shape)
        unary("QLinearGlobalAveragePool", (2, 5, 4, 6), 0.0137, (2, 5, 1, 1))
        unary("QLinearGlobalAveragePool", (2, 4, 6, 5), 0.0137, (2, 1, 1, 5), channels_last=1)
        unary("QLinearAveragePool", (1, 3, 7, 8), 0.0211, (1, 3, 4, 4), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
        unary("QLinearSigmoid", (3, 17), 0.0039)
        unary("QLinearLeakyRelu", (3, 17), 0.0271, alpha=0.1)
        unary("QLinearSoftmax", (2, 3, 17), 1 / 256, axis=-1, opset=13)
        b = new(f"qlinear-where-{name}", 17)
        sides = [v for scale in (0.031, 0.017) for v in (integers(b, (3, 17), dtype), one(b, scale, np.float32), one(b, zero, dtype))]
        y = b.op("QLinearWhere", b.const(b.rng.random((3, 17)) < 0.5), *sides, one(b, 0.029, np.float32), one(b, zero, dtype),
                 domain="com.microsoft")
        b.done(b.op("Cast", y, to=TensorProto.FLOAT), shape=(3, 17))
        b = new(f"qlinear-concat-{name}", 17)
        parts = []
        for scale in (0.031, 0.017):
            parts += [integers(b, (2, 5), dtype), one(b, scale, np.float32), one(b, zero, dtype)]
        y = b.op("QLinearConcat", one(b, 0.029, np.float32), one(b, zero, dtype), *parts, domain="com.microsoft", axis=1)
        b.done(b.op("Cast", y, to=TensorProto.FLOAT), shape=(2, 10))


def weights(b, shape, dtype):
    """Of 7 bits, where they have a sign: without VNNI onnxruntime adds two products u8 x i8 in 16 bits, which saturates."""
    return some(b, shape, dtype, -64, 63) if dtype == np.int8 else some(b, shape, dtype)


def one_zero(dtype):
    return 113 if dtype == np.uint8 else -9


def scaled_products(new):
    """Products of integers as reals, and of reals by blocks of integers."""
    for dtype in (np.uint8, np.int8):
        for zeros in (False, True):
            b = new(f"matmul-integer-to-float-{dtype.__name__}{'-zeros' * zeros}", 17)
            w = weights(b, (36, 20), dtype)
            zero = one(b, 120, np.uint8), one(b, one_zero(dtype), dtype)
            y = b.op("MatMulIntegerToFloat", integers(b, (7, 36), np.uint8), w, one(b, 0.02, np.float32), b.const((20,), 0.01, 0.05),
                     *(zero if zeros else ("", "")), b.const((20,)), domain="com.microsoft")
            b.done(b.op("Cast", y, to=TensorProto.FLOAT), shape=(7, 20))
            b = new(f"dynamic-quantize-matmul-{dtype.__name__}{'-zeros' * zeros}", 17)
            w = weights(b, (36, 20), dtype)
            y = b.op("DynamicQuantizeMatMul", b.input((2, 5, 36)), w, one(b, 0.02, np.float32), one(b, one_zero(dtype), dtype) if zeros else "",
                     b.const((20,)), domain="com.microsoft")
            b.done(b.op("Cast", y, to=TensorProto.FLOAT), shape=(2, 5, 20))
    for rows, inner, columns, bits, size, zeros in [((1,), 64, 48, 4, 32, False), ((1,), 100, 33, 4, 32, True), ((2, 2), 128, 21, 4, 16, True),
                                                    ((8,), 128, 70, 4, 64, True), ((1,), 256, 40, 8, 64, False), ((9,), 70, 40, 8, 32, False)]:
        b = new(f"matmul-{bits}-bits-{'x'.join(map(str, rows))}x{inner}x{columns}-by-{size}{'-zeros' * zeros}", 17)
        blocks = -(-inner // size)
        packed = some(b, (columns, blocks, size * bits // 8), np.uint8, 64 if bits == 8 else None, 192 if bits == 8 else None)
        inputs = [b.input((*rows, inner)), packed, b.const((columns * blocks,), 0.01, 0.1)]
        if zeros:
            inputs.append(some(b, (columns * ((blocks * bits + 7) // 8),), np.uint8))
        y = b.op("MatMulNBits", *inputs, domain="com.microsoft", K=inner, N=columns, bits=bits, block_size=size)
        b.done(b.op("Cast", y, to=TensorProto.FLOAT), shape=(*rows, columns))


def attention(new):
    for tag, with_mask, with_past in (("plain", False, False), ("mask", True, False), ("past", False, True)):
        b = new(f"qattention-{tag}", 17)
        x, w = integers(b, (2, 5, 16), np.uint8), weights(b, (16, 48), np.int8)
        past = b.input((2, 2, 4, 3, 4)) if with_past else ""
        y = b.op("QAttention", x, w, b.const((48,)), one(b, 0.02, np.float32), one(b, 0.01, np.float32),
                 b.const(np.array([3, 5], np.int32)) if with_mask else "", one(b, 120, np.uint8), one(b, 0, np.int8),
                 *([past] if with_past else []), domain="com.microsoft", num_heads=4, unidirectional=int(with_past),
                 outputs=1 + with_past)
        y, *present = y if with_past else (y,)
        b.done(b.op("Cast", y, to=TensorProto.FLOAT), shape=(2, 5, 16))


def dequantized_in_blocks(new):
    """Products of few and of many rows by weights that are dequantised in blocks."""
    for dtype in (np.uint8, np.int8):
        for rows in (1, 3, 9):
            b = new(f"matmul-of-blocks-{dtype.__name__}-{rows}", 21)
            w = b.op("DequantizeLinear", some(b, (96, 40), dtype, 0, 100), b.const((3, 40), 0.01, 0.1), some(b, (3, 40), dtype, 0, 15),
                     axis=0, block_size=32)
            b.done(b.op("MatMul", b.input((rows, 96)), w))


def quantized_cases(new):
    rounding(new)
    products(new)
    around_reals(new)
    microsoft(new)
    windows_and_functions(new)
    scaled_products(new)
    dequantized_in_blocks(new)
    attention(new)
