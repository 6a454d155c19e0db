#!/usr/bin/env python3
"""How much of MLIR's bytecode goes through: files mlir-opt-19 reads, written by it as bytecode and read by mlc-opt.

    mlir_bytecode.py [--tool build/release/bin/mlc-opt] [--written] [--failures N] FILE-OR-DIRECTORY...

A file counts if mlir-opt-19 accepts it and its own bytecode of it (one module, no `// -----`), only ops, types and
attributes of the shared dialects and of unregistered ones are in it, and mlc-opt reads the text that mlir-opt-19 prints of
the bytecode. It is the same if mlc-opt prints the bytecode as it prints that text, locations included. With --written,
mlc-opt also writes the module as MLIR's bytecode, and mlir-opt-19 must print that as it prints its own. Exit 1 if a file
is not the same.
"""

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SHARED = set("builtin func arith math cf scf affine linalg tensor memref vector bufferization gpu nvvm llvm index ub "
             "complex".split())
OP = re.compile(r'^[ \t]*(?:%[^="\n]*= )?"([^"\n]+)"(?:\(|\s*<\()', re.M)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
SIGIL = re.compile(r"[!#]([A-Za-z_]\w*)[.<]")
REFERENCE = "mlir-opt-19"
PRINT = ["-allow-unregistered-dialect", "-mlir-print-op-generic", "-mlir-print-debuginfo", "-mlir-print-local-scope"]


def run(argv, data=None):
    done = subprocess.run(argv, input=data, capture_output=True, timeout=60)
    return done.returncode == 0, done.stdout, done.stderr.decode(errors="replace")


def registered_dialects():
    text = run([REFERENCE, "--show-dialects"])[1].decode()
    return set(re.findall(r"[\w.]+", text.split(":", 1)[1]))


def check(tool, registered, written, path):
    """None where a file does not count, "" where all is the same, else why not."""
    ok, text, _ = run([REFERENCE, *PRINT, path])
    if not ok:
        return None
    dialects = {op.split(".")[0] for op in OP.findall(text.decode())} | set(SIGIL.findall(STRING.sub('""', text.decode())))
    if (dialects & registered) - SHARED:
        return None
    ok, bytecode, _ = run([REFERENCE, "-allow-unregistered-dialect", "--emit-bytecode", path])
    ok, text, _ = run([REFERENCE, *PRINT, "-"], bytecode) if ok else (ok, b"", "")
    ok, ours, _ = run([tool, *PRINT, "-"], text) if ok else (ok, b"", "")
    if not ok:
        return None
    ok, again, error = run([tool, *PRINT, "-"], bytecode)
    if not ok:
        return error.strip()
    if again != ours:
        return "read as another module"
    if not written:
        return ""
    ok, bytecode, error = run([tool, "-allow-unregistered-dialect", "--emit-bytecode", "-"], text)
    ok, back, error = run([REFERENCE, *PRINT, "-"], bytecode) if ok else (ok, b"", error)
    if not ok:
        return "written: " + error.strip()
    return "" if back == text else "mlir-opt-19 reads what is written as another module"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", default="build/release/bin/mlc-opt")
    parser.add_argument("--written", action="store_true")
    parser.add_argument("--failures", type=int, default=0, help="print the first N")
    parser.add_argument("paths", nargs="+")
    args = parser.parse_args()
    files = []
    for path in args.paths:
        files += [path] if os.path.isfile(path) else sorted(
            os.path.join(d, f) for d, _, names in os.walk(path) for f in names if f.endswith(".mlir"))
    registered = registered_dialects()
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda path: check(args.tool, registered, args.written, path), files))
    counted = [r for r in results if r is not None]
    failed = [(p, r) for p, r in zip(files, results) if r]
    for path, why in failed[:args.failures]:
        print(f"{path}: {why}")
    print(f"{len(counted) - len(failed)} of {len(counted)} files the same ({len(files)} looked at)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
