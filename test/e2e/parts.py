"""Models of which the interpreter runs a part: one artefact for all sizes, against numpy, and what is said.

    python parts.py --mlc build/release/bin/mlc [--only TEXT]
"""
import argparse
import os
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from harness import Failure, call, run_in_folders

MLC = None
F32, I64 = TensorProto.FLOAT, TensorProto.INT64
RANDOM = np.random.default_rng(3)


def value(name, shape, dtype=F32):
    return helper.make_tensor_value_info(name, dtype, shape)


def model(nodes, inputs, outputs, **constants):
    graph = helper.make_graph(nodes, "g", inputs, outputs, [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


def node(op, inputs, outputs=("y",), name="n", **attributes):
    return helper.make_node(op, inputs, list(outputs), name=name, **attributes)


def compiled(folder, made, *flags):
    onnx.save(made, folder / "m.onnx")
    return call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.so", *flags)


def run(folder, inputs, *flags):
    args = []
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy", array)
        args += ["--input", f"{name}={folder / name}.npy"]
    result = call(MLC, "run", folder / "m.so", *args, *flags, "--output-dir", folder)
    return result


def computes(made, reference, *all_inputs):
    """One artefact, with one warning; --require-compiled refuses, with the node."""
    def test(folder):
        folder = Path(folder)
        refused = compiled(folder, made, "--require-compiled")
        if refused.code != 3 or "n" not in refused.err or "means of elements that lie apart, of an unknown size" not in refused.err:
            raise Failure(f"exit {refused.code}: {refused.err}")
        result = compiled(folder, made)
        if result.code or result.err.count("warning:") != 1 or "interpreted, which is slow" not in result.err:
            raise Failure(f"exit {result.code}: {result.err}")
        for inputs in all_inputs:
            result = run(folder, inputs, "--profile")
            if result.code or "interpreted: " not in result.out:
                raise Failure(f"exit {result.code}: {result.err}")
            for name, want in reference(**inputs).items():
                got = np.load(folder / f"{name}.npy")
                if got.shape != want.shape or got.dtype != want.dtype or not np.array_equal(got, want, equal_nan=True):
                    raise Failure(f"{name}: got {got.tolist()}, expected {want.tolist()}")
    return test


def pool_model():
    return model([node("Relu", ["x"], ["r"], "before"),
                  node("AveragePool", ["r"], ["p"], kernel_shape=[2, 2], dilations=[2, 2]), node("Neg", ["p"], ["y"], "behind")],
                 [value("x", (1, 2, "h", 5))], [value("y", (1, 2, "g", 3))])


def pool(x):
    r = np.maximum(x, 0)
    return {"y": -((r[:, :, :-2, :-2] + r[:, :, :-2, 2:] + r[:, :, 2:, :-2] + r[:, :, 2:, 2:]) / np.float32(4))}


def rows(h):
    """Eighths, so that sums are exact in any order; and what is no number."""
    x = (RANDOM.integers(-40, 40, (1, 2, h, 5)) / 8).astype(np.float32)
    x[0, 0, 0, 0], x[0, 1, -1, 0] = np.nan, np.inf
    return {"x": x}


def without_compiler(folder):
    """The runtime finds the interpreter beside itself; and nothing of it is in an artefact that has no such part."""
    folder = Path(folder)
    if compiled(folder, model([node("Relu", ["x"])], [value("x", ("n", 3))], [value("y", ("n", 3))])).code:
        raise Failure("not compiled")
    if b"mlc_interpret_operator" in (folder / "m.so").read_bytes():
        raise Failure("the artefact names the interpreter")
    if compiled(folder, pool_model()).code or b"mlc_interpret_operator" not in (folder / "m.so").read_bytes():
        raise Failure("the artefact does not name the interpreter")


def tests():
    return {
        "pool": computes(pool_model(), pool, rows(3), rows(9), rows(4), rows(30)),
        "without-compiler": without_compiler,
    }


def main():
    global MLC
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    MLC = args.mlc.resolve()
    run_in_folders(tests(), os.cpu_count(), args.only)


if __name__ == "__main__":
    main()
