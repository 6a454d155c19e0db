// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// What stands under a mask, and what a warp shares.

func.func @results(%m: memref<8xf32>, %i: index, %x: f32, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.mask' op expects number of results to match maskable operation number of results}}
  "vector.mask"(%k) ({
    %1 = vector.transfer_read %m[%i], %x : memref<8xf32>, vector<4xf32>
    "vector.yield"() : () -> ()
  }) : (vector<4xi1>) -> ()
  return
}

// -----

func.func @result_type(%m: memref<8xf32>, %i: index, %x: f32, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.mask' op expects result type to match maskable operation result type}}
  %0 = "vector.mask"(%k) ({
    %1 = vector.transfer_read %m[%i], %x : memref<8xf32>, vector<4xf32>
    "vector.yield"(%1) : (vector<4xf32>) -> ()
  }) : (vector<4xi1>) -> vector<8xf32>
  return
}

// -----

func.func @passthru(%v: vector<4xf32>, %p: f32, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.mask' op doesn't expect a passthru argument for this maskable operation}}
  %0 = vector.mask %k, %p { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return
}

// -----

func.func @passthru_type(%m: memref<8xf32>, %i: index, %x: f32, %v: vector<8xf32>, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.mask' op expects passthru type to match result type}}
  %0 = "vector.mask"(%k, %v) ({
    %1 = vector.transfer_read %m[%i], %x : memref<8xf32>, vector<4xf32>
    "vector.yield"(%1) : (vector<4xf32>) -> ()
  }) : (vector<4xi1>, vector<8xf32>) -> vector<4xf32>
  return
}

// -----

func.func @two(%m: memref<8xf32>, %i: index, %x: f32, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.mask' op expects only one operation to mask}}
  %0 = "vector.mask"(%k) ({
    %1 = vector.transfer_read %m[%i], %x : memref<8xf32>, vector<4xf32>
    %2 = vector.transfer_read %m[%i], %x : memref<8xf32>, vector<4xf32>
    "vector.yield"(%1) : (vector<4xf32>) -> ()
  }) : (vector<4xi1>) -> vector<4xf32>
  return
}

// -----

func.func @end(%m: memref<8xf32>, %i: index, %x: f32, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.mask' op expects a terminator within the mask region}}
  "vector.mask"(%k) ({
    %1 = vector.transfer_read %m[%i], %x : memref<8xf32>, vector<4xf32>
    "func.return"() : () -> ()
  }) : (vector<4xi1>) -> ()
  return
}

// -----

func.func @yields(%m: memref<8xf32>, %i: index, %x: f32, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.mask' op expects number of results to match mask region yielded values}}
  %0 = "vector.mask"(%k) ({
    %1 = vector.transfer_read %m[%i], %x : memref<8xf32>, vector<4xf32>
    "vector.yield"() : () -> ()
  }) : (vector<4xi1>) -> vector<4xf32>
  return
}

// -----

func.func @lane(%lane: index) {
  // expected-error@+1 {{'vector.warp_execute_on_lane_0' op expected vector type for distributed operands.}}
  %0 = vector.warp_execute_on_lane_0(%lane)[32] -> (f32) {
    %1 = arith.constant dense<1.0> : vector<32xf32>
    vector.yield %1 : vector<32xf32>
  }
  return
}

// -----

func.func @elements(%lane: index) {
  // expected-error@+1 {{'vector.warp_execute_on_lane_0' op expected distributed vectors to have same rank and element type.}}
  %0 = vector.warp_execute_on_lane_0(%lane)[32] -> (vector<1xi32>) {
    %1 = arith.constant dense<1.0> : vector<32xf32>
    vector.yield %1 : vector<32xf32>
  }
  return
}

// -----

func.func @multiple(%lane: index) {
  // expected-error@+1 {{'vector.warp_execute_on_lane_0' op expected expanded vector dimension #0 (32) to be a multipler of the distributed vector dimension (3)}}
  %0 = vector.warp_execute_on_lane_0(%lane)[32] -> (vector<3xf32>) {
    %1 = arith.constant dense<1.0> : vector<32xf32>
    vector.yield %1 : vector<32xf32>
  }
  return
}

// -----

func.func @arguments(%lane: index, %v: vector<1xf32>) {
  // expected-error@+1 {{'vector.warp_execute_on_lane_0' op expected same number op arguments and block arguments.}}
  "vector.warp_execute_on_lane_0"(%lane, %v) <{warp_size = 32 : i64}> ({
    "vector.yield"() : () -> ()
  }) : (index, vector<1xf32>) -> ()
  return
}

// -----

func.func @yield_count(%lane: index) {
  // expected-error@+1 {{'vector.warp_execute_on_lane_0' op expected same number of yield operands and return values.}}
  %0 = vector.warp_execute_on_lane_0(%lane)[32] -> (vector<1xf32>) {
    "vector.yield"() : () -> ()
  }
  return
}
