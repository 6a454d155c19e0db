"""Products by warpgroups (sm_90a) in the PTX interpreter, against float64; and bugs planted into their PTX, which it must tell.

    python gpu_warpgroups.py --bin build/release/bin --library build/release/lib/libmlc_ptxsim.so [--ptxas ptxas]

Cases are those of gpu_kernels.py, by a schedule of kind wgmma. Tensors are described here as the text of the launches says. With --ptxas there
must be no spills, and none of the warnings that say that products are serialised or registers not handed on.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import gpu_kernels as kernels
from gpu_kernels import DTYPES, draw, launches_of, module_text, product, run
from ptxsim import Device, PtxError

WARNINGS = ("C7508", "C7510", "C7511", "C7515", "C7504")


def numbers(text):
    return [int(x) for x in re.findall(r"-?\d+", text)]


def maps_of(text):
    """By function, by value: (argument, offset, sizes, strides, tile, element type), sizes with the contiguous one last."""
    found = {}
    for name, body in re.findall(r"^  func\.func private @(\w+)\(.*?\{\n(.*?)^  \}", text, re.M | re.S):
        views = {m[1]: (m[2], *(numbers(m[i]) for i in (3, 4, 5))) for m in re.finditer(
            r"(%\w+) = memref\.reinterpret_cast (%\w+) to offset: \[(.*?)\], sizes: \[(.*?)\], strides: \[(.*?)\]", body)}
        casts = dict(re.findall(r"(%\w+) = memref\.cast (%\w+) :", body))
        found[name] = {m[1]: (*views[casts[m[2]]], numbers(m[3]), m[4]) for m in re.finditer(
            r"(%\w+) = nvgpu\.tma\.create\.descriptor (%\w+) box.*-> <tensor = memref<((?:\d+x)+)(\w+),.*swizzle = swizzle_128b", body)}
    return found


def describe(device, buffers, spec):
    source, offset, sizes, strides, tile, element = spec
    size = np.dtype(DTYPES[element]).itemsize
    return device.tensor_map(element, buffers[int(source[4:])] + offset[0] * size, sizes[::-1], tile[::-1], swizzle=3,
                             strides=[s * size for s in strides[-2::-1]])


def launch(device, module, launches, maps, c, seed, inputs):
    assert len(launches) == 1, f"{len(launches)} launches"
    name, grid, block, shared, args = launches[0]
    buffers = [device.put(x) for x in inputs]
    shape, dtype = c["result"]
    buffers.append(device.alloc(int(np.prod(shape)) * np.dtype(DTYPES[dtype]).itemsize))
    values = [buffers[int(a[4:])] if a.startswith("%arg") else describe(device, buffers, maps[a]) for a in args]
    counters = device.launch(module, name, grid, block, values, shared=shared, seed=seed)
    got = device.get(buffers[-1], shape, DTYPES[dtype]).astype(np.float64)
    for buffer in buffers:
        device.free(buffer)
    return got, counters


def check(device, module, launches, maps, c, seeds=(0, 3, 7)):
    inputs = [draw(s, d) for _, s, d in c["inputs"]]
    wide = [x.astype(np.float64) for x in inputs]
    want, scale = c["meaning"](*wide), np.max(c["scale"](*wide))
    for seed in seeds:
        got, counters = launch(device, module, launches, maps, c, seed, inputs)
        error = np.max(np.abs(got - want)) / scale
        assert error < c["tolerance"], f"seed {seed}: error {error:.1e}"
        assert counters["bank_conflicts"] == 0, f"{counters['bank_conflicts']} bank conflicts"
        assert counters["matrix_macs"] > 0, "no matrix instruction"


def schedule(tile, warps, stages):
    return f"kind = wgmma, tile = {list(tile)}, warps = [{warps}, 1], stages = {stages}"


def add_cases():
    kernels.CASES.clear()
    for element, result in (("bf16", "f32"), ("f16", "f16"), ("bf16", "bf16")):
        for turned in ((False, True), (False, False), (True, False), (True, True)):
            product(136, 272, 200, element, result, turned, schedule=schedule((128, 256, 64), 8, 4))
    product(128, 256, 512, "bf16", "f32", (False, True), schedule=schedule((128, 128, 64), 4, 3))
    product(128, 128, 40, "bf16", "f32", (False, False), schedule=schedule((128, 128, 64), 4, 2))
    product(72, 72, 72, "bf16", "f32", (False, False), schedule=schedule((64, 64, 64), 4, 2))
    product(200, 136, 64, "f16", "f32", (False, True), schedule=schedule((128, 64, 64), 8, 8))
    product(64, 256, 8, "f16", "f32", (False, True), schedule=schedule((64, 256, 64), 4, 2))
    product(72, 64, 40, "bf16", "f32", (False, True), batch=3, schedule=schedule((64, 64, 64), 4, 4))
    product(72, 64, 40, "bf16", "f32", (True, False), batch=2, schedule=schedule((64, 128, 64), 4, 4))


def build(args, cases, folder):
    text, launched, lowered, ptx = (Path(folder) / name for name in ("k.mlir", "launch.mlir", "nvvm.mlir", "k.ptx"))
    text.write_text(module_text(cases))
    run(args.bin / "mlc-opt", text, "--gpu-launch-pipeline", "-o", launched)
    run(args.bin / "mlc-opt", launched, "--nvvm-pipeline", "-o", lowered)
    run(args.bin / "mlc-translate", lowered, "--export-ptx", "--target=nvptx64-sm_90a", "-o", ptx)
    return launched.read_text(), ptx.read_text()


def check_ptxas(ptxas, ptx, folder):
    path = Path(folder) / "k.ptx"
    path.write_text(ptx)
    done = subprocess.run([ptxas, "-arch=sm_90a", "-v", path, "-o", "/dev/null"], capture_output=True, text=True)
    return [f"ptxas: {line}" for line in (done.stdout + done.stderr).splitlines()
            if done.returncode or any(w in line for w in WARNINGS) or "spill" in line and "0 bytes spill stores, 0 bytes spill loads" not in line]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--ptxas")
    args = parser.parse_args()
    faults = []
    add_cases()
    for i, c in enumerate(kernels.CASES):
        c["id"] = f"kernel_{i}"
    with tempfile.TemporaryDirectory() as folder:
        launched, ptx = build(args, kernels.CASES, folder)
        if args.ptxas:
            faults += check_ptxas(args.ptxas, ptx, folder)
    launches, maps = launches_of(launched), maps_of(launched)
    device = Device(args.library)
    module = device.load(ptx)
    for c in kernels.CASES:
        try:
            check(device, module, launches[c["id"]], maps[c["id"]], c)
        except (AssertionError, PtxError) as fault:
            faults.append(f"{c['name']}: {fault}")
    device.close()
    for fault in faults:
        print(fault)
    print(f"{len(kernels.CASES)} kernels, {len(faults)} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
