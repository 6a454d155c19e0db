// RUN: mlc-opt %s --gpu-fault-words | FileCheck %s
// RUN: mlc-opt %s --gpu-fault-words --gpu-fault-words | FileCheck %s
// An assertion in a launch sets the word of its message; others stay.

// CHECK-LABEL: func.func @launched
// CHECK: %[[FIRST:.*]] = gpu.fault_word "first" : memref<1xi32, #gpu.address_space<global>>
// CHECK-NEXT: %[[SECOND:.*]] = gpu.fault_word "second" : memref<1xi32, #gpu.address_space<global>>
// CHECK-NOT: gpu.fault_word
// CHECK: gpu.launch
// CHECK: %[[FAILS:.*]] = arith.xori %[[A:.*]], %{{.*}} : i1
// CHECK-NEXT: scf.if %[[FAILS]] {
// CHECK: memref.atomic_rmw ori %{{.*}}, %[[FIRST]][%{{.*}}] : (i32, memref<1xi32, #gpu.address_space<global>>) -> i32
// CHECK: memref.atomic_rmw ori %{{.*}}, %[[SECOND]]
// CHECK: memref.atomic_rmw ori %{{.*}}, %[[FIRST]]
// CHECK-NOT: cf.assert
func.func @launched(%a: i1, %b: i1) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%i, %j, %k) in (%x = %c1, %y = %c1, %z = %c1) threads(%l, %m, %n) in (%u = %c1, %v = %c1, %w = %c1) {
    cf.assert %a, "first"
    cf.assert %b, "second"
    cf.assert %b, "first"
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func.func @host
// CHECK: cf.assert
func.func @host(%a: i1) {
  cf.assert %a, "the host's"
  return
}
