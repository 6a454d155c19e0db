#!/usr/bin/env python3
"""softfloat_mlir.py PROGRAM: prints and reads random floats with unit_support_softfloat and with mlir-opt-19; the texts
must be the same. Exit code 77 (skipped) where there is no mlir-opt-19."""
import random
import re
import shutil
import subprocess
import sys

WIDTHS = {  # of the kinds that MLIR 19's text knows
    "bf16": 16, "f16": 16, "tf32": 19, "f32": 32, "f64": 64, "f80": 80, "f128": 128, "f8E5M2": 8, "f8E4M3": 8,
    "f8E4M3FN": 8, "f8E5M2FNUZ": 8, "f8E4M3FNUZ": 8, "f8E4M3B11FNUZ": 8,
}
DECIMAL_RANGE = {"f64": 320, "f80": 330, "f128": 340, "f32": 50, "bf16": 50, "tf32": 50}


def random_bits(kind):
    bits = random.getrandbits(WIDTHS[kind])
    if kind == "f80" and bits >> 64 & 0x7FFF:
        bits |= 1 << 63  # else no number
    return bits


def random_literal(kind):
    def digits(most):
        return "".join(random.choice("0123456789") for _ in range(random.randint(0, most)))

    text = random.choice(["", "-"]) + "0" + digits(20) + "." + digits(20)
    if random.random() < 0.6:
        limit = DECIMAL_RANGE.get(kind, 12)
        text += random.choice("eE") + random.choice(["", "+", "-"]) + str(random.randint(0, limit))
    return text


def ask_mlir(mlir_opt, literals):
    attributes = ",\n".join(f"a{i} = {literal} : {kind}" for i, (kind, literal) in enumerate(literals))
    module = f'"t.t"() {{\n{attributes}\n}} : () -> ()\n'
    out = subprocess.run([mlir_opt, "-allow-unregistered-dialect"], input=module, capture_output=True, text=True, check=True)
    found = re.findall(r"\ba(\d+) = ([^,:} ]+)(?: : \w+)?[,}]", out.stdout)
    texts = {int(i): text for i, text in found}
    return [texts.get(i) for i in range(len(literals))]


def ask_mlc(program, mode, lines):
    out = subprocess.run([program, mode], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return out.stdout.split("\n")[: len(lines)]


def main():
    mlir_opt = shutil.which("mlir-opt-19")
    if not mlir_opt:
        print("skipped: mlir-opt-19 is not installed")
        return 77
    random.seed(1)
    bits = [(kind, random_bits(kind)) for kind in WIDTHS for _ in range(300)]
    bits += [(kind, value) for kind, width in WIDTHS.items() if width == 8 for value in range(256)]
    literals = [(kind, random_literal(kind)) for kind in WIDTHS for _ in range(200)]
    mask = (1 << 64) - 1
    mine = ask_mlc(sys.argv[1], "print", [f"{kind} {value >> 64:x} {value & mask:x}" for kind, value in bits])
    mine += ask_mlc(sys.argv[1], "parse", [f"{kind} {text}" for kind, text in literals])
    cases = [(kind, f"0x{value:X}") for kind, value in bits] + literals
    theirs = ask_mlir(mlir_opt, cases)
    wrong = [(c, m, t) for c, m, t in zip(cases, mine, theirs) if m != t]
    for (kind, text), ours, expected in wrong[:10]:
        print(f"{text} : {kind}: mlir-opt prints {expected}, we print {ours}")
    print(f"{len(cases)} values, {len(wrong)} differ")
    return 1 if wrong or len(mine) != len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())
