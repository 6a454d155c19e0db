// RUN: mlc-opt %s --buffer-results-to-out-params=add-result-attr --allow-unregistered-dialect | FileCheck %s
// Attributes of results go with them; a strided buffer is cast from a plain one.
// CHECK: func.func private @f(i32 {u.arg}, memref<1xf32> {bufferize.result}, memref<2xf32> {bufferize.result, u.some}) -> (i32 {u.third})
func.func private @f(i32 {u.arg}) -> (memref<1xf32>, memref<2xf32> {u.some}, i32 {u.third})
func.func private @strided() -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-LABEL: func.func @call
// CHECK: %[[B:.*]] = memref.alloc() : memref<4xf32>
// CHECK: %[[C:.*]] = memref.cast %[[B]] : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK: call @strided(%[[C]])
// CHECK: "u.use"(%[[C]])
func.func @call() {
  %0 = call @strided() : () -> memref<4xf32, strided<[?], offset: ?>>
  "u.use"(%0) : (memref<4xf32, strided<[?], offset: ?>>) -> ()
  return
}
