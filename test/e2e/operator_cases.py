"""Cases of operators that are other ops (see cases.py): unsigned integers, activations, norms, losses, attention."""
import numpy as np
from onnx import helper

from cases import Build


def labelled(b, scores, labels, high, ignored=None):
    """Scores, and a class for each: some of them the ignored one."""
    x = b.input(scores)
    y = b.input(labels, 0, high, np.int64)
    if ignored is not None:
        b.feeds[y].flat[::3] = ignored
    return x, y


def loss_cases():
    for op in ("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"):
        name = op.replace("Loss", "").lower()
        for reduction in ("none", "sum", "mean"):
            for tag, weighted, ignored in (("plain", False, None), ("weights", True, None), ("ignored", False, 2),
                                           ("ignored-outside", True, -1)):
                b = Build(f"{name}-{reduction}-{tag}", 13)
                x, y = labelled(b, (3, 5), (3,), 5, ignored)
                given = {} if ignored is None else {"ignore_index": ignored}
                weights = [b.const((5,), 0.1, 2)] if weighted else []
                b.done(b.op(op, x, y, *weights, reduction=reduction, **given))
        for tag, scores in (("3d", (3, 5, 4)), ("4d", (2, 5, 3, 4)), ("5d", (2, 3, 2, 3, 2))):
            b = Build(f"{name}-{tag}", 13)
            x, y = labelled(b, scores, scores[:1] + scores[2:], scores[1], 1)
            b.done(b.op(op, x, y, b.const((scores[1],), 0.1, 2), ignore_index=1))
    b = Build("crossentropy-with-probabilities", 13)
    x, y = labelled(b, (3, 5, 4), (3, 4), 5)
    b.done(*b.op("SoftmaxCrossEntropyLoss", x, y, outputs=2))
    b = Build("crossentropy-large-scores", 13)
    x, y = labelled(b, (16, 33), (16,), 33)
    b.feeds[x] *= 100
    b.done(b.op("SoftmaxCrossEntropyLoss", x, y))


def attention_inputs(b, heads, keys, rows, columns, size=8, wide=None, packed=False):
    wide = wide or size
    if packed:
        return b.input((2, rows, heads * size)), b.input((2, columns, keys * size)), b.input((2, columns, keys * wide))
    return b.input((2, heads, rows, size)), b.input((2, keys, columns, size)), b.input((2, keys, columns, wide))


def attention_cases():
    def case(tag, heads=4, keys=4, rows=5, columns=7, mask=None, past=None, numbers=None, outputs=1, packed=False, wide=None,
             opset=24, **attributes):
        b = Build(f"attention-op-{tag}", opset)
        wide = wide or 8
        names = list(attention_inputs(b, heads, keys, rows, columns, 8, wide, packed))
        rest = [""] * 4
        if mask is not None:
            rest[0] = b.const(mask(b))
        if past:
            rest[1:3] = [b.input((2, keys, past, 8)), b.input((2, keys, past, wide))]
        if numbers:
            rest[3] = b.const(np.array(numbers, np.int64))
        while rest and not rest[-1]:
            rest.pop()
        if packed:
            attributes |= {"q_num_heads": heads, "kv_num_heads": keys}
        result = b.op("Attention", *names, *rest, outputs=outputs, **attributes)
        b.done(*([result] if outputs == 1 else result))

    case("plain")
    case("packed", packed=True)
    case("packed-grouped", heads=6, keys=2, packed=True)
    case("grouped", heads=6, keys=2)
    case("one-key-head", heads=6, keys=1, is_causal=1)
    case("wide-values", wide=5)
    case("scale", scale=0.01)
    case("causal", rows=7, is_causal=1)
    case("softcap", softcap=2.0)
    case("mask-2d", mask=lambda b: b.values((5, 7)))
    case("mask-4d", mask=lambda b: b.values((2, 4, 5, 7)))
    case("mask-heads-grouped", heads=6, keys=2, mask=lambda b: b.values((6, 5, 7)))
    case("mask-truth", mask=lambda b: b.values((5, 7)) > 0)
    case("mask-truth-causal", rows=7, mask=lambda b: b.values((7, 7)) > -1, is_causal=1)
    case("past", past=3, outputs=3)
    case("past-causal", rows=4, columns=4, past=3, outputs=3, is_causal=1)
    case("past-grouped-packed", heads=4, keys=2, past=3, outputs=3, packed=True)
    for mode in range(4):
        case(f"scores-{mode}", outputs=4, past=3, mask=lambda b: b.values((5, 10)), softcap=3.0, qk_matmul_output_mode=mode)
    case("numbers-of-keys", numbers=(3, 7))
    case("numbers-of-keys-mask", numbers=(3, 7), mask=lambda b: b.values((2, 1, 5, 7)))


def rotary_cases():
    for tag, x, attributes in (("4d", (2, 3, 5, 8), {}), ("interleaved", (2, 3, 5, 8), {"interleaved": 1}),
                               ("packed", (2, 5, 24), {"num_heads": 3}),
                               ("packed-interleaved", (2, 5, 24), {"num_heads": 3, "interleaved": 1}),
                               ("part", (2, 3, 5, 8), {"rotary_embedding_dim": 4}),
                               ("part-interleaved", (2, 3, 5, 8), {"rotary_embedding_dim": 4, "interleaved": 1})):
        half = attributes.get("rotary_embedding_dim", 8) // 2
        angles = np.random.default_rng(1).uniform(-3, 3, (50, half)).astype(np.float32)
        for positions in (True, False):
            b = Build(f"rotary-{tag}{'' if positions else '-no-positions'}", 23)
            names = [b.input(x)] + [b.const(f(angles if positions else angles[:10].reshape(2, 5, half))) for f in (np.cos, np.sin)]
            b.done(b.op("RotaryEmbedding", *names, *([b.const(np.arange(10).reshape(2, 5) * 3)] if positions else []), **attributes))


UNSIGNED = (np.uint8, np.uint16, np.uint32, np.uint64)


def whole(b, shape, dtype, low=None, high=None):
    """An input of integers of a type, over all that it holds."""
    info = np.iinfo(dtype)
    name = b.input(shape, 0, 2, np.int8)
    b.feeds[name] = b.rng.integers(info.min if low is None else low, info.max if high is None else high, shape, dtype, endpoint=True)
    b.inputs[-1] = helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)
    return name


def unsigned_cases():
    for dtype in UNSIGNED:
        kind = np.dtype(dtype).name
        for op in ("Add", "Sub", "Mul", "Div", "Mod", "Max", "Min", "Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual"):
            if kind in ("uint8", "uint16") and op in ("Add", "Sub", "Mul", "Div", "Equal"):
                continue  # onnxruntime has none
            if kind == "uint16" and op not in ("Mod",):
                continue
            b = Build(f"{op.lower()}-{kind}", 18)
            b.done(b.op(op, whole(b, (3, 5, 7), dtype), whole(b, (5, 1), dtype, 1)))
        for to in ("float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16"):
            b = Build(f"cast-{kind}-to-{to}", 18)
            if to != kind:
                b.done(b.op("Cast", whole(b, (3, 37), dtype), to=helper.np_dtype_to_tensor_dtype(np.dtype(to))))
        for of in ("float32", "float64", "float16"):
            b = Build(f"cast-{of}-to-{kind}", 18)
            high = min(float(np.iinfo(dtype).max) * 0.99, 60000 if of == "float16" else 1e30)
            b.done(b.op("Cast", b.input((3, 37), 0, high, np.dtype(of)), to=helper.np_dtype_to_tensor_dtype(np.dtype(dtype))))
        for direction in ("LEFT", "RIGHT"):
            if kind != "uint16":
                b = Build(f"bitshift-{direction.lower()}-{kind}", 18)
                b.done(b.op("BitShift", whole(b, (3, 37), dtype), whole(b, (37,), dtype, 0, np.iinfo(dtype).bits - 1), direction=direction))
        for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor"):
            b = Build(f"{op.lower()}-{kind}", 18)
            b.done(b.op(op, whole(b, (3, 37), dtype), whole(b, (37,), dtype)))
        b = Build(f"bitwisenot-{kind}", 18)
        b.done(b.op("BitwiseNot", whole(b, (3, 37), dtype)))
        b = Build(f"moves-{kind}", 18)  # nothing that is computed
        x = b.op("Transpose", b.op("Concat", whole(b, (3, 5), dtype), b.const(np.full((2, 5), 250, dtype)), axis=0), perm=[1, 0])
        b.done(b.op("Gather", x, b.ints(4, 0, 2), axis=0))
    b = Build("maxpool-uint8", 18)
    b.done(b.op("MaxPool", whole(b, (1, 2, 9, 9), np.uint8), kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]))
    b = Build("reducemax-uint8", 18)
    b.done(b.op("ReduceMax", whole(b, (4, 9, 5), np.uint8), b.ints(1)))
    b = Build("clip-uint8", 18)
    b.done(b.op("Clip", whole(b, (4, 9), np.uint8), b.const(np.uint8(100)), b.const(np.uint8(200))))
    for dtype in (np.int8, np.int16, np.int32, np.int64):
        for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor"):
            b = Build(f"{op.lower()}-{np.dtype(dtype).name}", 18)
            b.done(b.op(op, whole(b, (3, 37), dtype), whole(b, (37,), dtype)))
    b = Build("image-of-bytes", 18)  # what models of images begin with
    x = b.op("Cast", whole(b, (1, 8, 8, 3), np.uint8), to=1)
    x = b.op("Transpose", b.op("Mul", x, b.const(np.float32(1 / 255))), perm=[0, 3, 1, 2])
    x = b.op("Conv", x, b.const((4, 3, 3, 3)))
    b.done(b.op("Cast", b.op("Clip", b.op("Mul", x, b.const(np.float32(40))), b.const(np.float32(0)), b.const(np.float32(255))), to=2))


def few_ops_cases():
    special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1e-30, -1e-30, 1, -1, 3e38, -3e38, 1e-3, -1e-3, 0.4, -0.6, 2.5], np.float32)
    for op, opset, low, high, attributes in (
            ("Acos", 17, -1, 1, {}), ("Acosh", 17, 1, 50, {}), ("Asin", 17, -1, 1, {}), ("Asinh", 17, -50, 50, {}), ("Atan", 17, -9, 9, {}),
            ("Atanh", 17, -1, 1, {}), ("Cosh", 17, -9, 9, {}), ("Sinh", 17, -9, 9, {}), ("Tan", 17, -9, 9, {}),
            ("Celu", 17, -4, 4, {"alpha": 0.7}), ("Mish", 18, -9, 9, {}), ("Shrink", 17, -2, 2, {"bias": 0.3, "lambd": 0.7}),
            ("ThresholdedRelu", 17, -2, 2, {"alpha": 0.5}), ("Swish", 24, -9, 9, {"alpha": 1.5}),
            ("IsInf", 17, -2, 2, {"detect_negative": 0}), ("IsInf", 17, -1, 2, {"detect_positive": 0}), ("IsInf", 17, -2, 3, {})):
        tag = "".join(f"-{k.replace('_', '-')}" for k in attributes)
        b = Build(f"{op.lower()}{tag}-range", opset)
        b.done(b.op(op, b.input((3, 411), low, high), **attributes))
        b = Build(f"{op.lower()}{tag}-special", opset)
        x = b.input(special.shape)
        b.feeds[x] = special
        if op in ("Mish", "Tan", "Celu"):  # where onnxruntime's own are not ONNX's, or of little use
            b.feeds[x] = special[(np.abs(special) < 1e3)]
            b.inputs[-1] = helper.make_tensor_value_info(x, 1, b.feeds[x].shape)
        b.done(b.op(op, x, **attributes))
    for op in ("Mean",):
        b = Build("mean-three")
        b.done(b.op(op, b.input((3, 4)), b.input((4,)), b.input((3, 1))))
    for dtype in (np.float32, np.float64, np.float16, np.int32, np.int64):
        b = Build(f"mod-fmod-{np.dtype(dtype).name}", 13)
        x, y = b.input((3, 411), -50, 50, dtype), b.input((3, 411), 1, 9, dtype)
        b.feeds[y][:, ::2] *= -1
        b.done(b.op("Mod", x, y, fmod=1))
    for axis in (0, 1, -1):
        for opset in (11, 17):
            b = Build(f"hardmax-axis{axis}-opset{opset}", opset)
            b.done(b.op("Hardmax", b.input((3, 5, 4)), axis=axis))
            b = Build(f"logsoftmax-axis{axis}-opset{opset}", opset)
            b.done(b.op("LogSoftmax", b.input((3, 5, 4)), axis=axis))
        for p in (1, 2):
            b = Build(f"lpnormalization-axis{axis}-p{p}")
            b.done(b.op("LpNormalization", b.input((3, 5, 4)), axis=axis, p=p))
        for op in ("ReduceLogSumExp", "ReduceProd"):
            for keep in (0, 1):
                b = Build(f"{op.lower()}-axis{axis}-keep{keep}")
                b.done(b.op(op, b.input((3, 5, 4)), axes=[axis], keepdims=keep))
    b = Build("reducelogsumexp-large")
    b.done(b.op("ReduceLogSumExp", b.input((3, 50), -400, 400), axes=[1]))
    b = Build("reducelogsumexp-all")
    b.done(b.op("ReduceLogSumExp", b.input((3, 5, 4)), keepdims=0))
    b = Build("reduceprod-all")
    b.done(b.op("ReduceProd", b.input((3, 5, 4), 0.5, 1.5)))
    b = Build("reduceprod-int32")
    b.done(b.op("ReduceProd", b.input((3, 5, 4), -4, 4, np.int32), axes=[1]))
    for p in (1, 2, 3):
        b = Build(f"lppool-p{p}")
        b.done(b.op("LpPool", b.input((2, 3, 9, 8)), kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1], p=p))
        b = Build(f"lppool-ceil-p{p}", 18)
        b.done(b.op("LpPool", b.input((2, 3, 8, 9)), p=p, kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1], ceil_mode=1))
        b = Build(f"lppool-ceil-dilated-p{p}", 18)
        b.done(b.op("LpPool", b.input((1, 2, 13)), p=p, kernel_shape=[3], strides=[3], dilations=[2], ceil_mode=1))
    for tag, size, x in (("5", 5, (2, 9, 4, 4)), ("wider-than-channels", 7, (1, 3, 4, 4))):
        b = Build(f"lrn-{tag}")
        b.done(b.op("LRN", b.input(x), size=size, alpha=0.3, beta=0.6, bias=1.5))
    b = Build("batchnorm-in-training", 15)
    c = [b.const((3,)), b.const((3,)), b.const((3,)), b.const((3,), 0.5, 2)]
    b.done(*b.op("BatchNormalization", b.input((2, 3, 4, 5)), *c, outputs=3, training_mode=1, momentum=0.7))
    b = Build("layernorm-statistics")
    b.done(*b.op("LayerNormalization", b.input((3, 4, 5)), b.const((4, 5)), b.const((4, 5)), outputs=3, axis=1))
    b = Build("dropout-mask")
    b.done(*b.op("Dropout", b.input((3, 4)), outputs=2))
    b = Build("eyelike")
    b.done(b.op("EyeLike", b.input((3, 5)), k=1, dtype=6))


def image_cases():
    for tag, size in (("2d", (2, 3, 5, 6)), ("3d", (2, 3, 4, 5, 6))):
        for aligned in (0, 1):
            b = Build(f"affinegrid-{tag}-{aligned}", 20)
            b.done(b.op("AffineGrid", b.input((2, len(size) - 2, len(size) - 1)), b.ints(*size), align_corners=aligned))
    for tag, x, to, axes in (("crop", (3, 20, 10), (2, 10, 7), None), ("pad", (3, 5, 4), (4, 8, 7), None),
                             ("both", (9, 4, 3), (5, 9), [0, 1]), ("from-the-end", (9, 4, 3), (5, 7), [-1, -3])):
        b = Build(f"centercroppad-{tag}", 18)
        b.done(b.op("CenterCropPad", b.input(x), b.ints(*to), **({"axes": axes} if axes else {})))
    for tag, x, image, block, attributes in (("plain", (1, 5, 5), (5, 5), (1, 5), {}),
                                             ("overlap", (2, 18, 9), (5, 5), (3, 3), {}),
                                             ("strides", (1, 9, 4), (6, 6), (3, 3), {"strides": [2, 2]}),
                                             ("dilations", (1, 4, 5), (6, 6), (2, 2), {"dilations": [1, 5]}),
                                             ("pads", (1, 5, 15), (5, 5), (1, 5), {"pads": [0, 1, 0, 1]}),
                                             ("1d", (1, 6, 8), (10,), (3,), {})):
        b = Build(f"col2im-{tag}", 18)
        b.done(b.op("Col2Im", b.input(x), b.ints(*image), b.ints(*block), **attributes))
    b = Build("dropout-in-training-of-nothing")
    b.done(*b.op("Dropout", b.input((3, 4)), b.const(np.float32(0)), b.const(np.array(True)), outputs=2))


def operator_cases():
    image_cases()
    unsigned_cases()
    few_ops_cases()
    loss_cases()
    attention_cases()
    rotary_cases()
