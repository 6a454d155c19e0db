// RUN: mlc-opt %s --allow-unregistered-dialect > %t.mlc
// RUN: mlc-opt %t.mlc --allow-unregistered-dialect | diff %t.mlc -
// RUN: mlir-opt %s --allow-unregistered-dialect | diff - %t.mlc
// RUN: mlc-opt %s --allow-unregistered-dialect --mlir-print-op-generic > %t.generic
// RUN: mlir-opt %s --allow-unregistered-dialect --mlir-print-op-generic | diff - %t.generic
// REQUIRES: mlir-opt
// Every kind of builtin attribute and type, byte for byte as upstream prints it, in both forms.
#set = affine_set<(d0, d1)[s0] : (d0 - d1 * 2 + s0 >= 0, -d0 + 3 == 0)>
#m = affine_map<(d0, d1)[s0] -> (d0 floordiv 4, (d1 + s0) mod 3, d0 * -1 + 5, -(d0 + d1) * 3)>
!t = tuple<i32, f32>
"foo.numbers"() {u, "quo te" = 1.5, i1 = true, big = 123456789012345678901234567890 : i128, neg = -5 : si8, uns = 255 : ui8,
  nan = 0x7FC00000 : f32, third = 0.1 : bf16, list = [1, 2 : i32, "x", @a::@b, i32, unit, 1.0e40]} : () -> ()
"foo.elements"() {d = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>, sp = dense<0.1> : vector<4xf32>,
  c = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>, h = dense<"0x0102"> : tensor<2xi8>, ar = array<i32: 1, -2>,
  ar0 = array<f32>, ab = array<i1: true, false>, s = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>,
  r = dense_resource<blob1> : tensor<3xi64>, ds = dense<["a", "b"]> : tensor<2x!foo.str>, emp = dense<> : tensor<0xf32>,
  i24 = dense<[1, -1]> : tensor<2xi24>} : () -> ()
"foo.others"() {m = #m, s = #set, st = strided<[?, 1], offset: ?>, l = loc("a":1:2),
  lf = loc(fused<"x">["a":1:2, callsite("f" at unknown)]), dist = distinct[0]<1 : i32>, es = "a\22\n\\b",
  dd = {a = 1, b = {}}, s2 = "typed" : i32, o = #foo.bar<baz "x" [1]>, o2 = #foo<"x">} : () -> ()
"foo.types"() {op = !foo.t<a->b>, op2 = !bar<"xyz">, n = none, fn = (i32, (f32) -> f32) -> (), ty = !t,
  mem = memref<4x?xf32, strided<[1, ?], offset: 3>, 2>, mm = memref<*xf32, "sp">, tt = tensor<*xf32>,
  vv = vector<[4]x2xindex>, te = tensor<3xf32, "enc">, t0 = tensor<0x4xf32>, sp = sparse<[[0, 1]], "s"> : tensor<2x2x!foo.s>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      blob1: "0x08000000010000000000000002000000000000000300000000000000"
    }
  }
#-}
