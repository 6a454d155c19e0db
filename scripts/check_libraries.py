"""Looks at the built libraries from outside: run by ctest as `libraries`.

    python3 scripts/check_libraries.py LIBRARY...

Each libmlc*.so exports only names that begin with mlc_, and needs only the shared libraries it is allowed: neither libmlc nor
libmlc_runtime needs LLVM, and none needs C++. libmlc exports what records of dialects loaded at run time imply. Prints the size of libmlc as if stripped; the limit is 4 MB.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LIBC = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
SANITIZERS = {"libasan.so.8", "libubsan.so.1"}
MAY_NEED = {
    "libmlc": {"libyaml-0.so.2"},
    "libmlc_runtime": set(),
    "libmlc_target": {"libLLVM.so.19.1", "libLLVM-19.so.1", "libmlc.so.0"},
}
MAX_STRIPPED = 4_000_000
LOADER = Path(__file__).resolve().parent.parent / "lib/ir/record"


def tool(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def faults_of(path):
    library = path.name.split(".so")[0]
    for line in tool("nm", "-D", "--defined-only", path).splitlines():
        name = line.split()[-1].split("@")[0]
        # Names that begin with two underscores belong to the compiler and its sanitizers.
        if not name.startswith(("mlc_", "__")) and name not in ("_init", "_fini", "_edata", "_end"):
            yield f"{path.name} exports {name}"
    if library == "libmlc":
        exported = {line.split()[-1] for line in tool("nm", "-D", "--defined-only", path).splitlines()}
        for name in sorted(set(re.findall(r'"(mlc_\w+)"', "".join(p.read_text() for p in LOADER.glob("*.c")))) - exported):
            yield f"{path.name} does not export {name}, which lib/ir/record names"
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", tool("readelf", "-d", path)))
    for name in sorted(needed - LIBC - SANITIZERS - MAY_NEED[library]):
        yield f"{path.name} needs {name}"
    if library == "libmlc" and not needed & SANITIZERS:
        with tempfile.NamedTemporaryFile() as stripped:
            tool("strip", "-o", stripped.name, path)
            size = Path(stripped.name).stat().st_size
        print(f"{path.name}: {size / 1e6:.2f} MB stripped")
        if size > MAX_STRIPPED:
            yield f"{path.name} is {size} bytes stripped, at most {MAX_STRIPPED} allowed"


def main():
    paths = [Path(p) for p in sys.argv[1:]]
    faults = [f for p in paths for f in faults_of(p)]
    print("\n".join(faults) if faults else f"{', '.join(p.name for p in paths)}: in order")
    sys.exit(1 if faults or not paths else 0)


if __name__ == "__main__":
    main()
