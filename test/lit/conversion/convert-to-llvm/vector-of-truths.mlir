// RUN: mlc-opt %s --convert-to-llvm | FileCheck %s
// A truth value in memory is a byte, of a vector too: LLVM would pack sixteen of them in two.
// CHECK-LABEL: llvm.func @f
// CHECK: llvm.load %{{.*}} -> vector<16xi8>
// CHECK: llvm.trunc %{{.*}} : vector<16xi8> to vector<16xi1>
// CHECK: llvm.zext %{{.*}} : vector<16xi1> to vector<16xi8>
// CHECK: llvm.store %{{.*}} : vector<16xi8>, !llvm.ptr
// CHECK: llvm.intr.masked.load %{{.*}} : (!llvm.ptr, vector<16xi1>, vector<16xi8>) -> vector<16xi8>
// CHECK: llvm.intr.masked.store %{{.*}} : vector<16xi8>, vector<16xi1> into !llvm.ptr
func.func @f(%m: memref<64xi1>, %o: memref<64xi1>, %i: index, %mask: vector<16xi1>, %none: vector<16xi1>) {
  %v = vector.load %m[%i] : memref<64xi1>, vector<16xi1>
  vector.store %v, %o[%i] : memref<64xi1>, vector<16xi1>
  %w = vector.maskedload %m[%i], %mask, %none : memref<64xi1>, vector<16xi1>, vector<16xi1> into vector<16xi1>
  vector.maskedstore %o[%i], %mask, %w : memref<64xi1>, vector<16xi1>, vector<16xi1>
  return
}
