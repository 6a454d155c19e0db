"""One artefact for all sizes: models with dimensions that have names, compiled once, run for several sizes; and what is told where
sizes do not agree.

    python dynamic.py --mlc build/release/bin/mlc

Results are compared with onnxruntime.
"""
import argparse
import os
from pathlib import Path

import numpy as np
import onnx


import dims
from dims import F32, I64, Graph, expect
from harness import Failure, call, check_close, run_in_folders, run_outputs, save_feeds
from run import reference

MLC = None


def matrix():
    """A product, a bias, softmax along a size that is known."""
    g = Graph("matrix")
    x = g.input("x", F32, ["batch", 16])
    return g.done(g("Softmax", g("Add", g("MatMul", x, g.weight(16, 8)), g.weight(8)), axis=-1), ["batch", 8])


def elements():
    """Broadcasts among two open sizes; transposes; reductions along an open one."""
    g = Graph("elements")
    x, z = g.input("x", F32, ["batch", "seq", 4]), g.input("z", F32, ["seq", 1])
    y = g("Mul", g("Add", x, z), g("Sigmoid", x))
    y = g("Transpose", y, perm=[2, 0, 1])
    return g.done(g("Sub", y, g("ReduceMax", y, axes=[2], keepdims=1)), None)


def joined():
    """Along an open size, twice; means over one, of floats and of integers."""
    g = Graph("joined")
    x, z = g.input("x", F32, ["batch", "past", 4]), g.input("z", F32, ["batch", "seq", 4])
    y = g("Concat", x, g("Relu", z), x, axis=1)
    mean = g("ReduceMean", y, axes=[1], keepdims=0)
    whole = g("ReduceMean", g("Cast", g("Mul", z, np.float32(10)), to=I64), axes=[1, 2], keepdims=1)
    return g.done(g("Add", g("Mul", y, g("Unsqueeze", mean, np.array([1]))), g("Cast", whole, to=F32)), None)


rng = np.random.default_rng(4)


def floats(*shape):
    return rng.standard_normal(shape).astype(np.float32)


SIZES = [0, 1, 2, 3, 17, 128]
PAIRS = [(1, 1), (2, 7), (3, 1), (1, 16), (2, 128)]
MODELS = [  # a model, and its inputs for each size
    (matrix, [{"x": floats(batch, 16)} for batch in SIZES]),
    (joined, [{"x": floats(b, p, 4), "z": floats(b, s, 4)} for b, p, s in [(1, 0, 1), (2, 3, 5), (3, 16, 1)]]),
    (elements, [{"x": floats(b, s, 4), "z": floats(s, 1)} for b, s in PAIRS]),
]


def check_model(folder, make, feeds):
    model, path = make(), folder / "m.onnx"
    onnx.save(model, path)
    expect(call(MLC, "compile", path, "-o", folder / "m.mlcm"), 0)
    for i, feed in enumerate(feeds):
        place = folder / str(i)
        place.mkdir()
        got = run_outputs(MLC, folder / "m.mlcm", save_feeds(feed, place), ["y"], place / "out", 2)
        check_close(["y"], got, reference(model.SerializeToString(), feed))


def two_inputs(folder):
    path = dims.small(folder)  # x: [batch, ?, 4], z: [batch, seq, 4]
    expect(call(MLC, "compile", path, "-o", folder / "m.mlcm"), 0)
    return folder / "m.mlcm"


def sizes_that_do_not_agree(folder):
    artefact = two_inputs(folder)

    def wrong(message, x, z):
        expect(call(MLC, "run", artefact, *save_feeds({"x": floats(*x), "z": floats(*z)}, folder)), 1, message)
    wrong("dimension 'batch' is 2 in input 'x' and 3 in input 'z'", (2, 3, 4), (3, 3, 4))
    wrong("sizes 'x.1' and 'seq' must be equal at 'Add_0', but are 3 and 5", (2, 3, 4), (2, 5, 4))
    wrong("expected shape [?, ?, 4], got [2, 3, 5]", (2, 3, 5), (2, 3, 4))
    expect(call(MLC, "run", artefact, *save_feeds({"x": floats(2, 3, 4), "z": floats(2, 3, 4)}, folder)), 0)


def what_must_be_known_is_told(folder):
    g = Graph("top")
    x = g.input("x", F32, ["batch", 8])
    values = g("TopK", g("Transpose", x, perm=[1, 0]), np.array([2]))
    onnx.save(g.done(g("Relu", values), None), folder / "m.onnx")
    expect(call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.mlcm"), 3,
           "size 'batch' of", "must be known when compiling: give it with --dim")
    if (folder / "m.mlcm").exists():
        raise Failure("an output was left behind")
    expect(call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.mlcm", "--dim", "batch=3"), 0)


def main():
    global MLC
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    MLC = args.mlc.resolve()
    tests = [sizes_that_do_not_agree, what_must_be_known_is_told]
    for make, feeds in MODELS:
        tests.append(lambda folder, make=make, feeds=feeds: check_model(folder, make, feeds))
        tests[-1].__name__ = make.__name__
    run_in_folders(tests, args.jobs)


if __name__ == "__main__":
    main()
