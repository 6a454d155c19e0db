// REQUIRES: mlc-translate, not
// RUN: not mlc-translate %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: mlc-translate: say what to do: --import-onnx, --mlir-to-llvmir, --export-llvmir, --export-asm, --export-ptx, --export-object, --irdl-to-yaml, --yaml-to-irdl or --dialect-to-irdl
// RUN: not mlc-translate %s --export-asm --export-ptx 2>&1 | FileCheck --check-prefix=TWO %s
// TWO: mlc-translate: only one format at a time
// RUN: not mlc-translate %s %s --export-asm 2>&1 | FileCheck --check-prefix=FILES %s
// FILES: mlc-translate: only one input file at a time
// RUN: not mlc-translate %s --export-asm --target=vax 2>&1 | FileCheck --check-prefix=TARGET %s
// TARGET: mlc-translate: unknown target 'vax': there are host, {{.*}}cuda-sm_80
