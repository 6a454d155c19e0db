// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v3 | FileCheck %s
// RUN: mlc-opt %s --interpret --entry f --input zeros > %t.before
// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v3 --interpret --entry f --input zeros > %t.after
// RUN: diff %t.before %t.after
// The body of linalg.map has no argument for what is written, a long one neither.
// CHECK-LABEL: func.func @f
// CHECK: %[[X:.*]] = vector.transfer_read %arg0
// CHECK: %[[Y:.*]] = math.erf %[[X]] : vector<4xf32>
// CHECK: vector.transfer_write %[[Y]]
// CHECK-NOT: linalg.map
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
    (%a: f32) {
      %1 = math.erf %a : f32
      linalg.yield %1 : f32
    }
  return %0 : tensor<4xf32>
}
