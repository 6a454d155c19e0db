// RUN: mlc-opt %s --bufferize --verify-diagnostics --split-input-file
// An op on tensors that says nothing about buffers is named.
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'math.absf' op works on tensors and does not say how it is done on buffers}}
  %0 = math.absf %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Nor does it follow branches.
// expected-error @below {{'func.func' op has tensors and more than one block; only structured control flow is bufferized}}
func.func @branches(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^bb1(%x : tensor<4xf32>), ^bb1(%y : tensor<4xf32>)
^bb1(%z: tensor<4xf32>):
  return %z : tensor<4xf32>
}
