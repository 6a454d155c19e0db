"""Every C file compiles with clang without a warning: run by ctest as `clang`.

    python3 scripts/check_clang.py build/release/compile_commands.json [--jobs N]

The presets are built by gcc, and the preset `fuzz` by clang, which nobody builds every day: clang warns of other things
(-Wpedantic: values of enumerations beyond int, extensions). Only the syntax is looked at, with each file's own flags; all
that clang says is an error.
"""
import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SKIPPED = 77
GCC_ONLY = ("-flto", "-ffat-lto", "-fsanitize", "-M", "-fno-semantic-interposition")  # of no matter to the syntax, or not clang's


def command_of(entry, clang):
    words = shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if os.path.basename(word).startswith(("cc", "gcc", "clang")) and "ccache" not in word) + 1:]
    kept, skip = [], False
    for word in words:
        if skip or word in ("-o", "-MF", "-MT"):
            skip = not skip
        elif not word.startswith(GCC_ONLY) and word != "-c":
            kept.append(word)
    return [clang, "-fsyntax-only", "-fno-color-diagnostics", *kept]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("commands")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    clang = shutil.which("clang-19")
    if not clang:
        print("no clang-19: nothing was checked")
        sys.exit(SKIPPED)
    entries = {e["file"]: e for e in json.load(open(args.commands)) if e["file"].endswith(".c")}.values()

    def check(entry):
        run = subprocess.run(command_of(entry, clang), cwd=entry["directory"], capture_output=True, text=True)
        return run.stderr if run.returncode or run.stderr else ""
    with ThreadPoolExecutor(args.jobs) as pool:
        said = [text for text in pool.map(check, entries) if text]
    print("\n".join(said) + f"{len(entries)} files, {len(said)} of which clang does not like")
    sys.exit(bool(said))


if __name__ == "__main__":
    main()
