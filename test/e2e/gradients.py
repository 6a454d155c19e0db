"""Gradient: what mlc computes beside central differences of the model in f64, by onnx's reference evaluator.

    python gradients.py --mlc build/release/bin/mlc [--only TEXT]

Each model ends in a sum of its results times random numbers, so no result's gradient is like another's. Numbers keep away from
corners, where there is no derivative; what mlc gives there is checked beside its definition.
"""
import argparse

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from harness import Failure, call, check_close, run_in_folders, run_outputs, save_feeds

MLC = None
TRAINING, F64 = "ai.onnx.preview.training", TensorProto.DOUBLE
TOLERANCE = 1e-6
CASES = {}


def numbers(*shape, seed=0, low=-2.0, high=2.0):
    """Distinct, a tenth or more away from whole and half numbers: none of them is at a corner."""
    rng = np.random.default_rng(seed)
    return np.clip(rng.permutation(int(np.prod(shape))) / max(1, np.prod(shape) - 1), 0, 1).reshape(shape) * (high - low) * .99 + low + .0173


def node(op, inputs, outputs=("f",), **attributes):
    return helper.make_node(op, list(inputs), list(outputs), **attributes)


def gradient(xs, outputs, y="y", zs=(), inputs=None):
    zs = {"zs": list(zs)} if zs else {}
    return node("Gradient", inputs or [*xs, *zs.get("zs", ())], outputs, domain=TRAINING, name="grad", xs=list(xs), y=y, **zs)


def model(nodes, inputs, outputs, constants, functions=()):
    infos = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for n, v in inputs.items()]
    kind = TensorProto.FLOAT if any(v.dtype == np.float32 for v in inputs.values()) else F64
    results = [helper.make_tensor_value_info(n, kind, None) for n in outputs]
    graph = helper.make_graph(nodes, "g", infos, results, [numpy_helper.from_array(np.asarray(v), n) for n, v in constants.items()])
    imports = [helper.make_opsetid("", 22), helper.make_opsetid(TRAINING, 1)] + [helper.make_opsetid(f.domain, 1) for f in functions]
    return helper.make_model(graph, opset_imports=imports, ir_version=10, functions=list(functions))


def weighted(nodes, feeds, constants):
    """The nodes with a sum of "f" times random numbers behind them, as "y"."""
    f = ReferenceEvaluator(model(nodes, feeds, ["f"], constants)).run(None, feeds)[0]
    weights = np.random.default_rng(77).uniform(.5, 1.5, f.shape) * np.random.default_rng(78).choice([-1, 1], f.shape)
    return nodes + [node("Mul", ["f", "weights"], ["weighted"]), node("ReduceSum", ["weighted"], ["y"], keepdims=0)], {**constants, "weights": weights}


def differences(nodes, feeds, constants, xs, h=1e-5):
    run = ReferenceEvaluator(model(nodes, feeds, ["y"], constants)).run
    results = []
    for x in xs:
        result = np.zeros_like(feeds[x])
        for place in np.ndindex(feeds[x].shape):
            both = []
            for step in (h, -h):
                moved = feeds[x].copy()
                moved[place] += step
                both.append(float(np.sum(run(None, {**feeds, x: moved})[0])))
            result[place] = (both[0] - both[1]) / (2 * h)
        results.append(result)
    return results


def computed(folder, made, feeds, names, *flags):
    onnx.save(made, folder / "m.onnx")
    return run_outputs(MLC, folder / "m.onnx", [*save_feeds(feeds, folder), *flags], names, folder, 1)


def single(arrays):
    return {n: v.astype(np.float32) if v.dtype == np.float64 else v for n, v in arrays.items()}


def case(name, nodes, feeds, constants=None, xs=None, is_rough=False):
    """The gradients of the floats of `feeds`, or of `xs`. `is_rough`: in f32, which tanh and erf are compiled for, and which the
    reference computes some operators in."""
    xs = xs or [n for n, v in feeds.items() if v.dtype == np.float64]

    def test(folder):
        all_nodes, all_constants = weighted(nodes, feeds, constants or {})
        names = [f"d{x}" for x in xs]
        own_feeds, own_constants = (single(feeds), single(all_constants)) if is_rough else (feeds, all_constants)
        made = model(all_nodes + [gradient(xs, names, zs=[n for n in feeds if n not in xs])], own_feeds, names, own_constants)
        got = [g.astype(np.float64) for g in computed(folder, made, own_feeds, names)]
        check_close(names, got, differences(all_nodes, feeds, all_constants, xs, 1e-3 if is_rough else 1e-5), 1e-3 if is_rough else TOLERANCE)
    assert name not in CASES, name
    CASES[name] = test


ROUGH = ("Tanh", "Erf", "Gelu", "Mish", "LRN", "GroupNormalization")


def one(op, *operands, name=None, constants=None, outputs=("f",), **attributes):
    feeds = {"abcd"[i]: v for i, v in enumerate(operands)}
    case(name or op, [node(op, [*feeds, *(constants or {})], outputs, **attributes)], feeds, constants, is_rough=op in ROUGH)


def elementwise():
    x = numbers(3, 4)
    for op in ("Relu", "Identity", "LeakyRelu", "Elu", "Selu", "Sigmoid", "HardSigmoid", "Softplus", "Softsign", "Tanh", "Exp", "Erf", "Abs",
               "Neg", "Reciprocal", "Ceil", "Floor", "Round", "Sign", "Sin", "Cos", "Tan", "Sinh", "Cosh", "Atan", "Asinh", "Celu", "Gelu",
               "Mish", "ThresholdedRelu"):
        one(op, numbers(3, 4, low=-1.4, high=1.4) if op == "Tan" else x)
    one("HardSwish", numbers(3, 4, low=-5, high=5))
    one("Gelu", x, name="gelu-tanh", approximate="tanh")
    for op in ("Log", "Sqrt"):
        one(op, numbers(3, 4, low=.3, high=4))
    for op in ("Asin", "Acos", "Atanh"):
        one(op, numbers(3, 4, low=-.9, high=.9))
    one("Acosh", numbers(3, 4, low=1.2, high=4))
    one("Clip", x, constants={"low": np.float64(-1), "high": np.float64(.7)})
    for op in ("Add", "Sub", "Mul", "Div", "Min", "Max"):
        one(op, x, numbers(3, 4, seed=1), name=op)
        one(op, numbers(3, 1, 4), numbers(2, 1, seed=1), name=f"{op}-broadcast")
    one("Max", x, numbers(4, seed=1), numbers(3, 1, seed=2), name="max-of-three")
    one("Pow", numbers(3, 4, low=.3, high=3), numbers(3, 1, seed=1))
    for power in (2, 3, 0, 1):
        one("Pow", x, name=f"pow-{power}", constants={"p": np.float64(power)})
    one("PRelu", x, numbers(4, seed=1, low=.1, high=.4))
    case("where", [node("Greater", ["a", "b"], ["c"]), node("Where", ["c", "a", "d"])],
         {"a": x, "b": numbers(3, 1, seed=1), "d": numbers(4, seed=2)})
    case("twice-used", [node("Mul", ["a", "a"], ["b"]), node("Sin", ["b"], ["c"]), node("Mul", ["b", "c"], ["d"]), node("Add", ["d", "a"])],
         {"a": x})
    case("through-integers", [node("Cast", ["a"], ["i"], to=TensorProto.INT64), node("Cast", ["i"], ["b"], to=F64), node("Mul", ["a", "b"])],
         {"a": x})


def products():
    for name, a, b in (("plain", (3, 4), (4, 5)), ("batch", (2, 3, 4), (2, 4, 5)), ("batch-broadcast", (2, 1, 3, 4), (3, 4, 2)),
                       ("row", (4,), (4, 5)), ("column", (3, 4), (4,)), ("dot", (4,), (4,)), ("row-of-batch", (4,), (2, 4, 3)),
                       ("batch-by-column", (2, 3, 4), (4,))):
        one("MatMul", numbers(*a), numbers(*b, seed=1), name=f"matmul-{name}")
    for a in (0, 1):
        for b in (0, 1):
            one("Gemm", numbers(*((4, 3) if a else (3, 4))), numbers(*((5, 4) if b else (4, 5)), seed=1), numbers(5, seed=2),
                name=f"gemm-{a}{b}", transA=a, transB=b, alpha=.5, beta=2.0)
    one("Einsum", numbers(2, 3, 4), numbers(4, 3, 5, seed=1), name="einsum", equation="bij,jik->bk")
    for name, x, w, attributes in (
            ("plain", (1, 2, 5, 5), (3, 2, 3, 3), {}), ("padded", (2, 2, 5, 4), (3, 2, 3, 2), {"pads": [1, 0, 2, 1]}),
            ("strides", (1, 2, 7, 6), (2, 2, 3, 2), {"strides": [2, 3], "pads": [1, 1, 0, 0]}),
            ("dilations", (1, 1, 7, 7), (2, 1, 2, 3), {"dilations": [3, 2], "strides": [1, 2]}),
            ("groups", (2, 4, 4, 4), (6, 2, 2, 2), {"group": 2}), ("depthwise", (1, 3, 5, 5), (3, 1, 3, 3), {"group": 3, "pads": [1] * 4}),
            ("same", (1, 2, 6, 5), (2, 2, 3, 3), {"auto_pad": "SAME_UPPER", "strides": [2, 2]}), ("line", (2, 2, 8), (3, 2, 3), {"strides": [2]}),
            ("unread-end", (1, 1, 8, 8), (1, 1, 3, 3), {"strides": [3, 4]})):
        one("Conv", numbers(*x), numbers(*w, seed=1), numbers(w[0], seed=2), name=f"conv-{name}", **attributes)
    one("ConvTranspose", numbers(1, 2, 3, 3), numbers(2, 3, 3, 3, seed=1), name="conv-transpose", strides=[2, 2], pads=[1, 1, 0, 0])


def windows():
    for name, x, attributes in (("plain", (1, 2, 6, 6), {"kernel_shape": [2, 2], "strides": [2, 2]}),
                                ("overlap", (1, 2, 5, 6), {"kernel_shape": [3, 2], "pads": [1, 1, 1, 0]}),
                                ("ceil", (1, 1, 6, 7), {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}),
                                ("line", (2, 1, 9), {"kernel_shape": [4], "strides": [3]})):
        one("MaxPool", numbers(*x), name=f"max-pool-{name}", **attributes)
        for include in (0, 1):
            if name != "ceil":  # whose means the reference takes over other counts
                one("AveragePool", numbers(*x), name=f"average-pool-{name}-{include}", count_include_pad=include, **attributes)
    one("GlobalAveragePool", numbers(2, 3, 4, 5))
    one("GlobalMaxPool", numbers(2, 3, 4, 5))
    one("LRN", numbers(1, 5, 2, 2), size=3)


def reductions():
    x = numbers(2, 3, 4)
    for op in ("ReduceSum", "ReduceMean", "ReduceProd", "ReduceMax", "ReduceMin", "ReduceL2", "ReduceLogSumExp", "ReduceSumSquare"):
        for keep in (0, 1):
            one(op, x, name=f"{op}-{keep}", constants={"axes": np.int64([0, -1])}, keepdims=keep)
        one(op, x, name=f"{op}-all")
    for op in ("Softmax", "LogSoftmax"):
        for axis in (0, 1, -1):
            one(op, x, name=f"{op}-{axis}", axis=axis)
    one("CumSum", x, name="cumsum", constants={"axis": np.int64(1)})
    one("CumSum", x, name="cumsum-reverse", constants={"axis": np.int64(2)}, reverse=1, exclusive=1)
    for op, more in (("LayerNormalization", {"axis": -1}), ("GroupNormalization", {"num_groups": 2})):
        size = 4 if op[0] == "L" else 6
        one(op, numbers(2, 6, 4) if op[0] == "G" else x, numbers(size, seed=1), numbers(size, seed=2), name=op, **more)
    one("InstanceNormalization", numbers(2, 3, 5), numbers(3, seed=1), numbers(3, seed=2))
    one("BatchNormalization", numbers(2, 3, 5), numbers(3, seed=1), numbers(3, seed=2), numbers(3, seed=3), name="batchnorm",
        constants={"v": numbers(3, seed=4, low=.5, high=2)})
    case("batchnorm-variance", [node("BatchNormalization", ["x", "s", "b", "m", "a"])], {"a": numbers(3, seed=4, low=.5, high=2)},
         {"x": numbers(2, 3, 5), "s": numbers(3, seed=1), "b": numbers(3, seed=2), "m": numbers(3, seed=3)})
    target = {"t": np.int64([1, 0, 3])}
    case("cross-entropy", [node("SoftmaxCrossEntropyLoss", ["a", "t"])], {"a": numbers(3, 4), **target})
    case("likelihood", [node("NegativeLogLikelihoodLoss", ["a", "t"], reduction="sum")], {"a": numbers(3, 4)}, target)


def shapes():
    x = numbers(2, 3, 4)
    one("Reshape", x, constants={"shape": np.int64([4, -1])})
    one("Flatten", x, axis=2)
    one("Squeeze", numbers(2, 1, 3), constants={"axes": np.int64([1])})
    one("Unsqueeze", x, constants={"axes": np.int64([0, 2])})
    one("Transpose", x, perm=[2, 0, 1])
    one("Transpose", x, name="transpose-all")
    one("Concat", x, numbers(2, 1, 4, seed=1), numbers(2, 2, 4, seed=2), axis=1)
    case("concat-twice", [node("Concat", ["a", "a"], axis=-1)], {"a": x})
    one("Expand", numbers(3, 1), constants={"shape": np.int64([2, 3, 4])})
    one("Tile", numbers(2, 3), constants={"repeats": np.int64([2, 3])})
    one("Trilu", numbers(4, 4), upper=0)
    one("Pad", x, constants={"pads": np.int64([0, 1, 2, 1, 0, 0])})
    one("Pad", x, name="pad-edge", constants={"pads": np.int64([0, 1, 2, 1, 0, 0])}, mode="edge")
    one("Split", x, name="split-first", constants={"sizes": np.int64([1, 3])}, axis=2, outputs=("f", "rest"))
    for name, starts, ends, axes, steps in (("plain", [1], [3], [2], [1]), ("steps", [0, 3], [2, 0], [1, 2], [1, -2]), ("back", [-1], [-9], [1], [-1])):
        one("Slice", x, name=f"slice-{name}", constants={k: np.int64(v) for k, v in zip(("s", "e", "x", "t"), (starts, ends, axes, steps))})
    one("DepthToSpace", numbers(1, 8, 2, 3), blocksize=2)
    case("shape-of-x", [node("Shape", ["a"], ["s"]), node("Cast", ["s"], ["c"], to=F64), node("ReduceProd", ["c"], ["p"], keepdims=0),
                        node("Div", ["a", "p"])], {"a": x})


def indices():
    x = numbers(4, 3, 5)
    for axis in (0, 1, 2):
        one("Gather", x, name=f"gather-{axis}", constants={"i": np.int64([[0, 2], [-1, 0]])}, axis=axis)
    one("Gather", x, name="gather-one", constants={"i": np.int64(1)}, axis=1)
    one("GatherElements", x, constants={"i": np.random.default_rng(1).integers(-3, 3, (4, 2, 5))}, axis=1)
    one("GatherND", x, constants={"i": np.int64([[0, 1], [3, 2], [0, 1]])})
    places = np.int64([[2], [0]])
    case("scatter-nd", [node("ScatterND", ["a", "i", "b"])], {"a": x, "b": numbers(2, 3, 5, seed=1)}, {"i": places})
    case("scatter-nd-add", [node("ScatterND", ["a", "i", "b"], reduction="add")], {"a": x, "b": numbers(2, 3, 5, seed=1)}, {"i": places})
    case("scatter-elements", [node("ScatterElements", ["a", "i", "b"], axis=1)], {"a": x, "b": numbers(4, 2, 5, seed=1)},
         {"i": np.tile(np.int64([2, 0])[None, :, None], (4, 1, 5))})
    case("top-k", [node("TopK", ["a", "k"], ["f", "i"], axis=1)], {"a": x}, {"k": np.int64([2])})
    case("indices-as-input", [node("Gather", ["a", "i"], axis=1)], {"a": x, "i": np.int64([2, 0, 2])})


def perceptron(xs):
    feeds = {"x": numbers(3, 4), "w": numbers(4, 5, seed=1), "b": numbers(5, seed=2), "v": numbers(5, 2, seed=3)}
    return [node("Gemm", ["x", "w", "b"], ["h"]), node("Sigmoid", ["h"], ["t"]), node("MatMul", ["t", "v"])], feeds, xs


def networks():
    nodes, feeds, _ = perceptron(None)
    case("perceptron", nodes, feeds)
    case("perceptron-of-constants", nodes, {k: feeds[k] for k in "wv"}, {k: feeds[k] for k in "xb"})
    case("perceptron-weights", nodes, feeds, xs=["v", "w"])


def initializers(folder):
    """What is differentiated are constants of the model, small enough to be folded."""
    nodes, feeds, _ = perceptron(None)
    all_nodes, constants = weighted(nodes, feeds, {})
    names = ["dw", "dv"]
    made = model(all_nodes + [gradient(["w", "v"], names, zs=["x", "b"])], {"x": feeds["x"]}, names, {**constants, **{k: feeds[k] for k in "wbv"}})
    check_close(names, computed(folder, made, {"x": feeds["x"]}, names), differences(all_nodes, feeds, constants, ["w", "v"]), TOLERANCE)


def intermediate(folder):
    """A tensor on the way, whose node gives another one as well; and a part of `xs` that y does not depend on."""
    nodes = [node("Exp", ["a"], ["e"]), node("Split", ["e"], ["h", "k"], axis=0, num_outputs=2), node("Mul", ["h", "h"], ["m"]),
             node("Mul", ["m", "k"], ["f"])]
    feeds = {"a": numbers(4, 3), "u": numbers(2)}
    e = np.exp(feeds["a"])
    names = ["dh", "du", "dk"]
    made = model([*nodes, gradient(["h", "u", "k"], names, y="f")], feeds, names, {})
    want = [2 * e[:2] * e[2:], np.zeros(2), e[:2] ** 2]
    check_close(names, computed(folder, made, feeds, names), want, TOLERANCE)


def other_values(folder):
    """Values that the named tensors do not have; an output that is left out."""
    feeds = {"a": numbers(3), "b": numbers(3, seed=1), "c": numbers(3, seed=2)}
    nodes = [node("Mul", ["a", "b"], ["m"]), node("Sin", ["m"], ["f"])]
    made = model([*nodes, gradient(["a", "b"], ["", "db"], y="f", inputs=["c", "a"])], feeds, ["db", "f"], {})
    want = [feeds["c"] * np.cos(feeds["c"] * feeds["a"]), np.sin(feeds["a"] * feeds["b"])]
    check_close(["db", "f"], computed(folder, made, feeds, ["db", "f"]), want, TOLERANCE)


def second_order(folder):
    """Derivatives of derivatives, of one tensor and of two; the third of a power is a number, the fifth is 0."""
    feeds = {"a": numbers(4, low=.5, high=2), "b": numbers(4, seed=1, low=.5, high=2)}
    a, b = feeds.values()
    nodes = [node("Mul", ["a", "b"], ["m"]), node("Exp", ["m"], ["f"]), gradient(["a", "b"], ["da", "db"], y="f"),
             gradient(["a"], ["daa"], y="da", zs=["b"]), gradient(["b", "a"], ["dab", "daa2"], y="da")]
    names, e = ["da", "db", "daa", "dab", "daa2"], np.exp(a * b)
    made = model(nodes, feeds, names, {})
    want = [b * e, a * e, b * b * e, e + a * b * e, b * b * e]
    check_close(names, computed(folder, made, feeds, names), want, TOLERANCE)
    powers = [node("Pow", ["a", "p"], ["f0"])] + [gradient(["a"], [f"f{i + 1}"], y=f"f{i}") for i in range(5)]
    names = [f"f{i}" for i in range(6)]
    want = [a ** 4, 4 * a ** 3, 12 * a ** 2, 24 * a, np.full(4, 24.), np.zeros(4)]
    check_close(names, computed(folder, model(powers, {"a": a}, names, {"p": np.float64(4)}), {"a": a}, names), want, TOLERANCE)


def in_a_function(folder):
    """Nodes of a function, and a Gradient in one: its names are the function's."""
    square = helper.make_function("own", "Wave", ["x"], ["z"], [node("Mul", ["x", "x"], ["s"]), node("Sin", ["s"], ["z"])],
                                  [helper.make_opsetid("", 22)])
    slope = helper.make_function("own", "Slope", ["x"], ["z"], [node("Mul", ["x", "x"], ["s"]), node("Sin", ["s"], ["t"]), gradient(["x"], ["z"], y="t")],
                                 [helper.make_opsetid("", 22), helper.make_opsetid(TRAINING, 1)])
    feeds = {"a": numbers(3)}
    a = feeds["a"]
    nodes = [node("Wave", ["a"], ["f"], domain="own"), gradient(["a"], ["da"], y="f"), node("Slope", ["a"], ["db"], domain="own")]
    want = [2 * a * np.cos(a * a)] * 2
    check_close(["da", "db"], computed(folder, model(nodes, feeds, ["da", "db"], {}, [square, slope]), feeds, ["da", "db"]), want, TOLERANCE)


def casts(folder):
    """Through another type of floats; and what a pad cuts off."""
    feeds = {"a": numbers(3, 4)}
    narrow = feeds["a"].astype(np.float32)
    nodes = [node("Cast", ["a"], ["n"], to=TensorProto.FLOAT), node("Mul", ["n", "n"], ["s"]), node("Cast", ["s"], ["f"], to=F64),
             node("Pad", ["a", "pads"], ["p"]), gradient(["a"], ["df"], y="f"), gradient(["a"], ["dp"], y="p")]
    got = computed(folder, model(nodes, feeds, ["df", "dp"], {"pads": np.int64([-1, 2, 0, -3])}), feeds, ["df", "dp"])
    check_close(["df", "dp"], got, [2 * narrow.astype(np.float64), np.pad(np.ones((2, 1)), ((1, 0), (0, 3)))], TOLERANCE)


def corners(folder):
    """Where there is no derivative, or a factor is 0."""
    x = np.float64([-1, 0, 2, 0])
    feeds = {"a": x, "b": np.float64([-1, 0, 1, 3])}
    nodes = [node("Relu", ["a"], ["r"]), node("Abs", ["a"], ["s"]), node("Max", ["a", "b"], ["m"]), node("ReduceProd", ["a"], ["p"]),
             node("Clip", ["a", "low", "high"], ["c"]), node("Pow", ["a", "two"], ["q"])]
    names = ["dr", "ds", "dm", "dp", "dc", "dq"]
    made = model(nodes + [gradient(["a"], [n], y=y, zs=zs) for n, y, zs in zip(names, "rsmpcq", ((), (), "b", (), (), ()))], feeds, names,
                 {"low": np.float64(0), "high": np.float64(2), "two": np.float64(2)})
    want = [np.float64([0, 0, 1, 0]), np.sign(x), np.float64([.5, .5, 1, 0]), np.zeros(4), np.float64([0, 1, 1, 1]), 2 * x]
    check_close(names, computed(folder, made, feeds, names), want, TOLERANCE)
    zero = {"a": np.float64([[3, 0, 2], [1, 4, 2]])}
    made = model([node("ReduceProd", ["a", "axes"], ["p"], keepdims=0), gradient(["a"], ["dp"], y="p")], zero, ["dp"], {"axes": np.int64([1])})
    check_close(["dp"], computed(folder, made, zero, ["dp"]), [np.float64([[0, 6, 0], [8, 2, 4]])], TOLERANCE)
    ties = {"a": np.float64([[1, 1, 1, 1]] * 4).reshape(1, 1, 4, 4)}
    made = model([node("MaxPool", ["a"], ["p"], kernel_shape=[2, 2], strides=[2, 2]), gradient(["a"], ["dp"], y="p")], ties, ["dp"], {})
    want = np.zeros((1, 1, 4, 4))
    want[..., ::2, ::2] = 1
    check_close(["dp"], computed(folder, made, ties, ["dp"]), [want], TOLERANCE)


def open_sizes(folder):
    """One artefact for each batch."""
    weights = {"w": numbers(4, 3, seed=1).astype(np.float32), "c": numbers(3, seed=2).astype(np.float32)}
    nodes = [node("MatMul", ["x", "w"], ["h"]), node("Add", ["h", "c"], ["s"]), node("Sigmoid", ["s"], ["t"]), node("ReduceMean", ["t"], ["y"], keepdims=0),
             gradient(["w", "c", "x"], ["dw", "dc", "dx"])]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "g", [info("x", 1, ("n", 4))], [info(n, 1, None) for n in ("dw", "dc", "dx")],
                              [numpy_helper.from_array(v, n) for n, v in weights.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22), helper.make_opsetid(TRAINING, 1)], ir_version=10), folder / "m.onnx")
    result = call(MLC, "compile", folder / "m.onnx", "--require-compiled", "-o", folder / "m.so")
    if result.code:
        raise Failure(result.err)
    for batch in (1, 2, 7):
        x = numbers(batch, 4, seed=batch).astype(np.float32)
        got = run_outputs(MLC, folder / "m.so", save_feeds({"x": x}, folder), ["dw", "dc", "dx"], folder, 1)
        s = 1 / (1 + np.exp(-(x @ weights["w"] + weights["c"])))
        slope = s * (1 - s) / s.size
        check_close(["dw", "dc", "dx"], got, [x.T @ slope, slope.sum(0), slope @ weights["w"].T], 1e-5)


def refused(folder):
    """What a run alone knows has no gradient: y is of a rank that a condition decides, or is computed of such."""
    info, graph = helper.make_tensor_value_info, helper.make_graph
    branches = [graph([node(op, ["a"], ["b"], **more)], "b", [], [info("b", F64, None)]) for op, more in (("Exp", {}), ("Flatten", {"axis": 0}))]
    either = helper.make_node("If", ["c"], ["r"], name="either", then_branch=branches[0], else_branch=branches[1])
    feeds = {"a": numbers(3), "c": np.bool_(True)}
    for y, message in (("r", "node 'grad' (Gradient) is not supported: only a run knows the rank of 'r'"),
                       ("s", "loc(\"grad/either\"): error: 'graph.if' op is not supported: its branches give result 0 as ")):
        nodes = [either, node("ReduceSum", ["r"], ["s"], keepdims=0), gradient(["a"], ["da"], y=y, zs=["c"])]
        made = model(nodes, feeds, ["s", "da"], {})
        made.graph.output[0].CopyFrom(info("s", F64, ()))
        onnx.save(made, folder / "m.onnx")
        result = call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.so")
        if result.code != 3 or message not in result.err:
            raise Failure(f"exit {result.code}, expected {message!r}: {result.err}")


def main():
    global MLC
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    MLC = args.mlc
    for add in (elementwise, products, windows, reductions, shapes, indices, networks):
        add()
    for test in (initializers, intermediate, other_values, second_order, in_a_function, casts, corners, open_sizes, refused):
        CASES[test.__name__] = test
    run_in_folders(CASES, args.jobs, args.only)


if __name__ == "__main__":
    main()
