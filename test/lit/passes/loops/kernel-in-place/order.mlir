// RUN: mlc-opt %s --kernel-in-place | FileCheck %s
// RUN: mlc-opt %s --kernel-in-place 2>&1 | FileCheck %s --check-prefix=REMARK
// Kernels that read an element after one of its index is written, or may.

func.func @main(%x: memref<8xf32>, %y: memref<8x8xf32>) {
  %reversed_in = memref.alloc() : memref<8xf32>
  %reversed_out = memref.alloc() : memref<8xf32>
  memref.copy %x, %reversed_in : memref<8xf32> to memref<8xf32>
  // CHECK: call @reversed({{.*}}) : (memref<8xf32>, memref<8xf32>) -> ()
  call @reversed(%reversed_in, %reversed_out) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %reversed_out, %x : memref<8xf32> to memref<8xf32>

  %shifted_in = memref.alloc() : memref<8xf32>
  %shifted_out = memref.alloc() : memref<8xf32>
  memref.copy %x, %shifted_in : memref<8xf32> to memref<8xf32>
  // CHECK: call @shifted({{.*}}) : (memref<8xf32>, memref<8xf32>) -> ()
  call @shifted(%shifted_in, %shifted_out) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %shifted_out, %x : memref<8xf32> to memref<8xf32>

  %parts_in = memref.alloc() : memref<8xf32>
  %parts_out = memref.alloc() : memref<8xf32>
  memref.copy %x, %parts_in : memref<8xf32> to memref<8xf32>
  // CHECK: call @parts({{.*}}) : (memref<8xf32>, memref<8xf32>) -> ()
  call @parts(%parts_in, %parts_out) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %parts_out, %x : memref<8xf32> to memref<8xf32>

  %rows_in = memref.alloc() : memref<8x8xf32>
  %rows_out = memref.alloc() : memref<8x8xf32>
  memref.copy %y, %rows_in : memref<8x8xf32> to memref<8x8xf32>
  // CHECK: call @rows_twice({{.*}}) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  call @rows_twice(%rows_in, %rows_out) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  memref.copy %rows_out, %y : memref<8x8xf32> to memref<8x8xf32>

  %square_in = memref.alloc() : memref<8x8xf32>
  %square_out = memref.alloc() : memref<8x8xf32>
  memref.copy %y, %square_in : memref<8x8xf32> to memref<8x8xf32>
  // CHECK: call @transposed({{.*}}) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  call @transposed(%square_in, %square_out) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  memref.copy %square_out, %y : memref<8x8xf32> to memref<8x8xf32>

  %late_in = memref.alloc() : memref<8xf32>
  %late_out = memref.alloc() : memref<8xf32>
  memref.copy %x, %late_in : memref<8xf32> to memref<8xf32>
  // CHECK: call @late({{.*}}) : (memref<8xf32>, memref<8xf32>) -> ()
  call @late(%late_in, %late_out) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %late_out, %x : memref<8xf32> to memref<8xf32>

  %gathered_in = memref.alloc() : memref<8xindex>
  %gathered_out = memref.alloc() : memref<8xindex>
  call @indices(%gathered_in) : (memref<8xindex>) -> ()
  // CHECK: call @gathered({{.*}}) : (memref<8xindex>, memref<8xindex>) -> ()
  call @gathered(%gathered_in, %gathered_out) : (memref<8xindex>, memref<8xindex>) -> ()
  call @indices(%gathered_out) : (memref<8xindex>) -> ()

  %views_in = memref.alloc() : memref<2x4xf32>
  %views_out = memref.alloc() : memref<2x4xf32>
  %flat = memref.collapse_shape %views_in [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  memref.copy %x, %flat : memref<8xf32> to memref<8xf32>
  // CHECK: call @other_views({{.*}}) : (memref<2x4xf32>, memref<2x4xf32>) -> ()
  call @other_views(%views_in, %views_out) : (memref<2x4xf32>, memref<2x4xf32>) -> ()
  %flat_out = memref.collapse_shape %views_out [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  memref.copy %flat_out, %x : memref<8xf32> to memref<8xf32>
  return
}
// REMARK-COUNT-8: remark: result in argument 1 not written over argument 0, read after that
func.func private @reversed(%in: memref<8xf32>, %out: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %in[-%i + 7] : memref<8xf32>
    affine.store %a, %out[%i] : memref<8xf32>
  }
  return
}
func.func private @shifted(%in: memref<8xf32>, %out: memref<8xf32>) {
  affine.for %i = 0 to 7 {
    %a = affine.load %in[%i] : memref<8xf32>
    affine.store %a, %out[%i + 1] : memref<8xf32>
  }

  return
}
// Sums of parts: what is added is read with the last part.
func.func private @parts(%in: memref<8xf32>, %out: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %k = 0 to 2 {
    affine.for %i = 0 to 8 {
      affine.if affine_set<(d0) : (-d0 >= 0)>(%k) {
        affine.store %zero, %out[%i] : memref<8xf32>
      } else {
        %a = affine.load %in[%i] : memref<8xf32>
        affine.store %a, %out[%i] : memref<8xf32>
      }
    }
  }
  return
}
// Columns of a block of rows, and one row that two blocks share.
func.func private @rows_twice(%in: memref<8x8xf32>, %out: memref<8x8xf32>) {
  affine.for %i = 0 to 6 step 3 {
    affine.for %r = 0 to 5 {
      affine.for %j = 0 to 8 {
        %a = affine.load %in[%i + %r, %j] : memref<8x8xf32>
        affine.store %a, %out[%i + %r, %j] : memref<8x8xf32>
      }
    }
  }
  return
}
func.func private @transposed(%in: memref<8x8xf32>, %out: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %in[%j, %i] : memref<8x8xf32>
      affine.store %a, %out[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
func.func private @late(%in: memref<8xf32>, %out: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.store %zero, %out[%i] : memref<8xf32>
    %a = affine.load %in[%i] : memref<8xf32>
    affine.store %a, %out[%i] : memref<8xf32>
  }
  return
}
func.func private @indices(%out: memref<8xindex>) {
  affine.for %i = 0 to 8 {
    affine.store %i, %out[%i] : memref<8xindex>
  }
  return
}
func.func private @gathered(%in: memref<8xindex>, %out: memref<8xindex>) {
  affine.for %i = 0 to 8 {
    %at = affine.load %in[%i] : memref<8xindex>
    %a = memref.load %in[%at] : memref<8xindex>
    affine.store %a, %out[%i] : memref<8xindex>
  }
  return
}
func.func private @other_views(%in: memref<2x4xf32>, %out: memref<2x4xf32>) {
  %flat = memref.collapse_shape %out [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      %a = affine.load %in[%i, %j] : memref<2x4xf32>
      affine.store %a, %flat[%i * 4 + %j] : memref<8xf32>
    }
  }
  return
}
