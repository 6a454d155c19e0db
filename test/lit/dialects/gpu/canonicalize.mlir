// RUN: mlc-opt %s -canonicalize | FileCheck %s
// Waits that wait for nothing, copies that nobody reads, barriers in a row, ids along sizes of one.
// CHECK-LABEL: func.func @waits
// CHECK-NEXT: %[[START:.*]] = gpu.wait async
// CHECK-NEXT: %[[COPY:.*]] = gpu.memcpy async [%[[START]]]
// CHECK-NEXT: gpu.wait [%[[COPY]]]
// CHECK-NEXT: return
func.func @waits(%m: memref<7xf32>, %n: memref<7xf32>) {
  %start = gpu.wait async
  %copy = gpu.memcpy async [%start] %m, %n : memref<7xf32>, memref<7xf32>
  %other = gpu.wait async
  %both = gpu.wait async [%copy, %other]
  gpu.wait [%both]
  gpu.wait
  return
}
// CHECK-LABEL: func.func @copy
// CHECK-NEXT: %[[START:.*]] = gpu.wait async
// CHECK-NEXT: %[[M:.*]], %[[TOKEN:.*]] = gpu.alloc async [%[[START]]]
// CHECK-NEXT: gpu.dealloc async [%[[TOKEN]]] %[[M]]
func.func @copy(%n: memref<7xf32>) {
  %start = gpu.wait async
  %m, %token = gpu.alloc async [%start] () : memref<7xf32>
  %copied = gpu.memcpy async [%token] %m, %n : memref<7xf32>, memref<7xf32>
  %freed = gpu.dealloc async [%copied] %m : memref<7xf32>
  gpu.wait [%freed]
  return
}
// CHECK-LABEL: func.func @casts
// CHECK-NEXT: gpu.memset  %arg0, %arg1 : memref<7xf32>, f32
func.func @casts(%m: memref<7xf32>, %f: f32) {
  %cast = memref.cast %m : memref<7xf32> to memref<?xf32>
  gpu.memset %cast, %f : memref<?xf32>, f32
  return
}
// CHECK-LABEL: func.func @size
// CHECK-NEXT: return %arg0
func.func @size(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %m = gpu.alloc (%n) : memref<3x?xf32>
  %0 = memref.dim %m, %c1 : memref<3x?xf32>
  return %0 : index
}
// CHECK-LABEL: func.func @ids
// CHECK: gpu.launch blocks(%{{[^,]*}}, %[[Y:[^,]*]], %{{[^,]*}}) in (
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: gpu.subgroup_reduce  add %arg2 uniform
// CHECK-NEXT: memref.store %{{.*}}, %arg1[%c0, %[[Y]]]
func.func @ids(%n: index, %m: memref<?x?xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %n, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    gpu.barrier
    gpu.barrier
    %0 = gpu.subgroup_reduce add %f : (f32) -> f32
    memref.store %0, %m[%x, %y] : memref<?x?xf32>
    gpu.terminator
  }
  return
}
