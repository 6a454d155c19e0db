// RUN: mlc-opt %s --ownership-based-buffer-deallocation | FileCheck %s
// Indicators go with what is forwarded; a buffer that both ways need has that of the way taken, and
// one that only one way needs is freed on the other.
// CHECK-LABEL: func.func @ways
// CHECK-SAME: (%[[C:.*]]: i1, %[[ARG:.*]]: memref<2xf32>)
// CHECK: %[[X:.*]] = memref.alloc
// CHECK: %[[BOTH:.*]] = memref.alloc
// CHECK: %[[YES:.*]]:2 = bufferization.dealloc {{.*}} retain (%[[ARG]], %[[BOTH]]
// CHECK: %[[NOT:.*]] = arith.xori %true{{.*}}, %[[C]]
// CHECK: %[[NO:.*]]:2 = bufferization.dealloc {{.*}} retain (%[[X]], %[[BOTH]]
// CHECK: %[[OWNED:.*]] = arith.select %[[C]], %[[YES]]#1, %[[NO]]#1
// CHECK: cf.cond_br %[[C]], ^bb1(%[[ARG]], %[[YES]]#0 : memref<2xf32>, i1), ^bb2
// CHECK: ^bb1(%[[P:.*]]: memref<2xf32>, %[[P_OWNED:.*]]: i1)
// CHECK: bufferization.dealloc ({{.*}}) if (%[[OWNED]], %[[P_OWNED]])
// CHECK: ^bb2
// CHECK: bufferization.dealloc ({{.*}}) if (%[[NO]]#0, %[[OWNED]])
func.func @ways(%c: i1, %arg: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<2xf32>
  %both = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^yes(%arg : memref<2xf32>), ^no
^yes(%p: memref<2xf32>):
  memref.copy %p, %both : memref<2xf32> to memref<2xf32>
  %1 = memref.load %both[%c0] : memref<2xf32>
  return %1 : f32
^no:
  memref.copy %x, %both : memref<2xf32> to memref<2xf32>
  %2 = memref.load %both[%c0] : memref<2xf32>
  return %2 : f32
}

// CHECK-LABEL: func.func @selected
// CHECK: %[[S:.*]] = arith.select %arg0, %alloc, %arg1 : memref<2xf32>
// CHECK-NEXT: %[[OWNED:.*]] = arith.select %arg0, %true, %false : i1
// CHECK-NEXT: scf.if %[[OWNED]]
func.func @selected(%c: i1, %arg: memref<2xf32>) -> memref<2xf32> {
  %x = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %x, %arg : memref<2xf32>
  return %s : memref<2xf32>
}

// One of two buffers, nobody knows which: a block that comes later frees it as one of what lived on.
// CHECK-LABEL: func.func @one_of_two
// CHECK: %[[M:.*]] = builtin.unrealized_conversion_cast
// CHECK: %[[D:.*]] = bufferization.dealloc {{.*}} retain (%[[M]]
// CHECK: ^bb1
// CHECK: bufferization.dealloc ({{.*}}) if (%[[D]])
func.func @one_of_two(%a: memref<2xf32>, %i: index) -> f32 {
  %x = memref.alloc() : memref<2xf32>
  %m = builtin.unrealized_conversion_cast %a, %x : memref<2xf32>, memref<2xf32> to memref<2xf32>
  cf.br ^next
^next:
  %v = memref.load %m[%i] : memref<2xf32>
  return %v : f32
}
