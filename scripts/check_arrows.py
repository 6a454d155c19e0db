"""Proves that rooms and their sub-rooms call downwards only: run by ctest as `arrows`.

    python3 scripts/check_arrows.py BUILD_FOLDER

What the objects of a room need must be defined in a room that it may know (scripts/check_includes.py has the rooms). Includes do
not show everything: a public header may be implemented by a room above its reader, and a weak symbol is a call upwards too.
Prints each such call; exit 1 if there is one.
"""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from check_includes import KNOWS, SUB_ROOMS, sub_rooms_below

ROOT = Path(__file__).resolve().parent.parent


def place_of(path):
    """(room, sub-room or "") of an object file; None of generated code, and of what was built from a file that is no more."""
    found = re.search(r"\.dir/((\w+)/(?:(\w+)/)?(?:\w+/)*\w+\.c)\.o$", path.as_posix())
    if not found or found[2] not in KNOWS or not (ROOT / "lib" / found[1]).exists():
        return None
    return found[2], found[3] if found[2] in SUB_ROOMS else ""


def symbols(paths):
    """[(defined, needed)] of each object."""
    result = []
    for line in subprocess.run(["nm", "-A", "--defined-only", "--extern-only", *paths], capture_output=True, text=True, check=True).stdout.splitlines():
        result.append((line.rsplit(":", 1)[0], line.split()[-1], True))
    for line in subprocess.run(["nm", "-A", "--undefined-only", *paths], capture_output=True, text=True, check=True).stdout.splitlines():
        result.append((line.split(":", 1)[0], line.split()[-1], False))
    return result


def may_call(caller, callee):
    room, sub_room = caller
    if callee[0] != room:
        return callee[0] in KNOWS[room]
    return not sub_room or callee[1] in sub_rooms_below(room, sub_room)


def main():
    placed = {str(p): place_of(p) for p in sorted(Path(sys.argv[1]).glob("lib/CMakeFiles/**/*.o")) if place_of(p)}
    table = symbols(placed)
    home = {name: path for path, name, is_defined in table if is_defined}
    faults = defaultdict(set)
    for path, name, is_defined in table:
        if not is_defined and name in home and not may_call(placed[path], placed[home[name]]):
            faults["/".join(filter(None, placed[path])) + "/" + Path(path).stem, "/".join(filter(None, placed[home[name]])) + "/" + Path(home[name]).stem].add(name)
    for (caller, callee), names in sorted(faults.items()):
        print(f"lib/{caller} -> lib/{callee}: {', '.join(sorted(names))}")
    print(f"{len(placed)} objects, {len(faults)} calls upwards")
    sys.exit(1 if faults or not placed else 0)


if __name__ == "__main__":
    main()
