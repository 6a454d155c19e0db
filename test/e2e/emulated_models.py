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
ONE_WAY = "resnet50"  # it takes five times as long as the others together; bench/gpu/emulate.py has the other ways


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


def check(mlc, path, folder, inputs, expected, flags, run_flags):
    """Compiles and runs it once, and compares all outputs."""
    names, artefact = list(expected), folder / "model.mlca"
    run(mlc, "compile", path, "--target=cuda-sm_80", "-o", artefact, *flags)
    run(mlc, "run", artefact, "--device=cuda:0", "--output-dir", folder, *run_flags, *inputs)
    check_close(names, [np.load(folder / f"{name}.npy") for name in names], list(expected.values()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--emulator", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True, help="where models are made, and kept")
    args = parser.parse_args()
    os.environ.update(MLC_CUDA_LIB=str(args.emulator), MLC_CUDAEMU_CAPABILITY="8.0")
    paths = [ROOT / "examples/digits/digits.onnx"] + [make(name, args.models) for name in ("mobilenet_v2", "resnet50")]
    passed = failed = 0
    for path in paths:
        session = onnxruntime.InferenceSession(str(path))
        with tempfile.TemporaryDirectory() as folder:
            feeds, inputs = save_inputs(session, Path(folder))
            expected = dict(zip((o.name for o in session.get_outputs()), session.run(None, feeds)))
            for way, (flags, run_flags) in WAYS.items():
                if way and path.stem == ONE_WAY:
                    continue
                begin = time.monotonic()
                try:
                    check(args.mlc, path, Path(folder), inputs, expected, flags, run_flags)
                    passed += 1
                except (Failure, AssertionError) as failure:
                    print(f"{path.stem}{way}: {failure}")
                    failed += 1
                print(f"{path.stem}{way}: {time.monotonic() - begin:.1f} s")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
