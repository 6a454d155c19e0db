"""A program that was compiled before records grew runs with today's libraries: run by ctest as `abi_old_program`.

    python3 old_program.py LIBRARY_FOLDER COMPILER INCLUDE_FOLDER... [-- FLAG...]

Takes the last field from each record of the headers that begins with its size, compiles old_program.c with those, as code that is
position independent and as code that is not, and runs it.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def shortened(text):
    """The header without the last field of each sized record, and how many of these there are."""
    code = re.sub(r"//[^\n]*", "", text)
    return re.subn(r"(struct \w+ \{\s*size_t size;[^}]*;)[^;}]*;\s*\}", r"\1}", code)


def write_old_headers(folders, out):
    count = 0
    for folder in folders:
        for header in (folder / "mlc").rglob("*.h"):
            text, n = shortened(header.read_text())
            to = out / header.relative_to(folder)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(text)
            count += n
    return count


def main():
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    libraries, compiler, folders = Path(sys.argv[1]), sys.argv[2], [Path(f) for f in sys.argv[3:split]]
    with tempfile.TemporaryDirectory() as name:
        old = Path(name)
        count = write_old_headers(folders, old)
        for code in (["-fPIE", "-pie"], ["-fno-pie", "-no-pie"]):
            subprocess.run([compiler, "-std=gnu17", "-Wall", "-Wextra", "-Werror", *sys.argv[split + 1:], *code, f"-I{old}",
                            HERE / "old_program.c", f"-L{libraries}", "-lmlc", "-lmlc_runtime", f"-Wl,-rpath,{libraries}",
                            "-o", old / "program"], check=True)
            subprocess.run([old / "program"], check=True)
    print(f"a program runs that knows {count} records without their last field")
    sys.exit(0 if count else "old_program.py: no record of the headers begins with its size")


if __name__ == "__main__":
    main()
