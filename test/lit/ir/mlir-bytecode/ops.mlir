// REQUIRES: mlir-opt
// What mlir-opt writes as bytecode is read as what it prints, and written so that it reads the same: properties, groups of operands, blocks, regions, locations.
// RUN: mlir-opt %s -allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo | mlc-opt -allow-unregistered-dialect --mlir-print-debuginfo > %t.text
// RUN: mlir-opt %s -allow-unregistered-dialect --emit-bytecode -o %t.mlirbc
// RUN: mlc-opt %t.mlirbc -allow-unregistered-dialect --mlir-print-debuginfo | diff %t.text -
// RUN: mlir-opt %s -allow-unregistered-dialect --emit-bytecode --emit-bytecode-version=5 | mlc-opt -allow-unregistered-dialect --mlir-print-debuginfo | diff %t.text -
// RUN: mlir-opt %s -allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo > %t.generic
// RUN: mlc-opt %t.generic -allow-unregistered-dialect --emit-bytecode | mlir-opt -allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo | diff %t.generic -
// RUN: mlc-opt %t.generic -allow-unregistered-dialect --emit-bytecode | mlc-opt -allow-unregistered-dialect --mlir-print-debuginfo | diff %t.text -
// RUN: mlc-opt %t.mlirbc -allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func private @numbers
// CHECK: llvm.add %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<fast> : f32
func.func private @numbers(%a: i32, %x: f32) -> i32 {
  %sum = llvm.add %a, %a overflow<nsw, nuw> : i32
  %plain = llvm.mul %sum, %a : i32
  %fast = arith.addf %x, %x fastmath<fast> : f32
  "foo.keep"(%fast) <{inherent = 1 : i8}> {discardable} : (f32) -> ()
  return %plain : i32
}

// CHECK-LABEL: func.func @blocks
func.func @blocks(%go: i1, %n: index, %x: i32 loc("arg.c":9:9), %m: memref<?x8xf32, strided<[8, 1], offset: ?>, 3>) -> i32 {
  cf.cond_br %go, ^left(%x : i32), ^right
^left(%l: i32):
  cf.br ^right
^right:
  cf.switch %x : i32, [default: ^end(%x : i32), 7: ^end(%x : i32)]
^end(%r: i32):
  %view = memref.subview %m[%n, 0] [4, 2] [1, 1] : memref<?x8xf32, strided<[8, 1], offset: ?>, 3> to memref<4x2xf32, strided<[8, 1], offset: ?>, 3>
  affine.for %i = 0 to min affine_map<(d0) -> (d0, 10)>(%n) step 2 {
    affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) {
      %c = arith.constant dense<[1, -2]> : vector<2xi8>
    }
  }
  return %r : i32
}

// CHECK-LABEL: module @graph
module @graph {
  %a = "foo.use"(%b) : (i32) -> i32
  %b, %c = "foo.two"(%a) ({
    "foo.inner"(%d) : (f32) -> ()
  }, {
  }) : (i32) -> (i32, f32)
  %d = "nodialect"() : () -> f32
  builtin.module { "foo.leaf"() : () -> () }
}
