"""Whole models on the emulator of a CUDA device: error, launches, what stays on the CPU, time.

    python bench/gpu/emulate.py FOLDER [NAME...] [--build build/release] [--target cuda-sm_80] [--host-kernels half] [--streams 2] [--no-races] [--json FILE]

FOLDER holds NAME.onnx and NAME.npz, with inputs "in:NAME" and reference outputs "out:0" and so on, in float64 or rounded from
it; without a NAME all that are there. For each model a row:

    error      largest difference over the largest |reference|, the worst output
    launches   of a run, and how many kernels they belong to: one each is the aim
    host       kernels that run on the CPU
    conflicts  passes over the banks of workgroup memory beyond what is needed, of 100 passes
    sectors    of 32 bytes of global memory, over those that the bytes would fill
    compile    s of the clock, for one target
    run        s of processor time, and of the clock

and below it the kernels of several launches, and why kernels are on the CPU.
"""
import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
COLUMNS = ["model", "error", "launches", "kernels", "host", "conflicts", "sectors", "compile", "run"]


def call(args, **variables):
    """(seconds of the clock, of processor time, what it printed)"""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([str(a) for a in args], capture_output=True, text=True, env={**os.environ, **variables})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, args))}: exit {done.returncode}: {done.stderr[:2000]}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - begin, used, done.stdout


def error(folder, names, stored):
    worst = 0.0
    for i, name in enumerate(names):
        got, want = np.load(folder / f"{name}.npy").astype(np.float64), stored[f"out:{i}"].astype(np.float64)
        if got.shape != want.shape or not np.array_equal(np.isfinite(got), np.isfinite(want)):
            return np.inf
        worst = max(worst, np.abs(got - want).max() / max(np.abs(want).max(), 1e-30))
    return worst


def host_kernels(text):
    """Names of functions that run on the CPU, and why."""
    found, name = {}, None
    for line in text.splitlines():
        if kernel := re.match(r"  (kernel_\d+\w*):", line):
            name = kernel[1]
        elif "runs on the CPU: " in line:
            found[name] = line.split("runs on the CPU: ")[1]
    return found


def measure(name, args, folder):
    mlc, emulator = args.build / "bin/mlc", args.build / "lib/libmlc-cudaemu.so"
    stored, artefact, trace, inputs = np.load(args.folder / f"{name}.npz"), folder / "model.mlca", folder / "trace", []
    for key in (k for k in stored.files if k.startswith("in:")):
        np.save(folder / f"{key[3:]}.npy", stored[key])
        inputs += ["--input", f"{key[3:]}={folder / key[3:]}.npy"]
    compiling, _, _ = call([mlc, "compile", args.folder / f"{name}.onnx", f"--target={args.target}", "-o", artefact,
                            *([f"--host-kernels={args.host_kernels}"] if args.host_kernels else [])])
    shown = call([mlc, "inspect", artefact])[2]
    names = re.findall(r"^output +(.*?): ", shown, re.M)
    capability = re.search(r"sm_(\d+)", args.target)[1]
    clock, used, _ = call([mlc, "run", artefact, "--device=cuda:0", "--output-dir", folder, *inputs,
                           *([f"--streams={args.streams}"] if args.streams else [])], MLC_CUDA_LIB=str(emulator),
                          MLC_CUDAEMU_CAPABILITY=f"{capability[:-1]}.{capability[-1]}", MLC_CUDAEMU_TRACE=str(trace),
                          MLC_CUDAEMU_RACES=str(int(not args.no_races)))
    launches = [launch for launch in map(json.loads, trace.read_text().splitlines()) if "kernel" in launch]
    counts = Counter(launch["kernel"] for launch in launches)
    kernels = {re.sub(r"_kernel(_\d+)?$", "", kernel) for kernel in counts}
    calls = sum(counts[f"{kernel}_kernel"] for kernel in kernels)
    several = {kernel: [k for k in counts if re.fullmatch(rf"{kernel}_kernel(_\d+)?", k)] for kernel in kernels}
    total = {key: sum(launch[key] for launch in launches) for key in ("wavefronts", "bank_conflicts", "sectors", "sectors_best")}
    return {"model": name, "error": error(folder, names, stored), "launches": len(launches), "kernels": calls,
            "host": host_kernels(shown), "several": {k: len(v) for k, v in sorted(several.items()) if len(v) > 1},
            "conflicts": 100 * total["bank_conflicts"] / max(total["wavefronts"], 1),
            "sectors": total["sectors"] / max(total["sectors_best"], 1), "compile": compiling, "run": used, "clock": clock}


def show(row):
    print(f"| {row['model']} | {row['error']:.1e} | {row['launches']} | {row['kernels']} | {len(row['host'])} | {row['conflicts']:.2f} | "
          f"{row['sectors']:.2f} | {row['compile']:.1f} | {row['run']:.0f} / {row['clock']:.0f} |")
    for kernel, count in row["several"].items():
        print(f"|  {kernel}: {count} launches |")
    for kernel, why in row["host"].items():
        print(f"|  {kernel} on the CPU: {why} |")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--target", default="cuda-sm_80")
    parser.add_argument("--no-races", action="store_true", help="nobody looks for races: faster")
    parser.add_argument("--host-kernels", help="half: every other kernel on the CPU; or names, with commas between")
    parser.add_argument("--streams", type=int, help="at most so many")
    parser.add_argument("--json", type=Path, help="a line for each model is added")
    args = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    for name in args.names or sorted(path.stem for path in args.folder.glob("*.npz")):
        with tempfile.TemporaryDirectory() as folder:
            row = measure(name, args, Path(folder))
        show(row)
        if args.json:
            with open(args.json, "a") as out:
                out.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
