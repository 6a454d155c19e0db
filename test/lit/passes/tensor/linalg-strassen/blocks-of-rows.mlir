// RUN: mlc-opt %s --linalg-strassen --target=x86-64-v4 2>/dev/null | FileCheck %s
// RUN: mlc-opt %s --linalg-strassen=block=500 --target=x86-64-v4 2>/dev/null | FileCheck %s --check-prefix=TWO
// RUN: mlc-opt %s --linalg-strassen=block=334 --target=x86-64-v4 2>/dev/null | FileCheck %s --check-prefix=REST
// Many rows are taken in blocks, whose parts stay in the caches: 1000 rows in four blocks of 250.
// CHECK-LABEL: func.func private @product
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1 iter_args(%{{.*}}) -> (tensor<1000x512xf32>)
// CHECK: scf.for %{{.*}} -> (tensor<125x256xf32>,
// CHECK: scf.for %{{.*}} -> (tensor<1000x512xf32>)
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] [125, 64] [1, 1]
// Two blocks, and what is left behind two blocks of 334.
// TWO: scf.for %{{.*}} = %c0 to %c2 step %c1 iter_args(%{{.*}}) -> (tensor<1000x512xf32>)
// REST: scf.for %{{.*}} = %c0 to %c2 step %c1 iter_args(%{{.*}}) -> (tensor<1000x512xf32>)
// REST: -> (tensor<166x256xf32>,
module attributes {mlc.numerics = "fast"} {
  func.func private @product(%x: tensor<1000x512xf32>, %w: tensor<512x512xf32>, %y: tensor<1000x512xf32>) -> tensor<1000x512xf32> {
    %0 = linalg.matmul ins(%x, %w : tensor<1000x512xf32>, tensor<512x512xf32>) outs(%y : tensor<1000x512xf32>) -> tensor<1000x512xf32>
    return %0 : tensor<1000x512xf32>
  }
  func.func @main(%x: tensor<1000x512xf32>, %y: tensor<1000x512xf32>) -> tensor<1000x512xf32> {
    %w = arith.constant dense<1.0> : tensor<512x512xf32>
    %0 = call @product(%x, %w, %y) : (tensor<1000x512xf32>, tensor<512x512xf32>, tensor<1000x512xf32>) -> tensor<1000x512xf32>
    return %0 : tensor<1000x512xf32>
  }
}
