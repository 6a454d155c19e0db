// RUN: mlc-opt --load-dialect=%S/Inputs/num.yaml --show-conversions | FileCheck %s
// RUN: not mlc-opt --load-dialect=%S/Inputs/lowers-to-wrong.yaml --show-conversions 2>&1 | FileCheck %s --check-prefix=WRONG
// Which passes make other ops of an op is said by the tables that the passes have, so it holds for
// loaded ops, too.
// WRONG-NOT: convert-
// CHECK-NOT: builtin.module
// CHECK: affine.load: lower-affine{{$}}
// CHECK: arith.addf: {{.*}}convert-arith-to-llvm
// CHECK: linalg.matmul: {{.*}}convert-linalg-to-loops
// CHECK: scf.for: {{.*}}convert-scf-to-cf
// CHECK: num.sum: convert-to-llvm{{$}}
