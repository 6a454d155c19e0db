"""Proves that the dialects' reference pages are manuals.

    python3 scripts/check_reference.py FOLDER

FOLDER is `docs/reference` of a build. In the dialects named below every operand, result, attribute, region and successor
of an op has a `doc`; on no page stands what only the machinery needs. Prints each fault; exit 1 if there is one.
"""
import re
import sys
from pathlib import Path

DOCUMENTED = ["affine", "bufferization", "cf", "func", "gpu", "graph", "linalg", "memref", "scf", "tensor", "vector"]
MACHINERY = ["SegmentSizes", "integer cases: ", "'s intrinsic ", "as LLVM metadata has it"]


def faults_of(path):
    op = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("### "):
            op = line[4:]
        if any(word in line for word in MACHINERY):
            yield f"{path}:{number}: not for readers: {line}"
        is_part = op and re.match(r"\s*- `", line)
        if path.stem in DOCUMENTED and is_part and not re.search(r"[)`]: ", line):
            yield f"{path}:{number}: of {op}, without a doc: {line}"


def main():
    pages = sorted(Path(sys.argv[1]).glob("*.md"))
    missing = set(DOCUMENTED) - {page.stem for page in pages}
    faults = [fault for page in pages for fault in faults_of(page)]
    faults += [f"there is no page {name}.md" for name in sorted(missing)]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
