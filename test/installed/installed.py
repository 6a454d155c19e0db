"""What `cmake --install` leaves is enough: run by ctest as `installed`.

    python3 installed.py BUILD [--flags FLAGS] [--without-target]

Installs BUILD into an empty folder and moves that folder. Then, with nothing but the moved folder: libraries have their SONAMEs
and no file names another place; `mlc new` writes a project, which is configured, built and tested; so is a dialect that
uses of others whatever it can; C programs are built by pkg-config and run; a model is compiled, loaded and run; the example
compiler is built and tested, and the tutorial's steps are taken. FLAGS are the compiler's, for a build with sanitizers.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DIGITS = ROOT / "examples/digits"
JIT = ROOT / "examples/jit/jit.c"
WARNINGS = "-Wall -Wextra -Wpedantic -Werror"
ABI = "0"


class Failure(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failure(what)


def environment(prefix):
    """Nothing that would find another mlc, or the compiler's cache."""
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "TMPDIR", "CC", "LANG")}
    pkg_config = next(prefix.rglob("pkgconfig"))
    return kept | {"PKG_CONFIG_PATH": str(pkg_config), "ASAN_OPTIONS": "detect_leaks=0"}


def call(*command, cwd, env):
    p = subprocess.run([str(c) for c in command], cwd=cwd, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    expect(p.returncode == 0, f"exit {p.returncode}: {' '.join(map(str, command))}\n{p.stdout[-3000:]}")
    return p.stdout


def install(build, folder):
    """Into an empty folder, which is then called otherwise."""
    first, prefix = folder / "first", folder / "moved to"
    call("cmake", "--install", build, "--prefix", first, cwd=folder, env=os.environ)
    first.rename(prefix)
    return first, prefix


def check_places(first, prefix, build):
    for path in prefix.rglob("*"):
        if path.suffix in (".cmake", ".pc", ".h", ".yaml"):
            text = path.read_text()
            expect(str(first) not in text and str(build) not in text, f"{path} names a place that is not its own")


def check_libraries(prefix, names, env):
    libraries = next(prefix.rglob("libmlc.so")).parent
    for name in names:
        dynamic = call("readelf", "-d", libraries / f"lib{name}.so", cwd=prefix, env=env)
        expect(f"[lib{name}.so.{ABI}]" in dynamic, f"lib{name}.so: the SONAME is not lib{name}.so.{ABI}")
    files = [libraries / f"lib{name}.so" for name in names] + list((prefix / "bin").iterdir())
    for path in files:
        dynamic = call("readelf", "-d", path, cwd=prefix, env=env)
        for folder in re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", dynamic):
            expect(all(f.startswith("$ORIGIN") for f in folder.split(":")), f"{path.name} looks for libraries in {folder}")
    return libraries


def build_and_test(source, prefix, flags, env):
    out = source.parent / f"build-{source.name}"
    call("cmake", "-S", source, "-B", out, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_FLAGS={WARNINGS} {flags}",
         cwd=source.parent, env=env)
    call("cmake", "--build", out, cwd=source.parent, env=env)
    return out


def check_template(folder, prefix, flags, env):
    call(prefix / "bin/mlc", "new", "money", cwd=folder, env=env)
    project = folder / "money"
    for path in project.rglob("*"):
        expect("calc" not in path.name and (path.is_dir() or "calc" not in path.read_text()), f"{path} has the template's name")
    out = build_and_test(project, prefix, flags, env)
    tested = call("ctest", "--test-dir", out, "--output-on-failure", "--no-tests=error", cwd=folder, env=env)
    expect("100% tests passed" in tested, tested)
    text = call(prefix / "bin/mlc-opt", f"--load-plugin={out}/money_plugin.so", project / "test/expand.mlir", "--money-expand",
                cwd=folder, env=env)
    expect(text.count("money.mul") == 5, f"mlc-opt printed\n{text}")


def check_calc(folder, prefix, flags, env):
    """The example compiler: built, its tests run, from text to a result in this process and from a file."""
    source = shutil.copytree(next(prefix.rglob("mlc/examples/calc")), folder / "calc")
    out = build_and_test(source, prefix, flags, env)
    tested = call("ctest", "--test-dir", out, "--output-on-failure", "--no-tests=error", cwd=folder, env=env)
    expect("100% tests passed" in tested, tested)


def check_tutorial(folder, prefix, env):
    """docs/tutorial, step by step, in an empty folder."""
    steps = folder / "tutorial"
    steps.mkdir()
    pages = sorted((ROOT / "docs/tutorial").glob("[0-9]*.md"))
    call(sys.executable, ROOT / "scripts/run_snippets.py", "--bin", prefix / "bin", "--together", steps, *pages, cwd=folder, env=env)


def check_workflow(folder, prefix, env):
    """The last step of the template's workflow, as it stands."""
    call(prefix / "bin/mlc", "new", "rope", cwd=folder, env=env)
    text = (folder / "rope/.github/workflows/test.yml").read_text()
    step = "\n".join(line.strip() for line in text.split("run: |")[-1].splitlines())
    tested = call("sh", "-ec", step, cwd=folder / "rope", env=env | {"CMAKE_PREFIX_PATH": str(prefix)})
    expect("100% tests passed" in tested, tested)
    shutil.rmtree(folder / "rope")


def check_no_template(folder, prefix, env):
    """Taken away, it is an error, which leaves nothing behind."""
    template = next(prefix.rglob("mlc/template"))
    template.rename(template.with_name("gone"))
    p = subprocess.run([prefix / "bin/mlc", "new", "rope"], cwd=folder, env=env, text=True, capture_output=True)
    expect(p.returncode == 1 and "mlc: cannot read the template '" in p.stderr and not (folder / "rope").exists(), p.stderr)


def check_odd(folder, prefix, flags, env):
    """A dialect whose tables point wherever they may."""
    source = folder / "odd"
    source.symlink_to(HERE / "odd")
    text = call(build_and_test(source, prefix, flags, env) / "odd", cwd=folder, env=env)
    before, after = text.split("\n\n")[:2]
    expect("odd.strange" in before and "arith.muli" in before and "odd.twice" not in before, f"odd printed\n{before}")
    expect("odd" not in after and "vector<4xi16>" in after, f"the lowering of odd printed\n{after}")


def compile_with(package, source, folder, libraries, flags, env, *more):
    options = call("pkg-config", "--cflags", "--libs", *package.split(), cwd=folder, env=env)
    # In a shell, as people do: pkg-config quotes what needs it.
    program = folder / source.stem
    sources = " ".join(f"'{path}'" for path in (source, *more))
    call("sh", "-c", f"cc {WARNINGS} {flags} {sources} {options.strip()} '-Wl,-rpath,{libraries}' -o '{program}'", cwd=folder, env=env)
    return program


def check_opt(folder, libraries, flags, env):
    """A tool of one's own: mlc-opt with the plugin of examples/plugin in it."""
    tool = compile_with("mlc-opt", HERE / "opt.c", folder, libraries, flags, env, ROOT / "examples/plugin/op_budget.c")
    version = call(tool, "--version", cwd=folder, env=env)
    expect(version.startswith("own-opt 3 (mlc 0.1.0, "), version)
    text = folder / "twice.mlir"
    text.write_text("func.func @f(%x: i32) -> i32 {\n  %y = arith.addi %x, %x : i32\n  return %y : i32\n}\n")
    expect("func.func @f" in call(tool, text, "--op-budget=max=2", "--cleanup", cwd=folder, env=env), "own-opt lost the function")
    p = subprocess.run([tool, text, "--op-budget=max=1"], cwd=folder, env=env, text=True, capture_output=True)
    expect(p.returncode == 1 and "2 ops, more than 1" in p.stderr, p.stderr)
    p = subprocess.run([tool, text, "--no-such-pass"], cwd=folder, env=env, text=True, capture_output=True)
    expect(p.returncode == 1 and p.stderr.startswith("own-opt: unknown option"), p.stderr)
    p = subprocess.run([tool, "--version"], cwd=folder, env=env | {"TAKEN": "1"}, text=True, capture_output=True)
    expect(p.returncode == 1 and p.stderr.startswith("own-opt: op_budget: there is a pass 'op-budget' already"), p.stderr)


def check_programs(folder, prefix, libraries, flags, env):
    found = call(compile_with("mlc", HERE / "generate.c", folder, libraries, flags, env), cwd=folder, env=env)
    expect(found.startswith(f"{libraries}/libmlc_target.so.{ABI} "), f"libmlc opened {found}")
    infer = compile_with("mlc mlc-runtime", ROOT / "examples/infer/infer.c", folder, libraries, flags, env)
    expect(re.fullmatch(r"logits: f32( -?\d[\d.]+){4}\n", call(infer, DIGITS / "digits.onnx", cwd=folder, env=env)), "examples/infer")
    p = subprocess.run([infer, DIGITS / "train.py"], cwd=folder, env=env, text=True, capture_output=True)
    expect(p.returncode == 1 and "train.py:0:0: error: " in p.stderr and not p.stdout, p.stderr)
    jit = compile_with("mlc", JIT, folder, libraries, flags, env)
    expect(call(jit, cwd=folder, env=env) == "f(3) = 10\n", "examples/jit")
    call(prefix / "bin/mlc", "compile", DIGITS / "digits.onnx", "-o", "digits.mlcm", cwd=folder, env=env)
    load = compile_with("mlc-runtime", HERE / "load.c", folder, libraries, flags, env)
    expect(call(load, "digits.mlcm", cwd=folder, env=env) == "image\n", "a program on mlc-runtime does not load digits.mlcm")
    needed = call("readelf", "-d", load, cwd=folder, env=env)
    expect(f"[libmlc_runtime.so.{ABI}]" in needed and f"[libmlc.so.{ABI}]" not in needed, f"load needs\n{needed}")
    picture = f"image={DIGITS}/pictures/digit-2.png"
    expect("logits" in call(prefix / "bin/mlc", "run", DIGITS / "digits.onnx", "--input", picture, cwd=folder, env=env), "mlc run")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--flags", default="")
    parser.add_argument("--without-target", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        first, prefix = install(args.build.resolve(), folder)
        env = environment(prefix)
        check_places(first, prefix, args.build.resolve())
        names = ["mlc", "mlc_opt", "mlc_runtime"] + ([] if args.without_target else ["mlc_target"])
        libraries = check_libraries(prefix, names, env)
        check_template(folder, prefix, args.flags, env)
        check_odd(folder, prefix, args.flags, env)
        check_opt(folder, libraries, args.flags, env)
        if not args.without_target:
            check_programs(folder, prefix, libraries, args.flags, env)
            check_calc(folder, prefix, args.flags, env)
            if not args.flags: # a plugin with a sanitizer's runtime is for programs that have it
                check_tutorial(folder, prefix, env)
        check_workflow(folder, prefix, env)
        check_no_template(folder, prefix, env)
    print("what is installed is enough: a project from the template, a dialect that uses others, programs by pkg-config")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"installed.py: {failure}")
