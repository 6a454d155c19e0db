// RUN: mlc-opt %s --interpret | FileCheck %s
// RUN: mlc-opt %s --one-shot-bufferize=bufferize-function-boundaries | mlc-opt - --interpret | FileCheck %s
// RUN: mlc-opt %s --one-shot-bufferize='bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map' | mlc-opt - --interpret | FileCheck %s
// RUN: mlc-opt %s --one-shot-bufferize=bufferize-function-boundaries --drop-equivalent-buffer-results --buffer-deallocation-pipeline | mlc-opt - --interpret | FileCheck %s
// Buffers through calls in loops, written by the callee, and views of them: the numbers are those
// of tensors. After three rounds [9, 1, 1, 1]: its sum, its first, and that of the part put aside.
// CHECK: 12 : i32
// CHECK-NEXT: 9 : i32
// CHECK-NEXT: 6 : i32
func.func private @bump(%t: tensor<4xi32>, %x: i32) -> (tensor<4xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %before = tensor.extract_slice %t[0] [2] [1] : tensor<4xi32> to tensor<2xi32>
  %old = tensor.extract %t[%c0] : tensor<4xi32>
  %new = arith.addi %old, %x : i32
  %r = tensor.insert %new into %t[%c0] : tensor<4xi32>
  return %r, %before : tensor<4xi32>, tensor<2xi32>
}
func.func @main() -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %t = arith.constant dense<[0, 1, 1, 1]> : tensor<4xi32>
  %aside = arith.constant dense<0> : tensor<2xi32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %t, %b = %aside) -> (tensor<4xi32>, tensor<2xi32>) {
    %n:2 = func.call @bump(%a, %three) : (tensor<4xi32>, i32) -> (tensor<4xi32>, tensor<2xi32>)
    scf.yield %n#0, %n#1 : tensor<4xi32>, tensor<2xi32>
  }
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> i32 {
    %e = tensor.extract %r#0[%i] : tensor<4xi32>
    %s2 = arith.addi %s, %e : i32
    scf.yield %s2 : i32
  }
  %first = tensor.extract %r#0[%c0] : tensor<4xi32>
  %put = tensor.extract %r#1[%c0] : tensor<2xi32>
  return %sum, %first, %put : i32, i32, i32
}
