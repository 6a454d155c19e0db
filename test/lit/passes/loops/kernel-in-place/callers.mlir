// RUN: mlc-opt %s --kernel-in-place --split-input-file | FileCheck %s
// The caller reads the argument later.
// CHECK-LABEL: func.func @read_later
// CHECK: call @copy({{.*}}) : (memref<8xf32>, memref<8xf32>) -> ()
func.func @read_later(%x: memref<8xf32>, %y: memref<8xf32>) {
  %in = memref.alloc() : memref<8xf32>
  %out = memref.alloc() : memref<8xf32>
  memref.copy %x, %in : memref<8xf32> to memref<8xf32>
  call @copy(%in, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %in, %x : memref<8xf32> to memref<8xf32>
  memref.copy %out, %y : memref<8xf32> to memref<8xf32>
  return
}
func.func private @copy(%in: memref<8xf32>, %out: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %in[%i] : memref<8xf32>
    affine.store %a, %out[%i] : memref<8xf32>
  }
  return
}

// -----

// Through a view.
// CHECK-LABEL: func.func @read_through_a_view
// CHECK: call @copy({{.*}}) : (memref<8xf32>, memref<8xf32>) -> ()
func.func @read_through_a_view(%x: memref<8xf32>, %y: memref<2x4xf32>) {
  %in = memref.alloc() : memref<8xf32>
  %out = memref.alloc() : memref<8xf32>
  %view = memref.expand_shape %in [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  memref.copy %x, %in : memref<8xf32> to memref<8xf32>
  call @copy(%in, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %view, %y : memref<2x4xf32> to memref<2x4xf32>
  memref.copy %out, %x : memref<8xf32> to memref<8xf32>
  return
}
func.func private @copy(%in: memref<8xf32>, %out: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %in[%i] : memref<8xf32>
    affine.store %a, %out[%i] : memref<8xf32>
  }
  return
}

// -----

// One caller of two is not through with it.
// CHECK-LABEL: func.func @two_callers
// CHECK: call @copy({{.*}}) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK: call @copy({{.*}}) : (memref<8xf32>, memref<8xf32>) -> ()
func.func @two_callers(%x: memref<8xf32>, %y: memref<8xf32>) {
  %in = memref.alloc() : memref<8xf32>
  %out = memref.alloc() : memref<8xf32>
  %again = memref.alloc() : memref<8xf32>
  memref.copy %x, %in : memref<8xf32> to memref<8xf32>
  call @copy(%in, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  call @copy(%out, %again) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %again, %x : memref<8xf32> to memref<8xf32>
  memref.copy %out, %y : memref<8xf32> to memref<8xf32>
  return
}
func.func private @copy(%in: memref<8xf32>, %out: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %in[%i] : memref<8xf32>
    affine.store %a, %out[%i] : memref<8xf32>
  }
  return
}

// -----

// An input of the model belongs to its caller.
// CHECK-LABEL: func.func @an_input
// CHECK: call @copy({{.*}}) : (memref<8xf32>, memref<8xf32>) -> ()
func.func @an_input(%x: memref<8xf32>, %y: memref<8xf32>) {
  %out = memref.alloc() : memref<8xf32>
  call @copy(%x, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %out, %y : memref<8xf32> to memref<8xf32>
  return
}
func.func private @copy(%in: memref<8xf32>, %out: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %in[%i] : memref<8xf32>
    affine.store %a, %out[%i] : memref<8xf32>
  }
  return
}

// -----

// One buffer as two arguments.
// CHECK-LABEL: func.func @twice
// CHECK: call @add({{.*}}) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
func.func @twice(%x: memref<8xf32>) {
  %in = memref.alloc() : memref<8xf32>
  %out = memref.alloc() : memref<8xf32>
  memref.copy %x, %in : memref<8xf32> to memref<8xf32>
  call @add(%in, %in, %out) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %out, %x : memref<8xf32> to memref<8xf32>
  return
}
func.func private @add(%in: memref<8xf32>, %more: memref<8xf32>, %out: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %in[%i] : memref<8xf32>
    %b = affine.load %more[%i] : memref<8xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %out[%i] : memref<8xf32>
  }
  return
}

// -----

// What is filled once is read in every run.
// CHECK-LABEL: func.func @filled_once
// CHECK: call @copy({{.*}}) : (memref<8xf32>, memref<8xf32>) -> ()
func.func @filled_once(%x: memref<8xf32>) {
  %in = memref.alloc() : memref<8xf32>
  %out = memref.alloc() : memref<8xf32>
  call @fill(%in) {mlc.run_once} : (memref<8xf32>) -> ()
  call @copy(%in, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %out, %x : memref<8xf32> to memref<8xf32>
  return
}
func.func private @fill(%out: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.store %zero, %out[%i] : memref<8xf32>
  }
  return
}
func.func private @copy(%in: memref<8xf32>, %out: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %in[%i] : memref<8xf32>
    affine.store %a, %out[%i] : memref<8xf32>
  }
  return
}

// -----

// The result's buffer held something before.
// CHECK-LABEL: func.func @not_fresh
// CHECK: call @copy({{.*}}) : (memref<8xf32>, memref<8xf32>) -> ()
func.func @not_fresh(%x: memref<8xf32>) {
  %in = memref.alloc() : memref<8xf32>
  %out = memref.alloc() : memref<8xf32>
  memref.copy %x, %in : memref<8xf32> to memref<8xf32>
  memref.copy %x, %out : memref<8xf32> to memref<8xf32>
  call @copy(%in, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %out, %x : memref<8xf32> to memref<8xf32>
  return
}
func.func private @copy(%in: memref<8xf32>, %out: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %in[%i] : memref<8xf32>
    affine.store %a, %out[%i] : memref<8xf32>
  }
  return
}

// -----

// A chain: each step over the one before, in one buffer.
// CHECK-LABEL: func.func @chain
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: call @copy(%[[A]]) : (memref<8xf32>) -> ()
// CHECK: call @copy(%[[A]]) : (memref<8xf32>) -> ()
// CHECK: memref.copy %[[A]], %{{.*}}
func.func @chain(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  call @copy(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  call @copy(%b, %c) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %c, %x : memref<8xf32> to memref<8xf32>
  return
}
func.func private @copy(%in: memref<8xf32>, %out: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %in[%i] : memref<8xf32>
    affine.store %a, %out[%i] : memref<8xf32>
  }
  return
}
