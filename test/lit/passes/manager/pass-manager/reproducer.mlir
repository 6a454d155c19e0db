// A failing run leaves its input and its pipeline behind, and the file runs again.
// RUN: rm -f %t.mlir; not mlc-opt %s --affine-parallelize --load-dialect=%s.none 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(cse),canonicalize{max-iterations=3})' --mlir-generate-reproducer=%t.mlir > %t.first
// RUN: FileCheck --check-prefix=FILE %s < %t.mlir
// RUN: mlc-opt %t.mlir --run-reproducer > %t.second
// RUN: diff %t.first %t.second
// RUN: not mlc-opt %s --run-reproducer 2>&1 | FileCheck --check-prefix=EMPTY %s

// NONE: error
// FILE: external_resources
// FILE: mlir_reproducer
// FILE: pipeline: "builtin.module(func.func(cse),canonicalize{{.*}}max-iterations=3
// FILE: disable_threading: false
// FILE: verify_each: true
// EMPTY: has no pipeline under external_resources.mlir_reproducer

func.func @twice(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
