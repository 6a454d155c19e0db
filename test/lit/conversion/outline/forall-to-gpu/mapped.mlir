// RUN: mlc-opt %s --convert-forall-to-gpu --canonicalize --cse | FileCheck %s
// A block for each iteration; its loops run on its threads, and a barrier stands behind each.
// CHECK-LABEL: func.func @rows
// CHECK: gpu.launch blocks(%[[I:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c8, {{.*}}) threads(%[[T:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c64, {{.*}}) dynamic_shared_memory_size %c256_i32
// CHECK: %[[ROW:.*]] = memref.view %{{.*}}[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
// CHECK: memref.load %{{.*}}[%[[I]], %[[T]]]
// CHECK: memref.store %{{.*}}, %[[ROW]][%[[T]]]
// CHECK-NEXT: gpu.barrier
// CHECK: %[[WORKS:.*]] = arith.cmpi ult, %[[T]], %c32
// CHECK: scf.if %[[WORKS]]
// CHECK: %[[X:.*]] = arith.remui %[[T]], %c8
// CHECK: %[[Y:.*]] = arith.divui %[[T]], %c8
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[Y]], %[[X]]]
// CHECK: gpu.barrier
// CHECK-NEXT: gpu.terminator
func.func @rows(%a: memref<8x64xf32>, %b: memref<4x8xf32>) {
  scf.forall (%i) in (8) {
    %row = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    scf.forall (%t) in (64) {
      %x = memref.load %a[%i, %t] : memref<8x64xf32>
      memref.store %x, %row[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.thread<x>]}
    scf.forall (%u, %v) in (4, 8) {
      %x = memref.load %row[%u] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %x, %b[%u, %v] : memref<4x8xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    memref.dealloc %row : memref<64xf32, #gpu.address_space<workgroup>>
  } {mapping = [#gpu.block<x>]}
  return
}

// Warps: iteration i is that of 32 threads. Bounds that are not known make the grid.
// CHECK-LABEL: func.func @warps
// CHECK: %[[COUNT:.*]] = arith.ceildivsi
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[COUNT]],
// CHECK: arith.divui %{{.*}}, %c32
func.func @warps(%n: index, %a: memref<?x4xf32>) {
  %x = arith.constant 1.0 : f32
  scf.forall (%i) = (0) to (%n) step (2) {
    scf.forall (%w) in (4) {
      memref.store %x, %a[%i, %w] : memref<?x4xf32>
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// What says nothing is left, and so is what is mapped to threads alone.
// CHECK-LABEL: func.func @others
// CHECK-NOT: gpu.launch
// CHECK: scf.forall
// CHECK: scf.forall
func.func @others(%a: memref<4xf32>) {
  %x = arith.constant 1.0 : f32
  scf.forall (%i) in (4) {
    memref.store %x, %a[%i] : memref<4xf32>
  }
  scf.forall (%i) in (4) {
    memref.store %x, %a[%i] : memref<4xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}
