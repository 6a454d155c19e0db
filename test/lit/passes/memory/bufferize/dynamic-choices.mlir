// RUN: mlc-opt %s --bufferize --verify-diagnostics --split-input-file
// A buffer that is made before the op needs a static shape.
func.func @loop(%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{'scf.while' op ends with a new tensor of dynamic shape}}
  %0 = scf.while (%a = %x) : (tensor<?xf32>) -> tensor<?xf32> {
    scf.condition(%c) %y : tensor<?xf32>
  } do {
  ^bb0(%b: tensor<?xf32>):
    scf.yield %b : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
