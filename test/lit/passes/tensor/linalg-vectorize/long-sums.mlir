// RUN: mlc-opt %s --linalg-vectorize --split-input-file --target=x86-64-v4 | FileCheck %s
// A sum of 1536 products is three sums of 512 from zero, added up: one chain would round each product at the size of the whole sum.
// CHECK-LABEL: func.func @long
// CHECK: %[[SUM:.+]]:2 = scf.for %[[START:.+]] = %c0{{.*}} to %c1536{{.*}} step %c512{{.*}} iter_args(%[[A:.+]] = %{{.+}}, %[[B:.+]] = %{{.+}}) -> (vector<16xf32>, vector<16xf32>)
// CHECK: %[[BLOCK:.+]]:2 = scf.for %{{.+}} = %c0{{.*}} to %c512{{.*}} step %c1{{.*}} iter_args(%{{.+}} = %cst{{.*}}, %{{.+}} = %cst{{.*}}) -> (vector<16xf32>, vector<16xf32>)
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
// CHECK: %[[SUM:.+]]:2 = scf.for %{{.+}} = %c0{{.*}} to %c512{{.*}} step %c1{{.*}} iter_args(%{{.+}} = %cst{{.*}}, %{{.+}} = %cst{{.*}})
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
func.func @one_block(%a: tensor<2x512xf32>, %b: tensor<512x16xf32>, %c: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x512xf32>, tensor<512x16xf32>) outs(%c : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}
func.func @from_zero(%a: tensor<2x512xf32>, %b: tensor<512x16xf32>) -> tensor<2x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16xf32>) -> tensor<2x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x512xf32>, tensor<512x16xf32>) outs(%c : tensor<2x16xf32>) -> tensor<2x16xf32>
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

// No divisor of 521 is long enough, and no block is made.
// CHECK-LABEL: func.func @prime
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @prime(%a: tensor<2x521xf32>, %b: tensor<521x16xf32>, %c: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x521xf32>, tensor<521x16xf32>) outs(%c : tensor<2x16xf32>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}

// -----

// Part of a sum that was cut: its blocks are the whole sum's. Cut elsewhere, it is one chain.
// CHECK-LABEL: func.func @part
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c600{{.*}} step %c300{{.*}} iter_args
// CHECK-LABEL: func.func @elsewhere
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c600{{.*}} step %c1{{.*}} iter_args
// CHECK-NOT: scf.for
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
// Short blocks begin with their first products: to set zeros and add to them would be a good part of the work.
// CHECK-LABEL: func.func @short_blocks
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c64{{.*}} step %c16
// CHECK: %[[C:.+]] = arith.mulf %{{.+}} : vector<16xf32>
// CHECK: scf.for %{{.+}} = %c0{{.*}} to %c15{{.*}} step %c1{{.*}} iter_args(%{{.+}} = %[[C]]) -> (vector<16xf32>)
func.func @short_blocks(%a: tensor<1x64xf32>, %b: tensor<64x16xf32>, %c: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %0 = linalg.matmul {mlc.sum_block = 16 : i64} ins(%a, %b : tensor<1x64xf32>, tensor<64x16xf32>) outs(%c : tensor<1x16xf32>) -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}
