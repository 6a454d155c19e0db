"""Proves that the rooms of lib/ know only what they may (docs/architecture.md, Rooms): run by ctest as `include_directions`.

    python3 scripts/check_includes.py [ROOT]

A room may include its own private headers (by short name), the public headers that KNOWS grants it, and libc. LLVM's
headers belong to lib/target, libyaml's to lib/support. Prints each include that points the wrong way; exit 1 if any does.
"""
import re
import sys
from pathlib import Path

# The public headers, by who implements them: the first prefix that fits counts.
OWNERS = [
    ("mlc/support/", "support"), ("mlc/target_desc.h", "ir"),
    ("mlc/ir.h", "ir"), ("mlc/ir/", "ir"), ("mlc/rewrite.h", "ir"), ("mlc/reshape.h", "ir"),
    ("mlc/bufferize.h", "ir"),  # the interface that dialects implement; the pass of that name is its only caller
    ("mlc/dialects.h", "ir"),  # the loader's call, and the generated table's
    ("mlc/affine_gather.h", "dialects"), ("mlc/winograd.h", "dialects"),
    ("mlc/affine_compose.h", "dialects"),
    ("mlc/runtime/abi.h", "support"),  # what compiled code and the runtime agree on: both sides read it
    ("mlc/dialects", "dialects"), ("mlc/graph.h", "dialects"), ("mlc/body.h", "dialects"), ("mlc/interp.h", "interp"), ("mlc/runtime", "runtime"), ("mlc/object.h", "object"),
    ("mlc/target", "target"), ("mlc/conversion", "conversion"), ("mlc/frontend/", "frontend"),
    ("mlc/pass", "passes"), ("mlc/dataflow.h", "analysis"), ("mlc/analysis", "analysis"),
    ("mlc/alias.h", "analysis"), ("mlc/linear.h", "analysis"),
]
KNOWS = {
    "support": {"support"},
    "ir": {"support", "ir"},
    "dialects": {"support", "ir", "dialects"},
    "interp": {"support", "ir", "dialects", "interp"},
    "analysis": {"support", "ir", "analysis"},
    "passes": {"support", "ir", "dialects", "interp", "analysis", "passes"},
    "conversion": {"support", "ir", "dialects", "analysis", "passes", "conversion"},
    "frontend": {"support", "ir", "dialects", "frontend"},
    "object": {"support", "ir", "object", "runtime", "target"},  # opens libmlc_target by dlopen, through its header alone
    "target": {"support", "ir", "dialects", "target", "object", "runtime"},
    "runtime": {"support", "runtime"},
}
# Who reads YAML: the reader itself, the dialect loader, descriptions of targets. Prefixes of paths.
YAML_READERS = ("lib/support/", "lib/ir/yaml", "lib/target/")
FOREIGN = {"llvm-c/": {"target"}, "yaml.h": {"support"}, "png.h": set(), "zlib.h": set(), "cuda": set()}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def owner(header):
    # What is under mlc/ and not listed is a pass's or a conversion's own small header.
    return next((room for prefix, room in OWNERS if header.startswith(prefix)), "passes")


def faults_of(path, room, private, text):
    for quote, header in INCLUDE.findall(text):
        if header == "mlc/support/yaml.h" and not str(path).startswith(YAML_READERS):
            yield f"{path}: reads YAML, which is left to {', '.join(YAML_READERS)}"
        if header.startswith("mlc/"):
            if owner(header) not in KNOWS[room]:
                yield f"{path}: lib/{room} includes {header} of lib/{owner(header)}"
        elif quote == '"':
            if "/" in header and room != "dialects":
                yield f"{path}: {header}: a private header is included by its short name, from its own folder"
            elif header not in private and not re.search(r"(_lex|\.tab|\.inc|_gen)\b", header):
                yield f"{path}: {header} is no header of lib/{room}"
        else:
            for prefix, rooms in FOREIGN.items():
                if header.startswith(prefix) and room not in rooms:
                    yield f"{path}: lib/{room} includes <{header}>"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    faults, files = [], 0
    for folder in sorted(p for p in (root / "lib").iterdir() if p.is_dir()):
        room = folder.name
        if room not in KNOWS:
            faults.append(f"lib/{room}: a room that scripts/check_includes.py does not know")
            continue
        private = {p.name for p in folder.rglob("*.h")}
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".h", ".l", ".y")):
            files += 1
            faults += faults_of(path.relative_to(root), room, private, path.read_text())
    print("\n".join(faults) if faults else f"{files} files, every include points the right way")
    sys.exit(1 if faults or not files else 0)


if __name__ == "__main__":
    main()
