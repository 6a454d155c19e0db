// RUN: mlc-opt %s --bufferize | FileCheck %s
// What is made of a tensor that goes round, tile by tile, in a buffer of its own: copied once in an
// iteration, not in each tile.
// CHECK-LABEL: func.func @made_anew(
// CHECK: scf.for
// CHECK-NEXT: %[[NEW:.*]] = memref.alloc
// CHECK-NEXT: scf.for
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: vector.transfer_write %{{.*}}, %[[NEW]]
// CHECK: memref.copy %[[NEW]], %{{.*}} :
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
func.func @made_anew(%a: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c56 = arith.constant 56 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<64xf32>) {
    %e = tensor.empty() : tensor<64xf32>
    %new = scf.for %j = %c0 to %c64 step %c8 iter_args(%t = %e) -> (tensor<64xf32>) {
      %from = arith.subi %c56, %j : index
      %v = vector.transfer_read %x[%from], %zero {in_bounds = [true]} : tensor<64xf32>, vector<8xf32>
      %w = arith.addf %v, %v : vector<8xf32>
      %u = vector.transfer_write %w, %t[%j] {in_bounds = [true]} : vector<8xf32>, tensor<64xf32>
      scf.yield %u : tensor<64xf32>
    }
    scf.yield %new : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
