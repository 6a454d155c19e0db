"""One model at every level: the interpreter's result after each pipeline, against onnxruntime.

    python interp_levels.py --bin build/release/bin [--model examples/digits/digits.onnx] [--pictures N]

The model is imported, then lowered level by level; mlc-opt --interpret runs what each level left on held-out pictures, twice
where there are parallel loops, in two orders. Largest difference over the largest |reference|: 1e-4.
"""
import argparse
import re
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
    ("llvm", ["--llvm-pipeline"], "llvm"),
]


CONSTANT_BYTES = 1 << 20  # at least as many as the model's


def attribute(text, name):
    found = re.search(re.escape(name) + r" = (\d+)", text)
    return int(found.group(1)) if found else 0


def run(mlc_opt, *args):
    result = call(mlc_opt, *args)
    if result.code:
        raise Failure(f"mlc-opt: exit {result.code}: {result.first_line()}")


def interpret(mlc_opt, level_file, kind, picture, folder, seed):
    if kind == "tensor":
        inputs, num_outputs = [picture], 1
    elif kind == "memref":
        inputs, num_outputs = [picture, "undefined"], 2
    elif kind == "planned":
        inputs, num_outputs = ["undefined", "constants", "undefined", picture, "undefined"], 5
    else:  # pointers: what they point at is said, and the record of the call comes first, which is not given back
        text = level_file.read_text()
        arena, prepared = (attribute(text, f"mlc.{name}_bytes") for name in ("arena", "prepared"))
        inputs = ["call", f"undefined as memref<{arena}xi8>", f"constants as memref<{CONSTANT_BYTES}xi8>",
                  f"undefined as memref<{prepared}xi8>", f"{picture} as tensor<1x1x8x8xf32>",
                  "undefined as tensor<1x10xf32>"]
        num_outputs = 5
    # A function of memrefs gives all of them back; the result is the last.
    outputs = [folder / f"out{i}.npy" for i in range(num_outputs)]
    run(mlc_opt, level_file, "--interpret", "--entry", "main", "--seed", seed, *[f"--input={i}" for i in inputs],
        *[f"--output={o}" for o in outputs])
    return np.load(outputs[-1])


def check_level(mlc_opt, level, path, kind, pictures, references, folder):
    worst = 0.0
    for picture, reference in zip(pictures, references):
        got = interpret(mlc_opt, path, kind, picture, folder, 0)
        worst = max(worst, check_close([level], [got], [reference]))
        if kind in ("planned", "llvm"):
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
