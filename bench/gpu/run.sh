#!/bin/sh
# run.sh [truth|kernels|models|all] [OPTIONS]: what mlc's kernels do on the GPU that is here, or on the emulator where
# there is none. All options, and what is written: bench/gpu/run.py --help.
exec "${PYTHON:-python3}" "$(dirname "$0")/run.py" "$@"
