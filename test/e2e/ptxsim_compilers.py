"""PTX of other compilers in the interpreter: products, softmax and attention of nvcc and of Triton, for sm_80 and sm_90.

    python ptxsim_compilers.py --library build/release/lib/libmlc_ptxsim.so [--nvcc /usr/local/cuda/bin/nvcc] [--triton PYTHON]

PYTHON has the package triton. Each kernel runs in order and with seeds, on sizes that its tiles divide and on others, against float64;
nothing may be told. Without either compiler: exit 77, which ctest calls skipped.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from ptxsim import Device, PtxError

HERE = Path(__file__).resolve().parent
SEEDS = (0, 1, 2)
DRAW = np.random.default_rng(6)


def normal(*shape, dtype):
    return DRAW.standard_normal(shape).astype(dtype)


def run_gemm(launch, device, of_triton, m, n, k):
    a, b, tile = normal(m, k, dtype=np.float16), normal(k, n, dtype=np.float16), 64 if of_triton else 32
    c = device.put(np.full((m, n), np.nan, np.float32))
    launch((-(-n // tile), -(-m // tile)), 128, [device.put(a), device.put(b), c, m, n, k])
    return device.get(c, (m, n), np.float32), a.astype(float) @ b.astype(float)


def run_softmax(launch, device, of_triton, rows, n):
    x, y = normal(rows, n, dtype=np.float32), device.put(np.full((rows, n), np.nan, np.float32))
    launch((rows,), 96, [device.put(x), y, n])
    e = np.exp(x.astype(float) - x.max(1, keepdims=True))
    return device.get(y, (rows, n), np.float32), e / e.sum(1, keepdims=True)


def run_attention(launch, device, of_triton, n):
    d = 32 if of_triton else 16
    q, k, v = (normal(n, d, dtype=np.float16 if of_triton else np.float32) for _ in range(3))
    y = device.put(np.full((n, d), np.nan, np.float32))
    launch((-(-n // 64),), 64, [device.put(q), device.put(k), device.put(v), y, n, d ** -.5])
    scores = np.where(np.tri(n, dtype=bool), q.astype(float) @ k.astype(float).T * d ** -.5, -np.inf)
    e = np.exp(scores - scores.max(1, keepdims=True))
    return device.get(y, (n, d), np.float32), e / e.sum(1, keepdims=True) @ v.astype(float)


CASES = [("gemm", run_gemm, (64, 64, 128)), ("gemm", run_gemm, (50, 80, 96)), ("softmax", run_softmax, (3, 256)), ("softmax", run_softmax, (2, 77)),
         ("attention", run_attention, (128,)), ("attention", run_attention, (75,))]
TOLERANCE = {"gemm": 1e-6, "softmax": 1e-6, "attention": 1e-3}  # Triton's attention rounds weights to f16


def of_nvcc(nvcc, target, folder):
    out = folder / "k.ptx"
    subprocess.run([nvcc, "-std=c++17", "-ptx", f"-arch={target}", "-o", out, HERE / "ptxsim_compilers.cu"], check=True)
    return {name: {"ptx": out.read_text(), "shared": 0, "threads": None} for name in ("gemm", "softmax", "attention")}


def of_triton(python, target, folder):
    out = folder / "k.json"
    subprocess.run([python, HERE / "ptxsim_triton.py", target[3:5], out], check=True, env={**os.environ, "TRITON_CACHE_DIR": str(folder / "cache"), "TRITON_DEFAULT_FP_FUSION": "1"})
    return json.loads(out.read_text())


def check(library, kernel, name, run, sizes, is_triton, seed):
    """What is wrong, or nothing."""
    device = Device(library)

    def launch(grid, threads, args):
        module = device.load(kernel["ptx"])
        args += [0] * (2 * is_triton)  # Triton's scratch, of which these kernels have none
        device.launch(module, name, grid, (kernel["threads"] or threads,), args, shared=kernel["shared"], seed=seed)

    try:
        got, want = run(launch, device, is_triton, *sizes)
        error = np.abs(got - want).max() / np.abs(want).max()
        return None if error < TOLERANCE[name] else f"{error:.1e} off"
    except (PtxError, AssertionError) as error:
        return str(error)
    finally:
        device.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--nvcc")
    parser.add_argument("--triton", help="a Python that has it")
    parser.add_argument("--keep", type=Path, help="where texts go")
    args = parser.parse_args()
    makers = [(of_nvcc, args.nvcc)] * bool(args.nvcc) + [(of_triton, args.triton)] * bool(args.triton)
    passed = failed = 0
    for maker, program in makers:
        for target in ("sm_80", "sm_90a"):
            with tempfile.TemporaryDirectory() as folder:
                kernels = maker(program, target, Path(folder))
            for name, run, sizes in CASES:
                if args.keep:
                    (args.keep / f"{maker.__name__}-{target}-{name}.ptx").write_text(kernels[name]["ptx"])
                for seed in SEEDS:
                    wrong = check(args.library, kernels[name], name, run, sizes, maker is of_triton, seed)
                    if wrong:
                        print(f"{maker.__name__} {target} {name} {sizes}, seed {seed}: {wrong}")
                    passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0 if makers else 77)


if __name__ == "__main__":
    main()
