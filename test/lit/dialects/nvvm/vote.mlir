// RUN: mlc-opt %s | FileCheck %s
// The types of the mask and of the predicate do not stand in the text.
// CHECK: nvvm.vote.ballot.sync %{{.*}}, %{{.*}} : i32
func.func @votes(%mask: i32, %pred: i1) -> i32 {
  %0 = nvvm.vote.ballot.sync %mask, %pred : i32
  return %0 : i32
}
