"""Proves that each pass and conversion has a folder of tests under test/lit: run by ctest as `pass_tests`.

    python3 scripts/check_pass_tests.py [ROOT]

The folder is named for the flag, or, of conversions, for the file; it holds a test that runs the flag. Prints passes without
one; exit 1 if there are any.
"""
import re
import sys
from pathlib import Path

PASS = re.compile(r'MLC_PASS\((\w+),\s*\.flag = "([^"]+)"')


def is_run(flag, folders):
    files = [f for folder in folders for f in folder.rglob("*") if f.is_file()]
    return any(re.search(rf"(?<!\w){flag}(?![\w-])", f.read_text(errors="replace")) for f in files)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    passes = [found for room in ("passes", "conversion") for path in sorted((root / "lib" / room).rglob("*.c"))
              for found in PASS.findall(path.read_text())]
    folders = [p for room in ("passes", "conversion") for p in (root / "test/lit" / room).rglob("*") if p.is_dir()]
    faults = [flag for name, flag in passes
              if not is_run(flag, [f for f in folders if f.name in (flag, name.replace("_", "-"))])]
    print("".join(f"--{flag}: no folder of tests of its own that runs it\n" for flag in faults)
          or f"{len(passes)} passes, each with tests of its own")
    sys.exit(1 if faults or not passes else 0)


if __name__ == "__main__":
    main()
