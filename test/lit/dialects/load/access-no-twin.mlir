// RUN: mlc-opt --load-dialect=%S/Inputs/cells.yaml %s --lower-affine --verify-diagnostics
// A twin that reads where the op writes is none: the op cannot be lowered.
func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
  // expected-error @+2 {{failed to legalize operation 'cells.lonely' that was explicitly marked illegal}}
  // expected-note @+1 {{pattern 'cells.lonely': 'cells.poke' is no access without a map for it}}
  %0 = cells.lonely %m at %i by affine_map<(d0) -> (d0)> : memref<4xf32> -> f32
  return %0 : f32
}
