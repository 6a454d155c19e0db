"""One model at every level: the interpreter's result after each pipeline, against onnxruntime.

    python interp_levels.py --bin build/release/bin [--model examples/digits/digits.onnx] [--pictures N]

The model is imported, then lowered level by level; mlc-opt --interpret runs what each level left on held-out pictures, twice
where there are parallel loops, in two orders. Largest difference over the largest |reference|: 1e-4.
"""
import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime

from harness import Failure, call, check_close, check_same_bits

ROOT = Path(__file__).resolve().parent.parent.parent
# What each level's main takes before and after its input: buffers are undefined, and so is what the results go to.
LEVELS = [
    ("import", [], "tensor"),
    ("graph", ["--graph-pipeline"], "tensor"),
    ("kernels", ["--kernels-pipeline"], "tensor"),
    ("linalg", ["--linalg-pipeline"], "tensor"),
    ("vector", ["--vector-pipeline"], "tensor"),
    ("memref", ["--memref-pipeline"], "memref"),
    ("affine", ["--affine-pipeline"], "planned"),
    ("scf", ["--scf-pipeline"], "planned"),
]


def run(mlc_opt, *args):
    result = call(mlc_opt, *args)
    if result.code:
        raise Failure(f"mlc-opt: exit {result.code}: {result.first_line()}")


def interpret(mlc_opt, level_file, kind, picture, folder, seed):
    before = ["undefined", "constants", "undefined"] if kind == "planned" else []
    after = [] if kind == "tensor" else ["undefined"]
    inputs = [*before, picture, *after]
    # A function of memrefs gives all of them back; the result is the last.
    outputs = [folder / f"out{i}.npy" for i in range(1 if kind == "tensor" else len(inputs))]
    run(mlc_opt, level_file, "--interpret", "--seed", seed, *[f"--input={i}" for i in inputs],
        *[f"--output={o}" for o in outputs])
    return np.load(outputs[-1])


def check_level(mlc_opt, level, path, kind, pictures, references, folder):
    worst = 0.0
    for picture, reference in zip(pictures, references):
        got = interpret(mlc_opt, path, kind, picture, folder, 0)
        worst = max(worst, check_close([level], [got], [reference]))
        if kind == "planned":
            check_same_bits([level], [got], [interpret(mlc_opt, path, kind, picture, folder, 7)], "another order")
    print(f"{level}: relative error {worst:.1e}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=ROOT / "examples/digits/digits.onnx")
    parser.add_argument("--pictures", type=int, default=3)
    options = parser.parse_args()
    mlc_opt = options.bin / "mlc-opt"
    images = np.load(ROOT / "examples/digits/heldout.npz")["images"][:options.pictures].astype(np.float32) / 16
    session = onnxruntime.InferenceSession(str(options.model), providers=["CPUExecutionProvider"])
    name, failed = session.get_inputs()[0].name, 0
    with tempfile.TemporaryDirectory(prefix="mlc-levels-") as scratch:
        folder = Path(scratch)
        pictures = []
        for i, image in enumerate(images):
            pictures.append(folder / f"picture{i}.npy")
            np.save(pictures[-1], image[None])
        references = [session.run(None, {name: image[None]})[0] for image in images]
        path = folder / "import.mlir"
        imported = call(options.bin / "mlc-translate", "--import-onnx", options.model, "-o", path)
        if imported.code:
            sys.exit(f"mlc-translate: exit {imported.code}: {imported.first_line()}")
        for level, flags, kind in LEVELS:
            try:
                if flags:
                    run(mlc_opt, path, *flags, "-o", folder / f"{level}.mlir")
                    path = folder / f"{level}.mlir"
                check_level(mlc_opt, level, path, kind, pictures, references, folder)
            except Failure as failure:
                print(f"FAIL {level}: {failure}")
                failed += 1
    print(f"{len(LEVELS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
