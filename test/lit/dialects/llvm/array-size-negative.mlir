// RUN: not mlc-opt %s 2>&1 | FileCheck %s
// CHECK: :3:33: error: an array cannot have -1 elements
func.func private @f(!llvm.array<-1 x i32>)
