// RUN: mlc-opt %s --plan-memory | FileCheck %s
// A buffer whose size is not known, that is handed on, or freed by hand, stays an allocation; the
// other one is a window of the arena.
// CHECK-LABEL: func.func @main(%arg0: memref<64xi8>
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: %[[V:.*]] = memref.view %arg0
// CHECK: call @kernel_1(%[[V]])
// CHECK: %[[H:.*]] = memref.alloc() : memref<4xf32>
// CHECK: scf.if %{{.*}} -> (memref<4xf32>)
// CHECK: %[[F:.*]] = memref.alloc() : memref<4xf32>
// CHECK: memref.dealloc %[[F]]
module {
  func.func private @kernel_0(memref<?xf32>)
  func.func private @kernel_1(memref<4xf32>)
  func.func @main(%in: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %v = memref.load %in[%c0] : memref<4xf32>
    %n = arith.fptosi %v : f32 to i64
    %size = arith.index_cast %n : i64 to index
    %no = arith.constant false
    %m = memref.alloc(%size) : memref<?xf32>
    call @kernel_0(%m) : (memref<?xf32>) -> ()
    %p = memref.alloc() : memref<4xf32>
    call @kernel_1(%p) : (memref<4xf32>) -> ()
    %h = memref.alloc() : memref<4xf32>
    %r = scf.if %no -> memref<4xf32> {
      scf.yield %h : memref<4xf32>
    } else {
      scf.yield %in : memref<4xf32>
    }
    call @kernel_1(%r) : (memref<4xf32>) -> ()
    %f = memref.alloc() : memref<4xf32>
    memref.dealloc %f : memref<4xf32>
    return
  }
}
