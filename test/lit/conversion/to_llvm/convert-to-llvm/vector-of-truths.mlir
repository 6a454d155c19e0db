// RUN: mlc-opt %s --convert-to-llvm | FileCheck %s
// A truth value in memory is a byte, of a vector too: LLVM would pack sixteen of them in two.
// CHECK-LABEL: llvm.func @f
// CHECK: llvm.load %{{.*}} -> vector<16xi8>
// CHECK: llvm.icmp "ne" %{{.*}}, %{{.*}} : vector<16xi8>
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

// RUN: mlc-opt %s --convert-to-llvm=bare-pointers | FileCheck %s --check-prefix=MODEL
// In a model's memory one truth value is a byte too: any but 0 is true, whoever wrote it.
// MODEL-LABEL: llvm.func @one
// MODEL: %[[BYTE:.*]] = llvm.load %{{.*}} -> i8
// MODEL: %[[TRUE:.*]] = llvm.icmp "ne" %[[BYTE]], %{{.*}} : i8
// MODEL: %[[OUT:.*]] = llvm.zext %[[TRUE]] : i1 to i8
// MODEL: llvm.store %[[OUT]], %{{.*}} : i8, !llvm.ptr
func.func @one(%m: memref<64xi1>, %o: memref<64xi1>, %i: index) {
  %v = memref.load %m[%i] : memref<64xi1>
  memref.store %v, %o[%i] : memref<64xi1>
  return
}
