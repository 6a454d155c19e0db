"""Proves that ops are made and asked for by their records: run by ctest as `builders`.

    python3 scripts/check_builders.py [ROOT]

mlc_arith_addf(b, x, y) and mlc_arith_addf_isa(op) are generated (mlc/dialects/<d>.h), and a typing error in them is one of the
compiler. A call of a function that takes an op's name, with the name in it, is a fault; tables of patterns keep names. Rooms
that know no dialect (lib/ir, lib/analysis) have names alone. In all of lib/, calls of mlc_build_op are counted: they are for
ops that are one of several, and their number may only fall.
"""
import re
import sys
from pathlib import Path

ROOMS = ("lib/dialects", "lib/interp", "lib/passes", "lib/conversion", "lib/frontend")
CALL = re.compile(r'\b(mlc_build|mlc_build_op|mlc_build_value|mlc_build_binary|mlc_op_is_named)\([^;{}"]*"([a-z]+\.[\w.]+)"')


BY_NAME = re.compile(r'(?<!^)\bmlc_build_op\(', re.M)  # a definition begins its line
MOST_BY_NAME = 11


def calls_by_name(root):
    return sum(len(BY_NAME.findall(p.read_text())) for p in sorted((root / "lib").rglob("*.c")))


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    files = [p for room in ROOMS for p in sorted((root / room).rglob("*.[ch]"))]
    faults = []
    for path in files:
        name, text = path.relative_to(root).as_posix(), path.read_text()
        for call in CALL.finditer(text):
            faults.append(f"{name}:{text.count(chr(10), 0, call.start()) + 1}: {call[1]} with \"{call[2]}\": there is a builder, or an _isa")
    by_name = calls_by_name(root)
    if by_name != MOST_BY_NAME:
        faults.append(f"lib/ has {by_name} calls of mlc_build_op, {MOST_BY_NAME} are " + ("allowed" if by_name > MOST_BY_NAME else "noted here"))
    print("\n".join(faults) if faults else f"{len(files)} files make and ask for ops by their records; {by_name} calls of mlc_build_op in lib/")
    sys.exit(1 if faults or not files else 0)


if __name__ == "__main__":
    main()
