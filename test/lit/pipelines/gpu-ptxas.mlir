// REQUIRES: ptxas, target
// RUN: mlc-opt %s --gpu-pipeline -o %t.mlir
// RUN: mlc-translate %t.mlir --export-ptx --target=cuda-sm_80 -o %t.80.ptx && ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: mlc-translate %t.mlir --export-ptx --target=cuda-sm_90a -o %t.90.ptx && ptxas -arch=sm_90a %t.90.ptx -o %t.90.cubin
// Two kernels, the textbook case and an elementwise chain, assembled for two generations.
func.func @main(%x: tensor<1x3072xf32>, %w: tensor<200x3072xf32>) -> (tensor<1x200xf32>, tensor<200x3072xf32>) {
  %t = graph.transpose %w {perm = array<i64: 1, 0>} : (tensor<200x3072xf32>) -> tensor<3072x200xf32>
  %m = graph.matmul %x, %t : (tensor<1x3072xf32>, tensor<3072x200xf32>) -> tensor<1x200xf32>
  %r = graph.relu %m : (tensor<1x200xf32>) -> tensor<1x200xf32>
  %s = graph.sigmoid %w : (tensor<200x3072xf32>) -> tensor<200x3072xf32>
  %e = graph.mul %s, %w : (tensor<200x3072xf32>, tensor<200x3072xf32>) -> tensor<200x3072xf32>
  return %r, %e : tensor<1x200xf32>, tensor<200x3072xf32>
}
