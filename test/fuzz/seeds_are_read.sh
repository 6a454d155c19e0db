#!/bin/sh
# seeds_are_read.sh MLC_OPT MLC -- seeds whose format has a version are of one that is read: the reader looks no further into
# another, and the target would be none. Run by ctest as `fuzz_seeds`. To write them anew, in test/fuzz/seeds:
#
#     mlc-opt --allow-unregistered-dialect --emit-mlc-bytecode text/everything.mlir -o bytecode/everything.mlcbc
#     mlc compile ../../../examples/linear_relu/linear_relu.onnx --target=x86-64-v3 -o artefact/linear_relu
set -u
seeds=$(dirname "$0")/seeds
failed=0
same_text() {
    text=$("$mlc_opt" --allow-unregistered-dialect "$1") && [ "$text" = "$("$mlc_opt" --allow-unregistered-dialect "$2")" ]
}
mlc_opt=$1 mlc=$2
same_text "$seeds/bytecode/everything.mlcbc" "$seeds/text/everything.mlir" || failed=1
for file in "$seeds"/bytecode/* "$seeds"/mlir_bytecode/*; do
    "$mlc_opt" --allow-unregistered-dialect "$file" -o /dev/null || failed=1
done
"$mlc" inspect "$seeds/artefact/linear_relu" > /dev/null || failed=1
exit $failed
