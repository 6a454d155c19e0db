"""Whole models through --gpu-pipeline, LLVM's NVPTX and the PTX interpreter, against onnxruntime.

    python ptxsim_models.py --bin build/release/bin --library build/release/lib/libmlc_ptxsim.so

The functions that launch kernels are read here: they allocate, reshape, call and launch, nothing else. Each model runs for two
generations of GPUs, in order and with turns drawn from a seed. Largest difference over the largest |reference|: 1e-4; and the same
bits every time.
"""
import argparse
import re
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime

from harness import Failure, call, check_close, check_same_bits
from ptxsim import Device

ROOT = Path(__file__).resolve().parent.parent.parent
DTYPES = {"f32": np.float32, "i64": np.int64, "i32": np.int32, "i8": np.uint8, "i1": np.uint8, "f16": np.float16, "f64": np.float64}


def parse_type(text):
    """Shape and dtype of "memref<1x8xf32>"."""
    dims = re.match(r"memref<([^,>]*)", text).group(1).split("x")
    return [int(d) for d in dims[:-1]], DTYPES[dims[-1]]


class Host:
    """The module's functions on the host, a line an op."""

    def __init__(self, device, text, ptx):
        self.device, self.module, self.launches = device, device.load(ptx), 0
        self.functions = {m[1]: (re.findall(r"(%\w+): memref", m[2]), m[3].splitlines())
                          for m in re.finditer(r"^  func\.func (?:private )?@(\w+)\(([^\n]*?)\)(?: attributes [^\n]*)? \{\n(.*?)^  \}", text, re.M | re.S)}
        self.constants = {}
        for m in re.finditer(r"memref\.global .*?@(\w+) : (memref<\S+>) = dense(_resource)?<(.*?)> ?(?:\{|$)", text, re.M):
            shape, dtype = parse_type(m[2])
            if m[3]:
                hexa = re.search(re.escape(m[4]) + r': "0x([0-9A-Fa-f]+)"', text)[1]
                values = np.frombuffer(bytes.fromhex(hexa)[4:], dtype)
            elif m[4].startswith('"0x'):
                values = np.frombuffer(bytes.fromhex(m[4][3:-1]), dtype)
            else:
                values = np.array([float(x) for x in re.findall(r"[-+.\w]+", m[4])], dtype)
            self.constants[m[1]] = device.put(np.broadcast_to(values, [np.prod(shape)]) if values.size == 1 else values)

    def run(self, name, args, seed):
        params, lines = self.functions[name]
        values = dict(zip(params, args))
        for line in lines:
            self.op(line.strip(), values, seed)

    def op(self, line, values, seed):
        if m := re.match(r"(%\w+) = memref\.get_global @(\w+)", line):
            values[m[1]] = self.constants[m[2]]
        elif m := re.match(r"(%\w+) = memref\.alloc\(\).* : (memref<\S+>)", line):
            shape, dtype = parse_type(m[2])
            values[m[1]] = self.device.alloc(int(np.prod(shape)) * np.dtype(dtype).itemsize)
        elif m := re.match(r"(%\w+) = memref\.(?:collapse_shape|expand_shape|cast) (%\w+)", line):
            values[m[1]] = values[m[2]]
        elif m := re.match(r"(%\w+) = memref\.subview (%\w+).* to memref<([^,>]*)(.*)>", line):
            offset = re.search(r"offset: (\d+)", m[4])  # a pointer is to the first element
            values[m[1]] = values[m[2]] + (int(offset[1]) * np.dtype(DTYPES[m[3].split("x")[-1]]).itemsize if offset else 0)
        elif m := re.match(r"(%\w+) = arith\.constant (-?\d+) : index", line):
            values[m[1]] = int(m[2])
        elif m := re.match(r"call @(\w+)\((.*?)\)", line):
            self.run(m[1], [values[a] for a in re.findall(r"%\w+", m[2])], seed)
        elif m := re.match(r"gpu\.launch_func +@\w+::@(\w+) blocks in \((.*?)\) threads in \((.*?)\) +args\((.*)\)", line):
            grid, block = ([values[a] for a in re.findall(r"%\w+", m[i])] for i in (2, 3))
            args = [values[a] for a in re.findall(r"(%\w+) :", m[4])]
            self.device.launch(self.module, m[1], grid, block, args, seed=seed)
            self.launches += 1
        elif line not in ("return", ""):
            raise Failure(f"the host does more than launch: {line[:100]}")


def run(*command):
    result = call(*command)
    if result.code:
        raise Failure(f"{Path(command[0]).name}: exit {result.code}: {result.first_line()}")


def check_model(tools, library, path, folder):
    session = onnxruntime.InferenceSession(str(path))
    draw = np.random.default_rng(1)
    feeds = {i.name: draw.uniform(0, 1, i.shape).astype(np.float32) for i in session.get_inputs()}
    reference = session.run(None, feeds)[0]
    imported, lowered, ptx = folder / "m.mlir", folder / "gpu.mlir", folder / "m.ptx"
    run(tools / "mlc-translate", "--import-onnx", path, "-o", imported)
    run(tools / "mlc-opt", imported, "--gpu-pipeline", "-o", lowered)
    first = None
    for target, seed in [("sm_80", 0), ("sm_80", 7), ("sm_90a", 3)]:
        run(tools / "mlc-translate", lowered, "--export-ptx", f"--target=nvptx64-{target}", "-o", ptx)
        device = Device(library)
        host = Host(device, lowered.read_text(), ptx.read_text())
        out = device.alloc(reference.nbytes)
        host.run("main", [device.put(x) for x in feeds.values()] + [out], seed)
        got = device.get(out, reference.shape, np.float32)
        launches, worst = host.launches, check_close([path.stem], [got], [reference])
        if first is None:
            first = got
        check_same_bits([path.stem], [got], [first], "another order or target")
        device.close()
    print(f"{path.stem}: {launches} launches, relative error {worst:.1e}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True)
    args = parser.parse_args()
    failed = 0
    for name in ["linear_relu", "digits"]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                check_model(args.bin, args.library, ROOT / f"examples/{name}/{name}.onnx", Path(folder))
            except (Failure, AssertionError) as failure:
                print(f"{name}: {failure}")
                failed += 1
    print(f"{2 - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
