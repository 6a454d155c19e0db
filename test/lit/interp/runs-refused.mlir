// RUN: mlc-opt %s --interpret --entry f --allow-unregistered-dialect -split-input-file -verify-diagnostics
// Functions that cannot go on, each told at the op that stops it.
func.func @f() {
  %p = llvm.mlir.addressof @g : !llvm.ptr
  // expected-note@+1 {{called from here}}
  llvm.call %p() : !llvm.ptr, () -> ()
  return
}
// expected-error@+1 {{'llvm.func' op runs a block of 1 arguments with 0}}
llvm.func @g(%x: i32) {
  llvm.return
}

// -----

func.func @f() -> tensor<4xf32> {
  %c3 = arith.constant 3 : index
  %t = tensor.empty(%c3) : tensor<?xf32>
  // expected-error@+1 {{'tensor.cast' op made a value of type tensor<4xf32> and shape [3] where tensor<4xf32> is expected}}
  %u = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  return %u : tensor<4xf32>
}

// -----

func.func @f() {
  // expected-error@+1 {{'a.b' op has no meaning that the interpreter knows}}
  "a.b"() : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'a.br' op has no meaning that the interpreter knows}}
  "a.br"()[^bb1] : () -> ()
^bb1:
  return
}

// -----

func.func @f() -> i32 {
  %c1 = arith.constant 1 : i32
  // expected-error@+1 {{'a.return' op leaves its region with 2 values where 1 are expected}}
  "a.return"(%c1, %c1) : (i32, i32) -> ()
}

// -----

func.func private @g()
func.func @f() {
  // expected-error@+1 {{'func.call' op calls 'g', which has no body}}
  func.call @g() : () -> ()
  return
}

// -----

module attributes {gpu.container_module} {
  func.func @f() {
    %c1 = arith.constant 1 : index
    scf.execute_region {
      // expected-error@+1 {{'gpu.launch_func' op refers to @k::@missing, which is not defined}}
      gpu.launch_func @k::@missing blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      scf.yield
    }
    return
  }
}

// -----

func.func @f() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    %c = arith.cmpi eq, %tx, %gx : index
    scf.if %c {
      // expected-error@+1 {{'gpu.barrier' op thread 1 waits for thread 0, which waits at another barrier}}
      gpu.barrier
    } else {
      // expected-note@+1 {{it waits here}}
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// -----

func.func @f() {
  %c2 = arith.constant 2 : index
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %m = memref.alloc(%c2) : memref<?xf32>
  // expected-error@+1 {{'memref.cast' op made a value of type memref<4xf32> and shape [2] where memref<4xf32> is expected}}
  %u = memref.cast %m : memref<?xf32> to memref<4xf32>
  return
}
// -----

func.func @f() -> memref<4xf32> {
  %p = llvm.mlir.zero : !llvm.ptr
  %m = memref.alloc() : memref<4xf32>
  // expected-error@+1 {{'linalg.generic' op operand #0 is of a type that the interpreter does not know}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%p : !llvm.ptr) outs(%m : memref<4xf32>) {
  ^bb0(%a: !llvm.ptr, %b: f32):
    linalg.yield %b : f32
  }
  return %m : memref<4xf32>
}

// -----

#over = affine_map<(d0) -> ((d0 * 4611686018427387904) mod 3)>
#id = affine_map<(d0) -> (d0)>
func.func @f() {
  %m = memref.alloc() : memref<4xf32>
  // expected-error@+1 {{'linalg.generic' op has a map that cannot be evaluated}}
  linalg.generic {indexing_maps = [#over, #id], iterator_types = ["parallel"]} ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

func.func @f() {
  %m = memref.alloc() : memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  %n = memref.alloc() : memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  // expected-error@+1 {{'linalg.generic' op has 65 loops, more than 64}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31, d32, d33, d34, d35, d36, d37, d38, d39, d40, d41, d42, d43, d44, d45, d46, d47, d48, d49, d50, d51, d52, d53, d54, d55, d56, d57, d58, d59, d60, d61, d62, d63, d64) -> (d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31, d32)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31, d32, d33, d34, d35, d36, d37, d38, d39, d40, d41, d42, d43, d44, d45, d46, d47, d48, d49, d50, d51, d52, d53, d54, d55, d56, d57, d58, d59, d60, d61, d62, d63, d64) -> (d33, d34, d35, d36, d37, d38, d39, d40, d41, d42, d43, d44, d45, d46, d47, d48, d49, d50, d51, d52, d53, d54, d55, d56, d57, d58, d59, d60, d61, d62, d63, d64)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%m : memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) outs(%n : memref<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

func.func @f() -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  // expected-error@+1 {{'vector.load' op accesses a vector of rank 2 in a memref of rank 1}}
  %0 = vector.load %m[%c0] : memref<4xf32>, vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

// -----

func.func @f() -> i32 {
  %p = llvm.mlir.zero : !llvm.ptr
  // expected-error@+1 {{'llvm.load' op uses a null pointer}}
  %0 = llvm.load %p : !llvm.ptr -> i32
  return %0 : i32
}

// -----

func.func @f() {
  %p = llvm.mlir.zero : !llvm.ptr
  // expected-error@+1 {{'llvm.call' op calls what is no function}}
  llvm.call %p() : !llvm.ptr, () -> ()
  return
}

// -----

func.func @f() -> tensor<*xf32> {
  %n = arith.constant -1 : index
  // expected-error@+1 {{'tensor.empty' op makes a value of a negative number of elements in dimension 0}}
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

func.func @f() -> tensor<?xf32> {
  %n = arith.constant 4611686018427387904 : index
  // expected-error@+1 {{'tensor.empty' op makes a value of too many elements in dimension 0}}
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @f() -> tensor<?x?xf32> {
  %n = arith.constant 4294967296 : index
  // expected-error@+1 {{'tensor.empty' op makes a value of too many elements in dimension 1}}
  %0 = tensor.empty(%n, %n) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @f() -> tensor<?xf32> {
  %n = arith.constant 40000000000 : index
  // expected-error@+1 {{'tensor.empty' op needs 160000000000 bytes, which passes the interpreter's memory limit of 8589934592}}
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @f() {
  %n = arith.constant -2 : index
  %m = memref.alloc() : memref<8xf32>
  // expected-error@+1 {{'memref.subview' op has a window of size -2 in dimension 0}}
  %w = memref.subview %m[0] [%n] [1] : memref<8xf32> to memref<?xf32>
  return
}

// -----

func.func @f() {
  %m = memref.alloc() : memref<8xi8>
  %c2 = arith.constant 2 : index
  %v = memref.view %m[%c2][] : memref<8xi8> to memref<2xi8>
  // expected-error@+1 {{'memref.dealloc' op frees a part of a buffer}}
  memref.dealloc %v : memref<2xi8>
  return
}
