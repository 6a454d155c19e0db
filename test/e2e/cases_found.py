"""Models of cases.py whose results have sizes that are found in the data, and ops on such results."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

from cases_quantized import integers, one


def some(b, shape, dtype=np.float32):
    """Half of it 0."""
    name = b.input(shape, 1, 9, dtype)
    b.feeds[name][b.rng.random(shape) < 0.5] = 0
    return name


def chosen(b, shape=(9, 4)):
    """Rows that a condition chooses."""
    x = b.input(shape)
    return b.op("Compress", x, b.truths((shape[0],)), axis=0)


def choices(new):
    for tag, shape, dtype in (("f32", (4, 5), np.float32), ("i64", (3, 2, 7), np.int64), ("u8", (40,), np.uint8)):
        b = new(f"non-zero-{tag}")
        b.done(b.op("NonZero", some(b, shape, dtype)))
    b = new("non-zero-none")
    b.done(b.op("NonZero", b.op("Mul", some(b, (4, 5)), b.const(np.zeros(1, np.float32)))))
    b = new("non-zero-of-numbers")
    x = some(b, (5, 6))
    b.feeds[x].flat[:3] = [np.nan, -0.0, np.inf]
    b.done(b.op("NonZero", x))
    for count in (5, 100):  # of constants: as large as it is, so a dimension that meets it fits
        b = new(f"non-zero-of-{count}-ones", 13)
        ones = b.op("ConstantOfShape", b.const(np.array([count])), value=numpy_helper.from_array(np.ones(1, np.int64)))
        places = b.op("Cast", b.op("Squeeze", b.op("NonZero", ones), b.const(np.array([0]))), to=TensorProto.FLOAT)
        b.done(b.op("MatMul", b.op("Mul", b.input((4, count)), places), b.input((count, 3))))
    b = new("non-zero-of-a-constant")
    mask = np.float32([[0, 1, -0.0], [np.nan, 0, 2]])
    b.done(b.op("GatherND", b.input((2, 3)), b.op("Transpose", b.op("NonZero", b.const(mask)), perm=[1, 0])))
    b = new("compress-by-a-constant")
    b.done(b.op("Add", b.op("Compress", b.input((6, 2)), b.const(np.array([True, False, True, True])), axis=0), b.input((3, 2))))
    b = new("non-zero-gathered")
    x = some(b, (4, 5))
    at = b.op("Transpose", b.op("NonZero", x), perm=[1, 0])
    b.done(b.op("GatherND", x, at), at)
    for axis in (None, 0, 1, -1):
        b = new(f"compress-computed-{'flat' if axis is None else f'axis{axis}'}")
        x = b.input((4, 5, 3))
        b.done(b.op("Compress", x, b.truths((3,)), **({} if axis is None else {"axis": axis})))
    for k in (0, 1, 6):
        b = new(f"top-k-computed-{k}", 13)
        x, count = b.input((3, 6)), integers(b, (1,), np.int64, k, k)
        b.done(*b.op("TopK", x, count, outputs=2))
    for axis, largest in ((0, 0), (1, 1)):
        b = new(f"top-k-computed-axis{axis}", 13)
        x = integers(b, (7, 6, 2), np.int32, 0, 4)
        b.done(*b.op("TopK", x, integers(b, (1,), np.int64, 3, 3), outputs=2, axis=axis, largest=largest))
    for ordered in (0, 1):
        b = new(f"unique-{'sorted' if ordered else 'as-it-comes'}")
        b.done(*b.op("Unique", integers(b, (4, 9), np.int64, 0, 7), outputs=4, sorted=ordered))
        for axis in (0, 1, -1):
            b = new(f"unique-axis{axis}-{'sorted' if ordered else 'as-it-comes'}")
            x = b.op("Cast", integers(b, (6, 5, 2), np.int64, 0, 1), to=TensorProto.FLOAT)
            b.done(*b.op("Unique", b.op("ReduceMax", x, axes=[2], keepdims=0) if axis == 1 else x, outputs=4, sorted=ordered, axis=axis))
    b = new("unique-of-one")
    b.done(*b.op("Unique", b.input((1,)), outputs=4))
    b = new("cumsum-long")
    b.done(b.op("CumSum", integers(b, (2, 5000, 2), np.int32, -9, 9), one(b, 1, np.int64)))


def boxes(b, batch, count, centered=False):
    """Of which some are nearly others, and some have no area."""
    low, size = b.rng.uniform(0, 9, (batch, count, 2)), b.rng.uniform(0, 3, (batch, count, 2))
    low[:, count // 2:], size[:, count // 2:] = low[:, :count - count // 2] + 0.1, size[:, :count - count // 2]
    size[:, ::11] = 0
    name = b.input((batch, count, 4))
    b.feeds[name][:] = np.concatenate([low, size] if centered else [low, low + size], -1)
    return name


def suppressed(b, batch=1, classes=2, count=40, most=10, overlap=0.4, threshold=0.3, levels=None, **attributes):
    rects = boxes(b, batch, count, attributes.get("center_point_box"))
    scores = b.input((batch, classes, count), 0, 1)
    if levels:
        b.feeds[scores][:] = np.round(b.feeds[scores] * levels) / levels
    inputs = [rects, scores, one(b, [most], np.int64), one(b, [overlap], np.float32)]
    return b.op("NonMaxSuppression", *inputs, *([] if threshold is None else [one(b, [threshold], np.float32)]), **attributes)


def suppressions(new):
    for tag, options in {"": {}, "-batch": {"batch": 3, "classes": 1}, "-equal-scores": {"levels": 4}, "-few": {"most": 2},
                         "-all": {"most": 1000, "threshold": None}, "-none": {"most": 0}, "-negative": {"most": -3},
                         "-above-all": {"threshold": 2}, "-every-overlap": {"overlap": 0}, "-no-overlap": {"overlap": 1},
                         "-centered": {"center_point_box": 1}, "-one": {"count": 1},
                         "-many": {"count": 300, "classes": 3, "most": 200, "overlap": 0.9}}.items():
        b = new(f"non-max-suppression{tag}")
        b.done(suppressed(b, **options))
    b = new("non-max-suppression-not-a-number")
    out = suppressed(b, classes=1)
    b.feeds["y"][0, 0, ::3] = np.nan
    b.done(out)
    b = new("non-max-suppression-corners")  # any two that are opposite
    out = suppressed(b)
    b.feeds["x"][:, ::2] = b.feeds["x"][:, ::2][..., [2, 1, 0, 3]]
    b.done(out)
    b = new("non-max-suppression-defaults")
    x, y = boxes(b, 1, 9), b.input((1, 1, 9))
    b.done(b.op("NonMaxSuppression", x, y))
    b = new("non-max-suppression-computed-count")
    x, y = boxes(b, 1, 30), b.input((1, 2, 30))
    b.done(b.op("NonMaxSuppression", x, y, integers(b, (1,), np.int64, 6, 6), one(b, 0.3, np.float32)))
    b = new("detections")  # boxes, scores and classes of those taken, the best five of them
    at = suppressed(b, classes=3)
    index = b.op("Squeeze", b.op("Gather", at, b.ints(2), axis=1), b.ints(1))
    rects = b.op("Gather", b.op("Squeeze", "x", b.ints(0)), index)
    scores = b.op("GatherND", "y", at)
    best, order = b.op("TopK", scores, b.op("Min", b.op("Shape", scores), b.ints(5)), outputs=2)
    kind = b.op("Gather", b.op("Gather", at, one(b, 1, np.int64), axis=1), order)
    b.done(b.op("Gather", rects, order), best, kind)
    b = new("suppressed-twice")
    at = suppressed(b, classes=1)
    index = b.op("Squeeze", b.op("Gather", at, b.ints(2), axis=1), b.ints(1))
    rects = b.op("Gather", "x", index, axis=1)
    scores = b.op("Gather", "y", index, axis=2)
    b.done(b.op("NonMaxSuppression", rects, scores, b.ints(100), one(b, 0.1, np.float32)))


# What becomes of rows whose number is found: op and its inputs behind the rows.
READERS = {
    "add": lambda b, x: b.op("Add", b.op("Mul", x, b.const((4,))), x),
    "divide": lambda b, x: b.op("Div", b.const(np.array([[720]], np.int64)), b.op("Add", b.op("Abs", b.op("Cast", x, to=TensorProto.INT64)), b.ints(1))),
    "hyperbolic": lambda b, x: b.op("Asinh", b.op("Cosh", x)),
    "clip": lambda b, x: b.op("Clip", x, one(b, -0.5, np.float32), one(b, 0.5, np.float32)),
    "where": lambda b, x: b.op("Where", b.op("Greater", x, one(b, 0, np.float32)), x, b.op("Neg", x)),
    "matmul": lambda b, x: b.op("MatMul", x, b.const((4, 3))),
    "gemm": lambda b, x: b.op("Gemm", x, b.const((3, 4)), b.const((3,)), transB=1),
    "softmax": lambda b, x: b.op("Softmax", x, axis=1),
    "softmax-along": lambda b, x: b.op("Softmax", x, axis=0),
    "sum": lambda b, x: b.op("ReduceSum", x, b.ints(0), keepdims=0),
    "sum-of-rows": lambda b, x: b.op("ReduceSum", x, b.ints(1), keepdims=0),
    "mean": lambda b, x: b.op("ReduceMean", x, axes=[0], keepdims=0),
    "mean-of-all": lambda b, x: b.op("ReduceMean", x),
    "max": lambda b, x: b.op("ReduceMax", x, axes=[0]),
    "min-of-integers": lambda b, x: b.op("ReduceMin", b.op("Cast", x, to=TensorProto.INT32), axes=[0]),
    "product": lambda b, x: b.op("ReduceProd", x, axes=[0]),
    "log-sum-exp": lambda b, x: b.op("ReduceLogSumExp", x, axes=[0]),
    "arg-max": lambda b, x: b.op("ArgMax", x, axis=0),
    "arg-min-of-rows": lambda b, x: b.op("ArgMin", x, axis=1, keepdims=0),
    "shape": lambda b, x: b.op("Shape", x),
    "size": lambda b, x: b.op("Size", x),
    "transpose": lambda b, x: b.op("Transpose", x),
    "unsqueeze": lambda b, x: b.op("Unsqueeze", x, b.ints(0, 2)),
    "squeeze": lambda b, x: b.op("Squeeze", b.op("Gather", x, b.ints(3), axis=1), b.ints(-1)),
    "flat": lambda b, x: b.op("Reshape", x, b.ints(-1)),
    "reshape": lambda b, x: b.op("Reshape", x, b.ints(-1, 2, 2)),
    "flatten": lambda b, x: b.op("Flatten", b.op("Reshape", x, b.ints(-1, 2, 2))),
    "concat": lambda b, x: b.op("Concat", x, b.input((2, 4)), x, axis=0),
    "concat-beside": lambda b, x: b.op("Concat", x, b.op("Neg", x), axis=1),
    "first": lambda b, x: b.op("Slice", x, b.ints(0), b.ints(2), b.ints(0)),
    "without-last": lambda b, x: b.op("Slice", x, b.ints(1), b.ints(-1), b.ints(0)),
    "last": lambda b, x: b.op("Slice", x, b.ints(-2, -3), b.ints(2**62, -1)),
    "columns": lambda b, x: b.op("Slice", x, b.ints(3), b.ints(0), b.ints(1), b.ints(-1)),
    "gather": lambda b, x: b.op("Gather", x, b.ints(0, -1, 1)),
    "gather-columns": lambda b, x: b.op("Gather", x, b.ints(0, -1, 1), axis=1),
    "gather-elements": lambda b, x: b.op("GatherElements", x, b.const(np.array([[0, -1, 1, 0]])), axis=0),
    "non-zero": lambda b, x: b.op("NonZero", b.op("Greater", x, one(b, 0, np.float32))),
    "compress": lambda b, x: b.op("Compress", x, b.truths((4,)), axis=1),
    "compress-along": lambda b, x: b.op("Compress", x, b.op("Greater", b.op("ReduceSum", x, b.ints(1), keepdims=0), one(b, 0, np.float32)), axis=0),
    "batch": lambda b, x: b.op("Conv", b.op("Reshape", x, b.ints(-1, 1, 2, 2)), b.const((3, 1, 2, 2))),
}


def size_of(b, x, axis=0):
    """How many rows there are, as exporters of torch ask for it."""
    return b.op("Gather", b.op("Shape", x), one(b, axis, np.int64), axis=0)


def sized(b, x, *others):
    return b.op("Concat", b.op("Unsqueeze", size_of(b, x), b.ints(0)), b.ints(*others), axis=0)


def expanded(b, shape, *, value):
    """A -1 of the shape is a 1, as torch's exporter writes it."""
    ones = b.op("ConstantOfShape", b.op("Shape", shape), value=numpy_helper.from_array(np.array([1], np.int64)))
    minus = b.op("Mul", ones, one(b, -1, np.int64))
    return b.op("Expand", value, b.op("Where", b.op("Equal", shape, minus), ones, shape))


def branch(names, nodes, outputs):
    """A graph of nodes (op, inputs, output, attributes) with constants by name."""
    consts = [numpy_helper.from_array(v, k) for k, v in names.items()]
    made = [helper.make_node(op, inputs, [output], **attributes) for op, inputs, output, attributes in nodes]
    return helper.make_graph(made, "g", [], [helper.make_tensor_value_info(o, t, s) for o, t, s in outputs], consts)


# What is computed from the number of rows.
SHAPES = {
    "constant": lambda b, x: b.op("Add", b.op("ConstantOfShape", b.op("Shape", x), value=numpy_helper.from_array(np.array([7], np.float32))), x),
    "constant-of-rows": lambda b, x: b.op("ConstantOfShape", sized(b, x, 3)),
    "expand": lambda b, x: b.op("Expand", b.input((1, 4)), b.op("Shape", x)),
    "expand-rank": lambda b, x: b.op("Expand", b.input((4,)), sized(b, x, 1)),
    "expand-minus": lambda b, x: expanded(b, sized(b, x, -1), value=b.input((1, 4))),
    "expand-found": lambda b, x: b.op("Expand", b.op("Unsqueeze", x, b.ints(0)), b.ints(3, 1, 4)),
    "range": lambda b, x: b.op("Range", one(b, 0, np.int64), size_of(b, x), one(b, 1, np.int64)),
    "range-as-index": lambda b, x: b.op("Gather", x, b.op("Range", one(b, 0, np.int64), size_of(b, x), one(b, 1, np.int64))),
    "reshape": lambda b, x: b.op("Reshape", x, sized(b, x, 2, 2)),
    "reshape-rest": lambda b, x: b.op("Reshape", x, sized(b, x, -1)),
    "reshape-twice": lambda b, x: b.op("Reshape", b.op("Reshape", x, b.ints(-1, 2)), sized(b, x, 4)),
    "known-part": lambda b, x: b.op("Range", one(b, 0, np.int64), size_of(b, x, 1), one(b, 1, np.int64)),
    "slice": lambda b, x: b.op("Slice", b.input((9, 2)), b.ints(0), b.op("Unsqueeze", size_of(b, x), b.ints(0)), b.ints(0)),
    "slice-all": lambda b, x: b.op("Add", b.op("Slice", x, b.ints(0), b.op("Unsqueeze", size_of(b, x), b.ints(0)), b.ints(0)), x),
    "slice-to-end": lambda b, x: b.op("Add", b.op("Slice", x, b.ints(0), b.ints(2**62), b.ints(0)), x),
    "split": lambda b, x: b.op("Mul", *b.op("Split", x, outputs=2, axis=1)),
    "flatten-batch": lambda b, x: b.op("Flatten", b.op("Reshape", x, b.ints(-1, 2, 2)), axis=2),
    "best": lambda b, x: b.op("TopK", b.op("Reshape", x, b.ints(-1)), b.op("ReduceMin", b.op("Concat", b.op("Unsqueeze", size_of(b, x), b.ints(0)),
                                                                                         b.ints(5), axis=0), keepdims=1), outputs=2)[0],
    "scatter-elements": lambda b, x: b.op("ScatterElements", b.op("ConstantOfShape", b.op("Shape", x)), b.const(np.array([[0, -1, 1, 0]])), b.input((1, 4)),
                                          axis=0),
    "scatter-rows": lambda b, x: b.op("ScatterND", b.input((6, 4)), b.op("Mod", b.op("Unsqueeze", b.op("Range", one(b, 0, np.int64), size_of(b, x),
                                                                                                     one(b, 1, np.int64)), b.ints(1)), one(b, 6, np.int64)), x),
    "scatter-some": lambda b, x: b.op("ScatterElements", b.input((9, 4)), b.op("Expand", b.op("Unsqueeze", b.op("Range", one(b, 0, np.int64), size_of(
        b, x), one(b, 1, np.int64)), b.ints(1)), b.op("Shape", x)), x, axis=0),
    "one-part": lambda b, x: b.op("Add", b.op("Concat", x, axis=0), x),
    "parts-of-two": lambda b, x: b.op("Add", b.op("Concat", x, b.op("Neg", x), axis=0), b.op("Concat", b.op("Abs", x), x, axis=0)),
}


RANKS = {"expand-found": 3, "range": 1, "reshape": 3, "known-part": 1, "best": 1}  # else 2


def branches(new):
    """Branches whose results have other sizes, or found ones: nothing where there are no rows."""
    f32 = TensorProto.FLOAT
    for rows in (0, 4):
        b = new(f"found-branch-{rows}", 13)
        x = chosen(b)
        b.feeds["y"][:] = np.arange(9) < rows
        none = b.op("Equal", size_of(b, x), one(b, 0, np.int64))
        empty = branch({"n": np.zeros((0, 4), np.float32)}, [("Identity", ["n"], "p", {})], [("p", f32, None)])
        some_rows = branch({}, [("Mul", [x, x], "q", {})], [("q", f32, None)])
        y = b.op("If", none, then_branch=empty, else_branch=some_rows)
        b.done(y, b.op("ReduceSum", y, b.ints(0), keepdims=0))
    for taken in (0, 1):
        b = new(f"branch-sizes-{taken}", 13)
        x = b.input((5, 3))
        condition = b.truths((1,))
        b.feeds[condition][:] = taken
        shorter = branch({"s": np.array([0]), "e": np.array([2])}, [("Slice", [x, "s", "e"], "p", {})], [("p", f32, None)])
        longer = branch({}, [("Concat", [x, x], "q", {"axis": 0})], [("q", f32, None)])
        b.done(b.op("If", condition, then_branch=shorter, else_branch=longer))


def readers(new):
    for tag, make in SHAPES.items():
        b = new(f"found-shape-{tag}", 13)
        x = chosen(b)
        b.feeds["y"][:3] = True
        b.done(b.op("Cast", make(b, x), to=TensorProto.FLOAT), shape=tuple(f"d{i}" for i in range(RANKS.get(tag, 2))))
    branches(new)
    for tag, make in READERS.items():
        b = new(f"found-{tag}", 13 if tag != "arg-max" else 17)
        x = chosen(b)
        b.feeds["y"][:3] = True
        b.done(make(b, x))


def found_cases(new):
    choices(new)
    suppressions(new)
    readers(new)
