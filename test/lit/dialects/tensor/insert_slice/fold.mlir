// RUN: mlc-opt %s --canonicalize | FileCheck %s
// What is overwritten, put back where it was, or empty, was never inserted.
// CHECK-LABEL: func.func @overwritten(%arg0: tensor<8xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2xf32>
// CHECK-NEXT: %[[I:.*]] = tensor.insert_slice %arg2 into %arg0
// CHECK-NEXT: return %[[I]]
func.func @overwritten(%t: tensor<8xf32>, %a: tensor<2xf32>, %b: tensor<2xf32>, %i: index) -> tensor<8xf32> {
  %0 = tensor.insert_slice %a into %t[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %b into %0[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}
// CHECK-LABEL: func.func @back(%arg0: tensor<8xf32>
// CHECK-NEXT: return %arg0
func.func @back(%t: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  %0 = tensor.extract_slice %t[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %1 = tensor.insert_slice %0 into %t[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}
// CHECK-LABEL: func.func @nothing(%arg0: tensor<8xf32>
// CHECK-NEXT: return %arg0
func.func @nothing(%t: tensor<8xf32>, %s: tensor<0xf32>) -> tensor<8xf32> {
  %0 = tensor.insert_slice %s into %t[3] [0] [1] : tensor<0xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}
// The sizes tell the source's type; a cast that tells less is looked through.
// CHECK-LABEL: func.func @type(%arg0: tensor<?xf32>, %arg1: tensor<8xf32>)
// CHECK-NEXT: %[[C:.*]] = tensor.cast %arg0 : tensor<?xf32> to tensor<4xf32>
// CHECK-NEXT: tensor.insert_slice %[[C]] into %arg1[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
func.func @type(%s: tensor<?xf32>, %t: tensor<8xf32>) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %d = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  %0 = tensor.insert_slice %s into %d[0] [%c4] [1] : tensor<?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}
