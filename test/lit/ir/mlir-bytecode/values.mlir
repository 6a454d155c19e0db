// REQUIRES: mlir-opt
// Attributes, types and locations of every kind that MLIR's bytecode has an encoding for, and those that are text in it.
// RUN: mlir-opt %s -allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo | mlc-opt -allow-unregistered-dialect --mlir-print-debuginfo > %t.text
// RUN: mlir-opt %s -allow-unregistered-dialect --emit-bytecode | mlc-opt -allow-unregistered-dialect --mlir-print-debuginfo | diff %t.text -
// RUN: mlir-opt %s -allow-unregistered-dialect --emit-bytecode --elide-resource-data-from-bytecode | mlc-opt -allow-unregistered-dialect | FileCheck %s

// RUN: mlir-opt %s -allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo > %t.generic
// RUN: mlc-opt %t.generic -allow-unregistered-dialect --emit-bytecode | mlir-opt -allow-unregistered-dialect --mlir-print-op-generic --mlir-print-debuginfo | diff %t.generic -
// CHECK: foo.attributes
// CHECK-SAME: dense_resource<weights>
// CHECK-NOT: weights:
"foo.attributes"() {
  unit, int = -5 : i17, byte = -1 : i8, bool = true, index = -9223372036854775808 : index, ui = 65535 : ui16, si = -3 : si4,
  wide = 340282366920938463463374607431768211455 : i128, negative = -170141183460469231731687303715884105728 : i128,
  f8 = 1.5 : f8E4M3FN, half = 1.5 : f16, bf = -0.0 : bf16, f32 = 0x7FC00001 : f32, f64 = 1.0e-300 : f64, f80 = 2.5 : f80,
  f128 = 3.0 : f128, string = "with \22quotes\22 and \00", typed = "x" : !llvm.ptr, array = [1, "two", [3.0], []], dict = {a = 1, b = {c}},
  sym = @outer::@inner::@leaf, flat = @flat, map = affine_map<(d0)[s0] -> (d0 + s0)>, set = affine_set<(d0) : (d0 == 0)>,
  dense = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, i17s = dense<[-1, 5, 65535]> : tensor<3xi17>, splat = dense<-7> : tensor<4xi64>,
  bools = dense<[true, false, true, true, false, false, false, true, true]> : tensor<9xi1>, truths = dense<true> : vector<[4]xi1>,
  one = dense<[false]> : tensor<1xi1>, eight = dense<[1, 0, 1, 0, 1, 0, 1, 0]> : tensor<8xi1>, i100s = dense<[1, -1]> : tensor<2xi100>,
  floats = dense<[1.0, 2.0]> : vector<2xf16>, indices = dense<[1, 2]> : tensor<2xindex>, f80s = dense<[1.0, -2.0]> : tensor<2xf80>,
  complex = dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>, complexes = dense<(1, 2)> : tensor<2xcomplex<i17>>,
  none = dense<> : tensor<0x3xf32>, strings = dense<["a", "b"]> : tensor<2x!foo.string>, same = dense<"a"> : tensor<2x!foo.string>,
  resource = dense_resource<weights> : tensor<4xi8>, sparse = sparse<[[0, 1]], 7> : tensor<2x3xi32>,
  list = array<i64: 1, -2>, flags = array<i1: true, false>, empty = array<f32>, float_list = array<f64: 1.0>,
  distinct = [distinct[0]<1 : i8>, distinct[1]<1 : i8>], opaque = #foo.bar<[1, 2]>, enum = #arith.fastmath<nnan,contract>,
  where = loc(fused<"why">["a.c":1:2, callsite("f"("b.c":3:4) at unknown)]), plain = loc(fused["a.c":1:2, "b.c":3:4])
} : () -> ()

"foo.types"() {types = [
  i1, si8, ui16, i128, index, none, bf16, f16, f32, f64, f80, f128, f8E5M2, tf32, complex<f32>, () -> (), (i1, f32) -> (index, none), tuple<>, tuple<i1, f32>,
  vector<4xf32>, vector<[4]x2x[8]xi1>, vector<f32>, tensor<f32>, tensor<?x0x4xf32>, tensor<2xf32, #foo.encoding>, tensor<*xi1>,
  memref<2x?xf32>, memref<2xf32, affine_map<(d0) -> (d0 * 2)>>, memref<?xf32, strided<[?], offset: 4>, "space">, memref<*xf32>, memref<*xf32, 3>,
  !llvm.struct<"node", (ptr, i32)>, !foo.type<[1]>, !llvm.array<2 x f32>
]} : () -> () loc(fused<"meta">["x.c":1:2, callsite("callee"("x.c":3:4) at "x.c":5:6), "name"])

{-#
  dialect_resources: { builtin: { weights: "0x0400000001020304" } },
  external_resources: { tool: { flag: false, text: "a \22b\\c\22", blob: "0x08000000FF00" } }
#-}
