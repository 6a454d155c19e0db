"""Proves that the dialects' reference pages are manuals.

    python3 scripts/check_reference.py FOLDER

FOLDER is `docs/reference` of a build. In the dialects named below every operand, result, attribute, region and successor
of an op has a `doc`; no page has what only the machinery needs; passes that a page names exist. Prints each fault; exit 1 if
there is one.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTED = ["affine", "bufferization", "cf", "func", "gpu", "graph", "linalg", "memref", "scf", "tensor", "vector"]
MACHINERY = ["SegmentSizes", "integer cases: ", "'s intrinsic ", "as LLVM metadata has it"]


def flags_of_passes():
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "lib").rglob("*.c"))
    return set(re.findall(r'\.flag = "([^"]+)"', sources))


def faults_of(path, flags):
    op = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("### "):
            op = line[4:]
        for name in re.findall(r"`([^`]+)`", line) if line.startswith("Lowered by ") else []:
            if name not in flags:
                yield f"{path}:{number}: there is no pass {name}"
        if any(word in line for word in MACHINERY):
            yield f"{path}:{number}: not for readers: {line}"
        is_part = op and re.match(r"\s*- `", line)
        if path.stem in DOCUMENTED and is_part and not re.search(r"[)`]: ", line):
            yield f"{path}:{number}: of {op}, without a doc: {line}"


def main():
    pages = sorted(Path(sys.argv[1]).glob("*.md"))
    missing = set(DOCUMENTED) - {page.stem for page in pages}
    flags = flags_of_passes()
    faults = [fault for page in pages for fault in faults_of(page, flags)]
    faults += [f"there is no page {name}.md" for name in sorted(missing)]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
