// RUN: mlc-opt %s --amx-registers | FileCheck %s
// One configuration before the loop, whose sum stays in one register; the last tiles are released behind the store.
// CHECK-LABEL: func.func @loop
// CHECK: %[[PLACE:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xi8>
// CHECK: vector.store %{{.*}}, %[[PLACE]][%{{.*}}] : memref<64xi8>, vector<64xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK: amx.tile_zero {mlc.tile_registers = array<i64: 0>} : vector<8x16xi32>
// CHECK: scf.for
// CHECK-NOT: ldtilecfg
// CHECK: amx.tile_load {{.*}} {mlc.tile_registers = array<i64: 1>} : memref<8x64xi8> into vector<8x32xi8>
// CHECK: amx.tile_load {{.*}} {mlc.tile_registers = array<i64: 2>} : memref<8x64xi8> into vector<8x64xi8>
// CHECK: amx.tile_muli {{.*}} {mlc.tile_registers = array<i64: 0, 1, 2>}
// CHECK: amx.tile_store {{.*}} {mlc.tile_registers = array<i64: 0>}
// CHECK-NEXT: llvm.call_intrinsic "llvm.x86.tilerelease"
func.func @loop(%x: memref<8x64xi8>, %w: memref<8x64xi8>, %y: memref<8x16xi32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = amx.tile_zero : vector<8x16xi32>
  %sum = scf.for %k = %c0 to %c64 step %c32 iter_args(%acc = %zero) -> (vector<8x16xi32>) {
    %a = amx.tile_load %x[%c0, %k] : memref<8x64xi8> into vector<8x32xi8>
    %b = amx.tile_load %w[%c0, %c0] : memref<8x64xi8> into vector<8x64xi8>
    %next = amx.tile_muli %a, %b, %acc : vector<8x32xi8>, vector<8x64xi8>, vector<8x16xi32>
    scf.yield %next : vector<8x16xi32>
  }
  amx.tile_store %y[%c0, %c0], %sum : memref<8x16xi32>, vector<8x16xi32>
  return
}
// Zeros that are shared are made for each sum. A call may have registers of its own: they are configured again behind it.
// CHECK-LABEL: func.func @calls
// CHECK: ldtilecfg
// CHECK-COUNT-2: amx.tile_zero
// CHECK: tilerelease
// CHECK: call @other
// CHECK: ldtilecfg
// CHECK: tilerelease
func.func private @other()
func.func @calls(%y: memref<8x16xi32>) {
  %c0 = arith.constant 0 : index
  %zero = amx.tile_zero : vector<8x16xi32>
  amx.tile_store %y[%c0, %c0], %zero : memref<8x16xi32>, vector<8x16xi32>
  amx.tile_store %y[%c0, %c0], %zero : memref<8x16xi32>, vector<8x16xi32>
  call @other() : () -> ()
  %more = amx.tile_zero : vector<4x16xi32>
  amx.tile_store %y[%c0, %c0], %more : memref<8x16xi32>, vector<4x16xi32>
  return
}
// A tile that is read before sums are stored, and multiplied behind that, is read again: from the stack, since the sums may lie
// where it was.
// CHECK-LABEL: func.func @again
// CHECK: %[[PLACE:.*]] = memref.alloca() : memref<8x32xi8>
// CHECK: %[[A:.*]] = amx.tile_load %arg0
// CHECK: amx.tile_store %[[PLACE]]{{.*}}, %[[A]]
// CHECK: amx.tile_muli %[[A]]
// CHECK: amx.tile_store %arg2
// CHECK: %[[AGAIN:.*]] = amx.tile_load %[[PLACE]]
// CHECK: amx.tile_muli %[[AGAIN]]
func.func @again(%x: memref<8x64xi8>, %w: memref<8x64xi8>, %y: memref<8x16xi32>) {
  %c0 = arith.constant 0 : index
  %zero = amx.tile_zero : vector<8x16xi32>
  %a = amx.tile_load %x[%c0, %c0] : memref<8x64xi8> into vector<8x32xi8>
  %b = amx.tile_load %w[%c0, %c0] : memref<8x64xi8> into vector<8x64xi8>
  %s = amx.tile_muli %a, %b, %zero : vector<8x32xi8>, vector<8x64xi8>, vector<8x16xi32>
  amx.tile_store %y[%c0, %c0], %s : memref<8x16xi32>, vector<8x16xi32>
  %c = amx.tile_load %w[%c0, %c0] : memref<8x64xi8> into vector<8x64xi8>
  %t = amx.tile_muli %a, %c, %zero : vector<8x32xi8>, vector<8x64xi8>, vector<8x16xi32>
  amx.tile_store %y[%c0, %c0], %t : memref<8x16xi32>, vector<8x16xi32>
  return
}
