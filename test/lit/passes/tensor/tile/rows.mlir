// RUN: mlc-opt --pass-pipeline='builtin.module(func.func(tile{rows},canonicalize))' %s | FileCheck %s
// RUN: mlc-opt %s --interpret --entry softmax --input iota > %t.before
// RUN: mlc-opt --pass-pipeline='builtin.module(func.func(tile{rows},canonicalize))' %s | mlc-opt --interpret --entry softmax --input iota > %t.after
// RUN: diff %t.before %t.after

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0) -> ()>
#one = affine_map<(d0) -> (d0)>

// Two reductions and what reads them: blocks of whole rows, the tensors between of their size.
// CHECK-LABEL: func.func @softmax(
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[DEST:.*]] = %{{.*}})
// CHECK:   tensor.extract_slice %arg0[%[[I]], 0] [[[N:[0-9]+]], 2048] [1, 1]
// CHECK:   linalg.generic {{.*}}"reduction"
// CHECK:   linalg.generic {{.*}}outs({{.*}} : tensor<[[N]]x2048xf32>)
// CHECK:   linalg.generic {{.*}}"reduction"
// CHECK:   tensor.insert_slice %{{.*}} into %[[DEST]][%[[I]], 0] [[[N]], 2048] [1, 1]
// CHECK:   scf.yield
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @softmax(%x: tensor<64x2048xf32>) -> tensor<64x2048xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %ee = tensor.empty() : tensor<64x2048xf32>
  %f = linalg.generic {indexing_maps = [#none, #one], iterator_types = ["parallel"]} ins(%low : f32) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x2048xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %exp = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<64x2048xf32>, tensor<64xf32>) outs(%ee : tensor<64x2048xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x2048xf32>
  %g = linalg.generic {indexing_maps = [#none, #one], iterator_types = ["parallel"]} ins(%zero : f32) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<64x2048xf32>) outs(%g : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<64x2048xf32>, tensor<64xf32>) outs(%ee : tensor<64x2048xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.divf %in, %s : f32
    linalg.yield %0 : f32
  } -> tensor<64x2048xf32>
  return %r : tensor<64x2048xf32>
}

// A sum over the first dimension is no row's: nothing to do.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: scf.for
// CHECK: return
func.func @columns(%x: tensor<64x2048xf32>, %z: tensor<2048xf32>) -> tensor<64x2048xf32> {
  %ee = tensor.empty() : tensor<64x2048xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x2048xf32>) outs(%z : tensor<2048xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<2048xf32>
  %r = linalg.generic {indexing_maps = [#all, affine_map<(d0, d1) -> (d1)>, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x2048xf32>, tensor<2048xf32>) outs(%ee : tensor<64x2048xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.divf %in, %s : f32
    linalg.yield %0 : f32
  } -> tensor<64x2048xf32>
  return %r : tensor<64x2048xf32>
}

// A reduction that its reader takes tile by tile needs no rows: `tile` has it in registers.
// CHECK-LABEL: func.func @plain(
// CHECK-NOT: scf.for
// CHECK: return
func.func @plain(%x: tensor<64x2048xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x2048xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%sum : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.sqrt %in : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
