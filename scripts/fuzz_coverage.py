"""Prints which lines of a fuzz target's reader its corpus reaches.

    fuzz_coverage.py TARGET FILE-WITH-THE-READER'S-FILES LEAST-PERCENT LLVM-COV'S-ARGUMENTS...

Of what flex and bison generate only the lines count that come from our .l and .y files. Exit 1 if fewer of all lines are
reached than should be, or a file is not in the program at all.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINE = re.compile(r" *(\d+)\| *([\d.]+[kMGTPE]?)?\|")
SOURCE = re.compile(r'#line \d+ "(.*)"')


def covered_lines(path, arguments):
    """(lines with code, those of them that ran) of one file."""
    shown = subprocess.run(["llvm-cov-19", "show", *arguments, str(path)], capture_output=True, text=True, check=False)
    text = path.read_text(errors="replace").splitlines()
    is_generated = any(SOURCE.match(line) for line in text)
    is_ours, ours = not is_generated, set()
    for number, line in enumerate(text, 1):
        directive = SOURCE.match(line)
        if directive:
            is_ours = directive[1].endswith((".l", ".y"))
        if is_ours:
            ours.add(number)
    counts = [match[2] for match in map(LINE.match, shown.stdout.splitlines()) if match and match[2] and int(match[1]) in ours]
    return len(counts), sum(count != "0" for count in counts)


def main():
    target, reader, least, arguments = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
    total = total_covered = 0
    complete = True
    for name in reader.read_text().split():
        count, covered = covered_lines(ROOT / name, arguments)
        if count == 0:
            print(f"fuzz_coverage: {target}: '{name}' is not in the program")
            complete = False
            continue
        total, total_covered = total + count, total_covered + covered
        print(f"  {Path(name).name:24} {covered:5} of {count:5} lines {100 * covered / count:6.1f} %")
    percent = 100 * total_covered / total if total else 0
    print(f"  {target:24} {total_covered:5} of {total:5} lines {percent:6.1f} %{'' if percent >= least else '  TOO FEW'}")
    return 0 if complete and percent >= least else 1


sys.exit(main())
