#map = affine_map<(d0)[s0] -> (d0 + s0 floordiv 2)>
#set = affine_set<(d0) : (d0 >= 0, d0 - 4 == 0)>
module @m attributes {x.a = #map, x.b = #set, x.c = [1, 2.5 : f16, "s", unit, true], x.d = dense<[1, 2]> : tensor<2xi8>,
    x.e = sparse<[[0, 1]], [1.0]> : tensor<2x2xf32>, x.f = array<i32: 1, 2>, x.g = dense_resource<r> : tensor<2xi8>, x.h = @f::@g,
    x.i = !x.y<z>, x.j = #x.y, x.k = strided<[1, ?], offset: 2>, x.l = loc("a":1:2), x.n = dense<["p", "q"]> : tensor<2x!x.s>,
    x.o = distinct[0]<"d">, x.q = 123456789012345678901234567890 : i128 } {
  func.func private @decl(memref<4x?xf32, strided<[4, 1], offset: ?>, 1>, tensor<*xf32>, vector<[4]x2xi1>, complex<f32>, tuple<i1, index>) -> none
  func.func @f(%a: i32, %t: tensor<4xf32, "e">) -> i32 {
    %c = arith.constant 7 : i32
    %b = "x.op"(%a) ({ ^bb0(%q: i8): "x.end"() : () -> () }) {z = 1 : i7} : (i32) -> i1
    cf.cond_br %b, ^x(%a : i32), ^y
  ^x(%p: i32):
    %s = arith.addi %p, %c overflow<nsw> : i32 loc(callsite("f" at fused<"m">["a":1:2, "b"]))
    return %s : i32
  ^y:
    cf.br ^x(%c : i32)
  }
}
{-# dialect_resources: { builtin: { r: "0x010000000102" } } #-}
