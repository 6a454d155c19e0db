// RUN: mlc-opt %s --convert-to-llvm=bare-pointers --canonicalize | FileCheck %s
// On the path of models memrefs of static strides are bare pointers; contract travels as LLVM's flag.
// CHECK-LABEL: llvm.func internal @kernel(
// CHECK-SAME: !llvm.ptr
// CHECK: llvm.getelementptr
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK: llvm.fmul %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<contract>}
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64}
// CHECK: llvm.return
func.func private @kernel(%m: memref<4x8xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %v = vector.load %m[%i, %c0] : memref<4x8xf32>, vector<8xf32>
  %w = arith.mulf %v, %v fastmath<contract> : vector<8xf32>
  vector.store %w, %m[%i, %c0] : memref<4x8xf32>, vector<8xf32>
  return
}
