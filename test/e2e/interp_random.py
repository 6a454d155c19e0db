"""Random arithmetic in mlc's interpreter, against LLVM.

    python interp_random.py --mlc-opt build/debug/bin/mlc-opt [--programs N] [--seed N] [--keep FOLDER]

Each program is straight-line code over integers of several widths, f32, f64 and vectors of them, which avoids what is undefined
(shifts past the width, divisions by zero, conversions out of range), and ends by mixing the bits of all its values into one
number. mlir-opt-19 lowers it to the llvm dialect and mlir-cpu-runner-19 runs it; mlc-opt --interpret must return the same number,
and so must it after --canonicalize, where folding has computed what it can. All NaNs count as one. Without the two tools of
MLIR: exit 77, which ctest takes for "skipped".
"""
import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

INTS = ["i8", "i16", "i32", "i64", "i37"]
FLOATS = ["f32", "f64"]
LANES = 4
LOWERING = ["--arith-expand", "--convert-vector-to-llvm", "--convert-math-to-llvm", "--convert-arith-to-llvm",
            "--convert-func-to-llvm", "--reconcile-unrealized-casts"]

INT_OPS = ["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui"]
INT_DIVISIONS = ["divui", "remui", "ceildivui", "divsi", "remsi", "ceildivsi", "floordivsi"]
SHIFTS = ["shli", "shrsi", "shrui"]
FLOAT_OPS = ["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"]
FLOAT_UNARY = ["arith.negf", "math.absf", "math.sqrt", "math.floor", "math.ceil", "math.trunc", "math.roundeven"]
CMPI = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
CMPF = ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"]


def width(t):
    return int(t[1:])


class Program:
    """Text of a function that returns one i64."""

    def __init__(self, rng):
        self.rng, self.lines, self.values, self.count = rng, [], {}, 0

    def emit(self, text, t):
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {text}")
        self.values.setdefault(t, []).append(name)
        return name

    def pick(self, t):
        return self.rng.choice(self.values[t])

    def constant(self, t, shape=""):
        def one():
            if t in FLOATS:
                return f"{self.rng.choice([0.0, -0.0, 1.0, -1.5, 1e30, -3e-39, 0.1, self.rng.uniform(-9, 9)]):.17e}"
            half = 1 << (width(t) - 1)
            return str(self.rng.choice([0, 1, -1, half - 1, -half, self.rng.randrange(-half, half)]))
        if shape:
            return self.emit(f"arith.constant dense<[{', '.join(one() for _ in range(LANES))}]> : vector<{LANES}x{t}>",
                             f"vector<{LANES}x{t}>")
        return self.emit(f"arith.constant {one()} : {t}", t)

    def splat_like(self, value, t, element):
        if t == element:
            return self.emit(f"arith.constant {value} : {t}", t)
        return self.emit(f"arith.constant dense<{value}> : {t}", t)

    def int_step(self, t, e):
        kind, a, b = self.rng.randrange(5), self.pick(t), self.pick(t)
        if kind == 0:
            op = self.rng.choice(INT_DIVISIONS)
            one = self.splat_like(1, t, e)
            divisor = self.emit(f"arith.ori {b}, {one} : {t}", t)
            if op.endswith("si"):  # the least number by -1 overflows: keep divisors positive
                top = self.splat_like((1 << (width(e) - 1)) - 1, t, e)
                divisor = self.emit(f"arith.andi {divisor}, {top} : {t}", t)
            if op in ("ceildivsi", "floordivsi"):  # LLVM 19's expansion negates the dividend, which the least number does not survive
                a = self.emit(f"arith.ori {a}, {one} : {t}", t)
            self.emit(f"arith.{op} {a}, {divisor} : {t}", t)
        elif kind == 1:
            mask = self.splat_like(min(width(e) - 1, 31) if width(e) & (width(e) - 1) else width(e) - 1, t, e)
            amount = self.emit(f"arith.andi {b}, {mask} : {t}", t)
            self.emit(f"arith.{self.rng.choice(SHIFTS)} {a}, {amount} : {t}", t)
        elif kind == 2:
            c = self.emit(f"arith.cmpi {self.rng.choice(CMPI)}, {a}, {b} : {t}", t.replace(e, "i1"))
            self.emit(f"arith.select {c}, {self.pick(t)}, {self.pick(t)} : {t.replace(e, 'i1')}, {t}" if t != e
                      else f"arith.select {c}, {self.pick(t)}, {self.pick(t)} : {t}", t)
        elif kind == 3:
            other = self.rng.choice([i for i in INTS if i != e])
            to = t.replace(e, other)
            op = self.rng.choice(["extsi", "extui"]) if width(other) > width(e) else "trunci"
            self.emit(f"arith.{op} {a} : {t} to {to}", to)
        else:
            self.emit(f"arith.{self.rng.choice(INT_OPS)} {a}, {b} : {t}", t)

    def float_step(self, t, e):
        kind, a, b = self.rng.randrange(6), self.pick(t), self.pick(t)
        if kind == 0:
            c = self.emit(f"arith.cmpf {self.rng.choice(CMPF)}, {a}, {b} : {t}", t.replace(e, "i1"))
            self.emit(f"arith.select {c}, {a}, {self.pick(t)} : {t.replace(e, 'i1')}, {t}" if t != e
                      else f"arith.select {c}, {a}, {self.pick(t)} : {t}", t)
        elif kind == 1:
            self.emit(f"{self.rng.choice(FLOAT_UNARY)} {a} : {t}", t)
        elif kind == 2:
            to = t.replace(e, "f64" if e == "f32" else "f32")
            self.emit(f"arith.{'extf' if e == 'f32' else 'truncf'} {a} : {t} to {to}", to)
        elif kind == 3:
            source = self.rng.choice(["i8", "i16", "i32", "i64"])
            from_t = t.replace(e, source)
            if from_t in self.values:
                self.emit(f"arith.{self.rng.choice(['sitofp', 'uitofp'])} {self.pick(from_t)} : {from_t} to {t}", t)
        elif kind == 4:
            self.emit(f"math.fma {a}, {b}, {self.pick(t)} : {t}", t)
        else:
            op = self.rng.choice(FLOAT_OPS)
            result = self.emit(f"arith.{op} {a}, {b} : {t}", t)
            if op.startswith(("max", "min")):  # of two zeros LLVM gives either; adding one leaves +0
                self.values[t].remove(result)
                self.emit(f"arith.addf {result}, {self.splat_like('0.0', t, e)} : {t}", t)

    def vector_step(self, e):
        t = f"vector<{LANES}x{e}>"
        kind, a = self.rng.randrange(5), self.pick(t)
        if kind == 0:
            self.emit(f"vector.extract {a}[{self.rng.randrange(LANES)}] : {e} from {t}", e)
        elif kind == 1:
            self.emit(f"vector.insert {self.pick(e)}, {a}[{self.rng.randrange(LANES)}] : {e} into {t}", t)
        elif kind == 2:
            self.emit(f"vector.broadcast {self.pick(e)} : {e} to {t}", t)
        elif kind == 3:
            order = ", ".join(str(self.rng.randrange(2 * LANES)) for _ in range(LANES))
            self.emit(f'"vector.shuffle"({a}, {self.pick(t)}) <{{mask = [{order}]}}> : ({t}, {t}) -> {t}', t)
        else:
            op = self.rng.choice(["add", "mul", "minsi", "maxui", "xor"] if e in INTS else ["add", "mul"])
            self.emit(f"vector.reduction <{op}>, {a}, {self.pick(e)} : {t} into {e}", e)

    def mix(self, total, value, t):
        if t in FLOATS:
            bits, quiet = ("i32", "2143289344") if t == "f32" else ("i64", "9221120237041090560")
            nan = self.emit(f"arith.cmpf uno, {value}, {value} : {t}", "i1")
            raw = self.emit(f"arith.bitcast {value} : {t} to {bits}", bits)
            one = self.emit(f"arith.constant {quiet} : {bits}", bits)
            value, t = self.emit(f"arith.select {nan}, {one}, {raw} : {bits}", bits), bits
        if width(t) < 64:
            value = self.emit(f"arith.extui {value} : {t} to i64", "i64")
        product = self.emit(f"arith.muli {total}, %prime : i64", "i64")
        return self.emit(f"arith.addi {product}, {value} : i64", "i64")

    def text(self, steps):
        for e in INTS + FLOATS:
            for _ in range(3):
                self.constant(e)
                self.constant(e, "vector")
        for _ in range(steps):
            e = self.rng.choice(INTS + FLOATS)
            if self.rng.random() < 0.25:
                self.vector_step(e)
                continue
            t = self.rng.choice([e, f"vector<{LANES}x{e}>"])
            (self.int_step if e in INTS else self.float_step)(t, e)
        total = self.emit("arith.constant 1 : i64", "i64")
        self.lines.append("  %prime = arith.constant 1099511628211 : i64")
        for t, names in list(self.values.items()):
            for name in list(names):
                if t.startswith("vector"):
                    e = t[len(f"vector<{LANES}x"):-1]
                    for lane in range(LANES):
                        total = self.mix(total, self.emit(f"vector.extract {name}[{lane}] : {e} from {t}", e), e)
                else:
                    total = self.mix(total, name, t)
        return "\n".join([f"func.func @main() -> i64 {{"] + self.lines + [f"  return {total} : i64", "}", ""])


def output_of(command, text=None):
    p = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
    if p.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit {p.returncode}\n{p.stderr[:2000]}")
    return p.stdout


def check(options, seed, folder):
    path = folder / f"{seed}.mlir"
    path.write_text(Program(random.Random(seed)).text(options.steps))
    lowered = output_of(["mlir-opt-19", path, *LOWERING])
    want = int(output_of(["mlir-cpu-runner-19", "-e", "main", "-entry-point-result=i64"], lowered).split()[-1])
    for flags in ([], ["--canonicalize"]):
        got = int(output_of([options.mlc_opt, path, *flags, "--interpret"]).split(":")[0])
        if got != want:
            print(f"seed {seed}{' after ' + flags[0] if flags else ''}: {got}, LLVM says {want}")
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc-opt", required=True)
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="leave the programs in this folder")
    options = parser.parse_args()
    if not shutil.which("mlir-opt-19") or not shutil.which("mlir-cpu-runner-19"):
        print("mlir-opt-19 or mlir-cpu-runner-19 not found (mlir-19-tools): skipped")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="mlc-interp-") as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        failed = sum(not check(options, options.seed + i, folder) for i in range(options.programs))
    print(f"{options.programs - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
