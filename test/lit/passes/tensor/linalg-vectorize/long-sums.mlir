// RUN: mlc-opt %s --linalg-vectorize --split-input-file --target=x86-64-v4 | FileCheck %s
// A sum of 1536 products is six sums of 256 from zero, added up: one chain would round each product at the size of the whole sum.
// CHECK-LABEL: func.func @long
// CHECK: %[[SUM:.+]]:2 = scf.for %[[START:.+]] = %c0{{.*}} to %c1536{{.*}} step %c256{{.*}} iter_args(%[[A:.+]] = %{{.+}}, %[[B:.+]] = %{{.+}}) -> (vector<16xf32>, vector<16xf32>)
// CHECK: %[[BLOCK:.+]]:2 = scf.for %{{.+}} = %c0{{.*}} to %c256{{.*}} step %c1{{.*}} iter_args(%{{.+}} = %cst{{.*}}, %{{.+}} = %cst{{.*}}) -> (vector<16xf32>, vector<16xf32>)
// CHECK: arith.addf %[[A]], %[[BLOCK]]#0 : vector<16xf32>
// CHECK: arith.addf %[[B]], %[[BLOCK]]#1 : vector<16xf32>
func.func @long(%a: tensor<2x1536xf32>, %b: tensor<1536x16xf32>, %c: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x1536xf32>, tensor<1536x16xf32>) outs(%c : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}

// -----

// Short enough: one chain from zero, added to what is there, or it would be rounded at that size each time.
// CHECK-LABEL: func.func @one_block
// CHECK: %[[A:.+]] = vector.transfer_read %arg2
// CHECK: %[[SUM:.+]]:2 = scf.for %{{.+}} = %c0{{.*}} to %c256{{.*}} step %c1{{.*}} iter_args(%{{.+}} = %cst{{.*}}, %{{.+}} = %cst{{.*}})
// CHECK-NOT: scf.for
// CHECK: arith.addf %[[A]], %[[SUM]]#0
// CHECK: return
// From zero there is nothing to add to.
// CHECK-LABEL: func.func @from_zero
// CHECK: scf.for
// CHECK-NOT: arith.addf
// CHECK: return
// CHECK-LABEL: func.func @short
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c40{{.*}} step %c1{{.*}} iter_args
// CHECK-NOT: scf.for
// CHECK-NOT: arith.addf
// CHECK: return
func.func @one_block(%a: tensor<2x256xf32>, %b: tensor<256x16xf32>, %c: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x256xf32>, tensor<256x16xf32>) outs(%c : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}
func.func @from_zero(%a: tensor<2x256xf32>, %b: tensor<256x16xf32>) -> tensor<2x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16xf32>) -> tensor<2x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x256xf32>, tensor<256x16xf32>) outs(%c : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}
func.func @short(%a: tensor<2x40xf32>, %b: tensor<40x16xf32>, %c: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x40xf32>, tensor<40x16xf32>) outs(%c : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}

// -----

// Windows of 3 x 3 pixels of 256 channels: each row of the window is too much for one sum, each pixel is a sum.
// CHECK-LABEL: func.func @window
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c3{{.*}} iter_args
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c3{{.*}} iter_args(%[[S:.+]] = %{{.+}})
// CHECK: %[[PIXEL:.+]] = scf.for %{{.+}} = %c0{{.*}} to %c256{{.*}} iter_args(%{{.+}} = %cst{{.*}})
// CHECK: arith.addf %[[S]], %[[PIXEL]] : vector<16xf32>
func.func @window(%a: tensor<1x3x3x256xf32>, %b: tensor<3x3x256x16xf32>, %c: tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x3x3x256xf32>, tensor<3x3x256x16xf32>) outs(%c : tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32>
  return %0 : tensor<1x1x1x16xf32>
}

// -----

// No divisor of 1009 is long enough: four blocks, the last of which is shorter.
// CHECK-LABEL: func.func @prime
// CHECK: %[[FIRST:.+]]:2 = scf.for %{{.+}} = %c0{{.*}} to %c762{{.*}} step %c254{{.*}} iter_args
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c254{{.*}} step %c1{{.*}} iter_args
// CHECK: %[[REST:.+]]:2 = scf.for %{{.+}} = %c0{{.*}} to %c247{{.*}} step %c1{{.*}} iter_args(%{{.+}} = %cst{{.*}}, %{{.+}} = %cst{{.*}})
// CHECK: arith.addf %[[FIRST]]#0, %[[REST]]#0
// CHECK: return
func.func @prime(%a: tensor<2x1009xf32>, %b: tensor<1009x16xf32>, %c: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x1009xf32>, tensor<1009x16xf32>) outs(%c : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}

// -----

// 100,000 elements of a row: 25 blocks of 250 vectors. Not only products are summed in blocks.
// CHECK-LABEL: func.func @row
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %{{.*}} step %c4000{{.*}} iter_args
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c4000{{.*}} step %c16{{.*}} iter_args
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK: vector.reduction <add>
// The same along the rows, and their sums in blocks, too.
// CHECK-LABEL: func.func @column
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c100000{{.*}} step %c50000{{.*}} iter_args
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c50000{{.*}} step %c250{{.*}} iter_args
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c250{{.*}} step %c1{{.*}} iter_args
// A maximum does not round.
// CHECK-LABEL: func.func @largest
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c100000{{.*}} step %c1{{.*}} iter_args
// CHECK-NOT: scf.for
// CHECK: return
#in = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @row(%a: tensor<1x100000xf32>, %c: tensor<1xf32>) -> tensor<1xf32> {
  %0 = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<1x100000xf32>) outs(%c : tensor<1xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %acc, %x : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @column(%a: tensor<100000x16xf32>, %c: tensor<16xf32>) -> tensor<16xf32> {
  %0 = linalg.generic {indexing_maps = [#in, #column], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<100000x16xf32>) outs(%c : tensor<16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %acc, %x : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @largest(%a: tensor<100000x16xf32>, %c: tensor<16xf32>) -> tensor<16xf32> {
  %0 = linalg.generic {indexing_maps = [#in, #column], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<100000x16xf32>) outs(%c : tensor<16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.maximumf %acc, %x : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// Part of a sum that was cut: its blocks are the whole sum's. Cut elsewhere, the last one is shorter.
// CHECK-LABEL: func.func @part
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c600{{.*}} step %c300{{.*}} iter_args
// CHECK-LABEL: func.func @elsewhere
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c500{{.*}} step %c1{{.*}} iter_args
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c100{{.*}} step %c1{{.*}} iter_args
// CHECK: return
func.func @part(%a: tensor<2x600xf32>, %b: tensor<600x16xf32>, %c: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %0 = linalg.matmul {mlc.sum_block = 300 : i64} ins(%a, %b : tensor<2x600xf32>, tensor<600x16xf32>) outs(%c : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}
func.func @elsewhere(%a: tensor<2x600xf32>, %b: tensor<600x16xf32>, %c: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %0 = linalg.matmul {mlc.sum_block = 500 : i64} ins(%a, %b : tensor<2x600xf32>, tensor<600x16xf32>) outs(%c : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}
// -----

// A block has a step at least: what is no number of steps is as if it was not said.
// CHECK-LABEL: func.func @no_steps
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c600{{.*}} step %c200{{.*}} iter_args
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c600{{.*}} step %c200{{.*}} iter_args
func.func @no_steps(%a: tensor<2x600xf32>, %b: tensor<600x16xf32>, %c: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %0 = linalg.matmul {mlc.sum_block = 0 : i64} ins(%a, %b : tensor<2x600xf32>, tensor<600x16xf32>) outs(%c : tensor<2x16xf32>) -> tensor<2x16xf32>
  %1 = linalg.matmul {mlc.sum_block = -7 : i64} ins(%a, %b : tensor<2x600xf32>, tensor<600x16xf32>) outs(%0 : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %1 : tensor<2x16xf32>
}

// -----
// Short blocks begin with their first products: to set zeros and add to them would be a good part of the work.
// CHECK-LABEL: func.func @short_blocks
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c64{{.*}} step %c16
// CHECK: %[[C:.+]] = arith.mulf %{{.+}} : vector<16xf32>
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c15{{.*}} step %c1{{.*}} iter_args(%{{.+}} = %[[C]]) -> (vector<16xf32>)
func.func @short_blocks(%a: tensor<1x64xf32>, %b: tensor<64x16xf32>, %c: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %0 = linalg.matmul {mlc.sum_block = 16 : i64} ins(%a, %b : tensor<1x64xf32>, tensor<64x16xf32>) outs(%c : tensor<1x16xf32>) -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}
