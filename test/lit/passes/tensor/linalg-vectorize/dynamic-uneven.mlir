// RUN: mlc-opt %s --linalg-vectorize --verify-diagnostics | FileCheck %s
// Lanes of which it is not known how many are there are read from memory together, or not at all.
// CHECK-LABEL: func.func @transposed
// CHECK: linalg.transpose
func.func @transposed(%x: tensor<?x2xf32>, %out: tensor<2x?xf32>, %n: index) -> tensor<2x?xf32> {
  %lanes = affine.min affine_map<(n) -> (4, n)>(%n)
  %in = tensor.extract_slice %x[0, 0] [%lanes, 2] [1, 1] : tensor<?x2xf32> to tensor<?x2xf32>
  %place = tensor.extract_slice %out[0, 0] [2, %lanes] [1, 1] : tensor<2x?xf32> to tensor<2x?xf32>
  // expected-remark @below {{not vectorized: it reads no neighbours for a vector of which it is not known how much is there}}
  %0 = linalg.transpose ins(%in : tensor<?x2xf32>) outs(%place : tensor<2x?xf32>) permutation = [1, 0]
  %1 = tensor.insert_slice %0 into %out[0, 0] [2, %lanes] [1, 1] : tensor<2x?xf32> into tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}
