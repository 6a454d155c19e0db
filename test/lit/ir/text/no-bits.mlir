// RUN: mlc-opt %s --canonicalize | FileCheck %s
// RUN: mlc-opt %s --emit-bytecode | mlc-opt | mlc-opt --emit-mlc-bytecode | mlc-opt | FileCheck %s --check-prefix=BACK
// RUN: mlc-opt %s --verify-roundtrip
// RUN: mlc-opt %s --interpret | FileCheck %s --check-prefix=EVAL
// Integers of no bits have one value. Their operations fold, and mean 0.
// BACK: module attributes {u.none = 0 : i0, u.type = si0, u.widths = [i0, i1]}
module attributes {u.none = 0 : i0, u.type = si0, u.widths = [i00, i01]} {
  // CHECK-LABEL: func.func @main
  // BACK: arith.constant dense<0> : tensor<2xi0>
  // CHECK-DAG: arith.constant 0 : i0
  // CHECK-DAG: arith.constant 0 : i32
  // CHECK-NOT: arith.addi
  // EVAL: 0 : i0
  // EVAL-NEXT: 0 : i32
  // EVAL-NEXT: false
  func.func @main() -> (i0, i32, i1, tensor<2xi0>) {
    %c = arith.constant 0 : i0
    %n = arith.constant 5 : i32
    %d = arith.constant dense<0> : tensor<2xi0>
    %0 = arith.trunci %n : i32 to i0
    %1 = arith.addi %0, %c : i0
    %2 = arith.extui %1 : i0 to i32
    %3 = arith.cmpi slt, %1, %c : i0
    return %1, %2, %3, %d : i0, i32, i1, tensor<2xi0>
  }
}
