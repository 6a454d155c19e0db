// RUN: mlc-opt %s --operators-to-runtime --verify-diagnostics --split-input-file
func.func private @operator_0(memref<4xf32>) attributes {mlc.operator = {function = "a"}}
func.func @no_record(%x: memref<4xf32>) {
  // expected-error @below {{is in a function without the call record (run parallel-to-runtime first)}}
  func.call @operator_0(%x) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @operator_0(memref<?xf32>) attributes {mlc.operator = {function = "a"}}
func.func @no_size(%call: !llvm.ptr, %x: memref<?xf32>) {
  // expected-error @below {{has fewer sizes than its buffers leave open}}
  func.call @operator_0(%x) : (memref<?xf32>) -> ()
  return
}

// -----

func.func private @operator_0(memref<4xf32>) -> i32 attributes {mlc.operator = {function = "a"}}
func.func @result(%call: !llvm.ptr, %x: memref<4xf32>) {
  // expected-error @below {{has results, expected buffers for them}}
  %r = func.call @operator_0(%x) : (memref<4xf32>) -> i32
  return
}
