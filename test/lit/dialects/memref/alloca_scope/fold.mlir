// RUN: mlc-opt %s --canonicalize | FileCheck %s
func.func private @use(memref<?xf32>)
// At the end of a function its scope is the function's.
// CHECK-LABEL: func.func @last
// CHECK-NEXT: %[[A:.*]] = memref.alloca
// CHECK-NEXT: call @use(%[[A]])
// CHECK-NEXT: return
func.func @last(%n: index) {
  memref.alloca_scope {
    %a = memref.alloca(%n) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
    memref.alloca_scope.return
  }
  return
}
// Before something else it stays: the allocation would live longer.
// CHECK-LABEL: func.func @first
// CHECK-NEXT: memref.alloca_scope
func.func @first(%n: index, %m: memref<?xf32>) {
  memref.alloca_scope {
    %a = memref.alloca(%n) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
    memref.alloca_scope.return
  }
  func.call @use(%m) : (memref<?xf32>) -> ()
  return
}
// CHECK-LABEL: func.func @hoisted
// CHECK-NEXT: memref.alloca
// CHECK-NEXT: scf.if
func.func @hoisted(%n: index, %c: i1) {
  scf.if %c {
    memref.alloca_scope {
      %a = memref.alloca(%n) : memref<?xf32>
      func.call @use(%a) : (memref<?xf32>) -> ()
      memref.alloca_scope.return
    }
  }
  return
}
