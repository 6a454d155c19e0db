// RUN: mlc-opt %s --linalg-pack 2>/dev/null | FileCheck %s
// Parts of the reduction are parts of panels; panels may start at sums of what starts panels.
// CHECK-LABEL: func.func private @product
// CHECK-SAME: (%{{.*}}: tensor<8x100xf32>, %[[W:.*]]: tensor<8x100x16xf32>,
// CHECK: scf.for
// CHECK: tensor.extract_slice %[[W]][%{{.*}}, %{{.*}}, 0] [1, 50, 16] [1, 1, 1] : tensor<8x100x16xf32> to tensor<50x16xf32>
// CHECK-NOT: tensor<100x128xf32>
// CHECK-LABEL: func.func @main
module {
  func.func private @product(%x: tensor<8x100xf32>, %w: tensor<100x128xf32>, %y: tensor<8x128xf32>) -> tensor<8x128xf32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c50 = arith.constant 50 : index
    %c64 = arith.constant 64 : index
    %c100 = arith.constant 100 : index
    %c128 = arith.constant 128 : index
    %0 = scf.for %g = %c0 to %c128 step %c64 iter_args(%a = %y) -> (tensor<8x128xf32>) {
      %1 = scf.for %k = %c0 to %c100 step %c50 iter_args(%b = %a) -> (tensor<8x128xf32>) {
        %left = tensor.extract_slice %x[0, %k] [8, 50] [1, 1] : tensor<8x100xf32> to tensor<8x50xf32>
        %2 = scf.for %n = %c0 to %c64 step %c16 iter_args(%c = %b) -> (tensor<8x128xf32>) {
          %at = affine.apply affine_map<(g, n) -> (g + n)>(%g, %n)
          %panel = tensor.extract_slice %w[%k, %at] [50, 16] [1, 1] : tensor<100x128xf32> to tensor<50x16xf32>
          %init = tensor.extract_slice %c[0, %at] [8, 16] [1, 1] : tensor<8x128xf32> to tensor<8x16xf32>
          %3 = linalg.matmul ins(%left, %panel : tensor<8x50xf32>, tensor<50x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
          %4 = tensor.insert_slice %3 into %c[0, %at] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<8x128xf32>
          scf.yield %4 : tensor<8x128xf32>
        }
        scf.yield %2 : tensor<8x128xf32>
      }
      scf.yield %1 : tensor<8x128xf32>
    }
    return %0 : tensor<8x128xf32>
  }
  func.func @main(%x: tensor<8x100xf32>, %y: tensor<8x128xf32>) -> tensor<8x128xf32> {
    %w = arith.constant dense<1.0> : tensor<100x128xf32>
    %0 = call @product(%x, %w, %y) : (tensor<8x100xf32>, tensor<100x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
    return %0 : tensor<8x128xf32>
  }
}
