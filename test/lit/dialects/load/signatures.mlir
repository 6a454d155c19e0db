// RUN: mlc-opt --load-dialect=%S/Inputs/signatures.yaml --split-input-file --verify-diagnostics %s
// Regions take and give back what the record says.
func.func @right(%t: tensor<4xf32>, %n: i32, %b: !sig.box<f64, 3>) {
  %0 = "sig.each"(%t, %n) ({
  ^bb0(%i: index, %x: f32, %m: i32):
    "sig.yield"(%x) : (f32) -> ()
  }) : (tensor<4xf32>, i32) -> tensor<4xf32>
  "sig.open"(%b) ({
  ^bb0(%x: f64):
    "sig.go"() [^next] : () -> ()
  ^next:
    "sig.yield"() : () -> ()
  }, {
    "sig.yield"(%n) : (i32) -> ()
  }, {
  }) : (!sig.box<f64, 3>) -> ()
  "sig.call"() <{callee = (i32) -> (i1, i1)}> ({
  ^bb0(%x: i32):
    %c = arith.constant true
    "sig.yield"(%c, %c) : (i1, i1) -> ()
  }) : () -> ()
  "sig.call"() <{callee = i32}> ({ // no function type: anything
    "sig.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @count(%t: tensor<4xf32>) {
  // expected-error @+1 {{'sig.each' op region 'body' takes 2 values, but has 1 arguments}}
  %0 = "sig.each"(%t) ({
  ^bb0(%x: f32):
    "sig.yield"(%x) : (f32) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @type(%t: tensor<4xf32>) {
  // expected-error @+1 {{'sig.each' op argument #1 of region 'body' must be 'f32', as element(xs) is, but is 'f64'}}
  %0 = "sig.each"(%t) ({
  ^bb0(%i: index, %x: f64):
    "sig.yield"(%x) : (f64) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @yielded(%t: tensor<4xf32>) {
  %0 = "sig.each"(%t) ({
  ^bb0(%i: index, %x: f32):
    // expected-error @+1 {{'sig.yield' op gives 'f32' as value #0, but region 'body' of 'sig.each' yields 'f64', as element(r) is}}
    "sig.yield"(%x) : (f32) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @parameter(%b: !sig.box<f64, 3>) {
  // expected-error @+1 {{'sig.open' op argument #0 of region 'body' must be 'f64', as box.inner is, but is 'f32'}}
  "sig.open"(%b) ({
  ^bb0(%x: f32):
    "sig.yield"() : () -> ()
  }) : (!sig.box<f64, 3>) -> ()
  return
}

// -----

func.func @any_number(%b: !sig.box<f64, 3>) {
  // expected-error @+1 {{'sig.open' op region 'rest' takes 0 values, but has 1 arguments}}
  "sig.open"(%b) ({
  ^bb0(%x: f64):
    "sig.yield"() : () -> ()
  }, {
  }, {
  ^bb0(%x: f64):
    "sig.yield"() : () -> ()
  }) : (!sig.box<f64, 3>) -> ()
  return
}

// -----

func.func @function() {
  "sig.call"() <{callee = (i32) -> (i1, i1)}> ({
  ^bb0(%x: i32):
    // expected-error @+1 {{'sig.yield' op gives 1 values, but region 'body' of 'sig.call' yields 2}}
    "sig.yield"(%x) : (i32) -> ()
  }) : () -> ()
  return
}
