// RUN: mlc-opt %s --bufferize --verify-diagnostics
func.func private @f(tensor<?xf32>) -> tensor<?xf32>
func.func @caller(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{returns a tensor of dynamic shape, whose buffer cannot be made before the call}}
  %0 = call @f(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = call @f(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
