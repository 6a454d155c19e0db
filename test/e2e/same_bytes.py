"""An artefact is a function of model, options and target: compiled again and again, beside busy processes, by other
numbers of threads, on other processors, from other folders, in other environments, on other heaps, its bytes are the same.

    MLC_SAME_BYTES_RUNS=20 python same_bytes.py --mlc build/release/bin/mlc [--models more/*.onnx]
"""
import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx

import cases
from harness import Crash, Failure, call, run_in_folders

ROOT = Path(__file__).resolve().parent.parent.parent
RUNS = int(os.environ.get("MLC_SAME_BYTES_RUNS", "3"))
MLC = None
MORE = []


def build(name, make):
    """A model of cases.py's kind that is none of its cases."""
    b = cases.Build(name)
    b.done(make(b))
    return cases.CASES.pop(name).model


def folding(b):
    """Constants computed from constants, beyond what is folded when compiling: where that ends is in the bytes."""
    x = b.input((4, 512))
    for i in range(12):
        w = b.op("MatMul", b.const((256, 512)), b.const((512, 512)))
        w = b.op("Sigmoid", b.op("Add", w, b.const((1, 512))))
        x = b.op("MatMul", x, b.op("Transpose", w, perm=[1, 0])) if i % 2 == 0 else b.op("MatMul", x, w)
    return x


def images(b):
    """By Winograd's algorithm and in groups, pooled, to a product."""
    x = b.input((1, 3, 32, 32))
    x = cases.conv_block(b, x, 64, 3)
    x = cases.conv_block(b, x, 64, 64)
    x = b.op("Relu", b.op("Conv", x, b.const((64, 1, 3, 3)), b.const((64,)), group=64, pads=[1, 1, 1, 1]))
    x = b.op("GlobalAveragePool", b.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2]))
    return b.op("Gemm", b.op("Flatten", x), b.const((100, 64)), b.const((100,)), transB=1)


def product(b):
    """Large: by Strassen's algorithm, where that is allowed."""
    return b.op("Softmax", b.op("MatMul", b.op("MatMul", b.input((512, 1024)), b.const((1024, 1024))), b.const((1024, 768))))


def models(folder):
    made = {"folding": build("folding", folding), "images": build("images", images), "product": build("product", product)}
    made |= {c.name: c.model for c in cases.all_cases() if c.name in ("graph-encoder-block", "graph-decode-step")}
    for name, model in made.items():
        onnx.save(model, folder / f"{name}.onnx")
    return [ROOT / "examples/digits/digits.onnx", *(folder / f"{name}.onnx" for name in made), *MORE]


def compile_once(model, folder, run, flags):
    """The i-th way of compiling it."""
    place = folder / ("x" * (1 + 37 * run % 200))
    place.mkdir(exist_ok=True)
    rng = np.random.default_rng(run)
    env = {"HOME": str(place), "LANG": "C" if run % 2 else "de_DE.UTF-8", "TZ": f"UTC{run % 12}", "MLC_CACHE_DIR": "",
           "MALLOC_PERTURB_": str(run * 37 % 256), "MALLOC_ARENA_MAX": str(1 + run % 3), "PADDING": "y" * int(rng.integers(5000)),
           "PATH": os.environ["PATH"], "ASAN_OPTIONS": "detect_leaks=0"}
    threads = ["--threads", str(1 + run % 2)] if run % 3 else []
    cores = {sorted(os.sched_getaffinity(0))[0]} if run % 4 == 3 else os.sched_getaffinity(0)
    p = subprocess.run([MLC, "compile", model, "-o", place / "m.mlcm", *threads, *flags], cwd=place, env=env, timeout=600,
                       capture_output=True, preexec_fn=lambda: os.sched_setaffinity(0, cores))
    if p.returncode:
        raise Crash(f"exit {p.returncode}: {p.stderr.decode(errors='replace')[-600:]}")
    return (place / "m.mlcm").read_bytes()


def differences(first, other):
    if len(first) != len(other):
        return f"{len(first)} and {len(other)} bytes"
    at = np.flatnonzero(np.frombuffer(first, np.uint8) != np.frombuffer(other, np.uint8))
    return f"{len(at)} bytes differ, the first at {at[0]}"


def compile_all(folder, flags):
    for model in models(folder):
        first = compile_once(model, folder, 0, flags)
        for run in range(1, RUNS):
            other = compile_once(model, folder, run, flags)
            if other != first:
                raise Failure(f"{model.stem}: run {run} is another artefact: {differences(first, other)}")
        print(f"{model.stem}: {RUNS} compilations, sha256 {hashlib.sha256(first).hexdigest()[:16]}", flush=True)


def for_the_host(folder):
    compile_all(folder, [])


def for_another_machine(folder):
    compile_all(folder, ["--target", "x86-64-v3", "--numerics", "fast"])


def some_is_folded_and_some_is_not(folder):
    """The model that is to hold the budget of folding to its word meets it."""
    models(folder)
    result = call(MLC, "inspect", folder / "folding.onnx", "--level", "graph")
    kinds = [result.out.count(f"graph.{op} ") for op in ("matmul", "sigmoid")]
    if not (12 < kinds[0] < 24 and 0 < kinds[1] < 12):
        raise Failure(f"{kinds} products and sigmoids are left of 24 and 12")


TESTS = [for_the_host, for_another_machine, some_is_folded_and_some_is_not]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--models", type=Path, nargs="*", default=[])
    arguments = parser.parse_args()
    MLC, MORE = arguments.mlc.resolve(), [m.resolve() for m in arguments.models]
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        run_in_folders(TESTS, jobs=1)
    finally:
        for p in busy:
            p.kill()
