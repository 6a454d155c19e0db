// RUN: mlc-opt %s --linalg-inline-scalar-operands -mlir-print-local-scope | FileCheck %s
#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
#first = affine_map<(d0) -> (0, 1)>
// CHECK-LABEL: func.func @f
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-DAG: %[[S:.*]] = tensor.extract %arg1[] : tensor<f32>
// CHECK-DAG: %[[E:.*]] = tensor.extract %arg2[%{{.*}}, %{{.*}}] : tensor<2x2xf32>
// CHECK: math.fma %[[IN]], %[[S]], %[[E]]
func.func @f(%a: tensor<4xf32>, %s: tensor<f32>, %t: tensor<2x2xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #none, #first, #id], iterator_types = ["parallel"]}
      ins(%a, %s, %t : tensor<4xf32>, tensor<f32>, tensor<2x2xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %m = math.fma %x, %y, %z : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// Buffers might be written in between.
// CHECK-LABEL: func.func @buffers
// CHECK: ins(%arg0 : memref<f32>)
func.func @buffers(%s: memref<f32>, %out: memref<4xf32>) {
  linalg.generic {indexing_maps = [#none, #id], iterator_types = ["parallel"]} ins(%s : memref<f32>) outs(%out : memref<4xf32>) {
  ^bb0(%y: f32, %o: f32):
    linalg.yield %y : f32
  }
  return
}
