// RUN: mlc-opt %s --canonicalize | FileCheck %s
// A cast that adds nothing goes; one that only forgets is not taken part in by whoever reads the tensor.
// CHECK-LABEL: func.func @chain(%arg0: tensor<4x?xf32>)
// CHECK-NEXT: %[[C:.*]] = tensor.cast %arg0 : tensor<4x?xf32> to tensor<4x7xf32>
// CHECK-NEXT: return %[[C]]
func.func @chain(%t: tensor<4x?xf32>) -> tensor<4x7xf32> {
  %0 = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<4x7xf32>
  return %1 : tensor<4x7xf32>
}
// The middle type checks what the others do not know.
// CHECK-LABEL: func.func @check_stays
// CHECK-COUNT-2: tensor.cast
func.func @check_stays(%t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
// CHECK-LABEL: func.func @of_empty(%arg0: index)
// CHECK-NEXT: %[[E:.*]] = tensor.empty(%arg0) : tensor<3x?xf32>
// CHECK-NEXT: return %[[E]]
func.func @of_empty(%n: index) -> tensor<3x?xf32> {
  %0 = tensor.empty(%n, %n) : tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<3x?xf32>
  return %1 : tensor<3x?xf32>
}
// CHECK-LABEL: func.func @into_fill(%arg0: tensor<4xf32>, %arg1: f32)
// CHECK-NEXT: %[[F:.*]] = linalg.fill ins(%arg1 : f32) outs(%arg0 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = tensor.cast %[[F]] : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT: return %[[C]]
func.func @into_fill(%t: tensor<4xf32>, %x: f32) -> tensor<?xf32> {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
