"""Compiles every public header alone, twice over, as C17 and as C++17: run by ctest as `public_headers`.

    python3 scripts/check_headers.py INCLUDE_FOLDER... -- C_COMPILER CXX_COMPILER

The folders are include/ and, for generated headers, those of the build. Exit 1 if one does not compile.
"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def main():
    split = sys.argv.index("--")
    folders, (cc, cxx) = [Path(p) for p in sys.argv[1:split]], sys.argv[split + 1:]
    flags = [f"-I{f}" for f in folders] + ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    headers = sorted({h.relative_to(f) for f in folders for h in (f / "mlc").rglob("*.h")})

    def compile_alone(header):
        text = f'#include "{header}"\n#include "{header}"\n'  # twice: it guards itself
        faults = ""
        for command in ([cc, "-std=c17", "-x", "c"], [cxx, "-std=c++17", "-x", "c++"]):
            p = subprocess.run([*command, *flags, "-"], input=text, capture_output=True, text=True)
            faults += f"{header} with {command[0]}:\n{p.stderr}" if p.returncode else ""
        return faults

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [f for f in pool.map(compile_alone, headers) if f]
    print("\n".join(faults) if faults else f"{len(headers)} headers compile alone, as C17 and as C++17")
    sys.exit(1 if faults or not headers else 0)


if __name__ == "__main__":
    main()
