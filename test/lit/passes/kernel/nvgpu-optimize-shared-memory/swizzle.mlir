// RUN: mlc-opt %s --nvgpu-optimize-shared-memory | FileCheck %s
// RUN: mlc-opt %s --interpret --entry moved | FileCheck %s --check-prefix=VALUES
// RUN: mlc-opt %s --nvgpu-optimize-shared-memory --interpret --entry moved | FileCheck %s --check-prefix=VALUES
// The vector of a row that an element lies in is permuted by the row's number: all eight vectors of rows of 128 bytes by three
// bits; where two rows share a line, the bits are those of pairs.
// CHECK-LABEL: func.func @f
func.func @f(%m: memref<64x64xf16>, %r: index, %c: index, %v: vector<8xf16>) -> (vector<8xf16>, f16) {
  %a = memref.alloc() : memref<64x64xf16, #gpu.address_space<workgroup>>
  %b = memref.alloc() : memref<64x32xf16, 3>
  // CHECK: %[[MASK:.*]] = arith.constant 7 : index
  // CHECK: %[[BITS:.*]] = arith.andi %[[R:.*]], %[[MASK]]
  // CHECK: %[[THREE:.*]] = arith.constant 3 : index
  // CHECK: %[[AT:.*]] = arith.shli %[[BITS]], %[[THREE]]
  // CHECK: %[[COLUMN:.*]] = arith.xori %[[C:.*]], %[[AT]]
  // CHECK: nvgpu.device_async_copy %{{.*}}, %{{.*}}[%[[R]], %[[COLUMN]]], 8
  %t = nvgpu.device_async_copy %m[%r, %c], %a[%r, %c], 8 : memref<64x64xf16> to memref<64x64xf16, #gpu.address_space<workgroup>>
  // CHECK: arith.xori
  // CHECK: vector.load
  %x = vector.load %a[%r, %c] : memref<64x64xf16, #gpu.address_space<workgroup>>, vector<8xf16>
  // CHECK: %[[PAIRS:.*]] = arith.constant 6 : index
  // CHECK: arith.andi %{{.*}}, %[[PAIRS]]
  // CHECK: %[[TWO:.*]] = arith.constant 2 : index
  // CHECK: arith.shli %{{.*}}, %[[TWO]]
  // CHECK: vector.store
  vector.store %v, %b[%r, %c] : memref<64x32xf16, 3>, vector<8xf16>
  // CHECK: arith.xori
  // CHECK: memref.load
  %y = memref.load %b[%r, %c] : memref<64x32xf16, 3>
  memref.dealloc %b : memref<64x32xf16, 3>
  return %x, %y : vector<8xf16>, f16
}

// What is written is read.
// VALUES: dense<[1, 10, 100, 1000]>
func.func @moved() -> memref<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c31 = arith.constant 31 : index
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %hundred = arith.constant 100 : i32
  %thousand = arith.constant 1000 : i32
  %s = memref.alloc() : memref<8x32xi32, 3>
  %out = memref.alloc() : memref<4xi32>
  memref.store %one, %s[%c0, %c0] : memref<8x32xi32, 3>
  memref.store %ten, %s[%c1, %c0] : memref<8x32xi32, 3>
  memref.store %hundred, %s[%c3, %c31] : memref<8x32xi32, 3>
  memref.store %thousand, %s[%c3, %c3] : memref<8x32xi32, 3>
  %a = memref.load %s[%c0, %c0] : memref<8x32xi32, 3>
  %b = memref.load %s[%c1, %c0] : memref<8x32xi32, 3>
  %c = memref.load %s[%c3, %c31] : memref<8x32xi32, 3>
  %d = memref.load %s[%c3, %c3] : memref<8x32xi32, 3>
  memref.store %a, %out[%c0] : memref<4xi32>
  memref.store %b, %out[%c1] : memref<4xi32>
  memref.store %c, %out[%c2] : memref<4xi32>
  memref.store %d, %out[%c3] : memref<4xi32>
  return %out : memref<4xi32>
}
