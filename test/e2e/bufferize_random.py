#!/usr/bin/env python3
"""Random functions on tensors, run before and after `bufferize` and what follows it: results must be the same.

What is in place must not be seen, so programs are made of what could show it: slices taken and put
back, values that are read again after they were written, tensors that go round in loops (swapped,
captured, yielded twice), through branches and regions, and that iterations contribute to. `--seeds FIRST:COUNT` chooses, `--keep DIR` writes
what fails."""
import argparse
import os
import random
import subprocess
import sys

WHOLE, TILE = "tensor<4xf32>", "tensor<2xf32>"
SIZE = {WHOLE: 4, TILE: 2}


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.count = 0

    def emit(self, depth, text):
        self.lines.append("  " * depth + text)

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def pick(self, scope, kind):
        names = [n for n, t in scope if t == kind]
        # The newest are the likeliest, the old ones are what catches mistakes.
        return self.random.choice(names[-3:] if self.random.random() < 0.6 else names)

    def offset(self, ivs):
        return self.random.choice(["0", "1", "2"] + ivs + ivs)

    def index(self, ivs):
        return self.random.choice(["%c0", "%c1", "%c2"] + ivs)

    def statement(self, depth, scope, ivs):
        kinds = ["slice", "insert_slice", "insert", "add", "accumulate", "sum", "pair", "fill", "reshape"]
        weights = [4, 4, 2, 4, 3, 1, 1, 2, 1]
        kinds += ["made", "select"]
        weights += [2, 2]
        if depth < 4:
            kinds += ["for", "if", "while", "switch", "execute", "forall"]
            weights += [4, 2, 1, 1, 1, 2]
        getattr(self, self.random.choices(kinds, weights)[0] + "_")(depth, scope, ivs)

    def slice_(self, depth, scope, ivs):
        r, x = self.name(), self.pick(scope, WHOLE)
        self.emit(depth, f"{r} = tensor.extract_slice {x}[{self.offset(ivs)}] [2] [1] : {WHOLE} to {TILE}")
        scope.append((r, TILE))
        if self.random.random() < 0.5:  # as tiling makes it
            o = self.lines[-1].split("[")[1].split("]")[0]
            t = self.random.choice([self.structured(depth, scope, TILE, r, r), r])
            n = self.name()
            self.emit(depth, f"{n} = tensor.insert_slice {t} into {x}[{o}] [2] [1] : {TILE} into {WHOLE}")
            scope.append((n, WHOLE))

    def insert_slice_(self, depth, scope, ivs):
        r, t, x = self.name(), self.pick(scope, TILE), self.pick(scope, WHOLE)
        self.emit(depth, f"{r} = tensor.insert_slice {t} into {x}[{self.offset(ivs)}] [2] [1] : {TILE} into {WHOLE}")
        scope.append((r, WHOLE))

    def insert_(self, depth, scope, ivs):
        kind = self.random.choice([WHOLE, TILE])
        x, y = self.pick(scope, kind), self.pick(scope, WHOLE)
        s, r = self.name(), self.name()
        self.emit(depth, f"{s} = tensor.extract {y}[{self.index(ivs)}] : {WHOLE}")
        at = self.index(ivs) if kind == WHOLE else self.random.choice(["%c0", "%c1"])
        self.emit(depth, f"{r} = tensor.insert {s} into {x}[{at}] : {kind}")
        scope.append((r, kind))

    def structured(self, depth, scope, kind, x=None, out=None):
        r = self.name()
        x = x or self.pick(scope, kind)
        y, z = self.pick(scope, kind), out or self.pick(scope, kind)
        op = self.random.choice(["add", "max"])
        self.emit(depth, f"{r} = linalg.{op} ins({x}, {y} : {kind}, {kind}) outs({z} : {kind}) -> {kind}")
        scope.append((r, kind))
        return r

    def add_(self, depth, scope, ivs):
        self.structured(depth, scope, self.random.choice([WHOLE, TILE]))

    def accumulate_(self, depth, scope, ivs):
        kind, r = self.random.choice([WHOLE, TILE]), self.name()
        x, z = self.pick(scope, kind), self.pick(scope, kind)
        self.emit(depth, f"{r} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = [\"parallel\"]}} "
                         f"ins({x} : {kind}) outs({z} : {kind}) {{")
        self.emit(depth, "^bb0(%in: f32, %out: f32):")
        self.emit(depth + 1, "%sum = arith.addf %in, %out : f32")
        self.emit(depth + 1, "linalg.yield %sum : f32")
        self.emit(depth, f"}} -> {kind}")
        scope.append((r, kind))

    def sum_(self, depth, scope, ivs):  # each element of the output reads all of the input
        kind, r = self.random.choice([WHOLE, TILE]), self.name()
        x, z = self.pick(scope, kind), self.pick(scope, kind)
        self.emit(depth, f"{r} = linalg.generic {{indexing_maps = [#inner, #outer], "
                         f"iterator_types = [\"parallel\", \"reduction\"]}} ins({x} : {kind}) outs({z} : {kind}) {{")
        self.emit(depth, "^bb0(%in: f32, %out: f32):")
        self.emit(depth + 1, "%sum = arith.addf %in, %out : f32")
        self.emit(depth + 1, "linalg.yield %sum : f32")
        self.emit(depth, f"}} -> {kind}")
        scope.append((r, kind))

    def pair_(self, depth, scope, ivs):  # two results, perhaps begun from one tensor
        kind, r = self.random.choice([WHOLE, TILE]), self.name()
        x, y, z = (self.pick(scope, kind) for _ in range(3))
        self.emit(depth, f"{r}:2 = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = [\"parallel\"]}} "
                         f"ins({x} : {kind}) outs({y}, {z} : {kind}, {kind}) {{")
        self.emit(depth, "^bb0(%in: f32, %first: f32, %second: f32):")
        self.emit(depth + 1, "%sum = arith.addf %in, %k1 : f32")
        self.emit(depth + 1, "linalg.yield %in, %sum : f32, f32")
        self.emit(depth, f"}} -> ({kind}, {kind})")
        scope.extend([(f"{r}#0", kind), (f"{r}#1", kind)])

    def fill_(self, depth, scope, ivs):
        kind, r = self.random.choice([WHOLE, TILE]), self.name()
        z = self.pick(scope, kind)
        if self.random.random() < 0.5:
            z = self.name()
            self.emit(depth, f"{z} = tensor.empty() : {kind}")
        constant = self.random.choice(["%k1", "%k2", "%k3"])
        self.emit(depth, f"{r} = linalg.fill ins({constant} : f32) outs({z} : {kind}) -> {kind}")
        scope.append((r, kind))

    def reshape_(self, depth, scope, ivs):
        x, m, r = self.pick(scope, WHOLE), self.name(), self.name()
        self.emit(depth, f"{m} = tensor.expand_shape {x} [[0, 1]] output_shape [2, 2] : {WHOLE} into tensor<2x2xf32>")
        self.emit(depth, f"{r} = tensor.collapse_shape {m} [[0, 1]] : tensor<2x2xf32> into {WHOLE}")
        scope.append((r, WHOLE))

    def made_(self, depth, scope, ivs):
        kind, r, x, e = self.random.choice([WHOLE, TILE]), self.name(), self.pick(scope, WHOLE), self.name()
        how = self.random.choice(["splat", "from_elements", "generate", "pad"])
        self.emit(depth, f"{e} = tensor.extract {x}[{self.index(ivs)}] : {WHOLE}")
        if how == "splat":
            self.emit(depth, f"{r} = tensor.splat {e} : {kind}")
        elif how == "from_elements":
            elements = [self.random.choice([e, "%k1", "%k2"]) for _ in range(SIZE[kind])]
            self.emit(depth, f"{r} = tensor.from_elements {', '.join(elements)} : {kind}")
        else:
            kind, i, y = WHOLE, self.name(), self.name()
            source = f" {self.pick(scope, TILE)} low[1] high[1]" if how == "pad" else ""
            self.emit(depth, f"{r} = tensor.{how}{source} {{")
            self.emit(depth, f"^bb0({i}: index):")
            self.emit(depth + 1, f"{y} = tensor.extract {self.pick(scope, WHOLE)}[{i}] : {WHOLE}")
            self.emit(depth + 1, f"tensor.yield {self.random.choice([y, e])} : f32")
            self.emit(depth, f"}} : {TILE + ' to ' if how == 'pad' else ''}{WHOLE}")
        scope.append((r, kind))

    def select_(self, depth, scope, ivs):
        kind, r = self.random.choice([WHOLE, TILE]), self.name()
        self.emit(depth, f"{r} = arith.select %flag, {self.pick(scope, kind)}, {self.pick(scope, kind)} : {kind}")
        scope.append((r, kind))

    def switch_(self, depth, scope, ivs):
        kinds, index = self.carried(), self.index(ivs)
        known = list(scope)
        result = self.results(scope, kinds)
        self.emit(depth, f"{result} = scf.index_switch {index} -> {', '.join(kinds)}")
        for case in ("case 0", "case 2", "default"):
            self.emit(depth, case + " {")
            values = self.body(depth + 1, known, ivs, kinds)
            self.emit(depth + 1, f"scf.yield {', '.join(values)} : {', '.join(kinds)}")
            self.emit(depth, "}")

    def execute_(self, depth, scope, ivs):
        kinds = self.carried()
        known = list(scope)
        result = self.results(scope, kinds)
        self.emit(depth, f"{result} = scf.execute_region -> ({', '.join(kinds)}) {{")
        values = self.body(depth + 1, known, ivs, kinds)
        self.emit(depth + 1, f"scf.yield {', '.join(values)} : {', '.join(kinds)}")
        self.emit(depth, "}")

    def forall_(self, depth, scope, ivs):  # each iteration reads its own part only, if at all
        to, r, o, i, part = self.pick(scope, WHOLE), self.name(), self.name(), self.name(), self.name()
        at = self.name()
        self.emit(depth, f"{r} = scf.forall ({i}) in (2) shared_outs({o} = {to}) -> ({WHOLE}) {{")
        self.emit(depth + 1, f"{at} = arith.muli {i}, %c2 : index")
        known = list(scope)
        if self.random.random() < 0.6:
            self.emit(depth + 1, f"{part} = tensor.extract_slice {o}[{at}] [2] [1] : {WHOLE} to {TILE}")
            known.append((part, TILE))
        value, = self.body(depth + 1, known, ivs + [i], [TILE])
        self.emit(depth + 1, "scf.forall.in_parallel {")
        self.emit(depth + 2, f"tensor.parallel_insert_slice {value} into {o}[{at}] [2] [1] : {TILE} into {WHOLE}")
        self.emit(depth + 1, "}")
        self.emit(depth, "}")
        scope.append((r, WHOLE))

    def body(self, depth, scope, ivs, kinds):
        inner = list(scope)
        for _ in range(self.random.randint(0, 4)):
            self.statement(depth, inner, ivs)
        return [self.pick(inner, k) for k in kinds]

    def carried(self):
        return [self.random.choice([WHOLE, WHOLE, TILE]) for _ in range(self.random.randint(1, 3))]

    def results(self, scope, kinds):
        r = self.name()
        names = [r] if len(kinds) == 1 else [f"{r}#{i}" for i in range(len(kinds))]
        scope.extend(zip(names, kinds))
        return r + (f":{len(kinds)}" if len(kinds) > 1 else "")

    def for_(self, depth, scope, ivs):
        kinds = self.carried()
        inits = [self.pick(scope, k) for k in kinds]
        args, iv = [self.name() for _ in kinds], self.name()
        carried = ", ".join(f"{a} = {i}" for a, i in zip(args, inits))
        result = self.results(scope, kinds)
        self.emit(depth, f"{result} = scf.for {iv} = %c0 to %c3 step %c1 iter_args({carried}) -> ({', '.join(kinds)}) {{")
        known = [v for v in scope if v[0].split("#")[0] != result.split(":")[0]]
        values = self.body(depth + 1, known + list(zip(args, kinds)), ivs + [iv], kinds)
        self.emit(depth + 1, f"scf.yield {', '.join(values)} : {', '.join(kinds)}")
        self.emit(depth, "}")

    def if_(self, depth, scope, ivs):
        kinds = self.carried()
        condition = "%flag"
        if ivs:
            condition = self.name()
            self.emit(depth, f"{condition} = arith.cmpi eq, {self.random.choice(ivs)}, %c1 : index")
        known = list(scope)
        result = self.results(scope, kinds)
        self.emit(depth, f"{result} = scf.if {condition} -> ({', '.join(kinds)}) {{")
        for last in (False, True):
            values = self.body(depth + 1, known, ivs, kinds)
            self.emit(depth + 1, f"scf.yield {', '.join(values)} : {', '.join(kinds)}")
            self.emit(depth, "}" if last else "} else {")

    def while_(self, depth, scope, ivs):
        kinds = self.carried()
        inits = [self.pick(scope, k) for k in kinds]
        args, outs = [self.name() for _ in kinds], [self.name() for _ in kinds]
        i, j, go, next_i = (self.name() for _ in range(4))
        known = list(scope)
        r = self.name()
        types = ", ".join(["index"] + kinds)
        carried = ", ".join(f"{a} = {x}" for a, x in zip([i] + args, ["%c0"] + inits))
        self.emit(depth, f"{r}:{len(kinds) + 1} = scf.while ({carried}) : ({types}) -> ({types}) {{")
        self.emit(depth + 1, f"{go} = arith.cmpi slt, {i}, %c2 : index")
        values = self.body(depth + 1, known + list(zip(args, kinds)), ivs + [i], kinds)
        self.emit(depth + 1, f"scf.condition({go}) {', '.join([i] + values)} : {types}")
        self.emit(depth, "} do {")
        params = ", ".join(f"{a}: {t}" for a, t in zip([j] + outs, ["index"] + kinds))
        self.emit(depth, f"^bb0({params}):")
        self.emit(depth + 1, f"{next_i} = arith.addi {j}, %c1 : index")
        values = self.body(depth + 1, known + list(zip(outs, kinds)), ivs + [j], kinds)
        self.emit(depth + 1, f"scf.yield {', '.join([next_i] + values)} : {types}")
        self.emit(depth, "}")
        scope.extend((f"{r}#{n + 1}", k) for n, k in enumerate(kinds))

    def text(self):
        kinds = [WHOLE, WHOLE, TILE]
        scope = [("%x", WHOLE), ("%y", WHOLE), ("%t", TILE)]
        for c in (0, 1, 2, 3):
            self.emit(1, f"%c{c} = arith.constant {c} : index")
        for k in (1, 2, 3):
            self.emit(1, f"%k{k} = arith.constant {k * 1.25} : f32")
        for _ in range(self.random.randint(3, 7)):
            self.statement(1, scope, [])
        results = [self.pick(scope, k) for k in kinds]
        body = "\n".join(self.lines)
        types = ", ".join(kinds)
        reads = "\n".join(
            f"  %r{n} = vector.transfer_read {v}[%c0], %k {{in_bounds = [true]}} : {t}, vector<{SIZE[t]}xf32>"
            for n, (v, t) in enumerate([("%f#0", WHOLE), ("%f#1", WHOLE), ("%f#2", TILE),
                                        ("%x", WHOLE), ("%y", WHOLE), ("%t", TILE)]))
        out = ", ".join(f"vector<{SIZE[t]}xf32>" for t in kinds * 2)
        return f"""#id = affine_map<(i) -> (i)>
#outer = affine_map<(i, j) -> (i)>
#inner = affine_map<(i, j) -> (j)>
func.func private @f(%x: {WHOLE}, %y: {WHOLE}, %t: {TILE}, %flag: i1) -> ({types}) {{
{body}
  return {', '.join(results)} : {types}
}}
func.func @main(%flag: i1) -> ({out}) {{
  %c0 = arith.constant 0 : index
  %k = arith.constant 0.0 : f32
  %x = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {WHOLE}
  %y = arith.constant dense<[5.0, 6.0, 7.0, 8.0]> : {WHOLE}
  %t = arith.constant dense<[9.0, 10.0]> : {TILE}
  %f:3 = call @f(%x, %y, %t, %flag) : ({types}, i1) -> ({types})
{reads}
  return {', '.join(f'%r{n}' for n in range(6))} : {out}
}}
"""


# What is held to the tensors' results: buffers, and loops over them whose copies are gone.
CHAINS = [["--bufferize"],
          ["--one-shot-bufferize=bufferize-function-boundaries"],
          ["--eliminate-empty-tensors", "--one-shot-bufferize=bufferize-function-boundaries",
           "--drop-equivalent-buffer-results", "--buffer-deallocation-pipeline"],
          ["--bufferize", "--canonicalize", "--convert-linalg-to-affine-loops", "--raise-scf-to-affine", "--coalesce-copies"]]


def run(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


# What iterations contribute cannot be put aside, nor can a loop's tensors that change places be
# written in their buffers.
REFUSED = "not bufferizable under the given constraints: cannot avoid RaW conflict"


def result_after(chain, mlc_opt, interpret, text, want):
    """What the program gives after these passes, or the error; `want` where it is refused."""
    code, buffers, error = run([mlc_opt, "-", *chain], text)
    if code != 0 and "'tensor.parallel_insert_slice' op " + REFUSED in error:
        return want
    if code == 0:
        code, got, error = run(interpret, buffers)
    return got if code == 0 else error


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mlc-opt", required=True)
    parser.add_argument("--seeds", default=os.environ.get("MLC_BUFFERIZE_SEEDS", "0:300"))
    parser.add_argument("--keep")
    args = parser.parse_args()
    first, count = (int(n) for n in args.seeds.split(":"))
    failed = 0
    for seed in range(first, first + count):
        text = Program(seed).text()
        flag = str(seed % 2)
        interpret = [args.mlc_opt, "-", "--interpret", "--entry", "main", "--input", flag]
        code, want, error = run(interpret, text)
        if code != 0:
            sys.exit(f"seed {seed}: the program itself does not run: {error}")
        wrong = [chain for chain in CHAINS if result_after(chain, args.mlc_opt, interpret, text, want) != want]
        failed += bool(wrong)
        for chain in wrong:
            got = result_after(chain, args.mlc_opt, interpret, text, want)
            print(f"seed {seed}, {' '.join(chain)}: expected\n{want}got\n{got}", flush=True)
        if wrong and args.keep:
            with open(os.path.join(args.keep, f"{seed}.mlir"), "w") as file:
                file.write(text)
    print(f"{count - failed} of {count} random functions give the same on buffers")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
