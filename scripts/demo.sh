#!/usr/bin/env bash
# demo.sh: install what is missing, build, and show mlc at work: real pictures read by a trained network, its accuracy beside
# ONNX Runtime's, the textbook case at every level, kernels with their times, and the PTX of one kernel. Exit code 0 only if
# every part worked; a part that fails says so and the others go on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install.sh
python=${MLC_PYTHON:-.venv/bin/python}
log=$(mktemp)
work=$(mktemp -d)
trap 'rm -rf "$log" "$work"' EXIT
echo "building ..."
{ cmake --preset release && cmake --build --preset release -j "$(nproc)"; } >"$log" 2>&1 || { tail -40 "$log"; echo "demo.sh: the build failed" >&2; exit 1; }

bin=build/release/bin
for tool in mlc mlc-opt mlc-translate; do
    [ -x "$bin/$tool" ] || { echo "demo.sh: the build made no $bin/$tool: the demo cannot run yet" >&2; exit 1; }
done
export PATH=$PWD/$bin:$PATH

failures=0
part() { # part TITLE COMMAND...: runs a part of the demo under a title
    echo
    echo "== $1"
    shift
    "$@" || { echo "demo.sh: this part failed" >&2; failures=$((failures + 1)); }
}

# The first lines of a text that a reader of the demo wants to see; long lines are cut.
brief() {
    awk -v max="$1" '{ if (NR <= max) print "  " (length($0) > 116 ? substr($0, 1, 113) "..." : $0) }
                     END { if (NR > max) print "  ... (" NR - max " lines more)" }'
}

levels() {
    local model=$1 level
    for level in import kernels linalg vector memref affine llvm; do
        echo "-- $level"
        mlc inspect "$model" --level "$level" >"$work/ir" || return 1
        brief 24 <"$work/ir"
    done
}

kernels() {
    mlc compile examples/digits/digits.onnx -o "$work/digits.so"
    mlc inspect "$work/digits.so"
    mlc bench "$work/digits.so" --input image=examples/digits/pictures/digit-3.png --threads 1 --min-time 0.5 --profile
}

ptx() {
    mlc-translate --import-onnx examples/linear_relu/linear_relu.onnx -o "$work/linear_relu.mlir" || return 1
    mlc-opt --gpu-pipeline "$work/linear_relu.mlir" -o "$work/nvvm.mlir" 2>"$log" || { cat "$log"; return 1; }
    mlc-translate --export-ptx "$work/nvvm.mlir" | brief 60 || return 1
    local ptxas arch
    if ptxas=$(PATH=$PATH:/usr/local/cuda/bin command -v ptxas); then
        for arch in sm_80 sm_90a; do
            mlc-translate --export-ptx --target=nvptx64-$arch "$work/nvvm.mlir" -o "$work/$arch.ptx" &&
                "$ptxas" -arch=$arch "$work/$arch.ptx" -o "$work/$arch.cubin" && echo "  ptxas -arch=$arch: assembled" || return 1
        done
    else
        echo "  (ptxas is not installed: the PTX is not assembled here)"
    fi
}

part "digits: real pictures, read by a trained network" "$python" examples/digits/evaluate.py --mlc "$bin/mlc"
part "linear_relu: two functions, one kernel, at every level" levels examples/linear_relu/linear_relu.mlir
part "digits: its kernels, its memory, its times" kernels
part "linear_relu: the kernel as PTX" ptx

echo
[ "$failures" -eq 0 ] || { echo "demo.sh: $failures part(s) failed" >&2; exit 1; }
echo "demo.sh: all parts worked"
