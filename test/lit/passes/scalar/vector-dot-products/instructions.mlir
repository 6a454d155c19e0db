// RUN: mlc-opt %s --vector-dot-products --target=x86-64-v4-vnni --split-input-file | FileCheck %s --check-prefixes=CHECK,VNNI
// RUN: mlc-opt %s --vector-dot-products --target=aarch64-dotprod --split-input-file | FileCheck %s --check-prefixes=CHECK,SDOT
// RUN: mlc-opt %s --vector-dot-products --target=x86-64-v4 --split-input-file | FileCheck %s --check-prefix=NONE
// What a machine has an instruction for: by the signs of the bytes, and by the vector's length. Else four products, by place.
// NONE-NOT: llvm.call_intrinsic
// CHECK-LABEL: func.func @unsigned_by_signed
// VNNI: %[[WORD:.*]] = vector.bitcast %arg0 : vector<4xi8> to vector<1xi32>
// VNNI: %[[ONE:.*]] = vector.extract %[[WORD]][0]
// VNNI: %[[ALL:.*]] = vector.broadcast %[[ONE]] : i32 to vector<16xi32>
// VNNI: %[[OWN:.*]] = vector.bitcast %arg1 : vector<64xi8> to vector<16xi32>
// VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%arg2, %[[ALL]], %[[OWN]])
// SDOT: %[[BYTE:.*]] = vector.shuffle %arg1, %arg1 [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60]
// SDOT: %[[ONE:.*]] = vector.extract %arg0[0]
// SDOT: arith.extui %[[ONE]] : i8 to i32
// SDOT: arith.extsi %[[BYTE]] : vector<16xi8> to vector<16xi32>
// SDOT-COUNT-4: arith.muli
#one = affine_map<(n, q) -> (q)>
#all = affine_map<(n, q) -> (n, q)>
#sum = affine_map<(n, q) -> (n)>
func.func @unsigned_by_signed(%run: vector<4xi8>, %own: vector<64xi8>, %acc: vector<16xi32>) -> vector<16xi32> {
  %a = arith.extui %run : vector<4xi8> to vector<4xi32>
  %r = vector.shape_cast %own : vector<64xi8> to vector<16x4xi8>
  %b = arith.extsi %r : vector<16x4xi8> to vector<16x4xi32>
  %y = vector.contract {indexing_maps = [#one, #all, #sum], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %a, %b, %acc : vector<4xi32>, vector<16x4xi32> into vector<16xi32>
  return %y : vector<16xi32>
}

// -----

// CHECK-LABEL: func.func @signed
// VNNI-COUNT-4: arith.muli
// SDOT: %[[ALL:.*]] = vector.broadcast %{{.*}} : i32 to vector<4xi32>
// SDOT: %[[BYTES:.*]] = vector.bitcast %[[ALL]] : vector<4xi32> to vector<16xi8>
// SDOT: llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"(%arg2, %[[BYTES]], %arg1)
#one = affine_map<(n, q) -> (q)>
#all = affine_map<(n, q) -> (n, q)>
#sum = affine_map<(n, q) -> (n)>
func.func @signed(%run: vector<4xi8>, %own: vector<16xi8>, %acc: vector<4xi32>) -> vector<4xi32> {
  %a = arith.extsi %run : vector<4xi8> to vector<4xi32>
  %r = vector.shape_cast %own : vector<16xi8> to vector<4x4xi8>
  %b = arith.extsi %r : vector<4x4xi8> to vector<4x4xi32>
  %y = vector.contract {indexing_maps = [#one, #all, #sum], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>}
      %a, %b, %acc : vector<4xi32>, vector<4x4xi32> into vector<4xi32>
  return %y : vector<4xi32>
}

// -----

// CHECK-LABEL: func.func @maximum
// CHECK-NOT: llvm.call_intrinsic
#one = affine_map<(n, q) -> (q)>
#all = affine_map<(n, q) -> (n, q)>
#sum = affine_map<(n, q) -> (n)>
func.func @maximum(%run: vector<4xi8>, %own: vector<64xi8>, %acc: vector<16xi32>) -> vector<16xi32> {
  %a = arith.extui %run : vector<4xi8> to vector<4xi32>
  %r = vector.shape_cast %own : vector<64xi8> to vector<16x4xi8>
  %b = arith.extsi %r : vector<16x4xi8> to vector<16x4xi32>
  %y = vector.contract {indexing_maps = [#one, #all, #sum], iterator_types = ["parallel", "reduction"], kind = #vector.kind<maxsi>}
      %a, %b, %acc : vector<4xi32>, vector<16x4xi32> into vector<16xi32>
  return %y : vector<16xi32>
}
