// RUN: mlc-opt %s --convert-nvvm-to-llvm | FileCheck %s
// Instructions without intrinsic become PTX; a predicate goes in front, numbers are immediate operands.

// CHECK-LABEL: func.func @barriers(
// CHECK-SAME: %[[S:.*]]: !llvm.ptr<3>, %[[N:.*]]: i32, %[[P:.*]]: i1
func.func @barriers(%s: !llvm.ptr<3>, %n: i32, %p: i1) {
  // CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;", "r,r" %[[S]], %[[N]] : (!llvm.ptr<3>, i32) -> ()
  nvvm.mbarrier.arrive.expect_tx.shared %s, %n : !llvm.ptr<3>, i32
  // CHECK-NEXT: "@$2 mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;", "r,r,b" %[[S]], %[[N]], %[[P]]
  nvvm.mbarrier.arrive.expect_tx.shared %s, %n, predicate = %p : !llvm.ptr<3>, i32, i1
  // CHECK-NEXT: "fence.proxy.async.shared::cluster;", ""
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cluster>}
  // CHECK-NEXT: nvvm.barrier0
  nvvm.barrier0
  return
}

// CHECK-LABEL: func.func @copies
func.func @copies(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %n: i32) {
  // CHECK-NEXT: nvvm.cp.async.shared.global
  nvvm.cp.async.shared.global %s, %g, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  // CHECK-NEXT: %[[SIZE:.*]] = llvm.mlir.constant(8 : i32)
  // CHECK-NEXT: "cp.async.ca.shared.global [$0], [$1], $2, $3;\0A", "r,l,n,r" %{{.*}}, %{{.*}}, %[[SIZE]], %{{.*}}
  nvvm.cp.async.shared.global %s, %g, 8, cache = ca, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32
  return
}

// CHECK-LABEL: func.func @tiles
func.func @tiles(%d: !llvm.ptr, %s: !llvm.ptr<3>, %x: i32, %m: i16, %p: i1) {
  // CHECK-NEXT: "@$7 cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$2,$3,$4} ], [$5], $6;", "r,l,r,r,r,r,h,b"
  nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %d, %s, box[%x, %x, %x] multicast_mask = %m predicate = %p : !llvm.ptr<3>, !llvm.ptr
  return
}
