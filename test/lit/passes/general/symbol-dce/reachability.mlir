// RUN: mlc-opt %s --symbol-dce --allow-unregistered-dialect | FileCheck %s
// Private symbols stay only if something that stays names them; two that name each other do not.

// CHECK-NOT: @never
// CHECK: func.func private @called()
// CHECK-NOT: @round
func.func private @never()
func.func private @called()
func.func private @round_a() {
  call @round_b() : () -> ()
  return
}
func.func private @round_b() {
  call @round_a() : () -> ()
  return
}
// CHECK: func.func @public
func.func @public() {
  call @called() : () -> ()
  return
}

// A table that is named stays, with what is named in it; what is public in a private table is not seen from outside
// of this module, but the table's visibility says nothing about who is inside.
// CHECK: module @table attributes {sym_visibility = "private"}
// CHECK: @named
// CHECK-NEXT: call @helper
// CHECK: @helper
// CHECK-NOT: @alone
module @table attributes {sym_visibility = "private"} {
  func.func nested @named() {
    func.call @helper() : () -> ()
    return
  }
  func.func private @helper() {
    return
  }
  func.func private @alone() {
    return
  }
}
// CHECK-NOT: module @gone
module @gone attributes {sym_visibility = "private"} {
  func.func @inside() {
    return
  }
}
// CHECK: "test.user"
"test.user"() {uses = [@table::@named, {also = @nothing}]} : () -> ()
