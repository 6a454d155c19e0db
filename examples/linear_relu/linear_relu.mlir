// linear_relu.mlir -- the textbook case as the graph level has it: two functions of tensors, one call each.
//
//   mlc-opt linear_relu.mlir --inline --fuse --outline-kernels     # one kernel
func.func private @linear(%x: tensor<1x3072xf32>, %w: tensor<200x3072xf32>) -> tensor<1x200xf32> {
  %y = graph.gemm %x, %w {trans_b = true} : (tensor<1x3072xf32>, tensor<200x3072xf32>) -> tensor<1x200xf32>
  return %y : tensor<1x200xf32>
}

func.func private @relu(%v: tensor<1x200xf32>) -> tensor<1x200xf32> {
  %r = graph.relu %v : (tensor<1x200xf32>) -> tensor<1x200xf32>
  return %r : tensor<1x200xf32>
}

func.func @main(%x: tensor<1x3072xf32>, %w: tensor<200x3072xf32>) -> tensor<1x200xf32> {
  %y = call @linear(%x, %w) : (tensor<1x3072xf32>, tensor<200x3072xf32>) -> tensor<1x200xf32>
  %out = call @relu(%y) : (tensor<1x200xf32>) -> tensor<1x200xf32>
  return %out : tensor<1x200xf32>
}
