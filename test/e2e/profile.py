"""What `--profile` and `--trace` tell of a run: each kernel once, in order, with what it computes.

    python profile.py --mlc build/release/bin/mlc
"""
import argparse
import json
import re
import sys
import tempfile
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

from harness import Failure, call

ROWS, INNER, COLUMNS = 6, 32, 48


def make(folder):
    """softmax(x A) B: two products with something between that no kernel of them takes in."""
    rng = np.random.default_rng(0)
    weights = [numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32), name)
               for name, shape in (("a", (INNER, COLUMNS)), ("b", (COLUMNS, INNER)))]
    nodes = [helper.make_node("MatMul", ["x", "a"], ["p"], name="first product"),
             helper.make_node("Softmax", ["p"], ["s"], name="softmax"),
             helper.make_node("MatMul", ["s", "b"], ["y"], name="second product")]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [ROWS, INNER])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [ROWS, INNER])], weights)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "m.onnx")
    np.save(folder / "x.npy", rng.standard_normal((ROWS, INNER)).astype(np.float32))


def expect(condition, what):
    if not condition:
        raise Failure(what)


def check(mlc, verb, model, folder):
    trace = folder / "trace.json"
    result = call(mlc, verb, model, "--input", f"x={folder}/x.npy", "--profile", "--trace", trace, "--threads", 1,
                  *(["--min-time", "0.01"] if verb == "bench" else []))
    expect(result.code == 0, f"exit {result.code}: {result.first_line()}")
    events = json.loads(trace.read_text())["traceEvents"]
    names = [e["name"] for e in events]
    places = [names.index(node) for node in ("first product", "softmax", "second product")]
    expect(places == sorted(places), f"kernels out of order: {names}")
    ends = 0.0
    for e in events:
        expect(e["ph"] == "X" and e["dur"] > 0 and e["ts"] >= ends, f"events overlap: {e}")
        ends = e["ts"] + e["dur"]
    products = [sum(e["args"]["flops"] for e in events if e["name"] == name) for name in ("first product", "second product")]
    expect(products == [2 * ROWS * INNER * COLUMNS] * 2, f"operations of the products: {products}")
    moved = next(e["args"]["bytes"] for e in events if e["name"] == "first product")
    expect(moved == 4 * (ROWS * INNER + INNER * COLUMNS + ROWS * COLUMNS), f"bytes of the first product: {moved}")
    rows = re.findall(r"^ *([\d.]+)% +([\d.]+) +([\d.]+) +([\d.]+) +(\d+)%  (\S+):", result.out, re.M)
    expect(len(rows) == len(events), f"{len(rows)} rows for {len(events)} kernels:\n{result.out}")
    expect(abs(sum(float(row[0]) for row in rows) - 100) < 0.1 * len(rows), "shares do not add up")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mlc", type=Path, required=True)
    mlc = parser.parse_args().mlc.resolve()
    with tempfile.TemporaryDirectory(prefix="mlc-profile-") as name:
        folder = Path(name)
        make(folder)
        code = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so").code
        failed = 0
        for verb in ("run", "bench"):
            for model in ("m.onnx", "m.so"):
                try:
                    expect(code == 0, "the model does not compile")
                    check(mlc, verb, folder / model, folder)
                except Failure as failure:
                    failed += 1
                    print(f"FAIL {verb} {model}: {failure}")
        print(f"{4 - failed} passed, {failed} failed")
        sys.exit(failed > 0)
