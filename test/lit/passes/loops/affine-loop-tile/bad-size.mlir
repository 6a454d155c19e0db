// RUN: mlc-opt %s --affine-loop-tile=tile-sizes=0 --verify-diagnostics
// expected-error @below {{sizes of tiles and caches must be positive}}
func.func @f() {
  return
}
