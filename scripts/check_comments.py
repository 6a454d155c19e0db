"""Proves that each public function has its comment: run by ctest as `comments`.

    python3 scripts/check_comments.py [ROOT]

A public function is one of a header under include/mlc: with MLC_API, or static inline. Its comment stands directly above it, or
behind it on its last line. It may share one: a comment above is for the functions below it, too, that follow without an empty
line, a comment or anything else between, if they are of one kind: their names begin alike (mlc_op_operand, mlc_op_num_operands:
with the first two words), and there are at most eight of them. Declarations that the formatter broke around a comment behind
them (the name on a line of its own, the comment on its last) have it above. Prints each fault; exit 1 if there is one.
"""
import re
import sys
from pathlib import Path

MOST_SHARED = 8
NAME = re.compile(r"\b(mlc_\w+)\s*\(")


def blocks_of(text):
    """Top-level pieces of a header: (kind, first line, last line, text), kind one of empty, comment, preprocessor, code."""
    lines, i = text.split("\n"), 0
    while i < len(lines):
        line, first = lines[i], i
        bare = line.strip()
        if not bare:
            yield "empty", i + 1, i + 1, ""
        elif bare.startswith("//"):
            yield "comment", i + 1, i + 1, bare
        elif bare.startswith("#"):
            while lines[i].endswith("\\"):
                i += 1
            yield "preprocessor", first + 1, i + 1, "\n".join(lines[first:i + 1])
        else:  # up to the ; or } that ends it
            depth, seen = 0, False
            while True:
                code = re.sub(r"//.*|\"(\\.|[^\"])*\"|'(\\.|[^'])'", "", lines[i])
                depth += code.count("{") + code.count("(") - code.count("}") - code.count(")")
                seen |= "{" in code
                if depth <= 0 and (code.rstrip().endswith(";") or (seen and code.rstrip().endswith("}")) or "MLC_BEGIN_DECLS" in code
                                   or "MLC_END_DECLS" in code) or i + 1 == len(lines):
                    break
                i += 1
            yield "code", first + 1, i + 1, "\n".join(lines[first:i + 1])
        i += 1


def function_of(code):
    """The name of the public function that is declared; None if it is something else."""
    head = code.split("{")[0] if code.lstrip().startswith("static") else code
    if not re.match(r"\s*(MLC_API|static inline)\b", code) or re.match(r"\s*MLC_API extern|\s*extern", code):
        return None
    found = NAME.search(re.sub(r"//.*|MLC_PRINTF\([^)]*\)", "", head))
    return found[1] if found else None


def kind_of(name):
    return "_".join(name.split("_")[:2])


def faults_of(path, text):
    above, shared, kind = False, 0, None  # whether a comment reaches here, how many share it, and of what kind they are
    for what, first, last, code in blocks_of(text):
        name = function_of(code) if what == "code" else None
        if what == "comment":
            above, shared, kind = True, 0, None
        elif name:
            lines = code.split("\n")
            behind = "//" in lines[-1] or (code.lstrip().startswith("static") and "//" in lines[0])
            torn = len(lines) > 1 and "//" in code and not code.lstrip().startswith("static")
            if torn:
                yield f"{path}:{first}: {name}: its comment breaks the declaration: put it above"
            own = above and (shared == 0 or (kind_of(name) == kind and shared < MOST_SHARED))
            if not own and not behind:
                yield f"{path}:{first}: {name} has no comment"
            if not behind:
                kind = kind or kind_of(name)
                shared += 1
        else:
            above = False


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    headers, faults, functions = sorted((root / "include/mlc").rglob("*.h")), [], 0
    for header in headers:
        text = header.read_text()
        functions += sum(1 for what, _, _, code in blocks_of(text) if what == "code" and function_of(code))
        faults += faults_of(header.relative_to(root), text)
    print("\n".join(faults) if faults else f"{functions} public functions of {len(headers)} headers have their comments")
    sys.exit(1 if faults or not functions else 0)


if __name__ == "__main__":
    main()
