"""Mutants of texts: bytes flipped, tokens and lines moved, numbers blown up, brackets and regions nested, lines joined, two texts
spliced. mlc-opt answers each with IR or with a located error, within 10 s of processor time and 1 GiB.

    python text_mutants.py --mlc-opt build/release/bin/mlc-opt [--seeds FIRST:COUNT] [--save FOLDER] [--sanitized] FOLDER...

A mutant is made of its seed and the texts alone, so a number says which it was. What is found is saved as SEED.mlir.
"""
import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import text_limits

TOKEN = re.compile(r'"[^"\n]*"|[%@^#!]?[A-Za-z_][\w$.]*|[%^]\d+|\d+(?:\.\d+)?|->|::|\S')
NUMBER = re.compile(r"(?<![\w.%^#@])-?\d+(?![\w.])|(?<=[<x])\d+(?=x)|(?<=\bi)\d+\b")
GIANTS = (0, 1, -1, 63, 64, 65, 127, 128, 255, 256, 257, 1000, 4096, 65535, 65536, 1 << 20, (1 << 24) - 1, 1 << 24, (1 << 31) - 1, 1 << 31,
          (1 << 32) - 1, 1 << 32, 10**9, 10**10, (1 << 40) + 1, (1 << 62), (1 << 63) - 1, 1 << 63, -(1 << 63), (1 << 64) - 1, 1 << 64, 10**30)
COUNTS = (2, 3, 8, 30, 60, 100, 240, 260, 1000, 5000, 30_000)
TYPE = re.compile(r"\b(?:tensor|vector|memref|tuple|complex)<[^<>\n]*>|![\w.]+(?:<[^<>\n]*>)?|(?<![\w.%@#])(?:[su]?i\d+|index|f32|f64)\b")
ATTR = re.compile(r"(?<== )(?:-?\d+(?: : \w+)?|\"[^\"\n]*\"|\[[^\[\]\n]*\]|@\w+|#[\w.]+(?:<[^<>\n]*>)?)")
EXPR = re.compile(r"\bd\d+\b|\bs\d+\b|%\w+(?= [-+*] )|\d+(?= (?:mod|floordiv|ceildiv) )")
LOC = re.compile(r"\bloc\(([^()\n]*)\)")
TYPE_NESTS = (("tuple<", ">"), ("tuple<i32, ", ">"), ("complex<", ">"), ("vector<2x", ">"), ("tensor<2x", ">"), ("memref<?x", ">"),
              ("tensor<2xi32, ", ">"), ("memref<2xi32, ", ">"), ("() -> (", ")"), ("(", ") -> ()"), ("!llvm.array<2 x ", ">"),
              ("!llvm.struct<(", ")>"), ("!llvm.struct<(i32, ", ")>"), ("!llvm.struct<packed (", ")>"), ("!llvm.ptr<", ">"), ("!llvm.vec<2 x ", ">"),
              ("!llvm.func<void (", ")>"), ("!llvm.func<", " ()>"), ("!foo.bar<", ">"), ("!spirv.ptr<", ", Function>"),
              ("!spirv.array<4 x ", ">"), ("!spirv.struct<(", ")>"), ("!spirv.rtarray<", ">"), ("!async.value<", ">"),
              ("!quant.uniform<i8:", ", 0.1>"), ("!emitc.ptr<", ">"), ("!emitc.array<2x", ">"), ("!transform.param<", ">"), ("!pdl.range<", ">"),
              ("!shape.value<", ">"), ("!gpu.mma_matrix<16x16x", ', "AOp">'), ("!sparse_tensor.x<", ">"), ("!llvm.target<\"a\", ", ">"),
              ("memref<4x4xf32, strided<[", ", 1]>>"), ("memref<4xf32, affine_map<(d0) -> (", ")>>"))
ATTR_NESTS = (("[", "]"), ("[1, ", "]"), ("{a = ", "}"), ("dense<[", "]> : tensor<1xi32>"), ("#foo.bar<", ">"), ("#foo<bar ", ">"),
              ("array<i32: ", ">"), ("affine_map<(d0) -> (", ")>"), ("loc(fused[", "])"), ("sparse<[[0]], [", "]> : tensor<4xi32>"), ("-", ""),
              ("@a::", ""), ("dense<", "> : tensor<2x2xi32>"), ("#dlti.dl_spec<#dlti.dl_entry<i32, ", ">>"), ("distinct[0]<", ">"))
EXPR_NESTS = (("(", ")"), ("-(", ")"), ("(d0 + ", ")"), ("((", " floordiv 3) * 2)"), ("((", ") mod 7)"), ("(", " ceildiv 2)"), ("(2 * ", ")"),
              ("", " + d0"), ("", " * 3 + d0 mod 5"), ("", " floordiv 3 + d0"))
LOC_NESTS = (("fused[", "]"), ("fused<1>[", "]"), ("callsite(", ' at "a":1:1)'), ('callsite("b":2:2 at ', ")"), ('"n"(', ")"))
REGION_NESTS = (("{", "}"), ('"x"() ({', "}) : () -> ()"), ("module {", "}"), ("scf.if %c {", "}"), ("scf.for %i = %c to %c step %c {", "}"),
                ("affine.for %i = 0 to 10 {", "}"), ("scf.execute_region {", "scf.yield }"), ("func.func @g() {", "return }"),
                ("^bb0:", ""), ("affine.if affine_set<(d0) : (d0 >= 0)>(%c) {", "}"), ("scf.while : () -> () {", "} do { scf.yield }"),
                ("scf.parallel (%i) = (%c) to (%c) step (%c) {", "}"), ("gpu.module @m {", "}"))


def span_of_tokens(rng, text, most):
    tokens = [m.span() for m in TOKEN.finditer(text)]
    if not tokens:
        return 0, 0
    first = rng.randrange(len(tokens))
    last = min(len(tokens), first + rng.randint(1, most)) - 1
    return tokens[first][0], tokens[last][1]


def span_of_lines(rng, text, most=6):
    starts = [0] + [m.end() for m in re.finditer("\n", text)]
    first = rng.randrange(len(starts))
    last = first + rng.randint(1, most)
    return starts[first], starts[last] if last < len(starts) else len(text)


def put(text, span, new):
    return text[: span[0]] + new + text[span[1] :]


def flip_bytes(rng, text, _):
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(text) + 1)
        text = put(text, (at, min(len(text), at + rng.randint(0, 1))), chr(rng.choice((rng.randrange(256), rng.randrange(32, 127)))))
    return text


def swap_tokens(rng, text, _):
    a, b = sorted((span_of_tokens(rng, text, 3), span_of_tokens(rng, text, 3)))
    return text if a[1] > b[0] else text[: a[0]] + text[b[0] : b[1]] + text[a[1] : b[0]] + text[a[0] : a[1]] + text[b[1] :]


def copy_token(rng, text, other):
    source = other if rng.random() < 0.3 else text
    first, last = span_of_tokens(rng, source, 3)
    return put(text, span_of_tokens(rng, text, 2), source[first:last])


def repeat_tokens(rng, text, _):
    first, last = span_of_tokens(rng, text, 4)
    piece = text[first:last]
    count = rng.choice(COUNTS)
    return put(text, (last, last), (rng.choice(("", " ", ", ", "\n")) + piece) * min(count, 200_000 // (len(piece) + 2)))


def delete_tokens(rng, text, _):
    return put(text, span_of_tokens(rng, text, rng.choice((1, 2, 12))), "")


def copy_lines(rng, text, other):
    source = other if rng.random() < 0.3 else text
    first, last = span_of_lines(rng, source)
    at, _ = span_of_lines(rng, text)
    return put(text, (at, at), source[first:last])


def repeat_lines(rng, text, _):
    first, last = span_of_lines(rng, text, 2)
    piece = text[first:last]
    return put(text, (last, last), piece * min(rng.choice(COUNTS), 200_000 // (len(piece) + 1)))


def delete_lines(rng, text, _):
    return put(text, span_of_lines(rng, text), "")


def join_lines(rng, text, _):
    if rng.random() < 0.5:
        return re.sub(r"//[^\n]*", "", text).replace("\n", " ")
    first, last = span_of_lines(rng, text, 8)
    return put(text, (first, last), text[first:last].replace("\n", rng.choice(("", " "))))


def splice(rng, text, other):
    cut, join = span_of_lines(rng, text)[0], span_of_lines(rng, other)[0]
    return text[:cut] + other[join:]


def blow_numbers(rng, text, _):
    found = list(NUMBER.finditer(text))
    rng.shuffle(found)
    for m in sorted(found[: rng.choice((1, 1, 1, 2, 5))], key=lambda m: -m.start()):
        text = put(text, m.span(), str(rng.choice(GIANTS)))
    return text


def blow_every_same_number(rng, text, _):
    found = NUMBER.findall(text)
    if not found:
        return text
    old, new = rng.choice(found), str(rng.choice(GIANTS))
    return re.sub(rf"(?<=[\[<x (,i]){re.escape(old)}(?=[\]x> ),:])", new, text)


def nest(pattern, nests):
    def mutate(rng, text, _):
        found = list(pattern.finditer(text))
        if not found:
            return text
        m = rng.choice(found)
        text_of = m.group(m.lastindex or 0)
        if rng.random() < 0.2:  # kinds in turns
            pairs = [rng.choice(nests) for _ in range(min(rng.choice(COUNTS), 3000))]
            new = "".join(p[0] for p in pairs) + text_of + "".join(p[1] for p in reversed(pairs))
        else:
            opening, closing = rng.choice(nests)
            count = min(rng.choice(COUNTS), 200_000 // len(opening + closing))
            new = opening * count + text_of + closing * (count if rng.random() < 0.9 else 0)
        return put(text, m.span(m.lastindex or 0), new)

    return mutate


def nest_itself(rng, text, _):
    """A bracketed piece within itself: what the text itself nests, deeper."""
    first, last = span_of_tokens(rng, text, 30)
    piece = text[first:last]
    opening = max(piece.find(c) for c in "<([{")
    if opening < 0:
        return text
    head = piece[: opening + 1]
    closing = "".join({"<": ">", "(": ")", "[": "]", "{": "}"}.get(c, "") for c in reversed(head) if c in "<([{")
    count = min(rng.choice(COUNTS), 100_000 // len(head))
    return put(text, (first, first), head * count + piece + closing * count)


def nest_regions(rng, text, _):
    at, end = span_of_lines(rng, text, rng.choice((1, 3, 20)))
    opening, closing = rng.choice(REGION_NESTS)
    count = min(rng.choice(COUNTS), 100_000 // len(opening + closing))
    return put(text, (at, end), (opening + "\n") * count + text[at:end] + (closing + "\n") * count)


def nest_lines(rng, text, _):
    """Lines that open a region, many times: loops of the text's own kind."""
    opening = [m for m in re.finditer(r"(?m)^.*\{[ \t]*$", text)]
    if not opening:
        return text
    m = rng.choice(opening)
    count = min(rng.choice(COUNTS), 100_000 // len(m.group()))
    return put(text, (m.start(), m.start()), (m.group() + "\n") * count) + "}\n" * count


def chain_aliases(rng, text, _):
    """A type or an attribute that holds aliases of aliases, in front of the text or of its part."""
    pattern, nests, sigil = rng.choice(((TYPE, TYPE_NESTS, "!"), (ATTR, ATTR_NESTS, "#"), (LOC, LOC_NESTS, "#")))
    found = list(pattern.finditer(text))
    if not found:
        return text
    m = rng.choice(found)
    group = m.lastindex or 0
    opening, closing = rng.choice(nests)
    count = min(rng.choice(COUNTS), 200_000 // len(opening + closing + "!chained00000 = !chained00000\n"))
    twice = f", {sigil}chained%d" if rng.random() < 0.2 else ""
    lines = [f"{sigil}chained0 = {f'loc({m.group(group)})' if pattern is LOC else m.group(group)}\n"]
    for i in range(count):
        held = f"{opening}{sigil}chained{i}{twice % i if twice else ''}{closing}"
        lines.append(f"{sigil}chained{i + 1} = {f'loc({held})' if pattern is LOC else held}\n")
    return "".join(lines) + put(text, m.span(group), f"{sigil}chained{count}")


MUTATIONS = (flip_bytes, swap_tokens, copy_token, copy_token, repeat_tokens, delete_tokens, copy_lines, repeat_lines, delete_lines, join_lines, splice,
             blow_numbers, blow_numbers, blow_every_same_number, blow_every_same_number, nest(TYPE, TYPE_NESTS), nest(ATTR, ATTR_NESTS),
             nest(EXPR, EXPR_NESTS), nest(LOC, LOC_NESTS), chain_aliases, nest_itself, nest_regions, nest_lines)


def own_flags(text):
    """Passes that the text's first RUN line names; none where it says more than words."""
    m = re.search(r"(?m)^// RUN: (?:mlc-opt|mlir-opt) ([^|\\]*)", text)
    return [f for f in m.group(1).split() if re.fullmatch(r"-+[\w-]+(=[\w.=,-]+)?", f) and not f.startswith(NOT_OWN)] if m else []


def mutant(texts, seed):
    """The text, and the passes of the one it was made of."""
    rng = random.Random(seed)
    text, other = rng.choice(texts), rng.choice(texts)
    flags = own_flags(text)
    if rng.random() < 0.7:  # one part: what is wrong in one hides nothing of the others
        text = rng.choice(re.split(r"(?m)^// -----.*\n", text))
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 6))):
        text = rng.choice(MUTATIONS)(rng, text, other)
    return text[:1_000_000], flags


RUNS = {
    "plain": [],
    "simplify": ["--canonicalize", "--cse"],
    "generic": ["--mlir-print-op-generic", "--mlir-print-debuginfo"],
    "bytecode": ["--emit-bytecode"],
    "own-bytecode": ["--emit-mlc-bytecode"],
    "own": [],
}
NOT_OWN = ("--verify-", "-verify-", "--split", "-split", "-o", "--allow", "-allow", "--load", "--max", "--limit", "--mlir-print-ir", "-mlir-print-ir")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc-opt", type=Path, required=True)
    parser.add_argument("--seeds", default="1:300", help="FIRST:COUNT")
    parser.add_argument("--runs", default="plain,simplify", help="of " + ", ".join(RUNS) + " (passes of the text's RUN line)")
    parser.add_argument("--flags", default="", help="flags of every run")
    parser.add_argument("--save", type=Path, help="folder for what is found")
    parser.add_argument("--show", action="store_true", help="print the first mutant, and run nothing")
    parser.add_argument("--sanitized", action="store_true", help="the tool has sanitizers: more time, any memory")
    parser.add_argument("folders", type=Path, nargs="+")
    o = parser.parse_args()
    paths = sorted(p for folder in o.folders for p in folder.rglob("*.mlir") if p.stat().st_size < 100_000)
    texts = [t for t in (p.read_text(errors="replace") for p in paths) if t.strip()]
    first, count = map(int, o.seeds.split(":"))
    if o.show:
        sys.stdout.write(mutant(texts, first)[0])
        return
    runs = failed = 0
    slowest = largest = (0, "")
    started = time.time()
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as folder:
        path = Path(folder) / "text.mlir"
        for seed in range(first, first + count):
            text, own = mutant(texts, seed)
            text = text.encode(errors="replace")
            path.write_bytes(text)
            for what in o.runs.split(","):
                command = [o.mlc_opt, path, "--allow-unregistered-dialect", "--split-input-file", *(own if what == "own" else RUNS[what]), *o.flags.split()]
                fault, seconds, mib = text_limits.run(command, o.sanitized)
                runs += 1
                slowest, largest = max(slowest, (seconds, f"{seed} {what}")), max(largest, (mib, f"{seed} {what}"))
                if fault:
                    failed += 1
                    print(f"FAIL {seed} {what}: {fault}", flush=True)
                    if o.save:
                        o.save.mkdir(parents=True, exist_ok=True)
                        (o.save / f"{seed}.mlir").write_bytes(text)
    print(f"{count} mutants of {len(texts)} texts in {time.time() - started:.0f} s; slowest {slowest[0]:.1f} s ({slowest[1]}), largest {largest[0]:.0f} "
          f"MiB ({largest[1]})\n{runs - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
