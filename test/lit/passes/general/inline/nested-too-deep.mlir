// RUN: mlc-opt %s --inline --limit-nesting=6 2>&1 | FileCheck %s
// RUN: mlc-opt %s --inline --limit-nesting=7 2>&1 | FileCheck --check-prefix=FITS %s
// Calls of calls multiply nests; what no reader would take stays a call.
// CHECK: remark: not inlined: would be nested deeper than the limit of 6 (--limit-nesting)
// CHECK-LABEL: func.func @outer
// CHECK: func.call @inner
// FITS-NOT: remark
// FITS-LABEL: func.func @outer
// FITS-NOT: call
func.func @inner(%a: index, %b: index, %m: memref<?xindex>) {
  scf.for %i = %a to %b step %b {
    scf.for %j = %i to %b step %b {
      memref.store %j, %m[%i] : memref<?xindex>
    }
  }
  return
}

func.func @outer(%a: index, %b: index, %m: memref<?xindex>) {
  scf.for %i = %a to %b step %b {
    scf.for %j = %i to %b step %b {
      func.call @inner(%j, %b, %m) : (index, index, memref<?xindex>) -> ()
    }
  }
  return
}
