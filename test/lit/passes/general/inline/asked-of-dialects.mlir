// RUN: mlc-opt %s --inline="default-pipeline=" --allow-unregistered-dialect | FileCheck %s
// A dialect's record says which of its ops may move into another region, and into whose regions.
func.func private @plain(%x: i32) {
  return
}
func.func @index_op(%x: i32) {
  %0 = index.constant 1
  return
}
func.func @unknown_op(%x: i32) {
  "foo.op"() : () -> ()
  return
}
// CHECK-LABEL: func.func @caller
// CHECK: call @index_op
// CHECK: call @unknown_op
// CHECK: gpu.launch
// CHECK-NEXT: call @plain
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: linalg.yield
func.func @caller(%x: i32, %n: index, %m: memref<4xi32>) {
  call @index_op(%x) : (i32) -> ()
  call @unknown_op(%x) : (i32) -> ()
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %f = %n)
             threads(%g, %h, %i) in (%j = %n, %k = %n, %l = %n) {
    func.call @plain(%x) : (i32) -> ()
    gpu.terminator
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%m : memref<4xi32>) {
  ^bb0(%o: i32):
    func.call @plain(%o) : (i32) -> ()
    linalg.yield %o : i32
  }
  return
}
