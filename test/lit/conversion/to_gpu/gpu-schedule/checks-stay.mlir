// RUN: mlc-opt %s --gpu-schedule --split-input-file | FileCheck %s
// A check stays where it is if an op relies on it and cannot make it: the kernel is on the CPU.

// What was computed from indices picks, not they themselves.
// CHECK-LABEL: func.func @derived
// CHECK-NOT: mlc.schedule
// CHECK: memref.load %{{.*}}[] : memref<i64>
// CHECK: cf.assert
// CHECK-NOT: mlc.schedule
func.func @derived(%table: memref<9xf32>, %ids: memref<16xi64>, %twice: memref<16xi64>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : i64
  %any = memref.alloc() : memref<i64>
  linalg.fill ins(%c0 : i64) outs(%any : memref<i64>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%ids : memref<16xi64>) outs(%any : memref<i64>) {
  ^bb0(%index: i64, %so_far: i64):
    %wrong = arith.cmpi slt, %index, %c0 : i64
    %bits = arith.extsi %wrong : i1 to i64
    %or = arith.ori %so_far, %bits : i64
    linalg.yield %or : i64
  }
  %bits = memref.load %any[] : memref<i64>
  %holds = arith.cmpi eq, %bits, %c0 : i64
  cf.assert %holds, "an index is outside"
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ids : memref<16xi64>) outs(%twice : memref<16xi64>) {
  ^bb0(%index: i64, %out: i64):
    %sum = arith.addi %index, %index : i64
    linalg.yield %sum : i64
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%twice : memref<16xi64>) outs(%y : memref<16xf32>) {
  ^bb0(%index: i64, %out: f32):
    %row = arith.index_cast %index : i64 to index
    %value = memref.load %table[%row] : memref<9xf32>
    linalg.yield %value : f32
  }
  return
}

// -----

// Half of the indices are read: a wrong one may be among the others.
// CHECK-LABEL: func.func @half
// CHECK-NOT: mlc.schedule
// CHECK: cf.assert
// CHECK-NOT: mlc.schedule
func.func @half(%table: memref<9xf32>, %ids: memref<16xi64>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : i64
  %any = memref.alloc() : memref<i64>
  linalg.fill ins(%c0 : i64) outs(%any : memref<i64>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%ids : memref<16xi64>) outs(%any : memref<i64>) {
  ^bb0(%index: i64, %so_far: i64):
    %wrong = arith.cmpi slt, %index, %c0 : i64
    %bits = arith.extsi %wrong : i1 to i64
    %or = arith.ori %so_far, %bits : i64
    linalg.yield %or : i64
  }
  %bits = memref.load %any[] : memref<i64>
  %holds = arith.cmpi eq, %bits, %c0 : i64
  cf.assert %holds, "an index is outside"
  linalg.generic {indexing_maps = [affine_map<(i) -> (i * 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ids : memref<16xi64>) outs(%y : memref<8xf32>) {
  ^bb0(%index: i64, %out: f32):
    %row = arith.index_cast %index : i64 to index
    %value = memref.load %table[%row] : memref<9xf32>
    linalg.yield %value : f32
  }
  return
}

// -----

// Nobody needs it.
// CHECK-LABEL: func.func @alone
// CHECK: cf.assert
func.func @alone(%ids: memref<16xi64>) {
  %c0 = arith.constant 0 : i64
  %any = memref.alloc() : memref<i64>
  linalg.fill ins(%c0 : i64) outs(%any : memref<i64>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%ids : memref<16xi64>) outs(%any : memref<i64>) {
  ^bb0(%index: i64, %so_far: i64):
    %wrong = arith.cmpi slt, %index, %c0 : i64
    %bits = arith.extsi %wrong : i1 to i64
    %or = arith.ori %so_far, %bits : i64
    linalg.yield %or : i64
  }
  %bits = memref.load %any[] : memref<i64>
  %holds = arith.cmpi eq, %bits, %c0 : i64
  cf.assert %holds, "an index is outside"
  return
}
