// RUN: mlc-opt %s --finalize-memref-to-llvm | FileCheck %s
// What a type does not say is read from the descriptor; a window moves the offset.
// CHECK-LABEL: func.func @window
// CHECK: %[[I:.*]] = builtin.unrealized_conversion_cast %arg1 : index to i64
// CHECK: %[[M:.*]] = builtin.unrealized_conversion_cast %arg0
// CHECK: %[[BASE:.*]] = llvm.extractvalue %[[M]][1]
// CHECK: %[[OFFSET:.*]] = llvm.extractvalue %[[M]][2]
// CHECK: %[[STRIDE:.*]] = llvm.extractvalue %[[M]][4, 0]
// CHECK: %[[ROW:.*]] = llvm.mul %[[I]], %[[STRIDE]]
// CHECK: %[[AT:.*]] = llvm.add %[[OFFSET]], %[[ROW]]
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : index)
// CHECK: llvm.mul %{{.*}}, %[[TWO]]
// CHECK: llvm.insertvalue %[[BASE]], %{{.*}}[1]
// CHECK: llvm.insertvalue %[[AT]], %{{.*}}[2]
func.func @window(%m: memref<?x8xf32, strided<[?, 1], offset: ?>>, %i: index) -> memref<4xf32, strided<[2], offset: ?>> {
  %0 = memref.subview %m[%i, 0] [1, 4] [1, 2] : memref<?x8xf32, strided<[?, 1], offset: ?>> to memref<4xf32, strided<[2], offset: ?>>
  return %0 : memref<4xf32, strided<[2], offset: ?>>
}

// CHECK-LABEL: func.func @sizes
// CHECK: llvm.extractvalue %{{.*}}[3, 0]
// CHECK: llvm.mlir.constant(8 : index)
// CHECK: llvm.mlir.constant(2 : index)
// CHECK: %[[P:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x i64>
// CHECK: llvm.store %{{.*}}, %[[P]] : !llvm.array<2 x i64>
// CHECK: llvm.getelementptr %[[P]][0, %{{.*}}]
func.func @sizes(%m: memref<?x8xf32>, %i: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.dim %m, %c0 : memref<?x8xf32>
  %1 = memref.dim %m, %c1 : memref<?x8xf32>
  %2 = memref.rank %m : memref<?x8xf32>
  %3 = memref.dim %m, %i : memref<?x8xf32>
  return %0, %1, %2, %3 : index, index, index, index
}

// An element of type index is an i64 in memory, too.
// CHECK-LABEL: func.func @index_element
// CHECK: llvm.getelementptr %{{.*}} : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i64
func.func @index_element(%m: memref<?xindex>, %i: index) -> index {
  %0 = memref.load %m[%i] : memref<?xindex>
  return %0 : index
}
