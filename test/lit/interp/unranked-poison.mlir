// RUN: mlc-opt %s --interpret --verify-diagnostics
func.func @main() -> tensor<*xf32> {
  // expected-error@+1 {{'ub.poison' op makes an unranked value of no known rank}}
  %0 = ub.poison : tensor<*xf32>
  return %0 : tensor<*xf32>
}
