"""Models of cases.py that compute sizes of which nobody knows the most (docs/internals/sizes.md, Sizes that the model computes)."""
import numpy as np
from onnx import TensorProto

I64 = TensorProto.INT64


def total(b, x):
    """A number that data decides: how long what follows is."""
    return b.op("Cast", b.op("ReduceSum", b.op("Ceil", b.op("Exp", x)), keepdims=0), to=I64)


def lengths(b):
    """As a model of speech has it: each token lasts as long as it says, and the longest sample gives the length."""
    x = b.input((2, 6), 0, 2)
    durations = b.op("Ceil", x)
    each = b.op("Cast", b.op("Clip", b.op("ReduceSum", durations, b.ints(1), keepdims=0), b.const(np.float32(1))), to=I64)
    longest = b.op("ReduceMax", each, keepdims=0)
    places = b.op("Range", b.const(np.array(0)), longest, b.const(np.array(1)))
    mask = b.op("Less", b.op("Unsqueeze", places, b.ints(0)), b.op("Unsqueeze", each, b.ints(1)))
    ends = b.op("CumSum", durations, b.const(np.array(1)))
    at = b.op("Unsqueeze", b.op("Cast", places, to=TensorProto.FLOAT), b.ints(0, 2))
    begun = b.op("Cast", b.op("Less", at, b.op("Unsqueeze", ends, b.ints(1))), to=TensorProto.FLOAT)
    path = b.op("Mul", begun, b.op("Unsqueeze", b.op("Cast", mask, to=TensorProto.FLOAT), b.ints(2)))
    states = b.op("MatMul", path, b.input((2, 6, 4)))
    b.done(b.op("Conv", b.op("Transpose", states, perm=[0, 2, 1]), b.const((3, 4, 3)), pads=[1, 1]), mask)


def shapes(new):
    for kind in "i64", "float":
        b = new(f"computed-range-{kind}")
        n = b.op("ReduceSum", b.op("Ceil", b.input((3,), 0, 4)), keepdims=0)
        start, step = (np.float32(0.5), np.float32(0.25)) if kind == "float" else (np.array(1), np.array(3))
        b.done(b.op("Range", b.const(start), n if kind == "float" else b.op("Cast", n, to=I64), b.const(step)))
    b = new("computed-expand")
    n = b.op("Unsqueeze", total(b, b.input((2,))), b.ints(0))
    b.done(b.op("Add", b.op("Expand", b.input((3, 1)), b.op("Concat", b.ints(3), n, axis=0)), b.const((1,))))
    b = new("computed-fill")
    n = b.op("Unsqueeze", total(b, b.input((2,))), b.ints(0))
    zeros = b.op("ConstantOfShape", b.op("Concat", n, b.ints(4), axis=0))
    b.done(b.op("Concat", zeros, b.input((2, 4)), axis=0), b.op("Shape", zeros))
    b = new("computed-tile")
    n = b.op("Unsqueeze", total(b, b.input((2,))), b.ints(0))
    b.done(b.op("Softmax", b.op("Tile", b.input((2, 3)), b.op("Concat", b.ints(2), n, axis=0)), axis=1))
    for tag, shape in ("rest", (2, -1)), ("same", (0, 12)), ("all", (6, 4)):
        b = new(f"computed-reshape-{tag}")
        b.done(b.op("Relu", b.op("Reshape", b.input((2, 12)), given(b, shape))))
    for tag, starts, ends, steps in (("plain", (1, 2), (4, 100), None), ("from-end", (-3, -100), (-1, 3), None), ("steps", (0, 1), (5, 7), (2, 3)),
                                     ("back", (-1, 5), (-100, 0), (-1, -2)), ("empty", (3, 2), (1, 2), None)):
        b = new(f"computed-slice-{tag}")
        more = [b.ints(0, 1), b.ints(*steps)] if steps else []
        b.done(b.op("Neg", b.op("Slice", b.input((5, 8)), given(b, starts), given(b, ends), *more)))
    b = new("computed-pad")
    b.done(b.op("Pad", b.input((2, 3)), given(b, (1, 0, 2, 3)), b.const(np.float32(7))))
    for mode in "nearest", "linear":
        b = new(f"computed-resize-{mode}")
        b.done(b.op("Resize", b.input((1, 2, 4, 5)), "", "", b.op("Concat", b.ints(1, 2), given(b, (7, 3)), axis=0), mode=mode))
    for tag, to in ("ones", (1, 4, 1)), ("longer", (2, 1, 4, 1)):
        b = new(f"computed-expand-{tag}")
        b.done(b.op("Expand", b.input((3, 1, 2)), given(b, to)))
    b = new("computed-split", 13)
    b.done(*b.op("Split", b.input((7, 2)), given(b, (3, 4)), axis=0, outputs=2), shape=[(None, 2), (None, 2)])


def given(b, numbers):
    """An input, which is known when the model runs only."""
    name = b.input((len(numbers),), 0, 2, np.int64)
    b.feeds[name] = np.array(numbers, np.int64)
    return name


def rows(b):
    """Rows that a condition keeps, at most six."""
    return b.op("Compress", b.input((6, 4)), b.op("Greater", b.input((6,)), b.const(np.float32(0))), axis=0)


# What found sizes (cases_found.py) have no rule for is computed on what there is.
AFTER = {
    "pad-up": lambda b, x: b.op("Pad", x, b.op("Concat", b.ints(0, 0), b.op("Sub", b.ints(6), b.op("Slice", b.op("Shape", x), b.ints(0), b.ints(1))), b.ints(0),
                                               axis=0)),
    "cumsum": lambda b, x: b.op("CumSum", x, b.const(np.array(0))),
    "matmul": lambda b, x: b.op("MatMul", x, b.op("Transpose", x)),
    "product-along": lambda b, x: b.op("MatMul", b.op("Transpose", x), x),
    "flip": lambda b, x: b.op("Slice", x, b.ints(-1), b.ints(-100), b.ints(0), b.ints(-1)),
    "norm": lambda b, x: b.op("LayerNormalization", x, b.const((4,)), axis=-1),
    "trilu": lambda b, x: b.op("Trilu", b.op("MatMul", x, b.op("Transpose", x))),
    "one-hot": lambda b, x: b.op("OneHot", b.op("ArgMax", x, axis=1, keepdims=0), b.ints(4), b.const(np.array([0, 1], np.float32))),
    "tile": lambda b, x: b.op("Tile", x, b.ints(2, 1)),
    "split-rows": lambda b, x: b.op("Concat", *b.op("Split", b.op("MatMul", x, b.const((4, 6))), b.ints(2, 4), axis=1, outputs=2), axis=1),
}


def computed_cases(new):
    lengths(new("computed-lengths"))
    shapes(new)
    for tag, make in AFTER.items():
        b = new(f"computed-rows-{tag}", 17)
        x = rows(b)
        y = make(b, x)
        b.done(y, x)
