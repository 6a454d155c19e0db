"""Floats of 8 bits: every conversion, as inputs and outputs of a model, in TensorProto files.

    python floats8.py --mlc build/release/bin/mlc

Every number of each type goes to f16, f32 and f64; numbers of f32, f16, f64 and i32 at, beside and between its numbers, beyond
them, infinite and no numbers, come to it with `saturate` and without, for each machine that this one can run. The bits are those
of ml_dtypes, which rounds once.
"""
import argparse
import sys
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
from onnx import helper, numpy_helper

from halves import check_bits, to_odd_f32
from harness import Failure, call, run_all
from shapes_random import possible_targets

TYPES = {name: np.dtype(getattr(ml_dtypes, name)) for name in ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")}


def numbers(dtype):
    """Those of the type in f64, the middles of neighbours, what lies beside these, and what lies beyond."""
    values = np.arange(256, dtype=np.uint8).view(dtype).astype(np.float64)
    finite = np.unique(values[np.isfinite(values)])
    middles = (finite[1:] + finite[:-1]) / 2
    largest, step = finite[-1], finite[-1] - finite[-2]
    beyond = largest + step * np.array([0.25, 0.5, 0.5000001, 1, 1.5, 4, 1000])
    special = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-30, -1e-30, 3e38, -3e38])
    return np.concatenate([values, middles, middles * (1 + 2e-7), middles * (1 - 2e-7), beyond, -beyond, special])


def saturated(data, dtype):
    """ml_dtypes knows no saturation."""
    largest = float(ml_dtypes.finfo(dtype).max)
    return np.clip(single(data), -largest, largest).astype(dtype)


def single(data):
    """In f32, by which ml_dtypes takes f64: odd where that is not exact, so that nothing is rounded twice."""
    return to_odd_f32(data) if data.dtype == np.float64 else data.astype(np.float32)


def conversions():
    """name: (what goes in, what has to come out, saturate)"""
    with np.errstate(over="ignore", invalid="ignore"):
        for name, dtype in TYPES.items():
            every = np.arange(256, dtype=np.uint8).view(dtype)
            for to in (np.float16, np.float32, np.float64):
                yield f"{name} to {np.dtype(to).name}", every, every.astype(np.float32).astype(to), 1
            for of in (np.float16, np.float32, np.float64):
                data = numbers(dtype).astype(of)
                yield f"{np.dtype(of).name} to {name}", data, single(data).astype(dtype), 0
                yield f"{np.dtype(of).name} to {name}, saturating", data, saturated(data, dtype), 1
            whole = np.arange(-70000, 70000, 61).astype(np.int32)
            yield f"int32 to {name}", whole, whole.astype(np.float32).astype(dtype), 0
            yield f"int32 to {name}, saturating", whole, saturated(whole, dtype), 1


def test_conversions(mlc, target, folder):
    """All of them in one model."""
    nodes, inputs, outputs, given, wanted = [], [], [], [], []
    for i, (name, data, result, saturate) in enumerate(conversions()):
        kind = helper.np_dtype_to_tensor_dtype(result.dtype)
        (folder / f"x{i}.pb").write_bytes(numpy_helper.from_array(data, f"x{i}").SerializeToString())
        given += ["--input", f"x{i}={folder / f'x{i}.pb'}"]
        inputs.append(helper.make_tensor_value_info(f"x{i}", helper.np_dtype_to_tensor_dtype(data.dtype), data.shape))
        outputs.append(helper.make_tensor_value_info(f"y{i}", kind, data.shape))
        nodes.append(helper.make_node("Cast", [f"x{i}"], [f"y{i}"], name=name, to=kind, saturate=saturate))
        wanted.append((name, result))
    graph = helper.make_graph(nodes, "conversions", inputs, outputs)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9), folder / "m.onnx")
    for command in (("compile", folder / "m.onnx", "-o", folder / "m.so", "--target", target),
                    ("run", folder / "m.so", *given, "--output-dir", folder / "out", "--output-format=pb")):
        result = call(mlc, *command)
        if result.code:
            raise Failure(f"mlc {command[0]}: exit {result.code}: {result.first_line()}")
    for i, (name, result) in enumerate(wanted):
        got = onnx.TensorProto.FromString((folder / "out" / f"y{i}.pb").read_bytes())
        check_bits(f"{name}, --target={target}", numpy_helper.to_array(got), result)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", required=True)
    mlc = parser.parse_args().mlc
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as name:
        def test(target):
            folder = Path(name) / target
            folder.mkdir()
            test_conversions(mlc, target, folder)

        results = run_all({target: lambda target=target: test(target) for target in possible_targets()}, 2)
    failed = sum(isinstance(r, Failure) for r in results.values())
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
