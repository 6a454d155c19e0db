"""Runs the examples of README.md and docs/*.md, so that they stay true: run by ctest as `snippets`.

    python3 scripts/run_snippets.py --bin build/release/bin [FILE...]

A fenced block is run if the line before it is `<!-- run -->`: its lines that begin with `$ ` are commands (a `\\` at the end goes
on in the next line), given to bash with the tools of --bin on PATH, in the repository's root; the other lines are what they
print, compared as written, where a line of `...` stands for any lines
and one that ends in ` ...` for any end. `<!-- run: needs mlc -->` leaves a block out, by
name, where the tool is not built; `$TMP` is a folder of the block's own. Exit 1 if one fails.

    python3 scripts/run_snippets.py --bin PREFIX/bin --together FOLDER FILE...

Pages that go on from each other: their blocks are run in FOLDER, in order, each in the folder where the last one ended; the
first that fails is the last. `<!-- file: NAME -->` before a fenced block writes it to that file there, `<!-- append: NAME -->`
appends it. `$PREFIX` is the folder around --bin.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^<!-- run(?:: needs (?P<needs>[^>]+?))? -->\n```[^\n]*\n(?P<body>.*?)^```$", re.M | re.S)
STEP = re.compile(r"^<!-- (?P<verb>run|file|append)(?:: (?P<name>[^>]+?))? -->\n```[^\n]*\n(?P<body>.*?)^```$", re.M | re.S)


def commands_of(body):
    """[(command, expected output)] of a block."""
    result = []
    continued = False
    for line in body.splitlines():
        if continued:
            result[-1][0] += "\n" + line
        elif line.startswith("$ "):
            result.append([line[2:], ""])
        elif result:
            result[-1][1] += line + "\n"
        continued = line.endswith("\\") and (continued or line.startswith("$ "))
    return result


def matches(expected, got):
    pattern = ""
    for line in expected.splitlines():
        if line == "...":
            pattern += "(?:.*\n)*?"
        elif line.endswith(" ..."):
            pattern += re.escape(line[:-3]) + ".*\n"
        else:
            pattern += re.escape(line) + "\n"
    return re.fullmatch(pattern, got) is not None


def run_command(command, expected, env, cwd):
    p = subprocess.run(["bash", "-c", command], cwd=cwd, env=env, capture_output=True, text=True, timeout=300,
                       stdin=subprocess.DEVNULL)
    if p.returncode:
        return f"$ {command}\nexit {p.returncode}\n{p.stdout}{p.stderr}"
    if not matches(expected, p.stdout):
        return f"$ {command}\nexpected:\n{expected}got:\n{p.stdout}"
    return None


def run_block(body, env):
    """None, or what went wrong."""
    for command, expected in commands_of(body):
        fault = run_command(command, expected, env, ROOT)
        if fault:
            return fault
    return None


def run_step(step, env, cwd):
    """None, or what went wrong; the last command's folder is written to $END."""
    if step["verb"] == "run":
        for command, expected in commands_of(step["body"]):
            fault = run_command("trap 'pwd > \"$END\"' EXIT\n" + command, expected, env, Path(env["END"]).read_text().strip())
            if fault:
                return fault
        return None
    with open(cwd / step["name"], "w" if step["verb"] == "file" else "a") as file:
        file.write(step["body"])
    return None


def run_together(args, env):
    """The number of blocks, or None after a fault was printed."""
    count, cwd = 0, args.together.resolve()
    with tempfile.TemporaryDirectory(prefix="mlc-doc-") as tmp:
        end = Path(tmp) / "end"
        env = dict(env, TMP=tmp, END=str(end), PREFIX=str(args.bin.resolve().parent))
        for path in args.files:
            text = path.read_text()
            for step in STEP.finditer(text):
                end.write_text(str(cwd))
                fault = run_step(step, env, cwd)
                if fault:
                    print(f"FAIL {path.name}:{text.count(chr(10), 0, step.start()) + 1}:\n{fault}")
                    return None
                cwd, count = Path(end.read_text().strip()), count + 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, default=ROOT / "build/release/bin", help="where the tools are")
    parser.add_argument("--together", type=Path, metavar="FOLDER", help="run the files' blocks there, one after the other")
    parser.add_argument("files", nargs="*", type=Path, help="default: README.md and docs/*.md")
    args = parser.parse_args()
    env = dict(os.environ, PATH=f"{args.bin.resolve()}{os.pathsep}{os.environ['PATH']}")
    if args.together:
        count = run_together(args, env)
        print(f"{count} steps" if count is not None else "stopped")
        sys.exit(count is None)
    passed = failed = 0
    for path in args.files or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = path.read_text()
        for block in BLOCK.finditer(text):
            where = f"{path.name}:{text.count(chr(10), 0, block.start()) + 1}"
            missing = [t for t in (block["needs"] or "").replace(",", " ").split() if not shutil.which(t, path=env["PATH"])]
            if missing:
                print(f"left out {where}: no {', '.join(missing)}")
                continue
            with tempfile.TemporaryDirectory(prefix="mlc-doc-") as tmp:
                fault = run_block(block["body"], dict(env, TMP=tmp))
            if fault:
                print(f"FAIL {where}:\n{fault}")
            failed, passed = failed + bool(fault), passed + (not fault)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
