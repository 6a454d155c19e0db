// RUN: mlc-opt %s --mem2reg | FileCheck %s
// RUN: mlc-opt %s --mem2reg | mlc-opt --mem2reg | FileCheck %s
// Buffers of one element become values; where stores meet, the block gets an argument.

// CHECK-LABEL: func.func @straight
// CHECK-NOT: memref
// CHECK: %[[SUM:.*]] = arith.addf %arg0, %arg0
// CHECK: return %[[SUM]]
func.func @straight(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<1x1xf32>
  memref.store %x, %a[%c0, %c0] : memref<1x1xf32>
  %first = memref.load %a[%c0, %c0] : memref<1x1xf32>
  %sum = arith.addf %first, %first : f32
  memref.store %sum, %a[%c0, %c0] : memref<1x1xf32>
  %second = memref.load %a[%c0, %c0] : memref<1x1xf32>
  return %second : f32
}

// CHECK-LABEL: func.func @joins
// CHECK: cf.cond_br %arg0, ^bb1, ^bb2(%arg1 : i32)
// CHECK: ^bb1:
// CHECK: cf.br ^bb2(%arg2 : i32)
// CHECK: ^bb2(%[[V:.*]]: i32):
// CHECK: return %[[V]]
func.func @joins(%c: i1, %x: i32, %y: i32) -> i32 {
  %a = memref.alloca() : memref<i32>
  memref.store %x, %a[] : memref<i32>
  cf.cond_br %c, ^other, ^join
^other:
  memref.store %y, %a[] : memref<i32>
  cf.br ^join
^join:
  %r = memref.load %a[] : memref<i32>
  return %r : i32
}

// Read before it is written in the first round: the initial value goes in.
// CHECK-LABEL: func.func @loop
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: cf.br ^bb1(%[[ZERO]] : i32)
// CHECK: ^bb1(%[[V:.*]]: i32)
// CHECK: %[[NEXT:.*]] = arith.addi %[[V]]
// CHECK: cf.cond_br %{{.*}}, ^bb1(%[[NEXT]] : i32), ^bb2
// CHECK: return %[[NEXT]]
func.func @loop(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %a = memref.alloca() : memref<i32>
  cf.br ^head
^head:
  %v = memref.load %a[] : memref<i32>
  %next = arith.addi %v, %one : i32
  memref.store %next, %a[] : memref<i32>
  %more = arith.cmpi slt, %next, %n : i32
  cf.cond_br %more, ^head, ^exit
^exit:
  %r = memref.load %a[] : memref<i32>
  return %r : i32
}

// A buffer that escapes, one that is used in an inner region, and one of two elements stay.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-3: memref.alloca
func.func @stay(%c: i1, %x: i32, %i: index) {
  %escapes = memref.alloca() : memref<i32>
  call @use(%escapes) : (memref<i32>) -> ()
  %inner = memref.alloca() : memref<i32>
  scf.if %c {
    memref.store %x, %inner[] : memref<i32>
  }
  %two = memref.alloca() : memref<2xi32>
  memref.store %x, %two[%i] : memref<2xi32>
  return
}
func.func private @use(memref<i32>)
