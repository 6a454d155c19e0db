"""Compiles for AArch64, and runs what comes out under qemu-user, against onnxruntime.

    python other_machine.py --mlc build/release/bin/mlc [--every N]

The runtime is built by the cross compiler, with the program run_artefact.c. Without aarch64-linux-gnu-gcc or qemu-aarch64
the test is skipped (exit 77): Debian's gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user.
"""
import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

import cases as case_list
from harness import UNSUPPORTED_EXIT, Failure, call, check_close, check_same_bits, run_all
from quantized import TYPES, conv, matmul
from run import digits_feeds, reference

ROOT = Path(__file__).resolve().parent.parent.parent
COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"


def build_runtime(folder):
    sources = [*sorted((ROOT / "lib/runtime").glob("*.c")), *(ROOT / f"lib/support/{name}.c" for name in ("clock", "code_memory", "cpu", "places", "regex_match"))]
    subprocess.run([COMPILER, "-O1", "-static", "-std=gnu17", "-D_GNU_SOURCE", f"-I{ROOT}/include", f"-I{ROOT}/lib/runtime",
                    "-o", folder / "run_artefact", ROOT / "test/e2e/run_artefact.c", *sources, "-lm", "-lpthread"], check=True)
    return folder / "run_artefact"


def run_there(program, artefact, feeds, references, threads):
    inputs = []
    for i, value in enumerate(feeds.values()):
        inputs.append(artefact.with_name(f"in{i}"))
        np.ascontiguousarray(value).tofile(inputs[-1])
    result = call(EMULATOR, program, artefact, threads, artefact.with_name("out"), *inputs)
    if result.code:
        raise Failure(f"exit {result.code}: {result.first_line()}")
    return [np.fromfile(artefact.with_name(f"out{i}"), r.dtype).reshape(r.shape) for i, r in enumerate(references)]


def check(mlc, program, model, feeds):
    """The largest relative error, or None where the case is not supported."""
    names = [o.name for o in model.graph.output]
    references = reference(model.SerializeToString(), feeds)
    feeds = {i.name: feeds[i.name] for i in model.graph.input if i.name in feeds}
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as d:
        path, artefact = Path(d) / "m.onnx", Path(d) / "m.so"
        onnx.save(model, path)
        result = call(mlc, "compile", path, "-o", artefact, "--target=aarch64")
        if result.code == UNSUPPORTED_EXIT:
            return None
        if result.code:
            raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
        if "another kind of processor (aarch64)" not in call(mlc, "inspect", artefact).err:
            raise Failure("the artefact does not say that it is for another processor")
        one, two = (run_there(program, artefact, feeds, references, threads) for threads in (1, 2))
        check_same_bits(names, one, two, "2 threads against 1")
        return check_close(names, one, references)


def check_bits(mlc, program, made):
    """Products of bytes by the machine's dot products: 0.0, as no bit may differ."""
    model, feeds, wanted = made
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as d:
        path, artefact = Path(d) / "m.onnx", Path(d) / "m.so"
        onnx.save(model, path)
        result = call(mlc, "compile", path, "-o", artefact, "--target=aarch64-dotprod")
        if result.code:
            raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
        got, = run_there(program, artefact, feeds, [wanted], 1)
    if not np.array_equal(got, wanted):
        raise Failure(f"{(got != wanted).sum()} of {wanted.size} elements differ")
    return 0.0


def products_of_bytes():
    rng = np.random.default_rng(1)
    return {f"{make.__name__}-{left}-{right}{'-extreme' * extreme}": make(rng, TYPES[left], TYPES[right], extreme, not extreme)
            for make in (matmul, conv) for left in TYPES for right in TYPES for extreme in (False, True)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--every", type=int, default=8, help="one of so many of the cases")
    args = parser.parse_args()
    missing = [name for name in (COMPILER, EMULATOR) if not shutil.which(name)]
    if missing:
        print(f"skipped: no {' and no '.join(missing)}")
        sys.exit(77)
    onnxruntime.set_default_logger_severity(3)
    chosen = [c for c in case_list.all_cases() if args.only in c.name][::args.every]
    tests = {c.name: (c.model, c.feeds) for c in chosen}
    if not args.only:
        tests["digits"] = (onnx.load(ROOT / "examples/digits/digits.onnx"), digits_feeds())
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as d:
        program = build_runtime(Path(d))
        calls = {name: lambda t=t: check(args.mlc.resolve(), program, *t) for name, t in tests.items()}
        calls |= {n: lambda m=m: check_bits(args.mlc.resolve(), program, m) for n, m in products_of_bytes().items() if args.only in n}
        results = run_all(calls, 2)
    failed = sum(isinstance(r, Failure) for r in results.values())
    passed = sum(isinstance(r, float) for r in results.values())
    print(f"{len(results) - passed - failed} not supported; largest relative error "
          f"{max((r for r in results.values() if isinstance(r, float)), default=0):.1e}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
