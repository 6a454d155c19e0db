"""ONNX's own tests of single operators, from the installed onnx package, through mlc.

    python onnx_backend.py --mlc build/release/bin/mlc [--only TEXT] [--verbose]

What mlc rejects with exit code 3 is tried once more with all inputs but the first as constants (shapes, axes and the like are
inputs in these models). A test that runs must give ONNX's numbers; the operators of which none runs are listed.
"""
import argparse
import sys
import tempfile
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from harness import UNSUPPORTED_EXIT, Failure, call, run_all, run_outputs, save_feeds

UNSUPPORTED = "unsupported"
# align_corners by the exact size, scale * n, where onnxruntime and torch take the whole one that the result has.
OTHERWISE = {"test_resize_downsample_scales_linear_align_corners", "test_resize_downsample_scales_cubic_align_corners"}


def collect():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.case.node import collect_testcases
        return [c for c in collect_testcases(None) if c.kind == "node" and c.data_sets and is_main(c.model) and c.name not in OTHERWISE]


def is_main(model):
    """Whether it has operators of the main domain: there are those of machine learning and of training."""
    return any(not o.domain for o in model.opset_import)


def is_plain(value):
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "fiub"


def with_constants(model, feeds):
    """The model with every input but the first as an initializer, and what is left to feed."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    first = model.graph.input[0].name
    for name, value in feeds.items():
        if name != first:
            model.graph.initializer.append(numpy_helper.from_array(value, name))
    kept = [i for i in model.graph.input if i.name == first]
    del model.graph.input[:]
    model.graph.input.extend(kept)
    return model, {first: feeds[first]}


def compare(name, got, wanted, rtol, atol):
    if wanted.dtype == np.float16:
        rtol, atol = max(rtol, 4e-3), max(atol, 4e-3)
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        raise Failure(f"output {name}: expected {wanted.dtype}{list(wanted.shape)}, got {got.dtype}{list(got.shape)}")
    if not np.allclose(got.astype(np.float64), wanted.astype(np.float64), rtol=rtol, atol=atol, equal_nan=True):
        worst = np.nanmax(np.abs(got.astype(np.float64) - wanted.astype(np.float64)))
        raise Failure(f"output {name}: differs by up to {worst:.3g}")


def run_model(mlc, case, model, feeds, wanted, folder):
    """True after a comparison, False where the model is not supported."""
    onnx.save(model, folder / "m.onnx")
    result = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so")
    if result.code == UNSUPPORTED_EXIT:
        return False
    if result.code:
        raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
    names = [o.name for o in model.graph.output]
    outputs = run_outputs(mlc, folder / "m.so", save_feeds(feeds, folder), names, folder / "out", 1)
    for name, got, expected in zip(names, outputs, wanted):
        compare(name, got, np.asarray(expected), max(case.rtol, 1e-4), max(case.atol, 1e-5))
    return True


def test_case(mlc, case, folder):
    inputs, wanted = case.data_sets[0]
    names = [i.name for i in case.model.graph.input]
    if not all(map(is_plain, inputs)) or not all(map(is_plain, wanted)) or len(names) != len(inputs):
        return UNSUPPORTED
    feeds = dict(zip(names, map(np.asarray, inputs)))
    if run_model(mlc, case, case.model, feeds, wanted, folder):
        return "run"
    if len(feeds) > 1 and run_model(mlc, case, *with_constants(case.model, feeds), wanted, folder):
        return "run"
    return UNSUPPORTED


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true", help="list the tests that are not supported")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    cases = {c.name: c for c in collect() if args.only in c.name}
    with tempfile.TemporaryDirectory(prefix="mlc-backend-") as scratch:
        def test(name):
            with tempfile.TemporaryDirectory(dir=scratch) as folder:
                return test_case(args.mlc, cases[name], Path(folder))

        results = run_all({name: lambda name=name: test(name) for name in cases}, args.jobs)
    by_op = defaultdict(set)
    for name, result in results.items():
        by_op[" ".join(sorted({n.op_type for n in cases[name].model.graph.node}))].add(str(result) if result in ("run", UNSUPPORTED) else "failed")
        if args.verbose and result == UNSUPPORTED:
            print(f"unsupported {name}")
    print("not supported:", ", ".join(sorted(op for op, kinds in by_op.items() if kinds == {UNSUPPORTED})))
    run, failed = (sum(r == "run" for r in results.values()), sum(isinstance(r, Failure) for r in results.values()))
    print(f"{run} passed, {failed} failed, {len(results) - run - failed} not supported")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
