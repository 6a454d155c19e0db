// RUN: mlc-opt %s -pass-pipeline='builtin.module(func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=2,0}))' --verify-diagnostics
// expected-error@+1 {{tile size cannot be 0}}
func.func @f() {
  return
}
