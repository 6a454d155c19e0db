"""Proves that the rooms of lib/ know only what they may (docs/architecture.md, Rooms): run by ctest as `include_directions`.

    python3 scripts/check_includes.py [ROOT]

A room may include the public headers that KNOWS grants it, libc, and its own private headers: those of the same folder by
their short name, those of a sub-room below by folder and name. LLVM's headers belong to lib/target, libyaml's to lib/support.
Prints each include that points the wrong way; exit 1 if any does.
"""
import re
import sys
from pathlib import Path

# A public header belongs to the room that its folder, or at the top its name, says.
TOP = {"ir.h": "ir", "dialects.h": "ir", "interp.h": "interp", "analysis.h": "analysis", "pass.h": "passes", "plugin.h": "passes", "object.h": "object",
       "target.h": "target", "runtime.h": "runtime", "machine.h": "machine", "runner_utils.h": "runner_utils", "ptxsim.h": "ptxsim",  # dialects.h: the loader's call
       "parts.h": "parts", "opt.h": "tools"}  # the tool mlc-opt as a library: it knows every room, and none knows it
EXCEPTIONS = {"mlc/runtime/abi.h": "support", "mlc/runtime/tensor.h": "support",  # what compiled code and the runtime agree on: both sides read it
              "mlc/operator.h": "support"}  # what functions of operators are given: by the runtime, and by the importer
KNOWS = {
    "support": {"support"},
    "machine": {"support", "machine"},
    "ir": {"support", "ir"},
    "dialects": {"support", "ir", "dialects"},
    "interp": {"support", "ir", "dialects", "interp"},
    "analysis": {"support", "ir", "analysis"},
    "passes": {"support", "machine", "ir", "dialects", "interp", "analysis", "passes"},
    "conversion": {"support", "machine", "ir", "dialects", "analysis", "passes", "conversion", "object", "target"},  # gpu-module-to-binary
    "frontend": {"support", "ir", "dialects", "interp", "frontend"},  # runs nodes that it imports one by one
    "parts": {"support", "ir", "dialects", "interp", "frontend", "parts"},
    "object": {"support", "machine", "ir", "object", "runtime", "target"},  # opens libmlc_target by dlopen, through its header alone
    "target": {"support", "machine", "ir", "dialects", "target", "object", "runtime"},
    "runtime": {"support", "runtime"},
    "runner_utils": {"support", "runner_utils"},
    "ptxsim": {"support", "ptxsim"},
    "cudaemu": {"support", "ptxsim", "cudaemu"},
}
# The sub-rooms of a room, lowest first: each may know itself and those before it, or those that are named.
SUB_ROOMS = {
    "ir": ["context", "op", "record", "geometry", "text", "verify", "eval", "bytecode", "rewrite", "convert", "setup"],
    "passes": {
        "manager": [],
        "general": ["manager"],
        "inspect": ["manager"],
        "scalar": ["manager"],
        "kernel": ["manager"],
        "graph": ["manager", "kernel"],
        "tensor": ["manager", "kernel", "graph"],
        "memory": ["manager", "kernel", "graph", "tensor"],
        "loops": ["manager", "kernel"],
    },
    "conversion": {"loops": [], "to_llvm": ["loops"], "graph_to_linalg": [], "outline": ["to_llvm"], "to_gpu": []},
}
# Who reads YAML: the reader itself and the dialect loader. Prefixes of paths.
YAML_READERS = ("lib/support/", "lib/ir/record/yaml")
FOREIGN = {"llvm-c/": {"target"}, "yaml.h": {"support"}, "png.h": set(), "zlib.h": set(), "cuda": set()}
GENERATED = re.compile(r"(_lex|\.tab|\.inc|_gen)\b")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def owner(header):
    """The room of a public header; None if its folder is no room's."""
    if header in EXCEPTIONS:
        return EXCEPTIONS[header]
    parts = header.split("/")
    return TOP.get(parts[1]) if len(parts) == 2 else parts[1] if parts[1] in KNOWS else None


def sub_rooms_below(room, sub_room):
    """Itself, and the sub-rooms that a sub-room may know."""
    order = SUB_ROOMS[room]
    if isinstance(order, list):
        return set(order[:order.index(sub_room) + 1])
    return {sub_room, *order[sub_room]}


def private_fault(room, sub_room, header, private):
    """What is wrong about an include of a header of the room's own; None if nothing is."""
    folder, _, name = header.rpartition("/")
    if room in SUB_ROOMS:
        if name not in private:
            return f"{header} is no header of lib/{room}"
        home = private[name]
        if folder and folder != home or not folder and home != sub_room:
            return f"{header}: a private header is included by its short name from its own folder, else as {home}/{name}"
        if home not in sub_rooms_below(room, sub_room):
            return f"lib/{room}/{sub_room} includes {header}"
    elif folder and room != "dialects":
        return f"{header}: a private header is included by its short name"
    elif name not in private:
        return f"{header} is no header of lib/{room}"
    return None


def faults_of(path, room, sub_room, private, text):
    for quote, header in INCLUDE.findall(text):
        if header == "mlc/support/yaml.h" and not str(path).startswith(YAML_READERS):
            yield f"{path}: reads YAML, which is left to {', '.join(YAML_READERS)}"
        if header.startswith("mlc/"):
            if owner(header) not in KNOWS[room]:
                yield f"{path}: lib/{room} includes {header} of lib/{owner(header)}"
        elif quote == '"':
            fault = None if GENERATED.search(header) else private_fault(room, sub_room, header, private)
            if fault and not (path.suffix in (".l", ".y") and "included by its short name" in fault):  # these are compiled elsewhere
                yield f"{path}: {fault}"
        else:
            for prefix, rooms in FOREIGN.items():
                if header.startswith(prefix) and room not in rooms:
                    yield f"{path}: lib/{room} includes <{header}>"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    faults, files = [], 0
    for header in sorted((root / "include").rglob("*.h")):
        if not owner(header.relative_to(root / "include").as_posix()):
            faults.append(f"{header.relative_to(root)}: no room is called so")
    for folder in sorted(p for p in (root / "lib").iterdir() if p.is_dir()):
        room = folder.name
        if room not in KNOWS:
            faults.append(f"lib/{room}: a room that scripts/check_includes.py does not know")
            continue
        private = {p.name: p.parent.name for p in folder.rglob("*.h")}
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".h", ".l", ".y")):
            files += 1
            sub_room = path.parent.name
            if room in SUB_ROOMS and sub_room not in SUB_ROOMS[room]:
                faults.append(f"{path.relative_to(root)}: in no sub-room that scripts/check_includes.py knows")
            else:
                faults += faults_of(path.relative_to(root), room, sub_room, private, path.read_text())
    print("\n".join(faults) if faults else f"{files} files, every include points the right way")
    sys.exit(1 if faults or not files else 0)


if __name__ == "__main__":
    main()
