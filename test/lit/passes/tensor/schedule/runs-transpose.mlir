// RUN: mlc-opt %s --interpret --entry transpose --input random:3 > %t.before
// RUN: mlc-opt %s --fuse --linalg-collapse --tile --linalg-vectorize --interpret --entry transpose --input random:3 > %t.after
// RUN: diff %t.before %t.after
// What is not contiguous is gathered element by element; the result is still written in vectors.
func.func @transpose(%x: tensor<3x10x7xf32>) -> tensor<10x7x3xf32> {
  %empty = tensor.empty() : tensor<10x7x3xf32>
  %0 = linalg.transpose ins(%x : tensor<3x10x7xf32>) outs(%empty : tensor<10x7x3xf32>) permutation = [1, 2, 0]
  return %0 : tensor<10x7x3xf32>
}
