// RUN: mlc-opt %s --convert-vector-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts > %t
// RUN: mlc-cpu-runner %t -entry-point-result=void -enable-matrix -matrix-allow-contract -matrix-default-layout=column-major -shared-libs=%runner_utils | FileCheck %s
// RUN: mlc-cpu-runner %t -entry-point-result=void -O2 -shared-libs=%runner_utils | FileCheck %s
// Matrices in flat vectors, column by column.
// CHECK: ( 1, 3, 5, 2, 4, 6 )
// CHECK-NEXT: ( 10, 14, 26, 38 )
func.func @main() {
  %a = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : vector<6xf64>
  %t = vector.flat_transpose %a {rows = 2 : i32, columns = 3 : i32} : vector<6xf64> -> vector<6xf64>
  vector.print %t : vector<6xf64>
  %b = arith.constant dense<[1.0, 3.0, 5.0, 7.0]> : vector<4xf64>
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf64>
  %p = vector.matrix_multiply %c, %b {lhs_rows = 2 : i32, lhs_columns = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf64>, vector<4xf64>) -> vector<4xf64>
  vector.print %p : vector<4xf64>
  return
}
