"""Every level of a model below `graph` is MLIR that mlir-opt-19 accepts, without -allow-unregistered-dialect.

    python levels.py --bin build/release/bin [MODEL.onnx...]

For each level, what `mlc inspect --level` prints is given to mlir-opt-19, in the form of the ops and, through mlc-opt, in the
generic form; and mlc-opt prints its own output again unchanged. The default models are the demo model and linear_relu.
"""
import argparse
import sys
import tempfile
from pathlib import Path

from harness import Failure, call, run_all

ROOT = Path(__file__).resolve().parent.parent.parent
LEVELS = ["linalg", "vector", "memref", "affine", "scf", "llvm"]
MLIR_OPT = "mlir-opt-19"


def expect_accepted(what, result):
    if result.code:
        raise Failure(f"{what}: exit {result.code}: {result.err.strip()[:600]}")
    return result.out


def check_level(bin_dir, model, level):
    with tempfile.TemporaryDirectory(prefix="mlc-levels-") as d:
        ir, generic = Path(d) / "ir.mlir", Path(d) / "generic.mlir"
        ir.write_text(expect_accepted("mlc inspect", call(bin_dir / "mlc", "inspect", model, "--level", level)))
        expect_accepted(f"{MLIR_OPT}, form of the ops", call(MLIR_OPT, ir))
        again = expect_accepted("mlc-opt", call(bin_dir / "mlc-opt", ir))
        if again.strip() != ir.read_text().strip():
            lines = zip(again.strip().splitlines(), ir.read_text().strip().splitlines())
            first = next((f"{b!r} became {a!r}" for a, b in lines if a != b), "the length differs")
            raise Failure(f"mlc-opt prints something else than it read: {first}")
        generic.write_text(expect_accepted("mlc-opt", call(bin_dir / "mlc-opt", "--mlir-print-op-generic", ir)))
        expect_accepted(f"{MLIR_OPT}, generic form", call(MLIR_OPT, generic))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, default=ROOT / "build/release/bin")
    parser.add_argument("models", nargs="*", type=Path)
    args = parser.parse_args()
    models = args.models or [ROOT / f"examples/{n}/{n}.onnx" for n in ("digits", "linear_relu")]
    tests = {f"{m.stem}: {level}": lambda m=m, level=level: check_level(args.bin, m, level) for m in models for level in LEVELS}
    results = run_all(tests, 2)
    failed = sum(isinstance(r, Failure) for r in results.values())
    print(f"{len(results) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
