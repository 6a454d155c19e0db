// What is written as bytecode is read back as it was: forward uses, blocks, attributes of every kind, bodies of identified
// types, resources, locations.
// RUN: mlc-opt %s --allow-unregistered-dialect --mlir-print-debuginfo > %t.text
// RUN: mlc-opt %s --allow-unregistered-dialect --emit-mlc-bytecode -o %t.bc
// RUN: mlc-opt %t.bc --allow-unregistered-dialect --mlir-print-debuginfo > %t.again
// RUN: diff %t.text %t.again
// RUN: mlc-opt %t.bc --allow-unregistered-dialect --canonicalize | FileCheck %s
// RUN: mlc-opt %s --allow-unregistered-dialect --emit-mlc-bytecode --elide-resource-data-from-bytecode | mlc-opt --allow-unregistered-dialect | FileCheck --check-prefix=ELIDED %s

// CHECK: func.func @loop
// CHECK: dialect_resources
// ELIDED: dense_resource<weights>
// ELIDED-NOT: dialect_resources

#map = affine_map<(d0, d1)[s0] -> (d0 floordiv 4 + s0, d1 mod 8 - 1)>
#set = affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 == 0)>
module @all {
  llvm.mlir.global external @node() : !llvm.struct<"node", (ptr, i32, array<2 x struct<"leaf", (f32)>>)>
  func.func @loop(%n: index, %x: f32 loc("arg.c":9:9)) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^head(%c0, %x : index, f32)
  ^head(%i: index, %acc: f32):
    %go = arith.cmpi slt, %i, %n : index
    cf.cond_br %go, ^body, ^exit
  ^body:
    %next = arith.addi %i, %c1 : index
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %acc) -> f32 {
      %t = arith.addf %s, %x fastmath<fast> : f32
      scf.yield %t : f32
    }
    cf.br ^head(%next, %sum : index, f32)
  ^exit:
    return %acc : f32
  }
  module @graph {
    %a = "foo.use"(%b) : (i32) -> i32
    %b = "foo.use"(%a) : (i32) -> i32
  }
  "foo.attributes"() <{kept = 1 : i8}> {
    unit, int = -5 : i17, wide = 340282366920938463463374607431768211455 : i128, float = 1.5 : bf16,
    string = "with \22quotes\22", typed = "x" : !llvm.ptr, array = [1, "two", [3.0]], dict = {a = 1, b = {c}},
    type = tensor<?x4xf32, #map>, sym = @outer::@inner, map = #map, set = #set,
    dense = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, splat = dense<true> : vector<[4]xi1>,
    strings = dense<["a", "b"]> : tensor<2x!foo.string>, resource = dense_resource<weights> : tensor<4xi8>,
    sparse = sparse<[[0, 1]], 7> : tensor<2x3xi32>, list = array<i64: 1, -2>, empty = array<f32>,
    layout = memref<?x4xf32, strided<[4, 1], offset: ?>, 3>, distinct = [distinct[0]<1 : i8>, distinct[1]<1 : i8>],
    where = loc(fused<"why">["a.c":1:2, callsite("f"("b.c":3:4) at unknown)]), enum = #arith.fastmath<nnan,contract>,
    opaque = #foo.bar<[1, 2]>, tuple = tuple<i1, complex<f64>, none, () -> index>} : () -> ()
}
{-#
  dialect_resources: { builtin: { weights: "0x0400000001020304" } }
#-}
