// RUN: mlc-opt %s --promote-buffers-to-stack | FileCheck %s
// RUN: mlc-opt %s --promote-buffers-to-stack='max-alloc-size-in-bytes=8 max-rank-of-allocated-memref=2' | FileCheck %s --check-prefix=LIMITS
// CHECK-LABEL: func.func @sizes(
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<256xf32>
// CHECK: memref.alloc() : memref<257xf32>
// CHECK: memref.alloca() : memref<16x4xcomplex<f64>>
// CHECK: memref.alloca() : memref<2xf32>
// LIMITS-LABEL: func.func @sizes(
// LIMITS: memref.alloc() {alignment = 64 : i64} : memref<256xf32>
// LIMITS: memref.alloc() : memref<257xf32>
// LIMITS: memref.alloc() : memref<16x4xcomplex<f64>>
// LIMITS: memref.alloca() : memref<2xf32>
func.func @sizes() {
  %a = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
  %b = memref.alloc() : memref<257xf32>
  %c = memref.alloc() : memref<16x4xcomplex<f64>>
  %d = memref.alloc() : memref<2xf32>
  call @use(%a, %b, %c, %d) : (memref<256xf32>, memref<257xf32>, memref<16x4xcomplex<f64>>, memref<2xf32>) -> ()
  return
}
func.func private @use(memref<256xf32>, memref<257xf32>, memref<16x4xcomplex<f64>>, memref<2xf32>)

// A rank is small, whatever it is.
// CHECK-LABEL: func.func @ranks(
// CHECK: memref.alloca(%{{.*}}) : memref<?xindex>
// CHECK: memref.alloc(%{{.*}}, %{{.*}}) : memref<?x?xindex>
// CHECK: memref.alloc(%arg1) : memref<?xindex>
// LIMITS: memref.alloca(%{{.*}}, %{{.*}}) : memref<?x?xindex>
func.func @ranks(%u: memref<*xf32>, %n: index) {
  %rank = memref.rank %u : memref<*xf32>
  %a = memref.alloc(%rank) : memref<?xindex>
  %b = memref.alloc(%rank, %rank) : memref<?x?xindex>
  %c = memref.alloc(%n) : memref<?xindex>
  memref.store %n, %a[%n] : memref<?xindex>
  memref.store %n, %b[%n, %n] : memref<?x?xindex>
  memref.store %n, %c[%n] : memref<?xindex>
  return
}

// CHECK-LABEL: func.func @branch(
// CHECK: memref.alloca
func.func @branch(%c: i1, %b: memref<2xf32>) {
  %r = scf.if %c -> memref<2xf32> {
    %0 = memref.alloc() : memref<2xf32>
    scf.yield %0 : memref<2xf32>
  } else {
    scf.yield %b : memref<2xf32>
  }
  memref.copy %r, %b : memref<2xf32> to memref<2xf32>
  return
}
