"""Proves that the dialects' reference pages are manuals.

    python3 scripts/check_reference.py FOLDER

FOLDER is `docs/reference` of a build. In the dialects named below every operand, result, attribute, region and successor
of an op has a `doc`; no page has what only the machinery needs; passes that a page names exist. Of the attributes `mlc.*`,
each pass that a page says writes or reads one has it in its sources, and each that has it there is on the page. Prints each
fault; exit 1 if there is one.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTED = ["affine", "bufferization", "cf", "func", "gpu", "graph", "linalg", "memref", "scf", "tensor", "vector"]
SHOWN = {  # what pages must tell, each kind once
    "arith": [
        "Passes that convert its ops: ",
        "**Lowers to**: `llvm.fadd`, with `fastmath` as `fastmathFlags`.",
        "**Converted by**: `convert-arith-to-llvm`, ",
        "**Traits**: pure; operands commute; operands and results are of one type;",
        "run in the interpreter; fold constants by running; simplify by rules (`arith.rules`)",
        "One of `eq`, `ne`, `slt`",
        "(`#arith.overflow`, `#arith.overflow<none>` if not given)",
    ],
    "cf": ["- `trueDest`: where the condition is 1"],
    "graph": ["**Each element**: `select(input < 0, 0, input)`", "**Interfaces**: shape inference;"],
    "linalg": [
        "**Loops**: `m` parallel, `n` parallel, `k` reduction.",
        "- `lhs` (in) `(m, n, k) -> (m, k)`: [M, K]",
        "**Body**: `init + cast(lhs) * cast(rhs)`",
    ],
    "memref": ["- `memref` (memref of any type values, read): the buffer"],
    "scf": ["- `region` (one block): one iteration:", "stands in `scf.while`"],
}
MACHINERY = ["SegmentSizes", "integer cases: ", "'s intrinsic ", "as LLVM metadata has it"]


def flags_of_passes():
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "lib").rglob("*.c"))
    return set(re.findall(r'\.flag = "([^"]+)"', sources))


# How sources speak of attributes, but for their names.
SPOKEN = {
    "mlc.tile_registers": r"\bamx_to_llvm_patterns\b|\"mlc.tile_registers\"",
    "mlc.at_most": r"\bmlc_most_trips\b|\"mlc.at_most\"",
    "mlc.call_buffers": r"\bMLC_CALL_BUFFERS\b",
    "mlc.checked": r"\b(MLC_GRAPH_CHECKED|mlc_graph_range)\b",
    "mlc.computed_sizes": r"\bMLC_COMPUTED_SIZES\b",
    "mlc.dims": r"\bMLC_DIMS_ATTR\b|\bmlc_size_argument\b",
    "mlc.size": r"\bMLC_SIZE_ATTR\b|\bmlc_size_(argument|in_function)\b",
    "mlc.node": r"\bMLC_GRAPH_NODE\b",
    "mlc.notes": r"\b(mlc_kernel_note|mlc_kernel_remark|MLC_KERNEL_NOTES)\b",
    "mlc.schedule": r"\bGPU_SCHEDULE_ATTR\b",
    "mlc.numerics": r"\bmlc_module_numerics\b",
    "mlc.stays_on_tensors": r"\bMLC_STAYS_ON_TENSORS\b",
    "mlc.sum_block": r"\bmlc_(sum_blocks|\w*sum_block|sum_block_size)\b",
}


def sources_of_passes():
    """flag -> (the text of its file, the same with that of the files of its private headers)."""
    result = {}
    for path in sorted((ROOT / "lib").rglob("*.c")):
        own = path.read_text(encoding="utf-8")
        headers = {Path(name).stem for name in re.findall(r'#include "([\w/]+\.h)"', own)}
        parts = [p for name in headers for p in path.parent.glob(f"{name}*.c") if (path.parent / f"{name}.h").exists()]
        texts = [p.read_text(encoding="utf-8") for p in parts]
        all_text = own + "".join(text for text in texts if "MLC_PASS(" not in text)
        result.update({flag: (own, all_text) for flag in re.findall(r'MLC_PASS\(.*?\.flag = "([^"]+)"', own, re.S)})
    return result


def misplaced_attributes(page):
    """Passes that the page names and that do not know the attribute, and those that do and are not named."""
    passes = sources_of_passes()
    for line in page.read_text(encoding="utf-8").splitlines():
        found = re.match(r"- `(mlc\.\w+)`.* On (.*)$", line)
        if not found:
            continue
        name, users = found[1], set(re.findall(r"`([^`]+)`", found[2]))
        spoken = re.compile(f'"{re.escape(name)}"|{SPOKEN.get(name, "(?!)")}')
        for flag, (own, all_text) in passes.items():
            if flag in users and not spoken.search(all_text):
                yield f"{page}: {name}: {flag} does not know it"
            if flag not in users and spoken.search(own):
                yield f"{page}: {name}: {flag} knows it, and is not named"


NOT_CONVERSIONS = {"amx_registers", "call_by_pointers", "gpu_schedule", "graph_check_lowerable", "graph_interpret", "model_abi"}  # among the passes of lib/conversion


def silent_conversions():
    for path in sorted((ROOT / "lib/conversion").rglob("*.c")):
        text = path.read_text(encoding="utf-8")
        if "MLC_PASS(" in text and ".converts = " not in text and path.stem not in NOT_CONVERSIONS:
            yield f"{path}: does not say which ops it converts (.converts)"


def faults_of(path, flags):
    op = ""
    text = path.read_text(encoding="utf-8")
    for fragment in SHOWN.get(path.stem, []):
        if fragment not in text:
            yield f"{path}: does not show: {fragment}"
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("### "):
            op = line[4:]
        for name in re.findall(r"`([^`]+)`", line) if line.startswith(("Passes that ", "**Converted by**")) else []:
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
    faults += silent_conversions()
    faults += [fault for page in pages if page.stem == "mlc" for fault in misplaced_attributes(page)]
    faults += [f"there is no page {name}.md" for name in sorted(missing)]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
