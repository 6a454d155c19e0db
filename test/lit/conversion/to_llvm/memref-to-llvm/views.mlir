// RUN: mlc-opt %s --convert-to-llvm --canonicalize --cse | FileCheck %s
// RUN: mlc-opt %s --convert-to-llvm | mlir-opt | FileCheck %s --check-prefix=READ
// REQUIRES: mlir-opt
// READ: llvm.func @views
// CHECK-LABEL: llvm.func @views
// CHECK-DAG: %[[FIVE:.*]] = llvm.mlir.constant(5 : index)
// CHECK: %[[START:.*]] = llvm.getelementptr %arg1[%arg5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: llvm.insertvalue %[[START]], %{{.*}}[1]
// CHECK: llvm.insertvalue %arg5, %{{.*}}[3, 0]
// CHECK: llvm.insertvalue %[[FIVE]], %{{.*}}[4, 0]
func.func @views(%bytes: memref<?xi8>, %n: index) -> (memref<?x5xf32>, memref<2x?xf32, strided<[?, 1], offset: ?>>, index, memref<?x?xf32>) {
  %0 = memref.view %bytes[%n][%n] : memref<?xi8> to memref<?x5xf32>
  %1 = memref.reinterpret_cast %0 to offset: [%n], sizes: [2, %n], strides: [%n, 1] : memref<?x5xf32> to memref<2x?xf32, strided<[?, 1], offset: ?>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %1 : memref<2x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  %2 = memref.cast %0 : memref<?x5xf32> to memref<?x?xf32>
  return %0, %1, %strides#0, %2 : memref<?x5xf32>, memref<2x?xf32, strided<[?, 1], offset: ?>>, index, memref<?x?xf32>
}
