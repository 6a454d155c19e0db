// RUN: mlc-opt %s --convert-to-llvm --allow-unregistered-dialect --verify-diagnostics --split-input-file
// Vectors of one dimension have registers; what earlier passes should have taken apart is told.
func.func @create_mask(%n: index) {
  // expected-error @+2 {{failed to legalize operation 'vector.create_mask'}}
  // expected-note @+1 {{masks of several dimensions are unrolled before}}
  %0 = vector.create_mask %n, %n : vector<2x4xi1>
  return
}

// -----

func.func @constant_mask() {
  // expected-error @+2 {{failed to legalize operation 'vector.constant_mask'}}
  // expected-note @+1 {{masks of several dimensions are unrolled before}}
  %0 = vector.constant_mask [1, 2] : vector<2x4xi1>
  return
}

// -----

func.func @extract(%i: index, %x: vector<2x4xf32>) -> f32 {
  // expected-error @+2 {{failed to legalize operation 'vector.extract'}}
  // expected-note @+1 {{the row that it takes is not constant}}
  %0 = vector.extract %x[%i, 1] : f32 from vector<2x4xf32>
  return %0 : f32
}

// -----

func.func @insert(%y: f32, %i: index, %x: vector<2x4xf32>) -> vector<2x4xf32> {
  // expected-error @+2 {{failed to legalize operation 'vector.insert'}}
  // expected-note @+1 {{the row that it puts in is not constant}}
  %0 = vector.insert %y, %x[%i, 1] : f32 into vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// -----

func.func @add(%x: vector<2x4xf32>) -> vector<2x4xf32> {
  // expected-error @+2 {{failed to legalize operation 'arith.addf'}}
  // expected-note @+1 {{'llvm.fadd' does not take !llvm.array<2 x vector<4xf32>>}}
  %0 = arith.addf %x, %x : vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// -----

func.func @select(%c: vector<2x4xi1>, %x: vector<2x4xf32>) -> vector<2x4xf32> {
  // expected-error @+2 {{failed to legalize operation 'arith.select'}}
  // expected-note @+1 {{'llvm.select' does not take !llvm.array<2 x vector<4xi1>>}}
  %0 = arith.select %c, %x, %x : vector<2x4xi1>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// -----

func.func @load(%m: memref<4x4xf32>, %i: index) -> vector<2x4xf32> {
  // expected-error @+2 {{failed to legalize operation 'vector.load'}}
  // expected-note @+1 {{vectors of several dimensions are unrolled before}}
  %0 = vector.load %m[%i, %i] : memref<4x4xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// -----

func.func @gather(%m: memref<4x4xf32, strided<[8, 2]>>, %i: index, %at: vector<4xi32>, %k: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> {
  // expected-error @+2 {{failed to legalize operation 'vector.gather'}}
  // expected-note @+1 {{not between one dimension and a buffer without gaps}}
  %0 = vector.gather %m[%i, %i][%at], %k, %p : memref<4x4xf32, strided<[8, 2]>>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @print(%x: vector<2xf32>) {
  // expected-error @+2 {{failed to legalize operation 'vector.print'}}
  // expected-note @+1 {{vectors are printed lane by lane before}}
  vector.print %x : vector<2xf32>
  return
}

// -----

func.func @print_wide(%z: i72) {
  // expected-error @+2 {{failed to legalize operation 'vector.print'}}
  // expected-note @+1 {{integers of more than 64 bits are not printed}}
  vector.print %z : i72
  return
}

// -----

func.func @print_f80(%y: f80) {
  // expected-error @+2 {{failed to legalize operation 'vector.print'}}
  // expected-note @+1 {{there is no function that prints f80}}
  vector.print %y : f80
  return
}

// -----

func.func @shuffle(%x: vector<2xf32>, %y: vector<4xf32>) -> vector<2xf32> {
  // expected-error @+2 {{failed to legalize operation 'vector.shuffle'}}
  // expected-note @+1 {{both vectors must have one type of one dimension}}
  %0 = vector.shuffle %x, %y [0, 3] : vector<2xf32>, vector<4xf32>
  return %0 : vector<2xf32>
}

// -----

func.func @reduction(%x: vector<4xi32>, %y: i32) -> i32 {
  // expected-error @+2 {{failed to legalize operation 'vector.reduction'}}
  // expected-note @+1 {{reductions into an accumulator are written out before}}
  %0 = vector.reduction <add>, %x, %y : vector<4xi32> into i32
  return %0 : i32
}
