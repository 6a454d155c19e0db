// RUN: mlc-opt %s --finalize-memref-to-llvm | FileCheck %s
// Buffers come from malloc, aligned by hand; from the stack; from globals.
// CHECK: llvm.func @free(!llvm.ptr)
// CHECK: llvm.func @malloc(i64) -> !llvm.ptr
// CHECK: llvm.mlir.global private constant @table(dense<[1, 2]> : tensor<2xi32>) {{.*}} : !llvm.array<2 x i32>
// CHECK: llvm.mlir.global external @scalar(7 : i32) {{.*}} : i32
memref.global "private" constant @table : memref<2xi32> = dense<[1, 2]>
memref.global @scalar : memref<i32> = dense<7>

// CHECK-LABEL: func.func @heap
// CHECK: %[[END:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: %[[BYTES:.*]] = llvm.ptrtoint %[[END]]
// CHECK: %[[A:.*]] = llvm.mlir.constant(64 : index)
// CHECK: %[[MORE:.*]] = llvm.add %[[BYTES]], %[[A]]
// CHECK: %[[P:.*]] = llvm.call @malloc(%[[MORE]])
// CHECK: llvm.urem %{{.*}}, %[[A]]
// CHECK: %[[ALIGNED:.*]] = llvm.inttoptr
// CHECK: llvm.insertvalue %[[P]], %{{.*}}[0]
// CHECK: llvm.insertvalue %[[ALIGNED]], %{{.*}}[1]
// CHECK: %[[F:.*]] = llvm.extractvalue %{{.*}}[0]
// CHECK: llvm.call @free(%[[F]])
func.func @heap(%n: index) {
  %0 = memref.alloc(%n) {alignment = 64 : i64} : memref<?x4xf32>
  memref.dealloc %0 : memref<?x4xf32>
  return
}

// CHECK-LABEL: func.func @stack
// CHECK: llvm.alloca %{{.*}} x i8
// CHECK: %[[G:.*]] = llvm.mlir.addressof @table
// CHECK: llvm.getelementptr %[[G]][0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x i32>
// CHECK: llvm.mlir.constant(3735928559 : index)
func.func @stack(%n: index) -> (memref<?xi8>, memref<2xi32>) {
  %0 = memref.alloca(%n) : memref<?xi8>
  %1 = memref.get_global @table : memref<2xi32>
  return %0, %1 : memref<?xi8>, memref<2xi32>
}

// CHECK-LABEL: func.func @copy
// CHECK: %[[N:.*]] = llvm.extractvalue %{{.*}}[3, 0]
// CHECK: "llvm.intr.memcpy"
func.func @copy(%a: memref<?xf32>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}
