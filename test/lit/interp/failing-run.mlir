// RUN: not mlc-opt %s --interpret --input 'dense<3> : tensor<1xi64>' 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: mlc-opt %s --graph-pipeline --kernels-pipeline --linalg-pipeline --vector-pipeline -o %t.vector.mlir 2>/dev/null
// RUN: not mlc-opt %t.vector.mlir --interpret --input 'dense<3> : tensor<1xi64>' 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: mlc-opt %t.vector.mlir --memref-pipeline --affine-pipeline --scf-pipeline --llvm-pipeline -o %t.llvm.mlir 2>/dev/null
// RUN: not mlc-opt %t.llvm.mlir --interpret --input call --input 'zeros as memref<64xi8>' --input 'zeros as memref<1xi8>' \
// RUN:   --input 'zeros as memref<1xi8>' --input 'dense<3> : tensor<1xi64> as tensor<1xi64>' --input 'zeros as tensor<1x2xf32>' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LLVM
// An index that is outside fails at every level, and from linalg on with the same words.
// GRAPH: loc("emb"): error: 'graph.gather' op index 3 is not within 3 elements
// ASSERT: error: 'cf.assert' op assertion failed: node 'emb' (gather): an index is outside of [-3, 2]
// LLVM: error: 'llvm.call' op reports that the model's run fails: node 'emb' (gather): an index is outside of [-3, 2]
func.func @main(%indices: tensor<1xi64>) -> tensor<1x2xf32> {
  %data = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = graph.gather %data, %indices : (tensor<3x2xf32>, tensor<1xi64>) -> tensor<1x2xf32> loc("emb")
  return %0 : tensor<1x2xf32>
}
