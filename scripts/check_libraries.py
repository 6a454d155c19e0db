"""Looks at the built libraries from outside: run by ctest as `libraries`.

    python3 scripts/check_libraries.py LIBRARY... -- INCLUDE_FOLDER...

Each libmlc*.so needs only the shared libraries it is allowed: neither libmlc nor libmlc_runtime needs LLVM, and none needs
C++. Together they export what the public headers declare with MLC_API, and nothing else; no two the same, or a program that
links both would have one's counters in the other's functions. libmlc exports what records of dialects
loaded at run time imply. Prints the size of libmlc as if stripped; the limit is 5.4 MB.
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
    "libmlc_opt": {"libmlc.so.0"},
    "libmlc_runtime": set(),
    "libmlc_runner_utils": set(),
    "libmlc_ptxsim": set(),
    "libmlc_target": {"libLLVM.so.19.1", "libLLVM-19.so.1", "libmlc.so.0"},
}
MAY_REPEAT = {"libmlc_runtime"}  # what it has of lib/support keeps nothing from call to call
MAX_STRIPPED = 5_400_000
LOADER = Path(__file__).resolve().parent.parent / "lib/ir/record"


def tool(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exported_by(path):
    names = {line.split()[-1].split("@")[0] for line in tool("nm", "-D", "--defined-only", path).splitlines()}
    # Names that begin with two underscores belong to the compiler and its sanitizers.
    return {name for name in names if not name.startswith("__")} - {"_init", "_fini", "_edata", "_end"}


def declared_in(folders):
    text = "".join(h.read_text() for f in folders for h in (f / "mlc").rglob("*.h"))
    code = re.sub(r"//[^\n]*|^#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)  # a macro declares where it is used
    return set(re.findall(r"MLC_API\b[^;{]*?\b(mlc_\w+)\s*[(;]", code))


def declared_for_programs(folders):
    """What programs in text call has names of its own: those of mlc/runner_utils.h, some of them made of a kind of elements."""
    text = "".join(p.read_text() for f in folders for p in (f / "mlc").glob("runner_utils.h"))
    names, kinds = set(re.findall(r"MLC_API\b[^;{]*?\b(\w+(?:##kind)?)\s*\(", text)), re.findall(r"^MLC_RUNNER_\w+\((\w+)\)$", text, re.M)
    return {name.replace("##kind", kind) for name in names for kind in kinds}


def faults_of_names(paths, folders):
    declared, exported = declared_in(folders), {path.name: exported_by(path) for path in paths}
    exported = {library: names - (declared_for_programs(folders) if library.startswith("libmlc_runner_utils") else set())
                for library, names in exported.items()}
    owners = {}
    for library, names in exported.items():
        if library.split(".so")[0] not in MAY_REPEAT:
            yield from (f"{library} exports {name}, and so does {owners[name]}" for name in sorted(names & set(owners)))
            owners.update(dict.fromkeys(names, library))
        yield from (f"{library} exports {name}, which no public header declares" for name in sorted(names - declared))
    if {path.name.split(".so")[0] for path in paths} == set(MAY_NEED):
        yield from (f"no library exports {name}, which is MLC_API" for name in sorted(declared - set().union(*exported.values())))


def faults_of(path):
    library = path.name.split(".so")[0]
    if library == "libmlc":
        named = set(re.findall(r'"(mlc_\w+)"', "".join(p.read_text() for p in LOADER.glob("*.c"))))
        for name in sorted(named - exported_by(path)):
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
    split = sys.argv.index("--")
    paths, folders = [Path(p) for p in sys.argv[1:split]], [Path(p) for p in sys.argv[split + 1:]]
    faults = [f for p in paths for f in faults_of(p)] + list(faults_of_names(paths, folders))
    print("\n".join(faults) if faults else f"{', '.join(p.name for p in paths)}: in order")
    sys.exit(1 if faults or not paths else 0)


if __name__ == "__main__":
    main()
