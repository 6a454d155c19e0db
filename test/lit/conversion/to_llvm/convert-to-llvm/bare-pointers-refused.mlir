// RUN: mlc-opt %s --convert-to-llvm=bare-pointers --verify-diagnostics --split-input-file
// A bare pointer to the first element knows neither sizes, nor where its buffer begins.
func.func @size(%m: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  // expected-error @+2 {{failed to legalize operation 'memref.dim'}}
  // expected-note @+1 {{the size is not static}}
  %0 = memref.dim %m, %c0 : memref<?xf32>
  return %0 : index
}

// -----

func.func @cast(%m: memref<8xf32, strided<[1], offset: 4>>) -> memref<4xf32> {
  // expected-error @+2 {{failed to legalize operation 'memref.reinterpret_cast'}}
  // expected-note @+1 {{the start of its buffer is not known}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<8xf32, strided<[1], offset: 4>> to memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

func.func @metadata(%m: memref<8xf32, strided<[1], offset: 4>>) -> index {
  // expected-error @+2 {{failed to legalize operation 'memref.extract_strided_metadata'}}
  // expected-note @+1 {{the start of its buffer is not known}}
  %base, %offset, %sizes, %strides = memref.extract_strided_metadata %m : memref<8xf32, strided<[1], offset: 4>> -> memref<f32>, index, index, index
  return %offset : index
}

// -----

func.func @on_the_stack(%n: index) {
  // expected-error @+2 {{failed to legalize operation 'memref.alloca'}}
  // expected-note @+1 {{its size is not static}}
  %0 = memref.alloca(%n) : memref<?xf32>
  return
}

// -----

func.func @freed(%m: memref<4xf32>) {
  // expected-error @+2 {{failed to legalize operation 'memref.dealloc'}}
  // expected-note @+1 {{the pointer that was allocated is not known}}
  memref.dealloc %m : memref<4xf32>
  return
}

// -----

func.func @shifted_and_handed_on(%m: memref<64xi8>, %n: index) -> memref<4xf32> {
  // expected-error @+2 {{failed to legalize operation 'memref.view'}}
  // expected-note @+1 {{the start of its buffer is not known}}
  %0 = memref.view %m[%n][] : memref<64xi8> to memref<4xf32>
  return %0 : memref<4xf32>
}
