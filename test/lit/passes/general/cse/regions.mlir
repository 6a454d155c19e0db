// RUN: mlc-opt %s --cse --mlir-print-local-scope | FileCheck %s
// RUN: mlc-opt %s --cse | mlc-opt --cse > %t.again
// RUN: mlc-opt %s --cse | diff %t.again -
// Ops with regions are shared if all inside is equal op by op; what they read of memory keeps them apart.

// CHECK-LABEL: func.func @equal
// CHECK-COUNT-1: scf.if
// CHECK-NOT: scf.if
// CHECK: return %[[R:.*]], %[[R]] :
func.func @equal(%c: i1, %a: i32) -> (i32, i32) {
  %0 = scf.if %c -> i32 {
    %x = arith.addi %a, %a : i32
    %y = arith.muli %x, %a : i32
    scf.yield %y : i32
  } else {
    scf.yield %a : i32
  }
  %1 = scf.if %c -> i32 {
    %x = arith.addi %a, %a : i32
    %y = arith.muli %x, %a : i32
    scf.yield %y : i32
  } else {
    scf.yield %a : i32
  }
  return %0, %1 : i32, i32
}

// What was shared inside goes with it.
// CHECK-LABEL: func.func @shared_inside
// CHECK: %[[G:.*]] = tensor.generate
// CHECK-NOT: tensor.generate
// CHECK: return %[[G]], %[[G]]
func.func @shared_inside(%n: index) -> (tensor<?xindex>, tensor<?xindex>) {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %x = arith.addi %i, %n : index
    %y = arith.addi %i, %n : index
    %z = arith.muli %x, %y : index
    tensor.yield %z : index
  } : tensor<?xindex>
  %1 = tensor.generate %n {
  ^bb0(%i: index):
    %x = arith.addi %i, %n : index
    %y = arith.addi %i, %n : index
    %z = arith.muli %x, %y : index
    tensor.yield %z : index
  } : tensor<?xindex>
  return %0, %1 : tensor<?xindex>, tensor<?xindex>
}

// CHECK-LABEL: func.func @nested
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
func.func @nested(%n: index, %one: index, %a: f32) -> (f32, f32) {
  %0 = scf.for %i = %one to %n step %one iter_args(%s = %a) -> f32 {
    %r = scf.for %j = %one to %i step %one iter_args(%t = %s) -> f32 {
      %x = arith.addf %t, %s : f32
      scf.yield %x : f32
    }
    scf.yield %r : f32
  }
  %1 = scf.for %i = %one to %n step %one iter_args(%s = %a) -> f32 {
    %r = scf.for %j = %one to %i step %one iter_args(%t = %s) -> f32 {
      %x = arith.addf %t, %s : f32
      scf.yield %x : f32
    }
    scf.yield %r : f32
  }
  return %0, %1 : f32, f32
}

// Another op, another attribute, another order of operands, one op more.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-5: tensor.generate
func.func @different(%n: index, %a: f32, %b: f32)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %x = arith.addf %a, %b : f32
    tensor.yield %x : f32
  } : tensor<?xf32>
  %1 = tensor.generate %n {
  ^bb0(%i: index):
    %x = arith.mulf %a, %b : f32
    tensor.yield %x : f32
  } : tensor<?xf32>
  %2 = tensor.generate %n {
  ^bb0(%i: index):
    %x = arith.addf %a, %b fastmath<fast> : f32
    tensor.yield %x : f32
  } : tensor<?xf32>
  %3 = tensor.generate %n {
  ^bb0(%i: index):
    %x = arith.addf %b, %a : f32
    tensor.yield %x : f32
  } : tensor<?xf32>
  %4 = tensor.generate %n {
  ^bb0(%i: index):
    %x = arith.addf %a, %b : f32
    %y = arith.negf %x : f32
    tensor.yield %y : f32
  } : tensor<?xf32>
  return %0, %1, %2, %3, %4 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @reads_memory
// CHECK-COUNT-2: memref.load
func.func @reads_memory(%c: i1, %m: memref<f32>, %a: f32) -> (f32, f32) {
  %0 = scf.if %c -> f32 {
    %x = memref.load %m[] : memref<f32>
    scf.yield %x : f32
  } else {
    scf.yield %a : f32
  }
  %1 = scf.if %c -> f32 {
    %x = memref.load %m[] : memref<f32>
    scf.yield %x : f32
  } else {
    scf.yield %a : f32
  }
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @several_blocks
// CHECK-COUNT-2: scf.execute_region
func.func @several_blocks(%c: i1, %a: i32) -> (i32, i32) {
  %0 = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %a : i32
  ^bb2:
    %x = arith.addi %a, %a : i32
    scf.yield %x : i32
  }
  %1 = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %a : i32
  ^bb2:
    %x = arith.addi %a, %a : i32
    scf.yield %x : i32
  }
  return %0, %1 : i32, i32
}
