// REQUIRES: mlir-opt
// Older versions: properties stand in the dictionary (mlir-opt leaves those of unregistered ops out), isolated regions in line.
// RUN: mlir-opt %s -allow-unregistered-dialect --emit-bytecode --emit-bytecode-version=4 -o %t.4
// RUN: mlir-opt %t.4 -allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo | mlc-opt -allow-unregistered-dialect --mlir-print-debuginfo > %t.4.text
// RUN: mlc-opt %t.4 -allow-unregistered-dialect --mlir-print-debuginfo | diff %t.4.text -
// RUN: mlir-opt %s -allow-unregistered-dialect --emit-bytecode --emit-bytecode-version=2 -o %t.2
// RUN: mlir-opt %t.2 -allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo | mlc-opt -allow-unregistered-dialect --mlir-print-debuginfo > %t.2.text
// RUN: mlc-opt %t.2 -allow-unregistered-dialect --mlir-print-debuginfo | diff %t.2.text -
// RUN: mlir-opt %s -allow-unregistered-dialect --emit-bytecode --emit-bytecode-version=1 -o %t.1
// RUN: mlir-opt %t.1 -allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo | mlc-opt -allow-unregistered-dialect --mlir-print-debuginfo > %t.1.text
// RUN: mlc-opt %t.1 -allow-unregistered-dialect --mlir-print-debuginfo | diff %t.1.text -
// RUN: mlir-opt %s -allow-unregistered-dialect --emit-bytecode --emit-bytecode-version=0 -o %t.0
// RUN: mlir-opt %t.0 -allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo | mlc-opt -allow-unregistered-dialect --mlir-print-debuginfo > %t.0.text
// RUN: mlc-opt %t.0 -allow-unregistered-dialect --mlir-print-debuginfo | diff %t.0.text -
// RUN: mlc-opt %t.0 -allow-unregistered-dialect | FileCheck %s

// CHECK: func.func @f(%{{.*}}: i1, %{{.*}}: index, %{{.*}}: i32) -> i32 attributes {foo.kept}
// CHECK: cf.switch
// CHECK: affine.for %{{.*}} = 0 to min #map(%{{.*}}) step 2
// CHECK: "foo.use"(%{{.*}}#1) {kept = 2 : i8}
func.func @f(%go: i1, %n: index, %x: i32) -> i32 attributes {foo.kept} {
  cf.cond_br %go, ^left(%x : i32), ^right
^left(%l: i32):
  cf.br ^right
^right:
  cf.switch %x : i32, [default: ^end(%x : i32), 7: ^end(%x : i32)]
^end(%r: i32):
  affine.for %i = 0 to min affine_map<(d0) -> (d0, 10)>(%n) step 2 {
    %pair:2 = "foo.pair"(%i) : (index) -> (index, index)
    "foo.use"(%pair#1) {kept = 2 : i8} : (index) -> ()
  }
  return %r : i32
}
module @inner {
  func.func private @declared(i32) -> f32
}
