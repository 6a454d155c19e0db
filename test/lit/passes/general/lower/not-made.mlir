// RUN: mlc-opt --load-dialect=%S/Inputs/loopy.yaml --load-rules=%S/Inputs/not-made.rules %s --lower=by=not_made --split-input-file --verify-diagnostics | FileCheck %s --allow-empty
// Why what a rule makes cannot be made; what it had moved goes back.
func.func @each(%x: i64) -> i64 {
  // expected-error @+2 {{failed to legalize}}
  // expected-note @+1 {{no rule matches: 'each': region 0 of the op is not one block of 1 argument}}
  %0 = "loopy.each"(%x) ({
  ^bb0(%a: i64, %b: i64):
    "loopy.yield"(%a) : (i64) -> ()
  }) : (i64) -> i64
  return %0 : i64
}

// -----
func.func @count(%n: index, %x: i64) -> i64 {
  // expected-error @+2 {{failed to legalize}}
  // expected-note @+1 {{'counted': '@body' has 2 arguments, not 1}}
  %0 = "loopy.counted"(%n, %x) ({
  ^bb0(%a: i64, %b: i64):
    "loopy.yield"(%a) : (i64) -> ()
  }) : (index, i64) -> i64
  return %0 : i64
}

// -----
func.func @type(%n: index, %x: i64) -> i64 {
  // expected-error @+2 {{failed to legalize}}
  // expected-note @+1 {{'counted': argument 1 of '@body' is of another type}}
  %0 = "loopy.counted"(%n, %x) ({
  ^bb0(%a: i32):
    "loopy.yield"(%a) : (i32) -> ()
  }) : (index, i64) -> i64
  return %0 : i64
}

// -----
func.func @results(%n: index, %x: i64) -> i64 {
  // expected-error @+2 {{failed to legalize}}
  // expected-note @+1 {{'counted': 2 values for 1 results}}
  %0 = "loopy.counted"(%n, %x) ({
  ^bb0(%a: i64):
    %1 = arith.addi %a, %a : i64
    "loopy.yield"(%1, %a) : (i64, i64) -> ()
  }) : (index, i64) -> i64
  return %0 : i64
}

// -----
func.func @result(%n: index, %x: i64) -> i32 {
  // expected-error @+2 {{failed to legalize}}
  // expected-note @+1 {{'counted': value 1 is not of the type of the result}}
  %0 = "loopy.counted"(%n, %x) ({
  ^bb0(%a: i64):
    %1 = arith.addi %a, %a : i64
    "loopy.yield"(%1) : (i64) -> ()
  }) : (index, i64) -> i32
  return %0 : i32
}

// -----
func.func @blocks(%c: i1) {
  // expected-error @+2 {{failed to legalize}}
  // expected-note @+1 {{'when': '@yes' is not one block with a terminator}}
  "loopy.when"(%c) ({
    cf.br ^end
  ^end:
    "loopy.yield"() : () -> ()
  }, {
  }) : (i1) -> ()
  return
}

// -----
func.func @let(%c: i1, %x: i64) {
  // expected-error @+2 {{failed to legalize}}
  // expected-note @+1 {{'when': 'v' would be 2 values}}
  "loopy.when"(%c) ({
    %1 = arith.addi %x, %x : i64
    "loopy.yield"(%1, %1) : (i64, i64) -> ()
  }, {
  }) : (i1) -> i64
  return
}

// -----
func.func @operand(%n: index, %x: i64) {
  // expected-error @+2 {{failed to legalize}}
  // expected-note @+1 {{'repeat': operand 'in' of 'arith.index_cast' would be 0 values}}
  "loopy.repeat"(%n) ({
    %1 = arith.addi %x, %x : i64
    "loopy.yield"() : () -> ()
  }) : (index) -> index
  return
}

// -----
func.func @types(%x: i64) {
  // expected-error @+2 {{failed to legalize}}
  // expected-note @+1 {{'product': the types of the results of 'tensor.splat' do not follow}}
  %0 = "loopy.product"(%x, %x) : (i64, i64) -> index
  return
}

// -----
func.func @pair(%x: i64) {
  // expected-error @+2 {{failed to legalize}}
  // expected-note @+1 {{'pair': 2 values where one is wanted}}
  %0:2 = "loopy.pair"() ({
    "loopy.yield"(%x, %x) : (i64, i64) -> ()
  }) : () -> (i64, i64)
  return
}
// CHECK-NOT: func
