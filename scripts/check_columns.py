"""Proves that lines of the dialects' YAML are within 120 columns.

    python3 scripts/check_columns.py [FILE...]

A line that cannot be broken is the one exception: what follows its indentation, its key or its dash holds no blank.
Prints each line that is too long; exit 1 if there is one. Without arguments: all YAML under lib/.
"""
import re
import sys
from pathlib import Path

LIMIT = 120
ROOT = Path(__file__).resolve().parent.parent


def is_too_long(line):
    return len(line) > LIMIT and " " in re.sub(r"^\s*(- )?([\w.]+: )?", "", line)


def main():
    paths = [Path(name) for name in sys.argv[1:]] or sorted((ROOT / "lib").rglob("*.yaml"))
    faults = 0
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if is_too_long(line):
                faults += 1
                print(f"{path}:{number}: {len(line)} columns, at most {LIMIT}")
    sys.exit(1 if faults or not paths else 0)


if __name__ == "__main__":
    main()
