"""The contract of docs/numerics.md, held on whole models: those that the onnx package stores, or given ones.

    python numerics_of_models.py --mlc build/release/bin/mlc [--quick] [--only TEXT] [--against ADVERSARY] [--mode MODE] [--verbose] [MODEL.onnx...]

Every model that mlc takes runs on its own inputs and on what adversaries make of them, in each mode, with 1 and 2 threads; a given model has its inputs in MODEL.npz, as
`in:NAME`, and a table of its worst rows is printed. Rows are judged against float64 (onnx's ReferenceEvaluator, on the model in double) and beside onnxruntime.

What the arithmetic of f32 may do to a row is found by doing it: in further runs in double, all that a sum or a norm reads, and all that a node computes, is moved by an epsilon of f32,
up or down by chance. The largest change of a row is its `unit`. It is zero where data is only moved, and where all is zero.

- A row's error is at most UNITS of its units, or WORSE times onnxruntime's on that row; where the unit is zero the row is exact.
- Where the unit is at most WELL of the row's largest element, the row's error is at most 1e-5 of it.
- NaN is where both float64 and onnxruntime have it; what is finite in both is finite.
- Where samples do not influence each other in float64, those that were not poisoned have the bits that they have beside samples that nobody poisoned.

Under `fast` each row has the largest unit of all rows.
"""
import argparse
import math
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper, version_converter
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

import numerics
from harness import UNSUPPORTED_EXIT, Failure, call, check_same_bits, largest_of_rows, row_axes, run_all, run_outputs, save_feeds
from numerics import EPSILON, MODES, MOST, POISONED, POISONS, THREADS, TILE, TINY, WORSE
from onnx_backend import fed, stored_models
from plain import convolve, pooled_size, windows

UNITS = {"strict": 8, "default": 8, "fast": 64}
WELL = 10 * EPSILON
OLDEST = 13  # what mlc or onnxruntime do not take in an older opset is converted to this one
QUICK = {"plain", "mixed", "zero_samples", "poisoned_by_nan", "ids_extreme"}


# ---- adversaries of whole inputs

def scaled_by(factor):
    def scale(x, axis, rng):
        return x * factor

    scale.__name__ = f"scaled_by_{factor:g}"
    return scale


def one_channel_large(x, axis, rng):
    np.moveaxis(x, axis, 0)[x.shape[axis] // 2] *= 1000
    return x


def one_nan(x, axis, rng):
    x.flat[x.size // 3] = math.nan
    return x


def ids_equal(ids, count):
    return np.full_like(ids, ids.flat[0])


def ids_extreme(ids, count):
    return np.where(np.arange(ids.size).reshape(ids.shape) % 2, 0, count - 1).astype(ids.dtype)


OF_FLOATS = [*numerics.ADVERSARIES, scaled_by(1e-3), scaled_by(1e3), scaled_by(0), one_channel_large]
OF_IDS = [ids_equal, ids_extreme]
OF_GIVEN_MODELS = {"plain", "scaled_by_0.001", "scaled_by_1000", "scaled_by_0", "one_channel_large", "one_nan", "ids_equal", "ids_extreme"}


def num_rows(model, name):
    """Of the table that the ids `name` select from, directly or reshaped; 0 if there is none."""
    names, sizes = {name}, {t.name: t.dims for t in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Gather" and node.input[1] in names and node.input[0] in sizes:
            return sizes[node.input[0]][0]
        if node.op_type in ("Reshape", "Cast", "Identity") and node.input[0] in names:
            names.add(node.output[0])
    return 0


def attacked(model, feeds, adversary, seed):
    """What the adversary makes of the feeds; None where it finds nothing."""
    made, found = {}, False
    for index, (name, value) in enumerate(feeds.items()):
        made[name] = value
        if adversary in OF_IDS:
            if value.dtype.kind == "i" and (count := num_rows(model, name)):
                made[name], found = adversary(value, count), True
        elif value.dtype == np.float32 and value.ndim and value.size:
            x = adversary(value.astype(np.float64), 1 if value.ndim > 2 else -1, np.random.default_rng([seed, index]))
            with np.errstate(over="ignore"):
                made[name], found = x.astype(np.float32), True
    return made if found or adversary is numerics.plain else None


# ---- the model in float64

# What these give are numbers that they read; what the others give was computed.
EXACT = {"Abs", "Cast", "Clip", "Compress", "Concat", "Constant", "ConstantOfShape", "DepthToSpace", "Expand", "Flatten", "Gather", "GatherElements", "GatherND", "GlobalMaxPool",
         "Identity", "Max", "MaxPool", "Min", "Neg", "Pad", "ReduceMax", "ReduceMin", "Relu", "Reshape", "ScatterND", "Sign", "Slice", "SpaceToDepth", "Split", "Squeeze", "Tile",
         "TopK", "Transpose", "Trilu", "Unsqueeze", "Where"}
# These round on their way to a result, so what they read is moved too.
SUMS = {"AveragePool", "BatchNormalization", "Conv", "ConvTranspose", "Gemm", "GlobalAveragePool", "InstanceNormalization", "LayerNormalization", "LogSoftmax", "MatMul", "ReduceL2",
        "ReduceMean", "ReduceSum", "Softmax"}


class Nudge(OpRun):
    """Moves floats by an epsilon, or by the least that f32 has."""

    op_domain = "mlc.test"
    rng = np.random.default_rng(0)

    def _run(self, x):
        if x is None or x.dtype != np.float64:
            return (x,)
        with np.errstate(invalid="ignore", over="ignore"):
            step = np.where(x == 0, 0, np.maximum(np.abs(x) * EPSILON, TINY))
            return (x + np.where(self.rng.integers(2, size=x.shape, dtype=np.int8) == 1, step, -step),)


# Where the evaluator's own are slow, or wrong.

def no_auto_pad(auto_pad):
    if auto_pad not in (None, "NOTSET"):
        raise Failure(f"not in float64: auto_pad {auto_pad}")


class Conv(OpRun):
    def _run(self, x, w, b=None, auto_pad=None, dilations=None, group=None, kernel_shape=None, pads=None, strides=None):
        no_auto_pad(auto_pad)
        rank = x.ndim - 2
        y = convolve(x, w, strides or [1] * rank, dilations or [1] * rank, pads or [0] * 2 * rank, group or 1)
        return (y if b is None else y + b.reshape(-1, *[1] * rank),)


class MaxPool(OpRun):
    """NaN goes through, as mlc has it; the specification is silent."""

    def _run(self, x, auto_pad=None, ceil_mode=None, dilations=None, kernel_shape=None, pads=None, storage_order=None, strides=None):
        no_auto_pad(auto_pad)
        rank = x.ndim - 2
        shape = kernel_shape, strides or [1] * rank, dilations or [1] * rank, pads or [0] * 2 * rank
        return (np.max(windows(x, *shape, pooled_size(x.shape[2:], *shape, ceil_mode), -math.inf), axis=0),)


class MatMul(OpRun):
    def _run(self, a, b):
        if b.ndim == 2 and a.ndim > 2:  # otherwise a product for each of the leading dimensions
            return ((a.reshape(-1, a.shape[-1]) @ b).reshape(*a.shape[:-1], b.shape[-1]),)
        return (np.matmul(a, b),)


class BatchNormalization(OpRun):
    def _run(self, x, scale, bias, mean, var, epsilon=None, **ignored):
        scale, bias, mean, var = (v.reshape(-1, *[1] * (x.ndim - 2)) for v in (scale, bias, mean, var))
        return (scale * (x - mean) / np.sqrt(var + epsilon) + bias,)


class InstanceNormalization(OpRun):
    """NaN where squares leave the range of f32."""

    def _run(self, x, scale, bias, epsilon=None):
        axes = tuple(range(2, x.ndim))
        mean, var = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
        scale, bias = (v.reshape(-1, *[1] * (x.ndim - 2)) for v in (scale, bias))
        return (scale * (x - mean) / np.sqrt(np.where(var * x[0, 0].size < MOST, var, math.nan) + epsilon) + bias,)


class LogSoftmax(OpRun):
    def _run(self, x, axis=None):
        shifted = x - x.max(axis, keepdims=True)
        return (shifted - np.log(np.exp(shifted).sum(axis, keepdims=True)),)


class GatherElements(OpRun):
    def _run(self, data, indices, axis=0):
        return (np.take_along_axis(data, indices, axis or 0),)


OPS = [BatchNormalization, InstanceNormalization, LogSoftmax, Conv, MaxPool, MatMul, GatherElements, Nudge]


def as_double(array):
    return array.astype(np.float64) if array.dtype == np.float32 else array


def doubled(node):
    if node.op_type == "ConstantOfShape" and not node.attribute:
        node.attribute.append(helper.make_attribute("value", numpy_helper.from_array(np.zeros(1))))
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.TENSOR:
            attribute.t.CopyFrom(numpy_helper.from_array(as_double(numpy_helper.to_array(attribute.t))))
        if node.op_type == "Cast" and attribute.name == "to" and attribute.i == TensorProto.FLOAT:
            attribute.i = TensorProto.DOUBLE
    return node


def nudged(nodes):
    """The nodes, each with others around it that move what it reads and gives."""
    result = []

    def nudge(value, moved):
        result.append(helper.make_node("Nudge", [value], [moved], domain=Nudge.op_domain))
        return moved

    for index, node in enumerate(nodes):
        node = onnx.NodeProto.FromString(node.SerializeToString())
        if node.op_type in SUMS:
            node.input[:] = [name and nudge(name, f"{name}/read by {index}") for name in node.input]
        given = list(node.output)
        if node.op_type not in EXACT:
            node.output[:] = [name and f"{name}/exact" for name in given]
        result.append(node)
        for name, exact in zip(given, node.output):
            if name != exact:
                nudge(exact, name)
    return result


class Double:
    def __init__(self, model):
        self.weights = {t.name: as_double(numpy_helper.to_array(t)) for t in model.graph.initializer}
        graph = onnx.GraphProto.FromString(model.graph.SerializeToString())
        del graph.initializer[:]
        nodes = [doubled(node) for node in graph.node]
        self.outputs = [o.name for o in graph.output]
        opsets = [*model.opset_import, helper.make_opsetid(Nudge.op_domain, 1)]
        given = {i.name for i in graph.input}
        graph.input.extend(helper.make_tensor_value_info(name, TensorProto.DOUBLE, None) for name in self.weights if name not in given)

        def evaluator(nodes):
            del graph.node[:]
            graph.node.extend(nodes)
            return ReferenceEvaluator(helper.make_model(graph, opset_imports=opsets, ir_version=10), new_ops=OPS)

        self.exact, self.nudged = evaluator(nodes), evaluator(nudged(nodes))

    def run(self, feeds, evaluator=None):
        with np.errstate(all="ignore"):
            return (evaluator or self.exact).run(self.outputs, {**self.weights, **{name: as_double(value) for name, value in feeds.items()}})

    def units(self, feeds, wanted, runs):
        """The largest change of each row of each output, broadcast to its elements."""
        Nudge.rng = np.random.default_rng(0)
        changes = [np.zeros(np.shape(w)) for w in wanted]
        for _ in range(runs):
            for change, w, moved in zip(changes, wanted, self.run(feeds, self.nudged)):
                with np.errstate(invalid="ignore"):
                    np.maximum(change, np.nan_to_num(np.abs(as_double(moved) - w), nan=0, posinf=math.inf), out=change)
        return [np.broadcast_to(largest_of_rows(c, row_axes(c)), c.shape) for c in changes]


def samples(feeds):
    """How many samples a batch has, 0 if that is not clear."""
    counts = {len(v) for v in feeds.values() if v.ndim and v.dtype == np.float32}
    return counts.pop() if len(counts) == 1 and all(v.ndim for v in feeds.values()) else 0


def independent(double, feeds, wanted):
    """Whether another sample changes nothing of the rest; the results are samples too."""
    count, rng = samples(feeds), np.random.default_rng(0)
    if count < 2 or any(np.shape(w)[:1] != (count,) for w in wanted):
        return False
    other = {name: value.copy() for name, value in feeds.items()}
    for value in other.values():
        if value.dtype == np.float32:
            value[POISONED % count] = rng.standard_normal(value.shape[1:])
    rest = np.arange(count) != POISONED % count
    return all(np.allclose(w[rest], o[rest], rtol=1e-12, atol=0, equal_nan=True) for w, o in zip(wanted, double.run(other)))


# ---- judging

def in_tiles(wild):
    """Every result in a tile of Winograd's algorithm that has one, of any channel."""
    images = np.pad(wild.any(1), [(0, 0), *((0, -n % TILE) for n in wild.shape[2:])])
    tiles = images.reshape(len(wild), images.shape[1] // TILE, TILE, images.shape[2] // TILE, TILE).any((2, 4))
    return np.broadcast_to(tiles.repeat(TILE, 1).repeat(TILE, 2)[:, None, : wild.shape[2], : wild.shape[3]], wild.shape)


def judge(mode, wanted, unit, got, other, is_winograd):
    """Raises a Failure, or counts the rows by what they were judged by, and gives the worst rows' errors, mlc's and onnxruntime's."""
    if got.shape != wanted.shape:
        raise Failure(f"expected {list(wanted.shape)}, got {list(got.shape)}")
    if wanted.dtype.kind != "f" or not wanted.size:
        if got.tobytes() != other.tobytes():
            raise Failure("other integers than onnxruntime's")
        return Counter(exact=1), 0, 0
    wanted, got, other = (a.astype(np.float64) for a in (wanted, got, other))
    if mode == "fast":
        unit = np.broadcast_to(unit.max(), unit.shape)
    wild = ~(np.isfinite(unit) & np.isfinite(other) & (np.abs(wanted) + UNITS[mode] * unit < MOST))
    if is_winograd and wild.ndim == 4:
        wild = in_tiles(wild)
    if np.any(bad := ~np.isfinite(got) & ~wild):
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise Failure(f"{int(bad.sum())} results are not finite, the first at {at}: {got[at]} instead of {wanted[at]:.3g}")
    if np.any(bad := np.isnan(wanted) & np.isnan(other) & np.isfinite(got)):
        raise Failure(f"{int(bad.sum())} results should be NaN")

    def in_rows(values):
        return largest_of_rows(np.where(wild, 0, values), row_axes(wanted))

    with np.errstate(invalid="ignore"):
        mine, theirs, size, unit = (in_rows(a) for a in (got - wanted, other - wanted, wanted, unit))
    tame = in_rows(np.ones(wanted.shape)) > 0
    tiny = np.where(unit > 0, (4096 if is_winograd else 64) * TINY, 0)
    by_unit, well = mine <= UNITS[mode] * unit + tiny, (unit <= WELL * size) & (size > 1e-30)
    wrong = tame & ~by_unit & ~((mine <= WORSE * theirs) & (unit > 0)) | tame & well & (mine > 1e-5 * size)
    if mode == "fast":
        wrong &= ~by_unit
    if np.any(wrong):
        at = np.unravel_index(np.argmax(np.where(wrong, mine / np.maximum(unit, 1e-300), -1)), mine.shape)
        raise Failure(f"{int(wrong.sum())} of {wrong.size} rows are wrong, the worst at {tuple(map(int, at))} by {mine[at]:.3g}: {mine[at] / max(unit[at], 1e-300):.3g} units of {unit[at]:.3g}; "
                      f"its largest element is {size[at]:.3g}, onnxruntime's error {theirs[at]:.3g}")
    counts = Counter({"exact": int((tame & (unit == 0)).sum()), "well conditioned": int((tame & well & (unit > 0)).sum()), "by units alone": int((tame & ~well & by_unit & (unit > 0)).sum()),
                      "by onnxruntime": int((tame & ~by_unit).sum()), "beyond f32": int((~tame).sum())})

    def worst(errors):
        return float((errors / np.where(size > 0, size, 1)).max())

    return counts, worst(mine), worst(theirs)


def newer(model):
    """The model in opset OLDEST. A slope of PRelu-6 is one channel's: the converter leaves it to broadcast along the last dimension."""
    made = version_converter.convert_version(model, OLDEST)
    inputs = {i.name: i.type.tensor_type.shape.dim for i in made.graph.input}
    slopes = {node.input[1]: inputs[node.input[0]] for node in made.graph.node if node.op_type == "PRelu" and model.opset_import[0].version < 7}
    for weight in made.graph.initializer:
        if len(weight.dims) == 1 and weight.dims[0] > 1 and weight.name in slopes:
            weight.dims.extend([1] * (len(slopes[weight.name]) - 2))
            for size in weight.dims[1:]:
                inputs[weight.name].add().dim_value = size
    return made


def session_of(model):
    """onnxruntime's; it has no kernels for some operators of old opsets."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    try:
        return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented:
        return onnxruntime.InferenceSession(newer(model).SerializeToString(), options, providers=["CPUExecutionProvider"])


def runs(model, feeds):
    """Whether onnxruntime runs it."""
    try:
        session_of(model).run(None, feeds)
    except Exception:  # onnxruntime's have no base class
        return False
    return True


def with_constants(model, feeds):
    """The model with every input but the first as an initializer, and what is left to feed."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    first = next(iter(feeds))
    model.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in feeds.items() if name != first)
    kept = [i for i in model.graph.input if i.name == first or i.name not in feeds]
    del model.graph.input[:]
    model.graph.input.extend(kept)
    return model, {first: feeds[first]}


def is_left_out(model):
    """What is nudged and judged here are numbers that onnxruntime computes too, which has no Gradient; others are left to onnx_backend.py."""
    return any("Sequence" in node.op_type or node.op_type.startswith("String") or node.op_type == "Gradient" for node in model.graph.node)


def accepted(mlc, model, feeds, folder):
    """The model as mlc takes it and what it is fed: as it is, of a newer opset, or all inputs but the first constant; None if it is refused."""
    tries = [(model, feeds)] if runs(model, feeds) else []
    if any(not o.domain and o.version < OLDEST for o in model.opset_import):
        converted = newer(model)
        if runs(converted, feeds):
            tries.append((converted, feeds))
    if len(feeds) > 1:
        tries.append(with_constants(model, feeds))
    for tried in tries:
        onnx.save(tried[0], folder / "m.onnx")
        result = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so")
        if result.code not in (0, UNSUPPORTED_EXIT):
            raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
        if not result.code:
            return tried
    return None


class Whole:
    """One model against all adversaries."""

    def __init__(self, args, adversaries, model, feeds, folder):
        self.args, self.adversaries, self.folder = args, adversaries, folder
        self.counts, self.worst, self.lines, self.runs = Counter(), {}, [], 0
        taken = accepted(args.mlc, model, feeds, folder)
        self.refused = taken is None
        if not self.refused:
            self.model, self.feeds = taken
            self.check()

    def check(self):
        for mode in self.args.modes:
            result = call(self.args.mlc, "compile", self.folder / "m.onnx", "-o", self.folder / f"{mode}.so", "--numerics", mode)
            if result.code:
                raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
        session = session_of(self.model)
        self.names, double = [o.name for o in self.model.graph.output], Double(self.model)
        self.is_winograd = any(node.op_type == "Conv" and list(a.ints) == [3, 3] for node in self.model.graph.node for a in node.attribute if a.name == "kernel_shape")
        untouched = {}
        for adversary in self.adversaries:
            feeds = attacked(self.model, self.feeds, adversary, self.args.seed)
            if feeds is None:
                continue
            wanted = [np.asarray(w) for w in double.run(feeds)]
            units = double.units(feeds, wanted, self.args.nudges)
            others = session.run(self.names, feeds)
            if adversary is numerics.plain:
                self.independent = independent(double, feeds, wanted)
            for mode in self.args.modes:
                try:
                    got = self.run(mode, feeds, adversary)
                    if adversary is numerics.plain:
                        untouched[mode] = got
                    if not (mode == "fast" and adversary in POISONS):
                        self.judge(mode, adversary, wanted, units, got, others, untouched.get(mode))
                except Failure as failure:
                    self.lines.append(f"{mode}, {adversary.__name__}: {failure}")

    def run(self, mode, feeds, adversary):
        flags = save_feeds(feeds, self.folder)
        runs = [run_outputs(self.args.mlc, self.folder / f"{mode}.so", flags, self.names, self.folder / f"{mode}{t}", t) for t in THREADS]
        self.runs += len(runs)
        check_same_bits(self.names, *runs, "2 threads against 1")
        return runs[0]

    def judge(self, mode, adversary, wanted, units, got, others, untouched):
        for index, name in enumerate(self.names):
            try:
                counts, mine, theirs = judge(mode, wanted[index], units[index], got[index], np.asarray(others[index]), self.is_winograd and mode != "strict")
            except Failure as failure:
                raise Failure(f"output {name}: {failure}") from None
            self.counts += counts
            for who, error in ((mode, mine), ("onnxruntime", theirs)):
                at = (adversary.__name__, who)
                self.worst[at] = max(error, self.worst.get(at, 0))
            if adversary in POISONS and self.independent:
                rest = np.arange(len(got[index])) != POISONED % len(got[index])
                if got[index][rest].tobytes() != untouched[index][rest].tobytes():
                    raise Failure(f"output {name}: samples that nobody touched have other bits")
                self.counts["untouched samples, to the bit"] += int(rest.sum())


def load_given(path):
    with np.load(path.with_suffix(".npz")) as file:
        return onnx.load(path), {name[3:]: file[name] for name in file if name.startswith("in:")}


def load_stored(make):
    case = make()
    feeds = dict(zip([i.name for i in fed(case.model)], case.inputs, strict=True))
    if not all(isinstance(value, (np.ndarray, np.generic)) for value in feeds.values()):
        return case.model, {}
    return case.model, {name: np.asarray(value) for name, value in feeds.items()}


def print_table(name, whole):
    for adversary in dict.fromkeys(adversary for adversary, _ in whole.worst):
        print(f"| {name} | {adversary} |", " | ".join(f"{whole.worst[adversary, who]:.1e}" if (adversary, who) in whole.worst else "" for who in (*MODES, "onnxruntime")), "|", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    onnxruntime.set_default_logger_severity(4)
    parser.add_argument("models", nargs="*", type=Path, help="default: those that the onnx package stores")
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(sorted(QUICK))}, and no models of 224 x 224 pixels")
    parser.add_argument("--only", default="", help="only models whose name contains this")
    parser.add_argument("--against", default="", help="only adversaries whose name contains this")
    parser.add_argument("--mode", choices=MODES, action="append", dest="modes", help="only these modes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nudges", type=int, default=4, help="runs in double that are moved by an epsilon")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="the worst rows of each model")
    args = parser.parse_args()
    args.modes = args.modes or MODES
    every = [*OF_FLOATS, one_nan, *OF_IDS] if args.models else [*OF_FLOATS, *OF_IDS]
    only = OF_GIVEN_MODELS if args.models else QUICK if args.quick else {a.__name__ for a in every}
    adversaries = [a for a in every if a is numerics.plain or a.__name__ in only and args.against in a.__name__]
    if args.models:
        cases = {path.stem: lambda path=path: load_given(path) for path in args.models}
    else:
        stored = {name: make for name, make in stored_models().items() if not (args.quick and name.startswith("light/"))}
        others = [name for name, make in stored.items() if name.startswith("simple/") and is_left_out(make().model)]
        cases = {name: lambda make=make: load_stored(make) for name, make in stored.items() if name not in others}
        print(f"of sequences, strings or gradients, judged by onnx_backend.py: {', '.join(others) or 'none'}")
    with tempfile.TemporaryDirectory(prefix="mlc-models-") as scratch:
        def test(name):
            with tempfile.TemporaryDirectory(dir=scratch) as folder:
                whole = Whole(args, adversaries, *cases[name](), Path(folder))
                if args.models or args.verbose:
                    print_table(name, whole)
                for line in whole.lines:
                    print(f"FAIL {name}, {line}", flush=True)
                return whole

        results = run_all({name: lambda name=name: test(name) for name in cases if args.only in name}, args.jobs)
    wholes = {name: r for name, r in results.items() if not isinstance(r, Failure)}
    taken, counts = [w for w in wholes.values() if not w.refused], Counter()
    for whole in taken:
        counts += whole.counts
    print("refused:", ", ".join(name for name, whole in wholes.items() if whole.refused) or "none")
    print(f"{len(taken)} models, {sum(w.independent for w in taken)} of independent samples, {sum(w.runs for w in taken)} runs; rows:", ", ".join(f"{n} {rule}" for rule, n in counts.items()))
    failed = len(results) - len(wholes) + sum(bool(w.lines) for w in taken)
    refused = len(wholes) - len(taken)
    print(f"{len(results) - failed - refused} passed, {failed} failed, {refused} not supported")
    return failed != 0 or not taken


if __name__ == "__main__":
    sys.exit(main())
