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

func.func @extract() {
  %x = "test.make"() : () -> vector<f32>
  // expected-error @+2 {{failed to legalize operation 'vector.extract'}}
  // expected-note @+1 {{only lanes of one-dimensional vectors are taken out}}
  %0 = vector.extract %x[] : f32 from vector<f32>
  "test.use"(%0) : (f32) -> ()
  return
}

// -----

func.func @insert(%y: f32) {
  %x = "test.make"() : () -> vector<f32>
  // expected-error @+2 {{failed to legalize operation 'vector.insert'}}
  // expected-note @+1 {{only lanes of one-dimensional vectors are put in}}
  %0 = vector.insert %y, %x[] : f32 into vector<f32>
  "test.use"(%0) : (vector<f32>) -> ()
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

func.func @reduction(%x: vector<4xf32>, %y: f32) -> f32 {
  // expected-error @+2 {{failed to legalize operation 'vector.reduction'}}
  // expected-note @+1 {{reductions into an accumulator are written out before}}
  %0 = vector.reduction <add>, %x, %y : vector<4xf32> into f32
  return %0 : f32
}
