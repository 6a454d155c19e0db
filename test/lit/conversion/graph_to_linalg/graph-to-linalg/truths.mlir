// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s
// RUN: mlc-opt %s --interpret > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret > %t.after
// RUN: diff %t.before %t.after
// RUN: FileCheck %s --check-prefix=VALUES < %t.after
// Comparisons give i1; NaN is less than nothing and not equal to itself.
// VALUES: dense<[false, true, false]> : tensor<3xi1>
// VALUES-NEXT: dense<[true, false, false]> : tensor<3xi1>
// VALUES-NEXT: dense<[1.000000e+00, -2.000000e+00, 0.000000e+00]> : tensor<3xf32>
// CHECK: arith.cmpf olt
// CHECK: arith.cmpf une
// CHECK: arith.select
func.func @main() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xf32>) {
  %x = graph.constant dense<[1.0, -2.0, 0x7FC00000]> : tensor<3xf32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %less = graph.less %x, %zero : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  %nan = graph.is_nan %x : (tensor<3xf32>) -> tensor<3xi1>
  %other = graph.or %less, %nan : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %neither = graph.not %other : (tensor<3xi1>) -> tensor<3xi1>
  %kept = graph.where %nan, %zero, %x : (tensor<3xi1>, tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  return %less, %neither, %kept : tensor<3xi1>, tensor<3xi1>, tensor<3xf32>
}
