"""Debian packages are enough to build on: run by ctest as `packages`.

    python3 packages.py BUILD [--flags FLAGS]

Makes the packages of BUILD, unpacks them into an empty folder, and with nothing but that folder writes, builds and tests the
project of `mlc new`. What one package has no other has, and each says what it depends on.
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from installed import ROOT, Failure, call, check_template, environment, expect

SCRIPT = ROOT / "scripts/package_deb.sh"
DEPENDS = {"libmlc0": ["libc6 (>= 2.36)", "libyaml-0-2"], "mlc-tools": ["libmlc0 (= "],
           "python3-mlc": ["libmlc0 (= ", "mlc-tools (= ", "python3-numpy"], "libmlc-dev": ["libmlc0 (= ", "mlc-tools (= "]}


def check_control(package, env):
    name, depends = (call("dpkg-deb", "-f", package, field, cwd=package.parent, env=env).strip() for field in ("Package", "Depends"))
    for other in DEPENDS[name]:
        expect(other in depends, f"{name} does not depend on {other}): {depends}")
    return name


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--flags", default="")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        root = folder / "root"
        call(SCRIPT, args.build.resolve(), folder / "packages", cwd=folder, env=None)
        packages = sorted((folder / "packages").glob("*.deb"))
        files = []
        for package in packages:
            call("dpkg-deb", "-x", package, root, cwd=folder, env=None)
            files += [line.split()[5] for line in call("dpkg-deb", "-c", package, cwd=folder, env=None).splitlines()
                      if not line.startswith("d")]
        expect(len(files) == len(set(files)), "a file is in two packages")
        env = environment(root / "usr")
        expect({check_control(p, env) for p in packages} == set(DEPENDS), f"the packages are {packages}")
        libraries = next((root / "usr").rglob("libmlc.so.0")).parent # apt would put it where the system looks
        check_template(folder, root / "usr", args.flags, env | {"LD_LIBRARY_PATH": str(libraries)})
    print("libmlc0, libmlc-dev and mlc-tools are enough: a project from the template; and python3-mlc to run a model")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"packages.py: {failure}")
