"""Whole models on device cuda, which the emulator is here: digits, MobileNetV2 and ResNet-50 at their full size.

    python emulated_models.py --mlc build/release/bin/mlc --emulator build/release/lib/libmlc-cudaemu.so --models build/models

Races and reads of what was never written are told. Largest difference to onnxruntime over the largest |reference|: 1e-4.
Prints how long each one took.
"""
import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnxruntime

from harness import Failure, call, check_close

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "scripts"))
from make_models import make  # noqa: E402


HALF = " with every other kernel on the CPU"
WAYS = {"": ([], []), HALF: (["--host-kernels=half"], []), " on two streams": ([], ["--streams=2"])}  # flags of compile, of run


def save_inputs(session, folder):
    """What the model is fed, and the flags that give it."""
    draw = np.random.default_rng(7)
    feeds = {i.name: draw.standard_normal(i.shape).astype(np.float32) for i in session.get_inputs()}
    for name, value in feeds.items():
        np.save(folder / f"{name}.npy", value)
    return feeds, [flag for name in feeds for flag in ("--input", f"{name}={folder / name}.npy")]


def run(mlc, *args):
    result = call(mlc, *args, timeout=1000)
    if result.code:
        raise Failure(f"mlc {args[0]}: exit {result.code}: {result.first_line()}")


def check(mlc, path, folder, flags, run_flags, session):
    """Compiles and runs it once, and compares all outputs."""
    feeds, inputs = save_inputs(session, folder)
    names, artefact = [o.name for o in session.get_outputs()], folder / "model.mlca"
    run(mlc, "compile", path, "--target=cuda-sm_80", "-o", artefact, *flags)
    run(mlc, "run", artefact, "--device=cuda:0", "--output-dir", folder, *run_flags, *inputs)
    check_close(names, [np.load(folder / f"{name}.npy") for name in names], session.run(None, feeds))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--emulator", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True, help="where models are made, and kept")
    args = parser.parse_args()
    os.environ.update(MLC_CUDA_LIB=str(args.emulator), MLC_CUDAEMU_CAPABILITY="8.0")
    paths = [ROOT / "examples/digits/digits.onnx"] + [make(name, args.models) for name in ("mobilenet_v2", "resnet50")]
    failed = 0
    for path in paths:
        session = onnxruntime.InferenceSession(str(path))
        for way, (flags, run_flags) in WAYS.items():
            begin = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                try:
                    check(args.mlc, path, Path(folder), flags, run_flags, session)
                except (Failure, AssertionError) as failure:
                    print(f"{path.stem}{way}: {failure}")
                    failed += 1
            print(f"{path.stem}{way}: {time.monotonic() - begin:.1f} s")
    print(f"{len(paths) * len(WAYS) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
