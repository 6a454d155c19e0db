// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v3 --cse | FileCheck %s
// A long body behind long sums is not unrolled over the tile: the sums go through memory, and a loop takes one row after another.
// CHECK-LABEL: func.func @erf_of_sums
func.func @erf_of_sums(%a: tensor<6x256xf32>, %b: tensor<256x16xf32>, %init: tensor<6x16xf32>, %dest: tensor<6x16xf32>) -> tensor<6x16xf32> {
  // CHECK: scf.for
  // CHECK-COUNT-11: vector.transfer_write
  // CHECK: %[[LAST:.*]] = vector.transfer_write
  // CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[TO:.*]] = %arg3)
  // CHECK: %[[X:.*]] = vector.transfer_read %[[LAST]][%[[ROW]], %c0]
  // CHECK: %[[Y:.*]] = math.erf %[[X]]
  // CHECK: %[[HALF:.*]] = vector.transfer_write %[[Y]], %[[TO]][%[[ROW]], %c0]
  // CHECK: vector.transfer_read %[[LAST]][%[[ROW]], %c8]
  // CHECK: math.erf
  // CHECK: vector.transfer_write %{{.*}}, %[[HALF]][%[[ROW]], %c8]
  // CHECK-NOT: math.erf
  // CHECK: return
  %0 = linalg.matmul ins(%a, %b : tensor<6x256xf32>, tensor<256x16xf32>) outs(%init : tensor<6x16xf32>) -> tensor<6x16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<6x16xf32>) outs(%dest : tensor<6x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %2 = math.erf %x : f32
    linalg.yield %2 : f32
  } -> tensor<6x16xf32>
  return %1 : tensor<6x16xf32>
}
// Behind short ones it is.
// CHECK-LABEL: func.func @erf_of_short_sums
func.func @erf_of_short_sums(%a: tensor<6x32xf32>, %b: tensor<32x16xf32>, %init: tensor<6x16xf32>, %dest: tensor<6x16xf32>) -> tensor<6x16xf32> {
  // CHECK: %[[SUMS:.*]]:12 = scf.for
  // CHECK-NOT: scf.for
  // CHECK-COUNT-12: math.erf
  %0 = linalg.matmul ins(%a, %b : tensor<6x32xf32>, tensor<32x16xf32>) outs(%init : tensor<6x16xf32>) -> tensor<6x16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<6x16xf32>) outs(%dest : tensor<6x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %2 = math.erf %x : f32
    linalg.yield %2 : f32
  } -> tensor<6x16xf32>
  return %1 : tensor<6x16xf32>
}
// A short one stays in registers.
// CHECK-LABEL: func.func @relu_of_sums
func.func @relu_of_sums(%a: tensor<6x32xf32>, %b: tensor<32x16xf32>, %init: tensor<6x16xf32>, %dest: tensor<6x16xf32>) -> tensor<6x16xf32> {
  // CHECK: %[[SUMS:.*]]:12 = scf.for
  // CHECK-NOT: scf.for
  // CHECK: arith.maximumf %[[SUMS]]#0
  %zero = arith.constant 0.0 : f32
  %0 = linalg.matmul ins(%a, %b : tensor<6x32xf32>, tensor<32x16xf32>) outs(%init : tensor<6x16xf32>) -> tensor<6x16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<6x16xf32>) outs(%dest : tensor<6x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %2 = arith.maximumf %x, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<6x16xf32>
  return %1 : tensor<6x16xf32>
}
