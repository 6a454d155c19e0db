"""What `--profile` and `--trace` tell of a run: each kernel once, in order, with what it computes.

    python profile.py --mlc build/release/bin/mlc
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

from harness import Failure, call, environment

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


def check_notes(mlc, model):
    """How each kernel is computed, and why."""
    result = call(mlc, "inspect", model)
    expect(result.code == 0, f"exit {result.code}: {result.first_line()}")
    kernels = re.split(r"^  (?=kernel_\d+: )", result.out, flags=re.M)
    product = next(k for k in kernels if "first product" in k)
    expect(f"{2 * ROWS * INNER * COLUMNS * 1e-6:.3f} MFLOP" in product, product)
    expect(re.search(rf"^      tiles of \d+x\d+ in {ROWS}x{COLUMNS}$", product, re.M), product)
    expect(re.search(r"^      (not parallel: |\d+ iterations shared out)", product, re.M), product)


def check_perf_map(mlc, model, folder):
    """perf finds functions by the nodes they compute; nothing is written unless asked for."""
    command = [str(a) for a in (mlc, "run", model, "--input", f"x={folder}/x.npy")]
    for flags in ([], ["--perf-map"]):
        with subprocess.Popen(command + flags, stdout=subprocess.DEVNULL, env=environment()) as p:
            code = p.wait(timeout=300)
        expect(code == 0, f"exit {code}")
        path = Path(f"/tmp/perf-{p.pid}.map")
        expect(path.exists() == bool(flags), f"{path} with {flags}")
    lines = [line.split(" ", 2) for line in path.read_text().splitlines()]
    path.unlink()
    names = [name for _, _, name in lines]
    for node in ("first_product@kernel_", "softmax@kernel_", "second_product@kernel_"):
        expect(any(name.startswith(node) for name in names), f"no function of {node} in {names}")
    ends = 0
    for begin, size, name in lines:
        expect(int(begin, 16) >= ends and int(size, 16) > 0, f"{name} overlaps")
        ends = int(begin, 16) + int(size, 16)


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
        checks = [lambda model=model: check_perf_map(mlc, folder / model, folder) for model in ("m.onnx", "m.so")]
        for test in [lambda: check_notes(mlc, folder / "m.so"), *checks]:
            try:
                test()
            except Failure as failure:
                failed += 1
                print(f"FAIL {failure}")
        print(f"{7 - failed} passed, {failed} failed")
        sys.exit(failed > 0)
