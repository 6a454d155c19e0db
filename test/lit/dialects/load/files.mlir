// RUN: mlc-opt --load-dialect=%S/Inputs/pieces.yaml %s | FileCheck %s
// A dialect of three files: each names what stands in the others.
// CHECK-LABEL: func.func @boxes
func.func @boxes() {
  // CHECK: %[[BOX:.*]] = pieces.make : !pieces.box
  %0 = pieces.make : !pieces.box
  // CHECK: pieces.drop %[[BOX]] : !pieces.box
  pieces.drop %0 : !pieces.box
  return
}
