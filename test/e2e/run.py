"""Compares mlc with onnxruntime, end to end.

    python run.py cases  --mlc build/release/bin/mlc [--only TEXT] [--update]
    python run.py models --mlc build/release/bin/mlc --models FOLDER [--only TEXT]

`cases` are the small models of cases.py, `models` the demo model, linear_relu, and ResNet-50 and MobileNetV2 as
scripts/make_models.py makes them. Each is compiled once (`mlc compile`) and run with 1, 2 and 3 threads: the results are
within 1e-4 of onnxruntime's and have the same bits for any number of threads; models are also run without compiling first.
A case that mlc rejects with exit code 3 (an operator that is not there yet) must stand in expected-unsupported.txt, and a
case that stands there must be rejected: the list is the truth. --update writes it anew.
"""
import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

import cases as case_list
from harness import (UNSUPPORTED_EXIT, Failure, call, check_close, check_same_bits, run_all, run_outputs, save_feeds, worst_row)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXPECTED = HERE / "expected-unsupported.txt"
THREADS = (1, 2, 3)


class Unsupported(str):
    """What mlc said about a model that it rejects with exit code 3."""


def reference(model, feeds):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"]).run(None, feeds)


def compare(mlc, path, feeds, references, also_jit=False, by_rows=False):
    """The largest relative error of the model at `path` (of a row's largest number, or of the output's), or Unsupported."""
    names = [o.name for o in onnx.load(path, load_external_data=False).graph.output]
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as d:
        folder = Path(d)
        flags = save_feeds(feeds, folder)
        result = call(mlc, "compile", path, "-o", folder / "m.so")
        if result.code == UNSUPPORTED_EXIT:
            return Unsupported(result.err.strip().replace(str(path), path.name))
        if result.code:
            raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
        runs = [run_outputs(mlc, folder / "m.so", flags, names, folder / f"out{t}", t) for t in THREADS]
        error = check_close(names, runs[0], references)
        if by_rows:
            error = max(map(worst_row, runs[0], references))
        for threads, outputs in zip(THREADS[1:], runs[1:]):
            check_same_bits(names, runs[0], outputs, f"{threads} threads against 1")
        if also_jit:
            direct = run_outputs(mlc, path, flags, names, folder / "direct", 2)
            check_same_bits(names, runs[0], direct, "mlc run of the .onnx against the compiled .so")
        return error


# ---- the small cases

def read_expected():
    lines = EXPECTED.read_text().splitlines() if EXPECTED.exists() else []
    return [line.split("#")[0].strip() for line in lines if line.split("#")[0].strip()]


def write_expected(unsupported):
    head = ("# Cases of cases.py that mlc rejects with exit code 3, an operator or a form of it that is not there yet.\n"
            "# Written by `python run.py cases --update`; a test fails when this list and mlc do not agree.\n")
    lines = [f"{name}  # {', '.join(c.ops())}" for name, c in sorted(unsupported.items())]
    EXPECTED.write_text(head + "".join(line + "\n" for line in lines))


def run_cases(args):
    todo = {c.name: c for c in case_list.all_cases() if args.only in c.name}

    with tempfile.TemporaryDirectory(prefix="mlc-cases-") as d:
        def test(case):
            path = Path(d) / f"{case.name}.onnx"
            onnx.save(case.model, path)
            return compare(args.mlc, path, case.feeds, reference(case.model.SerializeToString(), case.feeds))
        results = run_all({name: lambda case=case: test(case) for name, case in todo.items()}, args.jobs)

    unsupported = {name: todo[name] for name, r in results.items() if isinstance(r, Unsupported)}
    failed = sum(isinstance(r, Failure) for r in results.values())
    if args.update and not args.only:
        write_expected(unsupported)
    expected = {name for name in read_expected() if args.only in name}
    for name in sorted(unsupported):
        print(f"unsupported {name}: {' | '.join(results[name].splitlines()[:3])[:200]}")
    for name in sorted(set(unsupported) - expected):
        print(f"FAIL {name}: rejected as unsupported, and not in {EXPECTED.name}")
    for name in sorted(expected - set(unsupported)):
        print(f"FAIL {name}: in {EXPECTED.name}, but not rejected as unsupported (or there is no such case)")
    failed += len(set(unsupported) ^ expected)
    errors = {n: r for n, r in results.items() if isinstance(r, float)}
    if errors:
        worst = max(errors, key=errors.get)
        print(f"largest relative error: {errors[worst]:.1e} ({worst})")
    print(f"{len(unsupported)} of {len(todo)} cases unsupported, {len(expected)} expected")
    return len(errors), failed


# ---- the models

def digits_feeds():
    z = np.load(ROOT / "examples/digits/heldout.npz")
    return {"image": z["images"][:1].astype(np.float32) / np.float32(255)}


def linear_relu_feeds():
    rng = np.random.default_rng(0)
    return {"x": rng.standard_normal((1, 3072), np.float32),
            "w": rng.standard_normal((200, 3072), np.float32) / np.float32(55)}


def check_plan(mlc, path):
    """The arena is at most 1.15 x the largest sum of tensors that live at one time."""
    result = call(mlc, "inspect", path, "--level", "affine")
    plan = {k: int(v) for k, v in re.findall(r"mlc\.(arena_bytes|live_bytes) = (\d+)", result.out[:100_000])}
    if result.code or len(plan) != 2:
        raise Failure(f"mlc inspect --level affine tells no plan: exit {result.code}: {result.first_line()}")
    if plan["arena_bytes"] > 1.15 * plan["live_bytes"]:
        raise Failure(f"the plan takes {plan['arena_bytes']} bytes where {plan['live_bytes']} are alive at most")
    print(f"{path.stem}: plan of {plan['arena_bytes']} bytes, {plan['live_bytes']} alive at most", flush=True)


def run_models(args):
    models = {}
    for name, feeds in (("digits", digits_feeds), ("linear_relu", linear_relu_feeds)):
        models[name] = (ROOT / f"examples/{name}/{name}.onnx", feeds, None)
    for name in ("resnet50", "mobilenet_v2"):
        base = args.models / name
        models[name] = (Path(f"{base}.onnx"), lambda base=base: {"input": np.load(f"{base}.input.npy")}, f"{base}.output.npy")

    def test(path, feeds, stored):
        feeds = feeds()
        references = [np.load(stored)] if stored else reference(str(path), feeds)
        result = compare(args.mlc, path, feeds, references, also_jit=True, by_rows=True)
        check_plan(args.mlc, path)
        if isinstance(result, Unsupported):
            raise Failure("rejected as unsupported:\n" + result)
        return result

    # One after the other: the larger ones need the machine's memory and cores for themselves.
    results = run_all({name: lambda m=m: test(*m) for name, m in models.items() if args.only in name}, 1)
    for name, r in results.items():
        if isinstance(r, float):
            print(f"{name}: error of the worst row {r:.1e}, same bits with {', '.join(map(str, THREADS))} threads")
    failed = sum(isinstance(r, Failure) for r in results.values())
    return len(results) - failed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["cases", "models"])
    parser.add_argument("--mlc", default=os.environ.get("MLC"), help="the mlc binary; default: $MLC")
    parser.add_argument("--models", type=Path, default=ROOT / "build/models", help="where make_models.py put its files")
    parser.add_argument("--only", default="", help="only names that contain this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--update", action="store_true", help=f"write {EXPECTED.name} anew")
    args = parser.parse_args()
    if not args.mlc or not os.access(args.mlc, os.X_OK):
        parser.error(f"no mlc binary at {args.mlc!r}: build it, and name it with --mlc or $MLC")
    onnxruntime.set_default_logger_severity(3)
    passed, failed = run_cases(args) if args.what == "cases" else run_models(args)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
