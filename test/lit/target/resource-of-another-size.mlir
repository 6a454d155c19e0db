// RUN: not mlc-translate --export-llvmir %s 2>&1 | FileCheck %s
// CHECK: error: raw data size does not match element type size
llvm.mlir.global @halves(dense_resource<r> : tensor<2xi32>) : !llvm.array<2 x i32>
{-#
  dialect_resources: {
    builtin: {
      r: "0x0400000001000200"
    }
  }
#-}
