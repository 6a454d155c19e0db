// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Numbers of operands, results, regions and successors that a record does not have.
func.func @zero(%x: i32) {
  // expected-error@+1 {{'gpu.barrier' op requires zero operands}}
  "gpu.barrier"(%x) : (i32) -> ()
  func.return
}

// -----

func.func @one() {
  // expected-error@+1 {{'math.exp' op requires a single operand}}
  "math.exp"() : () -> f32
  func.return
}

// -----

func.func @result(%x: f32) {
  // expected-error@+1 {{'math.exp' op requires one result}}
  "math.exp"(%x) : (f32) -> ()
  func.return
}

// -----

func.func @operands(%x: f32) {
  // expected-error@+1 {{'memref.load' op expected 1 or more operands, but found 0}}
  "memref.load"() : () -> f32
  func.return
}

// -----

func.func @successors() {
  // expected-error@+1 {{'cf.br' op requires 1 successor but found 0}}
  "cf.br"() : () -> ()
}

// -----

func.func @segments(%x: index) {
  // expected-error@+1 {{'memref.alloc' op operand count (1) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
  %0 = "memref.alloc"(%x) : (index) -> memref<?xf32>
  func.return
}

// -----

func.func @segments(%x: index) {
  // expected-error@+1 {{'memref.alloc' op requires dense i32 array attribute 'operandSegmentSizes'}}
  %0 = "memref.alloc"(%x) {operandSegmentSizes = 1 : i32} : (index) -> memref<?xf32>
  func.return
}

// -----

func.func @segments(%x: index) {
  // expected-error@+1 {{'memref.alloc' op operand count (1) does not match with the total size (2) specified in attribute 'operandSegmentSizes'}}
  %0 = "memref.alloc"(%x) <{operandSegmentSizes = array<i32: 1, 1>}> : (index) -> memref<?xf32>
  func.return
}

// -----

func.func @segments(%x: index) {
  // expected-error@+1 {{invalid properties {operandSegmentSizes = array<i32: 1, 0, 0>} for op memref.alloc: size mismatch in attribute conversion: 3 vs 2}}
  %0 = "memref.alloc"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (index) -> memref<?xf32>
  func.return
}

// -----

func.func @optional(%c: i1, %t: tensor<4xf32>, %m: memref<4xf32>) {
  // expected-error@+1 {{'bufferization.alloc_tensor' op operand group starting at #0 requires 0 or 1 element, but found 2}}
  %0 = "bufferization.alloc_tensor"(%t, %t) <{operandSegmentSizes = array<i32: 0, 2, 0>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @variadic(%x: f32, %m: memref<?xf32>) {
  // expected-error@+1 {{'memref.load' op operand #1 must be variadic of index, but got 'f32'}}
  %0 = "memref.load"(%m, %x) : (memref<?xf32>, f32) -> f32
  func.return
}

// -----

func.func @region(%c: i1) {
  // expected-error@+1 {{'scf.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks}}
  "scf.if"(%c) ({
  }, {
  }) : (i1) -> ()
  func.return
}

// -----

func.func @bools(%x: f32) {
  // expected-error@+1 {{'arith.cmpf' op result #0 must be bool-like, but got 'i8'}}
  %0 = "arith.cmpf"(%x, %x) <{predicate = 1 : i64}> : (f32, f32) -> i8
  func.return
}

// -----

func.func @shape(%x: f32) {
  // expected-error@+1 {{'math.exp' op requires the same type for all operands and results}}
  %0 = "math.exp"(%x) : (f32) -> vector<4xf32>
  func.return
}

// -----

func.func @select(%c: i1, %x: f32) {
  // expected-error@+1 {{'arith.select' op failed to verify that all of {true_value, false_value, result} have same type}}
  %0 = "arith.select"(%c, %x, %x) : (i1, f32, f32) -> vector<4xf32>
  func.return
}

// -----

func.func @tensor(%m: memref<4xf32>) {
  // expected-error@+1 {{'bufferization.to_tensor' op failed to verify that result type matches tensor equivalent of 'memref'}}
  %0 = "bufferization.to_tensor"(%m) : (memref<4xf32>) -> tensor<5xf32>
  func.return
}

// -----

func.func @memref(%t: tensor<4xf32>) {
  // expected-error@+1 {{'bufferization.to_memref' op failed to verify that type of 'tensor' is the tensor equivalent of 'memref'}}
  %0 = "bufferization.to_memref"(%t) : (tensor<4xf32>) -> memref<5xf32>
  func.return
}

// -----

func.func @element(%t: tensor<4xf32>) {
  %c = arith.constant 0 : index
  // expected-error@+1 {{'tensor.extract' op failed to verify that result type matches element type of tensor}}
  %0 = "tensor.extract"(%t, %c) : (tensor<4xf32>, index) -> i32
  func.return
}

// -----

func.func @load(%t: memref<4xf32>) {
  %c = arith.constant 0 : index
  // expected-error@+1 {{'memref.load' op failed to verify that result type matches element type of 'memref'}}
  %0 = "memref.load"(%t, %c) : (memref<4xf32>, index) -> i32
  func.return
}

// -----

func.func @compare(%x: tensor<4xf32>) {
  // expected-error@+1 {{'arith.cmpf' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "arith.cmpf"(%x, %x) <{predicate = 1 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xi1>
  func.return
}

// -----

func.func @from(%x: f32) {
  // expected-error@+1 {{'tensor.from_elements' op failed to verify that operand types match result element type}}
  %0 = "tensor.from_elements"(%x) : (f32) -> tensor<1xi32>
  func.return
}

// -----

func.func @extended(%x: i32) {
  // expected-error@+1 {{'arith.addui_extended' op result #1 must be bool-like, but got 'i8'}}
  %0:2 = "arith.addui_extended"(%x, %x) : (i32, i32) -> (i32, i8)
  func.return
}
