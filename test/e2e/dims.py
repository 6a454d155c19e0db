"""Models with dimensions that have no size, and with inputs that must be known: by `--dim`, `--input-value`, and from the inputs' files;
and what is told where they do not agree.

    python dims.py --mlc build/release/bin/mlc --translate build/release/bin/mlc-translate

The models compute their shapes from the sizes, in the graph, as exporters write that. Each is run for several sizes, compiled with
`--dim` and directly on inputs, and compared with onnxruntime.
"""
import argparse
import os
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from harness import Failure, call, check_close, run_in_folders, run_outputs, save_feeds
from run import reference

MLC = TRANSLATE = None
F32, I64 = TensorProto.FLOAT, TensorProto.INT64


class Graph:
    """Nodes by their results: `y = g("Relu", x)`."""

    def __init__(self, name):
        self.rng = np.random.default_rng(len(name))
        self.nodes, self.consts, self.inputs = [], [], []

    def __call__(self, op, *inputs, **attributes):
        self.nodes.append(helper.make_node(op, [i if isinstance(i, str) else self.const(i) for i in inputs], [f"t{len(self.nodes)}"],
                                           name=f"{op}_{len(self.nodes)}", **attributes))
        return self.nodes[-1].output[0]

    def const(self, value):
        self.consts.append(numpy_helper.from_array(np.asarray(value), f"c{len(self.consts)}"))
        return self.consts[-1].name

    def weight(self, *shape):
        return self.const((self.rng.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32))

    def input(self, name, dtype, dims):
        self.inputs.append(helper.make_tensor_value_info(name, dtype, dims))
        return name

    def size(self, value, dim):
        """One number of a shape, as torch asks for it."""
        return self("Gather", self("Shape", value), np.int64(dim), axis=0)

    def shape(self, *sizes):
        return self("Concat", *[self("Unsqueeze", s, np.array([0])) if isinstance(s, str) else np.array([s]) for s in sizes], axis=0)

    def done(self, result, dims):
        self.nodes[-1].output[0] = "y"
        graph = helper.make_graph(self.nodes, "g", self.inputs, [helper.make_tensor_value_info("y", F32, dims)], self.consts)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def convolutions():
    """x.view(x.size(0), -1), and a picture made twice as large, by its own size."""
    g = Graph("convolutions")
    x = g.input("x", F32, ["batch", 3, "height", "width"])
    y = g("Relu", g("Conv", x, g.const((g.rng.standard_normal((8, 3, 3, 3)) / 5).astype(np.float32)), pads=[1, 1, 1, 1], strides=[2, 2]))
    start = g("Slice", g("Shape", y), np.array([0]), np.array([2]), np.array([0]))
    end = g("Mul", g("Slice", g("Shape", y), np.array([2]), np.array([4]), np.array([0])), np.array([2]))
    y = g("Resize", y, "", "", g("Concat", start, end, axis=0), mode="nearest")
    y = g("Reshape", g("GlobalAveragePool", y), g.shape(g.size(x, 0), -1))
    return g.done(g("Gemm", y, g.weight(8, 5)), ["batch", 5])


def attention():
    """Heads by Shape, Gather, Concat and Reshape; a causal mask by Range and Where; a mask of padding by Expand."""
    g = Graph("attention")
    x, mask = g.input("x", F32, ["batch", "seq", 16]), g.input("mask", I64, ["batch", "seq"])
    batch, seq = g.size(x, 0), g.size(x, 1)

    def heads():
        return g("Transpose", g("Reshape", g("MatMul", x, g.weight(16, 16)), g.shape(batch, seq, 4, 4)), perm=[0, 2, 1, 3])
    scores = g("Div", g("MatMul", heads(), g("Transpose", heads(), perm=[0, 1, 3, 2])), g("Sqrt", g("Cast", np.int64(4), to=F32)))
    steps = g("Range", np.int64(0), seq, np.int64(1))
    later = g("Greater", g("Unsqueeze", steps, np.array([0])), g("Unsqueeze", steps, np.array([1])))
    scores = g("Where", later, np.float32(-1e9), scores)
    padding = g("Expand", g("Unsqueeze", mask, np.array([1, 2])), g.shape(batch, 1, seq, seq))
    scores = g("Where", g("Equal", padding, np.int64(0)), np.float32(-1e9), scores)
    mixed = g("Transpose", g("MatMul", g("Softmax", scores, axis=-1), heads()), perm=[0, 2, 1, 3])
    return g.done(g("Reshape", mixed, g.shape(batch, seq, g("Mul", np.int64(4), np.int64(4)))), ["batch", "seq", 16])


def embedding():
    """Positions as a slice of a table, and ConstantOfShape, Equal and Where to make the shape of Expand, as torch.expand(-1, n)."""
    g = Graph("embedding")
    ids = g.input("ids", I64, ["batch", "seq"])
    table = g.const(np.arange(32)[None])
    places = g("Slice", table, np.array([0]), g("Unsqueeze", g.size(ids, 1), np.array([0])), np.array([1]))
    wanted = g.shape(g.size(ids, 0), -1)
    ones = g("ConstantOfShape", g("Shape", wanted), value=helper.make_tensor("one", I64, [1], [1]))
    wanted = g("Where", g("Equal", wanted, g("Mul", ones, np.int64(-1))), ones, wanted)
    y = g("Add", g("Gather", g.weight(50, 8), ids), g("Gather", g.weight(32, 8), g("Expand", places, wanted)))
    return g.done(y, ["batch", "seq", 8])


def halves():
    """Split in the middle of an odd or even size: rotated as in RoPE; a dimension without a name, and one that is 2 of another."""
    g = Graph("halves")
    x, w = g.input("x", F32, ["batch", None, 6]), g.input("w", F32, ["batch", "half"])
    n = g("Shape", x, start=1, end=2)
    middle = g("Div", n, np.array([2]))
    first = g("Slice", x, np.array([0]), middle, np.array([1]))
    second = g("Slice", x, middle, np.array([2**62]), np.array([1]))
    y = g("Concat", g("Neg", second), first, axis=1)
    pads = g("Concat", np.array([0]), middle, np.array([0, 0]), axis=0)
    w = g("Pad", w, pads)
    return g.done(g("Mul", y, g("Unsqueeze", w, np.array([2]))), None)


def picture(batch, height, width):
    return {"x": rng.standard_normal((batch, 3, height, width)).astype(np.float32)}


def sequence(batch, seq):
    mask = np.ones((batch, seq), np.int64)
    mask[:, seq - seq // 3:] = 0
    return {"x": rng.standard_normal((batch, seq, 16)).astype(np.float32), "mask": mask}


def tokens(batch, seq):
    return {"ids": rng.integers(0, 50, (batch, seq))}


def odd(batch, n, half):
    return {"x": rng.standard_normal((batch, n, 6)).astype(np.float32), "w": rng.standard_normal((batch, half)).astype(np.float32)}


rng = np.random.default_rng(18)
RUNS = [  # a model, its inputs for sizes, the flags that say the same
    (convolutions, picture(1, 8, 8), ["batch=1", "height=8", "width=8"]),
    (convolutions, picture(3, 17, 10), ["batch=3", "height=17", "x.3=10"]),
    (attention, sequence(1, 1), ["batch=1", "seq=1"]),
    (attention, sequence(2, 7), ["x.0=2", "mask.0=2", "seq=7"]),
    (attention, sequence(3, 16), ["batch=3", "seq=16"]),
    (embedding, tokens(1, 1), ["batch=1", "seq=1"]),
    (embedding, tokens(4, 32), ["batch=4", "seq=32", "ids.1=32"]),
    (halves, odd(1, 7, 4), ["batch=1", "x.1=7", "half=4"]),
    (halves, odd(2, 8, 4), ["batch=2", "x.1=8", "half=4"]),
]


def dim_flags(dims):
    return [part for d in dims for part in ("--dim", d)]


def expect(result, code, *messages):
    if result.code != code:
        raise Failure(f"expected exit {code}, got {result.code}: {result.err.strip()[:400]}")
    for message in messages:
        if message not in result.err:
            raise Failure(f"expected {message!r} in: {result.err.strip()[:600]}")


def check_run(folder, make, given, dims):
    path, flags = folder / "m.onnx", save_feeds(given, folder)
    model = make()
    onnx.save(model, path)
    wanted = reference(model.SerializeToString(), given)
    expect(call(MLC, "compile", path, "-o", folder / "m.mlcm", *dim_flags(dims)), 0)
    check_close(["y"], run_outputs(MLC, folder / "m.mlcm", flags, ["y"], folder / "compiled", 2), wanted)
    check_close(["y"], run_outputs(MLC, path, flags, ["y"], folder / "direct", 2), wanted)
    expect(call(TRANSLATE, "--import-onnx", path, *dim_flags(dims), "-o", folder / "m.mlir"), 0)
    if "?" in (folder / "m.mlir").read_text():
        raise Failure("mlc-translate leaves sizes open")


def small(folder):
    """x + z + s of two inputs that share a dimension, one without a name, one fixed."""
    g = Graph("small")
    g.input("x", F32, ["batch", None, 4]), g.input("z", F32, ["batch", "seq", 4])
    path = folder / "m.onnx"
    onnx.save(g.done(g("Add", "x", "z"), ["batch", "seq", 4]), path)
    return path


def save(folder, **shapes):
    return save_feeds({name: np.ones(shape, np.float32) for name, shape in shapes.items()}, folder)


def no_sizes_are_told_with_flags(folder):
    result = call(MLC, "split", small(folder), folder / "kernels")
    expect(result, 3, "dimension 0 of input 'x' has no size in the model: give it with --dim 'batch=SIZE'",
           "dimension 1 of input 'x' has no size in the model: give it with --dim 'x.1=SIZE'",
           "dimension 1 of input 'z' has no size in the model: give it with --dim 'seq=SIZE'")
    if result.err.count("error") != 3:
        raise Failure(f"told more than once: {result.err}")
    expect(call(MLC, "inspect", small(folder), "--level", "import"), 0)  # which needs none


def wrong_flags(folder):
    path, out = small(folder), folder / "m.mlcm"

    def wrong(message, *dims, code=1):
        expect(call(MLC, "compile", path, "-o", out, *dim_flags(dims)), code, message)
        if out.exists():
            raise Failure("an output was left behind")
    wrong("no input has an open dimension 'bacth', did you mean 'batch'? there are 'batch', 'x.1', 'seq'", "bacth=4")
    wrong("no input has an open dimension 'frobnication': there are 'batch', 'x.1', 'seq'", "frobnication=4")
    wrong("no input has an open dimension 'x.9'", "x.9=4")
    wrong("dimension 'batch' has two sizes: by 'batch=4' and by 'z.0=5'", "batch=4", "z.0=5")
    wrong("dimension 2 of input 'x' is 4 in the model, but 'x.2=5' is given", "x.2=5")
    for bad in "batch", "batch=", "=4", "batch=-1", "batch=4x", "batch=9223372036854775808":
        wrong(f"expected NAME=SIZE for a dimension, the size from 0 to 2^63 - 1, got '{bad}'", bad)
    wrong("'x' has more elements than fit in 64 bits", "batch=9223372036854775807", "x.1=2", "seq=2")
    wrong("sizes 3 and 5 do not broadcast", "batch=2", "x.1=3", "seq=5")
    expect(call(MLC, "compile", path, "-o", out, *dim_flags(["batch=2", "x.1=3", "seq=3", "x.2=4"])), 0)
    expect(call(MLC, "inspect", out, "--dim", "batch=2"), 1, "--dim is for ONNX models")
    expect(call(MLC, "run", out, *save(folder, x=(2, 3, 4), z=(2, 3, 4)), "--dim", "batch=2"), 1, "--dim is for ONNX models")
    (folder / "m.mlir").write_text("func.func @main() { return }\n")
    expect(call(MLC, "compile", folder / "m.mlir", "-o", out, "--dim", "batch=2"), 1, "--dim is for ONNX models")
    expect(call(TRANSLATE, "--export-llvmir", folder / "m.mlir", "--dim", "batch=2"), 1, "--dim is for --import-onnx")
    out.unlink()
    fixed = onnx.load(path)
    for i in fixed.graph.input:
        for d in i.type.tensor_type.shape.dim:
            d.dim_value = 4
    onnx.save(fixed, path)
    wrong("no input has an open dimension 'batch': all have their sizes", "batch=4")


def wrong_inputs(folder):
    path = small(folder)

    def wrong(message, *flags, **shapes):
        expect(call(MLC, "run", path, *save(folder, **shapes), *flags), 1, message)
    wrong("dimension 'batch' has two sizes: by 'x.0=2' and by 'z.0=5'", x=(2, 3, 4), z=(5, 3, 4))
    wrong("dimension 'batch' has two sizes: by 'batch=3' and by 'x.0=2'", "--dim", "batch=3", x=(2, 3, 4), z=(2, 3, 4))
    wrong("input 'z' is missing: --input z=FILE", x=(2, 3, 4))
    wrong("expected shape [?, ?, 4], got [3, 4]", x=(2, 3, 4), z=(3, 4))
    wrong("expected shape [?, ?, 4], got [2, 3, 5]", x=(2, 3, 4), z=(2, 3, 5))
    wrong("the model has no input 'w'; it has 'x', 'z'", x=(2, 3, 4), z=(2, 3, 4), w=(1,))


def a_declared_shape_that_is_another(folder):
    """The output's name of a dimension says what the operators do not: a warning, as with a number."""
    path = small(folder)
    model = onnx.load(path)
    model.graph.output[0].type.tensor_type.shape.dim[1].dim_param = "batch"
    onnx.save(model, path)
    expect(call(MLC, "compile", path, "-o", folder / "m.mlcm", *dim_flags(["batch=2", "x.1=3", "seq=3"])), 0,
           "output 'y' is declared with shape [2, 2, 4] but is tensor<2x3x4xf32>, which is used")


def other_verbs(folder):
    path, cache = small(folder), folder / "cache"
    flags = save(folder, x=(2, 3, 4), z=(2, 3, 4))
    dims = dim_flags(["batch=2", "seq=3", "x.1=3"])
    expect(call(MLC, "bench", path, *flags, "--min-time", "0"), 0)
    expect(call(MLC, "split", path, folder / "split", *dims), 0)
    expect(call(MLC, "split", path, folder / "split-by-input", *flags), 0)
    expect(call(MLC, "inspect", path, *dims), 0)
    for n in 2, 3, 2:  # another size is another model in the cache, the same one is found
        flags = save(folder, x=(n, 3, 4), z=(n, 3, 4))
        expect(call(MLC, "run", path, *flags, "--cache-dir", cache), 0)
        expect(call(MLC, "compile", path, "-o", folder / f"m{n}.mlcm", *dim_flags([f"batch={n}", "seq=3", "x.1=3"]),
                    "--cache-dir", cache), 0)
        expect(call(MLC, "run", folder / f"m{n}.mlcm", *flags), 0)


def reductions():
    """ReduceSum over axes that are an input, and the result in a shape that two inputs make; all else stays an input."""
    g = Graph("reductions")
    x, axes, rows, ids = g.input("x", F32, ["batch", 4, 6]), g.input("axes", I64, [1]), g.input("rows", I64, []), g.input("ids", I64, [2])
    y = g("Gather", g("ReduceSum", x, axes, keepdims=1), ids, axis=2)
    shape = g("Concat", g("Unsqueeze", g("Mul", rows, np.int64(2)), np.array([0])), np.array([-1]), axis=0)
    return g.done(g("Reshape", y, shape), None)


def check_values(folder, by_function):
    """Inputs are bound where they must be known: those of a run, with a note, or by flag; others stay inputs."""
    path = folder / "m.onnx"
    model = reductions()
    if by_function:  # the same in the body of a function of the model
        inner = helper.make_function("own", "body", [i.name for i in model.graph.input], ["y"], [
            *(helper.make_node("Constant", [], [c.name], value=c) for c in model.graph.initializer), *model.graph.node],
            [helper.make_opsetid("", 17)])
        graph = helper.make_graph([helper.make_node("body", [i.name for i in model.graph.input], ["y"], "call", domain="own")], "g",
                                  model.graph.input, model.graph.output)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("own", 1)], ir_version=8,
                                  functions=[inner])
    onnx.save(model, path)
    x, cache, compiled = rng.standard_normal((3, 4, 6)).astype(np.float32), folder / "cache", []
    for axis, rows, ids in (1, 1, [0, 5]), (0, 2, [1, 1]):
        given = {"x": x, "axes": np.array([axis]), "rows": np.array(rows), "ids": np.array(ids)}
        flags = save_feeds(given, folder)
        wanted = reference(model.SerializeToString(), given)
        run = call(MLC, "run", path, *flags, "--cache-dir", cache, "--output-dir", folder / "o")
        expect(run, 0, "input 'axes' must be known: compiled for its value", "input 'rows' must be known")
        if "'x'" in run.err or "'ids'" in run.err:
            raise Failure(f"bound without need: {run.err}")
        check_close(["y"], [np.load(folder / "o/y.npy")], wanted)
        if list(cache.glob("*.mlcm")) != compiled:
            raise Failure("a model of a run's values was kept")
        values = ["--input-value", flags[3], "--input-value", flags[5]]
        for _ in range(2):  # from the cache too
            expect(call(MLC, "compile", path, "-o", folder / "m.mlcm", "--dim", "batch=3", *values, "--cache-dir", cache), 0)
            check_close(["y"], run_outputs(MLC, folder / "m.mlcm", [*flags[:2], *flags[6:]], ["y"], folder / "compiled", 2), wanted)
        compiled = list(cache.glob("*.mlcm"))
        expect(call(MLC, "inspect", path, "--dim", "batch=3", *values), 0)
        check_close(["y"], run_outputs(MLC, path, [*flags[:2], *flags[6:], *values], ["y"], folder / "both", 2), wanted)
    if len(compiled) != 2:
        raise Failure(f"{len(compiled)} models in the cache for two values")


def values_of_inputs(folder):
    check_values(folder, False)


def values_in_a_function(folder):
    check_values(folder, True)


def all_inputs_are_values(folder):
    g = Graph("range")
    model = g.done(g("Range", *[g.input(name, F32, []) for name in ("start", "limit", "delta")]), ["n"])
    onnx.save(model, folder / "m.onnx")
    given = {"start": np.array(1, np.float32), "limit": np.array(5, np.float32), "delta": np.array(2, np.float32)}
    got = run_outputs(MLC, folder / "m.onnx", save_feeds(given, folder), ["y"], folder / "o", 1)
    check_close(["y"], got, reference(model.SerializeToString(), given))


def wrong_values(folder):
    path = folder / "m.onnx"
    onnx.save(reductions(), path)
    flags = save_feeds({"x": np.ones((3, 4, 6), np.float32), "axes": np.array([1]), "rows": np.array(1), "ids": np.array([0, 1]),
                        "wide": np.array([1, 2]), "real": np.ones(1, np.float32)}, folder)
    file = {flag.split("=")[0]: flag.split("=")[1] for flag in flags[1::2]}

    def wrong(message, *values, code=1):
        result = call(MLC, "compile", path, "-o", folder / "m.mlcm", "--dim", "batch=3", *[p for v in values for p in ("--input-value", v)])
        expect(result, code, message)
        if (folder / "m.mlcm").exists():
            raise Failure("an output was left behind")
    wrong("its input 'axes' is the model's, it must be a constant: give it with --input-value 'axes=FILE'", code=3)
    wrong("the model has no input 'axis'; it has 'x', 'axes', 'rows', 'ids'", f"axis={file['axes']}")
    wrong("expected shape [1], got [2]", f"axes={file['wide']}")
    wrong("expected type i64 (numpy's i8), got f4", f"axes={file['real']}")
    wrong("none.npy", f"axes={folder}/none.npy")
    wrong("input 'axes' is given twice", f"axes={file['axes']}", f"axes={file['axes']}")
    wrong("--input-value expects NAME=FILE, got 'axes'", "axes")
    expect(call(MLC, "run", path, *flags[:8], "--input-value", flags[3]), 1, "input 'axes' is given twice")
    (folder / "m.mlir").write_text("func.func @main() { return }\n")
    expect(call(MLC, "compile", folder / "m.mlir", "-o", folder / "m.so", "--input-value", "a=b"), 1,
           "--input-value is for ONNX models, '")


def main():
    global MLC, TRANSLATE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--translate", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    MLC, TRANSLATE = args.mlc.resolve(), args.translate.resolve()
    tests = [values_of_inputs, values_in_a_function, all_inputs_are_values, wrong_values, no_sizes_are_told_with_flags, wrong_flags, wrong_inputs, a_declared_shape_that_is_another, other_verbs]
    for i, run in enumerate(RUNS):
        tests.append(lambda folder, run=run: check_run(folder, *run))
        tests[-1].__name__ = f"{run[0].__name__}_{i}"
    run_in_folders(tests, args.jobs)


if __name__ == "__main__":
    main()
