#!/usr/bin/env bash
# install.sh [--no-python]: install what mlc's build and tests need, skipping what is there: Debian 12's packages, by
# apt as root or through sudo, and a Python virtual environment .venv with the pinned packages of requirements.txt. In a clone
# whose hooks are git's own, it has git ask scripts/hooks about commits.
# MLC_PYTHON=/path/to/python uses that interpreter, with its packages, in place of .venv.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

packages=(
    build-essential cmake ninja-build flex bison libyaml-dev libpng-dev zlib1g-dev # mlc itself
    llvm-19-dev                                                                     # libmlc_target
    llvm-19-tools mlir-19-tools clang-19 libclang-rt-19-dev lld-19 libcmocka-dev   # tests and fuzzing
    python3 python3-venv git pkg-config abigail-tools                               # tests and bench
)

missing_packages() {
    local package
    for package in "${packages[@]}"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
    done
}

install_packages() {
    local missing as_root=()
    mapfile -t missing < <(missing_packages)
    [ "${#missing[@]}" -gt 0 ] || return 0
    echo "install.sh: installing ${missing[*]}" >&2
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "install.sh: these packages are missing, and this user is neither root nor has sudo:" >&2
            echo "    apt-get install ${missing[*]}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -q >&2 || echo "install.sh: apt-get update failed; trying with the lists as they are" >&2
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2; then
        echo "install.sh: apt could not install them. They are names of Debian 12 (bookworm), where LLVM 19 is in the main" >&2
        echo "    archive; on another system install LLVM 19, cmocka, libyaml, libpng, flex, bison, CMake >= 3.25 and Ninja." >&2
        return 1
    fi
}

install_python() {
    local want=$root/scripts/requirements.txt stamp=$root/.venv/requirements.installed
    if cmp -s "$want" "$stamp"; then
        return 0
    fi
    echo "install.sh: making the Python environment .venv" >&2
    [ -x "$root/.venv/bin/python" ] || python3 -m venv "$root/.venv"
    if ! "$root/.venv/bin/python" -m pip install -q --disable-pip-version-check -r "$want" >&2; then
        echo "install.sh: pip could not install scripts/requirements.txt (no network?); with another Python that has" >&2
        echo "    these packages, say MLC_PYTHON=/path/to/python" >&2
        return 1
    fi
    cp "$want" "$stamp"
}

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
    install_packages
else
    echo "install.sh: no apt here; going on with what is installed" >&2
fi
if [ "${1:-}" != --no-python ] && [ -z "${MLC_PYTHON:-}" ]; then
    install_python
fi
if git -C "$root" rev-parse --git-dir >/dev/null 2>&1 && [ -z "$(git -C "$root" config core.hooksPath)" ]; then
    git -C "$root" config core.hooksPath scripts/hooks || true # read-only: a commit is not what comes next
fi
