// RUN: mlc-opt %s --generate-runtime-verification | FileCheck %s
// RUN: not mlc-opt %s --generate-runtime-verification --interpret --entry=wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// Operands of structured ops have the sizes that the loops reach in them.

#map = affine_map<(d0) -> (d0)>
#none = affine_map<() -> ()>

// CHECK-LABEL: func.func @dynamic
// CHECK: %[[X:.*]] = memref.dim %arg0
// CHECK: %[[LAST:.*]] = index.sub %[[X]]
// CHECK: %[[Y:.*]] = memref.dim %arg1
// CHECK: index.cmp eq(%{{.*}}, %[[Y]])
// CHECK: ^ dimension #0 of input/output operand #1 is incompatible with inferred dimension size
// CHECK: linalg.generic
func.func @dynamic(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// What is known when compiling folds.
// CHECK-LABEL: func.func @static
// CHECK: %[[T:.*]] = index.bool.constant true
// CHECK: cf.assert %[[T]]
func.func @static(%x: tensor<5xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<5xf32>) outs(%y : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// CHECK-LABEL: func.func @no_loops
// CHECK-NOT: cf.assert
// CHECK: return
func.func @no_loops(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#none, #none], iterator_types = []}
      ins(%x : tensor<f32>) outs(%y : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// WRONG: dimension #0 of input/output operand #1 is incompatible
func.func @wrong() {
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %x = memref.alloc(%three) : memref<?xf32>
  %y = memref.alloc(%four) : memref<?xf32>
  call @dynamic(%x, %y) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}
