// RUN: mlc-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(convert-affine-for-to-gpu))'
func.func @imperfect(%m: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{expected perfectly nested loops in the body}}
    memref.store %x, %m[%i] : memref<8xf32>
    affine.for %j = 0 to 8 {
    }
  }
  return
}

// -----

func.func @triangle(%m: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{loops with bounds depending on other mapped loops are not supported}}
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      memref.store %x, %m[%j] : memref<8xf32>
    }
  }
  return
}

// -----

func.func @carries(%x: f32) -> f32 {
  // expected-error@+1 {{loops that carry values are not mapped}}
  %r = affine.for %i = 0 to 8 iter_args(%s = %x) -> f32 {
    affine.for %j = 0 to 8 {
    }
    affine.yield %s : f32
  }
  return %r : f32
}

// -----

func.func @maps(%m: memref<8x8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      // expected-error@+1 {{depends on a mapped loop by an affine map: lower-affine or affine-expand-index-ops comes first}}
      affine.store %x, %m[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
