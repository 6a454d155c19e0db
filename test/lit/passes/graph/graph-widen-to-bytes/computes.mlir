// RUN: mlc-opt %s --graph-widen-to-bytes --verify-diagnostics
// Such elements are only moved and cast.
func.func @f(%x: tensor<3xi4>, %y: tensor<3xf8E8M0FNU>) -> (tensor<3xi4>, tensor<3xi1>) {
  // expected-error @+1 {{computes on elements of type i4, which are only moved and cast}}
  %sum = graph.add %x, %x : (tensor<3xi4>, tensor<3xi4>) -> tensor<3xi4>
  // expected-error @+1 {{computes on elements of type f8E8M0FNU, which are only moved and cast}}
  %is = graph.equal %y, %y : (tensor<3xf8E8M0FNU>, tensor<3xf8E8M0FNU>) -> tensor<3xi1>
  return %sum, %is : tensor<3xi4>, tensor<3xi1>
}
