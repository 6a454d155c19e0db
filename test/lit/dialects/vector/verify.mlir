// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// One rejection per kind of check.

func.func @position(%v: vector<4xf32>) {
  // expected-error @+1 {{'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension}}
  %0 = vector.extract %v[4] : f32 from vector<4xf32>
  return
}

// -----

func.func @dest_rank(%v: vector<2x4xf32>, %x: f32) {
  // expected-error @+1 {{'vector.insert' op expected position attribute rank to match the dest vector rank}}
  %0 = vector.insert %x, %v[0] : f32 into vector<2x4xf32>
  return
}

// -----

func.func @slice(%v: vector<4x8xf32>) {
  // expected-error @+1 {{op expected sum(offsets, sizes) dimension 0 to be confined to [1, 5)}}
  %0 = vector.extract_strided_slice %v {offsets = [3], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  return
}

// -----

func.func @stretch(%v: vector<2xf32>) {
  // expected-error @+1 {{'vector.broadcast' op dimension mismatch (2 vs. 4)}}
  %0 = vector.broadcast %v : vector<2xf32> to vector<3x4xf32>
  return
}

// -----

func.func @elements(%v: vector<2x3xf32>) {
  // expected-error @+1 {{'vector.shape_cast' op source/result number of elements must match}}
  %0 = vector.shape_cast %v : vector<2x3xf32> to vector<5xf32>
  return
}

// -----

func.func @twice(%v: vector<2x3xf32>) {
  // expected-error @+1 {{'vector.transpose' op duplicate position index: 0}}
  %0 = vector.transpose %v, [0, 0] : vector<2x3xf32> to vector<2x2xf32>
  return
}

// -----

func.func @lane(%a: vector<2xf32>, %b: vector<2xf32>) {
  // expected-error @+1 {{'vector.shuffle' op mask index #2 out of range}}
  %0 = vector.shuffle %a, %b [0, 4] : vector<2xf32>, vector<2xf32>
  return
}

// -----

func.func @zeros() {
  // expected-error @+1 {{expected all mask dim sizes to be zeros}}
  %0 = vector.constant_mask [0, 1] : vector<2x2xi1>
  return
}

// -----

func.func @kind(%v: vector<4xf32>) {
  // expected-error @+1 {{unsupported reduction type ''f32'' for kind 'xor'}}
  %0 = vector.reduction <xor>, %v : vector<4xf32> into f32
  return
}

// -----

func.func @contract(%a: vector<4xf32>, %b: vector<5xf32>, %c: f32) {
  // expected-error @+1 {{'vector.contract' op invalid contracting dimension map}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
                        iterator_types = ["reduction"]} %a, %b, %c : vector<4xf32>, vector<5xf32> into f32
  return
}

// -----

func.func @indices(%m: memref<?x?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{'vector.transfer_read' op requires 2 indices}}
  %0 = vector.transfer_read %m[%i], %pad : memref<?x?xf32>, vector<4xf32>
  return
}

// -----

func.func @stride(%m: memref<8xf32, strided<[2]>>, %i: index) {
  // expected-error @+1 {{'vector.load' op most minor memref dim must have unit stride}}
  %0 = vector.load %m[%i] : memref<8xf32, strided<[2]>>, vector<4xf32>
  return
}

// -----

func.func @mask(%v: vector<4xf32>, %m: vector<5xi1>) {
  // expected-error @+1 {{'vector.mask' op expects a 'vector<4xi1>' mask for the maskable operation}}
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<5xi1> -> f32
  return
}

// -----

func.func @warp(%lane: index, %v: vector<4xf32>) {
  // expected-error @+1 {{incompatible distribution dimensions from 'vector<4xf32>' to 'vector<1xf32>' with warp size = 32}}
  %0 = vector.warp_execute_on_lane_0(%lane)[32] -> (vector<1xf32>) {
    vector.yield %v : vector<4xf32>
  }
  return
}
