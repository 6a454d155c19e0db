"""Texts of at most 100 KB that ask for much: deep, long, doubled with each line, of giant shapes and counts. mlc-opt answers
each with IR or with a located error, within 10 s of processor time and 1 GiB.

    python text_limits.py --mlc-opt build/release/bin/mlc-opt [--only REGEX] [--passes]
"""
import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZE, SECONDS, MIB = 100_000, 10, 1024
DEEP = 100  # within the default limit of 256; SIZE is beyond it
GIANT = ("1000000000", "9999999999999", "9223372036854775807", "99999999999999999999999", "4294967296x4294967296")
TEXTS = {}


def add(name, text):
    assert name not in TEXTS and len(text) <= 1.05 * SIZE, (name, len(text))
    TEXTS[name] = text


def many(make, head="", tail=""):
    """As many lines make(0), make(1), ... as fit between head and tail(count)."""
    lines, size = [], len(head) + 200
    while size < SIZE:
        lines.append(make(len(lines)))
        size += len(lines[-1])
    return head + "".join(lines[:-1]) + (tail(len(lines) - 1) if callable(tail) else tail)


def nested(name, opening, middle, closing, before="", after=""):
    room = SIZE - len(before + middle + after)
    for count in (DEEP, room // len(opening + closing)):
        add(f"{name}-{count}", before + opening * count + middle + closing * count + after)
    add(f"{name}-open", before + opening * (room // len(opening)))


def function(body, arguments="", results=""):
    return f"func.func @f({arguments}) {results} {{\n{body}}}\n"


def chain(name, step, first, kind, head=""):
    """%v0 -> %v1 -> ...; `step` makes %v(i+1) of %v(i)."""
    add(f"chain-{name}", many(step, f"func.func @f({first}) -> {kind} {{\n{head}", lambda n: f"return %v{n} : {kind}\n}}\n"))


def nesting():
    types, attrs, locs = ('"x"() : () -> (', ")\n"), ('"x"() {a = ', "} : () -> ()\n"), ('"x"() : () -> () loc(', ")\n")
    nested("brackets", "(", "i32", ")", *types)
    nested("function-types", "() -> (", "i32", ")", *types)
    for opening in ("tuple<", "complex<", "vector<2x", "tensor<2x", "tensor<2xi32, ", "memref<2x", "memref<2xi32, ", "!llvm.array<2 x ",
                    "!llvm.ptr<", "!llvm.vec<2 x ", "!foo.bar<"):
        nested(opening.strip("!<"), opening, "i32", ">", *types)
    nested("structs", "!llvm.struct<(", "i32", ")>", *types)
    add("named-structs", types[0] + many(lambda i: f'!llvm.struct<"s{i}", (', tail="i32"))
    nested("arrays", "[", "1", "]", *attrs)
    nested("dictionaries", "{a = ", "1", "}", *attrs)
    nested("dense", "[", "1", "]", '"x"() {a = dense<', "> : tensor<1xi32>} : () -> ()\n")
    nested("foreign", "<[{(", "", ")}]>", '"x"() {a = #foo.bar', "} : () -> ()\n")
    nested("fused", "fused[", '"a"', "]", *locs)
    nested("callsites", "callsite(", '"a"', ' at "b")', *locs)
    for name, before, after in (("map", "affine_map<(d0) -> (", ")>"), ("set", "affine_set<(d0) : (", " >= 0)>")):
        before, after = attrs[0] + before, after + attrs[1]
        nested(f"{name}-brackets", "(", "d0", ")", before, after)
        nested(f"{name}-negations", "-(", "d0", ")", before, after)
        nested(f"{name}-remainders", "(d0 + ", "d0", ") mod 7", before, after)
        add(f"{name}-sum", before + "d0 + " * 19_000 + "d0" + after)
        add(f"{name}-quotients", before + "d0" + " floordiv 7 + d0" * 6000 + after)
    nested("regions", '"x"() ({', "", "}) : () -> ()\n")
    nested("modules", "module {\n", "", "}\n")
    nested("ifs", "scf.if %c {\n", "", "}\n", "func.func @f(%c: i1) {\n", "return }\n")
    nested("fors", "scf.for %i = %c to %c step %c {\n", "", "}\n", "func.func @f(%c: index) {\n", "return }\n")
    nested("affine-fors", "affine.for %i = 0 to 10 {\n", "", "}\n", "func.func @f() {\n", "return }\n")
    nested("faults", '"x"() ({ "arith.addi"() : () -> ()\n', "", "}) : () -> ()\n")


def chains():
    chain("add", lambda i: f"%v{i + 1} = arith.addi %v{i}, %v{i} : i32\n", "%v0: i32", "i32")
    for bits in (65536, 16777215):
        for op in ("addi", "muli", "divsi"):
            chain(f"{op}-i{bits}", lambda i: f"%v{i + 1} = arith.{op} %v{i}, %c : i{bits}\n", "", f"i{bits}",
                  f"%v0 = arith.constant -7 : i{bits}\n%c = arith.constant 12345 : i{bits}\n")
    for name, of in (("sum", "d0 + d1"), ("mod", "d0 mod 7 + d1 floordiv 3"), ("product", "d0 * 3 + d1")):
        chain(f"apply-{name}", lambda i: f"%v{i + 1} = affine.apply affine_map<(d0, d1) -> ({of})>(%v{i}, %v{i})\n", "%v0: index", "index")
    chain("min", lambda i: f"%v{i + 1} = affine.min affine_map<(d0, d1) -> (d0, d1 + 1)>(%v{i}, %v{i})\n", "%v0: index", "index")
    chain("insert", lambda i: f"%v{i + 1} = vector.insert %e, %v{i} [{i}] : i32 into vector<100000xi32>\n", "", "vector<100000xi32>",
          "%e = arith.constant 5 : i32\n%v0 = arith.constant dense<1> : vector<100000xi32>\n")
    chain("select", lambda i: f"%v{i + 1} = arith.select %c, %v{i}, %w : i32\n", "%c: i1, %w: i32, %v0: i32", "i32")
    chain("ifs", lambda i: f"%v{i + 1} = scf.if %c -> (i32) {{ scf.yield %v{i} : i32 }} else {{ scf.yield %w : i32 }}\n", "%c: i1, %w: i32, %v0: i32",
          "i32")
    add("blocks", many(lambda i: f"^b{i}:\n cf.br ^b{i + 1}\n", "func.func @f() {\n cf.br ^b0\n", lambda n: f"^b{n}:\n return\n}}\n"))
    add("diamonds", many(lambda i: f"^b{i}:\n cf.cond_br %c, ^b{i + 1}, ^b{i + 1}\n", "func.func @f(%c: i1) {\n cf.br ^b0\n",
                         lambda n: f"^b{n}:\n return\n}}\n"))
    add("loops", many(lambda i: f"^b{i}(%a{i}: i32):\n cf.cond_br %c, ^b{i + 1}(%a{i}: i32), ^b0(%a{i}: i32)\n",
                      "func.func @f(%c: i1, %z: i32) {\n cf.br ^b0(%z: i32)\n", lambda n: f"^b{n}(%x: i32):\n return\n}}\n"))
    add("successors", function('"x"()[' + "^e," * 24_000 + "^e] : () -> ()\n^e:\n return\n"))
    add("calls-doubled", "".join(f"func.func private @f{i}() {{ call @f{i + 1}() : () -> () call @f{i + 1}() : () -> () return }}\n"
                                 for i in range(60)) + "func.func private @f60() { return }\n")
    add("calls-private", many(lambda i: f"func.func private @f{i}() {{ call @f{i + 1}() : () -> () return }}\n", tail=lambda n: f"func.func private @f{n}()\n"))
    add("parallel", function("scf.parallel (" + ",".join(f"%i{i}" for i in range(2500)) + ") = (" + ",".join(["%c"] * 2500) + ") to ("
                             + ",".join(["%c"] * 2500) + ") step (" + ",".join(["%c"] * 2500) + ") {}\nreturn\n", "%c: index"))


def giants():
    for g in GIANT:
        t, v, name = f"tensor<{g}xi32>", f"vector<{g}xi32>", g.replace("x", "-")
        add(f"giant-splat-{name}", f'%0 = arith.constant dense<7> : {t}\n%1 = arith.muli %0, %0 : {t}\n"x"(%1) : ({t}) -> ()\n')
        add(f"giant-list-{name}", f'"x"() {{a = dense<[1, 2]> : {t}, b = sparse<[[0]], 1> : {t}, c = dense<"0x01"> : tensor<{g}xi8>}} : () -> ()\n')
        add(f"giant-insert-{name}", f"%0 = arith.constant dense<7> : {v}\n%c = arith.constant dense<3> : vector<4xi32>\n%1 = "
            f"vector.insert_strided_slice %c, %0 {{offsets = [0], strides = [1]}} : vector<4xi32> into {v}\n\"x\"(%1) : ({v}) -> ()\n")
        add(f"giant-mask-{name}", function(f"%0 = vector.constant_mask [1] : vector<{g}xi1>\n%1 = vector.create_mask %n : vector<{g}xi1>\nreturn\n",
                                           "%n: index"))
        add(f"giant-rows-{name}", function(f"%0 = arith.addf %a, %a : vector<{g}x2xf32>\nreturn\n", f"%a: vector<{g}x2xf32>"))
        add(f"giant-tensors-{name}", function(f"%0 = tensor.generate {{ ^bb0(%i: index): tensor.yield %s : i32 }} : {t}\n%1 = tensor.splat %s : {t}\n"
                                              f"%2 = tensor.cast %0 : {t} to tensor<?xi32>\nreturn\n", "%s: i32"))
        add(f"giant-pad-{name}", f"%0 = arith.constant dense<7> : {t}\n%z = arith.constant 0 : i32\n%p = tensor.pad %0 low[1] high[1] "
            f'{{ ^bb0(%a: index): tensor.yield %z : i32 }} : {t} to tensor<?xi32>\n"x"(%p) : (tensor<?xi32>) -> ()\n')
        add(f"giant-struct-{name}", f"llvm.func @f(%p: !llvm.ptr) {{\n%0 = llvm.load %p : !llvm.ptr -> !llvm.array<{g} x array<{g} x i32>>\n"
            f"%1 = llvm.mlir.zero : !llvm.array<{g} x i32>\nllvm.return\n}}\n")
        add(f"giant-trips-{name}", function(f"affine.for %i = 0 to {g.split('x')[0]} {{ affine.store %s, %m[%i] : memref<?xf32> }}\nreturn\n",
                                            "%s: f32, %m: memref<?xf32>"))
        add(f"giant-width-{name}", f'"x"() {{a = 1 : i{g.split("x")[0]}}} : () -> ()\n')
    add("wide-list", '"x"() {a = dense<[' + "-1," * 29_999 + "-1]> : tensor<30000xi16777215>} : () -> ()\n")
    add("wide-product", "%0 = arith.constant -1 : i16777215\n%1 = arith.constant 1 : i16777215\n%2 = arith.shrui %0, %1 : i16777215\n"
        '%3 = arith.muli %2, %2 : i16777215\n"x"(%3) : (i16777215) -> ()\n')


def doubling():
    for count in (22, 60, 1500):
        def double(name, first, line, use):
            add(f"double-{name}-{count}", first + "".join(line(i) for i in range(count)) + use)
        attr, kind = f'"x"() {{a = #a{count}}} : () -> ()\n', f'"x"() : () -> !t{count}\n"arith.addi"() : () -> !t{count}\n'
        double("arrays", "#a0 = [1, 2]\n", lambda i: f"#a{i + 1} = [#a{i}, #a{i}]\n", attr)
        double("dictionaries", "#a0 = {x = 1}\n", lambda i: f"#a{i + 1} = {{x = #a{i}, y = #a{i}}}\n", attr)
        double("foreign", "#a0 = [1, 2]\n", lambda i: f"#a{i + 1} = #foo.x<#a{i}, #a{i}>\n", attr)
        double("tuples", "!t0 = i32\n", lambda i: f"!t{i + 1} = tuple<!t{i}, !t{i}>\n", kind)
        double("functions", "!t0 = i32\n", lambda i: f"!t{i + 1} = (!t{i}) -> !t{i}\n", kind)
        double("structs", "!t0 = i32\n", lambda i: f"!t{i + 1} = !llvm.struct<(!t{i}, !t{i})>\n", kind)
        double("encodings", "!t0 = tensor<2xi32>\n", lambda i: f"!t{i + 1} = tensor<2xi32, [!t{i}, !t{i}]>\n", kind)
        double("locations", '#l0 = loc("a")\n', lambda i: f"#l{i + 1} = loc(callsite(#l{i} at #l{i}))\n", f'"arith.addi"() : () -> () loc(#l{count})\n')


def long_texts():
    for name, piece in (("spaces", " "), ("lines", "\n"), ("nuls", "\0"), ("quotes", '"'), ("percents", "%"), ("minus", "-"), ("bangs", "!"),
                        ("hashes", "#"), ("comments", "//x\n"), ("splits", "// -----\n"), ("modules", "module {}\n")):
        add(f"many-{name}", piece * (SIZE // len(piece)))
    for name, before, piece, after in (
            ("op", '"', "x", '"() : () -> ()\n'), ("value", "%", "x", ' = "x"() : () -> i32\n'), ("string", '"x"() {a = "', "a", '"} : () -> ()\n'),
            ("number", '"x"() {a = ', "9", " : i16777215} : () -> ()\n"), ("fraction", '"x"() {a = 1.', "9", " : f64} : () -> ()\n"),
            ("exponent", '"x"() {a = 1.0e', "9", " : f32} : () -> ()\n"), ("shape", '"x"() : () -> tensor<', "1x", "i32>\n"),
            ("symbol", '"x"() {a = @a', "::@a", "} : () -> ()\n"), ("list", '"x"() {a = [', "1,", "1]} : () -> ()\n"),
            ("aliases", "{-# dialect_resources: ", "{ a: ", ""), ("fault", '"arith.addi"() {a = [', "1,", "1]} : () -> ()\n")):
        add(f"long-{name}", before + piece * ((SIZE - 100) // len(piece)) + after)
    add("faults-many", '"arith.addi"() : () -> ()\n' * 3800)
    add("faults-of-names", many(lambda i: f'"x"(%u{i}) : (i32) -> ()\n'))
    add("faults-expected", "// expected-error {{x}}\n" * 4000 + '"arith.addi"() : () -> ()\n' * 10)
    add("pattern-deep", "// expected-error-re {{{{" + "(" * 40_000 + "a" + ")" * 40_000 + '}}}}\n"arith.addi"() : () -> ()\n')
    add("pattern-repeats", '// expected-error-re {{{{((((a{1,200}){1,200}){1,200}){1,200})}}}}\n"arith.addi"() : () -> ()\n')
    add("split-ops", '// -----\n"x"() : () -> ()\n' * 3200)


FLAGS = {
    "read": [],
    "generic": ["--mlir-print-op-generic", "--mlir-print-debuginfo"],
    "simplify": ["--canonicalize", "--cse"],
    "verify": ["--verify-diagnostics", "--split-input-file"],
}
MORE_FLAGS = {
    "analyse": ["--sccp", "--int-range-optimizations"],
    "inline": ["--inline"],
    "llvm": ["--lower-affine", "--convert-scf-to-cf", "--convert-to-llvm"],
    "bytecode": ["--emit-bytecode"],
    "own-bytecode": ["--emit-mlc-bytecode"],
    "dead": ["--remove-dead-values", "--symbol-dce"],
    "unroll": ["--affine-loop-unroll=unroll-full"],
    "loops": ["--affine-loop-tile", "--affine-parallelize"],
    "linalg": ["--convert-linalg-to-affine-loops", "--bufferize"],
}


def limit(is_sanitized):
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * (10 if is_sanitized else 1) + 1,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not is_sanitized:
        resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29))


def run(command, is_sanitized):
    """What is wrong with how the tool ends (None if nothing is), seconds of processor time and peak MiB."""
    env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:exitcode=99", UBSAN_OPTIONS="exitcode=99:halt_on_error=1")
    with tempfile.TemporaryFile() as err:
        p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err, env=env, preexec_fn=lambda: limit(is_sanitized))
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        text = err.read(500).decode(errors="replace")
    seconds, mib = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    fault = None
    if p.returncode not in (0, 1):
        fault = f"exit {p.returncode} after {seconds:.1f} s: {text[:200]}"
    elif not is_sanitized and (mib > MIB or seconds > SECONDS):
        fault = f"{seconds:.1f} s, {mib:.0f} MiB"
    return fault, seconds, mib


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mlc-opt", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--passes", action="store_true", help="run more passes: minutes")
    parser.add_argument("--sanitized", action="store_true", help="the tool has sanitizers: more time, any memory")
    o = parser.parse_args()
    for make in (nesting, chains, giants, doubling, long_texts):
        make()
    runs = failed = 0
    started = time.time()
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as folder:
        for name, text in TEXTS.items():
            path = Path(folder) / "text.mlir"
            path.write_text(text)
            for what, flags in (FLAGS | (MORE_FLAGS if o.passes else {})).items():
                if not re.search(o.only, f"{name} {what}"):
                    continue
                fault, _, _ = run([o.mlc_opt, path, "--allow-unregistered-dialect", *flags], o.sanitized)
                runs += 1
                if fault:
                    failed += 1
                    print(f"FAIL {name} {what}: {fault}", flush=True)
    print(f"{len(TEXTS)} texts in {time.time() - started:.0f} s\n{runs - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
