"""Models whose arena has a limit: the same bits in less memory, or a refusal that says what is in the way.

    python max_arena.py --mlc build/release/bin/mlc [--only TEXT]
"""
import argparse
import os
import re
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from harness import Failure, call, run_in_folders

MLC = None
F32 = TensorProto.FLOAT
RANDOM = np.random.default_rng(4)


def value(name, shape):
    return helper.make_tensor_value_info(name, F32, shape)


def model(nodes, x, y, **weights):
    graph = helper.make_graph(nodes, "g", [value("x", x)], [value("y", y)],
                              [numpy_helper.from_array(w.astype(np.float32), n) for n, w in weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def branches(count=5, rows=64):
    """All branches grow first and shrink then: in that order every one lies about."""
    names = range(count)
    nodes = [helper.make_node("MatMul", ["x", f"w{k}"], [f"big{k}"], f"grow{k}") for k in names]
    nodes += [helper.make_node("Softmax", [f"big{k}"], [f"s{k}"], f"soft{k}") for k in names]
    nodes += [helper.make_node("MatMul", [f"s{k}", f"v{k}"], [f"small{k}"], f"shrink{k}") for k in names]
    nodes.append(helper.make_node("Sum", [f"small{k}" for k in names], ["y"], "sum"))
    return model(nodes, (rows, 32), (rows, 8), **{f"w{k}": RANDOM.standard_normal((32, 1024)) / 8 for k in names},
                 **{f"v{k}": RANDOM.standard_normal((1024, 8)) for k in names})


def compiled(folder, *flags):
    return call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.so", *flags)


def arena_of(folder):
    return int(re.search(r"(\d+) bytes  arena", call(MLC, "inspect", folder / "m.so").out).group(1))


def calls_of(folder):
    """How many kernels a run calls."""
    out = call(MLC, "run", folder / "m.so", "--input", f"x={folder}/x.npy", "--profile").out
    return len(re.findall(r"  kernel_\d+: ", out))


def run(folder):
    result = call(MLC, "run", folder / "m.so", "--input", f"x={folder}/x.npy", "--output-dir", folder)
    if result.code:
        raise Failure(result.err)
    return np.load(folder / "y.npy")


def kept_by_order(folder):
    folder = Path(folder)
    onnx.save(branches(), folder / "m.onnx")
    np.save(folder / "x.npy", RANDOM.standard_normal((64, 32)).astype(np.float32))
    if compiled(folder).code:
        raise Failure("not compiled")
    before, want = arena_of(folder), run(folder)
    result = compiled(folder, f"--max-arena={before // 2}")
    if result.code or arena_of(folder) > before // 2:
        raise Failure(f"exit {result.code}: {result.err}")
    least = arena_of(folder)
    if not np.array_equal(run(folder), want):
        raise Failure("another result")
    if compiled(folder, f"--max-arena={least}").code or arena_of(folder) != least:
        raise Failure("the least that was found is refused")
    (folder / "m.so").unlink()
    result = compiled(folder, f"--max-arena={least - 1}")
    said = f"the arena needs {least} bytes, the least that was found, and --max-arena allows {least - 1}: 262144 bytes from 'grow"
    if result.code != 3 or said not in result.err or "to 'shrink" not in result.err or (folder / "m.so").exists():
        raise Failure(f"exit {result.code}: {result.err}")


def long_skip(depth):
    """What is made in the beginning, through `depth` products, is read at the end once more; in between is something as large."""
    nodes, made = [], "x"
    weights = {"down": RANDOM.standard_normal((1024, 32)) / 32, "up": RANDOM.standard_normal((32, 1024)) / 8, "last": RANDOM.standard_normal((1024, 8))}
    for k in range(depth):
        wide = 1024 if k == depth - 1 else 512
        weights[f"w{k}"] = RANDOM.standard_normal((512 if k else 32, wide)) / 8
        nodes += [helper.make_node("MatMul", [made, f"w{k}"], [f"p{k}"], f"p{k}"), helper.make_node("Softmax", [f"p{k}"], [f"s{k}"], f"s{k}")]
        made = f"s{k}"
    nodes += [helper.make_node("MatMul", [made, "down"], ["small"], "shrink"), helper.make_node("MatMul", ["small", "up"], ["big"], "grow"),
              helper.make_node("Softmax", ["big"], ["soft"], "soft"), helper.make_node("MatMul", ["soft", "one"], ["a"], "a"),
              helper.make_node("Mul", [made, "a"], ["gated"], "gate"), helper.make_node("MatMul", ["gated", "last"], ["y"], "last")]
    weights["one"] = RANDOM.standard_normal((1024, 1))
    return model(nodes, (64, 32), (64, 8), **weights)


def kept_by_recomputing(folder):
    folder = Path(folder)
    for depth, least in ((1, 262144 + 8192), (3, 262144 + 131072 + 256)):
        onnx.save(long_skip(depth), folder / "m.onnx")
        np.save(folder / "x.npy", RANDOM.standard_normal((64, 32)).astype(np.float32))
        if compiled(folder).code:
            raise Failure("not compiled")
        before, want, kernels = arena_of(folder), run(folder), calls_of(folder)
        if before < 2 * 262144 or compiled(folder, f"--max-arena={before}").code or calls_of(folder) != kernels:
            raise Failure(f"{before} bytes are kept as they are")
        if compiled(folder, f"--max-arena={least}").code or arena_of(folder) > least or calls_of(folder) != kernels + 2 * depth:
            raise Failure(f"{arena_of(folder)} bytes, {kernels} and {calls_of(folder)} kernels")
        if not np.array_equal(run(folder), want):
            raise Failure("another result")
        result = compiled(folder, f"--max-arena={least - 64}")
        if result.code != 3 or f"the arena needs {least} bytes, the least that was found" not in result.err:
            raise Failure(f"exit {result.code}: {result.err}")


def large(folder):
    """A chain with many side branches is ordered in time, always alike."""
    folder = Path(folder)
    nodes, last = [], "x"
    for k in range(300):
        nodes += [helper.make_node("MatMul", ["x", f"w{k}"], [f"a{k}"], f"a{k}"), helper.make_node("MatMul", [last, "w"], [f"b{k}"], f"b{k}")]
        last = f"b{k}"
    for k in range(300):
        nodes.append(helper.make_node("MatMul", [last, f"a{k}"], [f"c{k}"], f"c{k}"))
        last = f"c{k}"
    nodes.append(helper.make_node("Relu", [last], ["y"], "relu"))
    onnx.save(model(nodes, (16, 16), (16, 16), w=np.eye(16), **{f"w{k}": np.eye(16) * (k + 2) for k in range(300)}), folder / "m.onnx")
    if compiled(folder).code or arena_of(folder) < 300 * 1024:
        raise Failure("too small to begin with")
    files = []
    for _ in range(2):
        result = compiled(folder, "--max-arena=64KiB")
        if result.code:
            raise Failure(f"exit {result.code}: {result.err}")
        files.append((folder / "m.so").read_bytes())
    if files[0] != files[1]:
        raise Failure("not always the same")


def open_sizes(folder):
    folder = Path(folder)
    made = branches(2)
    made.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "n"
    made.graph.output[0].type.tensor_type.shape.dim[0].dim_param = "n"
    onnx.save(made, folder / "m.onnx")
    result = compiled(folder, "--max-arena=1GiB")
    said = "the arena's size depends on sizes that are known when the model runs, so --max-arena cannot be kept: give them with --dim"
    if result.code != 3 or said not in result.err:
        raise Failure(f"exit {result.code}: {result.err}")
    if compiled(folder, "--max-arena=1GiB", "--dim", "n=64").code:
        raise Failure("refused with --dim")
    result = compiled(folder, "--max-arena=much")
    if result.code != 1 or "option '--max-arena' expects a size such as 512MiB or 2GiB, got 'much'" not in result.err:
        raise Failure(f"exit {result.code}: {result.err}")


def main():
    global MLC
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    MLC = args.mlc.resolve()
    run_in_folders((kept_by_order, kept_by_recomputing, large, open_sizes), os.cpu_count(), args.only)


if __name__ == "__main__":
    main()
