// RUN: mlc-opt %s --convert-func-to-llvm | FileCheck %s
// RUN: mlc-opt %s --convert-func-to-llvm --finalize-memref-to-llvm --reconcile-unrealized-casts | FileCheck %s --check-prefix=ALL
// A descriptor is passed as its fields and returned whole; attributes stay with arguments that stay.
// CHECK-LABEL: llvm.func @f(%arg0: f32 {llvm.noundef}, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: i64, %arg4: i64, %arg5: i64)
// CHECK-SAME: -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> {
// CHECK-NEXT: llvm.mlir.undef
// CHECK-NEXT: llvm.insertvalue %arg1, %{{.*}}[0]
// CHECK-NEXT: llvm.insertvalue %arg2, %{{.*}}[1]
// CHECK-NEXT: llvm.insertvalue %arg3, %{{.*}}[2]
// CHECK-NEXT: llvm.insertvalue %arg4, %{{.*}}[3, 0]
// CHECK-NEXT: %[[D:.*]] = llvm.insertvalue %arg5, %{{.*}}[4, 0]
// CHECK-NEXT: %[[M:.*]] = builtin.unrealized_conversion_cast %[[D]] : !llvm.struct<{{.*}}> to memref<?xf32>
// CHECK: memref.store %arg0, %[[M]]
// CHECK: llvm.return %[[D]]
// ALL-LABEL: llvm.func @f
// ALL-NOT: unrealized
func.func @f(%x: f32 {llvm.noundef}, %m: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%c0] : memref<?xf32>
  return %m : memref<?xf32>
}

// CHECK-LABEL: llvm.func @branch
// CHECK: llvm.cond_br %{{.*}}, ^bb1(%{{.*}}, %arg1 : !llvm.struct<(ptr, ptr, i64)>, i64), ^bb2
// CHECK: ^bb1(%[[A:.*]]: !llvm.struct<(ptr, ptr, i64)>, %{{.*}}: i64):
// CHECK: llvm.extractvalue %[[A]][0]
// ALL-LABEL: llvm.func @branch
// ALL-NOT: unrealized
func.func @branch(%c: i1, %i: index, %x: f32, %m: memref<f32>) {
  cf.cond_br %c, ^bb1(%m, %i : memref<f32>, index), ^bb2
^bb1(%a: memref<f32>, %j: index):
  call @branch(%c, %j, %x, %a) : (i1, index, f32, memref<f32>) -> ()
  return
^bb2:
  return
}
