// RUN: mlc-opt %s --gpu-schedule --split-input-file | FileCheck %s
// A check of all indices is made of each one where it is used: the kernel can be on the device, and what is wrong gives 0.

// CHECK-LABEL: func.func @gather
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic
// CHECK-SAME: mlc.schedule = #gpu.schedule<kind = points
// CHECK-NEXT: ^bb0(%[[INDEX:.*]]: i64, %{{.*}}: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[INDEX]], %{{.*}} : i64
// CHECK-NEXT: %[[WRONG:.*]] = arith.cmpi uge, %[[SUM]], %{{.*}} : i64
// CHECK: %[[RIGHT:.*]] = arith.xori %[[WRONG]], %{{.*}} : i1
// CHECK-NEXT: cf.assert %[[RIGHT]], "an index is outside"
// CHECK: scf.if %[[RIGHT]] -> (f32)
// CHECK: memref.load %{{.*}} : memref<9x64xf32>
// CHECK: else
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: scf.yield %[[ZERO]]
// CHECK-NOT: cf.assert
func.func @gather(%table: memref<9x64xf32>, %ids: memref<2x8xi64>, %rows: memref<2x8x64xf32>) {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : i64
  %c18 = arith.constant 18 : i64
  %any = memref.alloc() : memref<i64>
  linalg.fill ins(%c0 : i64) outs(%any : memref<i64>)
  %flat = memref.collapse_shape %ids [[0, 1]] : memref<2x8xi64> into memref<16xi64>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%flat : memref<16xi64>) outs(%any : memref<i64>) {
  ^bb0(%index: i64, %so_far: i64):
    %sum = arith.addi %index, %c9 : i64
    %wrong = arith.cmpi uge, %sum, %c18 : i64
    %bits = arith.extsi %wrong : i1 to i64
    %or = arith.ori %so_far, %bits : i64
    linalg.yield %or : i64
  }
  %bits = memref.load %any[] : memref<i64>
  %holds = arith.cmpi eq, %bits, %c0 : i64
  cf.assert %holds, "an index is outside"
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ids : memref<2x8xi64>) outs(%rows : memref<2x8x64xf32>) {
  ^bb0(%index: i64, %out: f32):
    %row = arith.index_cast %index : i64 to index
    %column = linalg.index 2 : index
    %value = memref.load %table[%row, %column] : memref<9x64xf32>
    linalg.yield %value : f32
  }
  return
}

// -----

// By rows, which come together; a divisor, of which the op reads every one.
// CHECK-LABEL: func.func @divide
// CHECK-NOT: memref.alloc
// CHECK: cf.assert %{{.*}}, "divides by 0"
// CHECK-NEXT: scf.if
// CHECK: arith.divsi
// CHECK-NOT: cf.assert
func.func @divide(%x: memref<4x8xi32>, %by: memref<4x8xi32>, %y: memref<4x8xi32>) {
  %c0 = arith.constant 0 : i32
  %rows = memref.alloc() : memref<4xi32>
  linalg.fill ins(%c0 : i32) outs(%rows : memref<4xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%by : memref<4x8xi32>) outs(%rows : memref<4xi32>) {
  ^bb0(%divisor: i32, %so_far: i32):
    %wrong = arith.cmpi eq, %divisor, %c0 : i32
    %bits = arith.extsi %wrong : i1 to i32
    %or = arith.ori %so_far, %bits : i32
    linalg.yield %or : i32
  }
  %any = memref.alloc() : memref<i32>
  linalg.fill ins(%c0 : i32) outs(%any : memref<i32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%rows : memref<4xi32>) outs(%any : memref<i32>) {
  ^bb0(%row: i32, %so_far: i32):
    %or = arith.ori %so_far, %row : i32
    linalg.yield %or : i32
  }
  %bits = memref.load %any[] : memref<i32>
  %holds = arith.cmpi eq, %bits, %c0 : i32
  cf.assert %holds, "divides by 0"
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %by : memref<4x8xi32>, memref<4x8xi32>) outs(%y : memref<4x8xi32>) {
  ^bb0(%a: i32, %divisor: i32, %out: i32):
    %q = arith.divsi %a, %divisor : i32
    linalg.yield %q : i32
  }
  return
}
