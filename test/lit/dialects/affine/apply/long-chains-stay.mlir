// RUN: mlc-opt %s --canonicalize | FileCheck %s
// Each step has the one before in two places: composed, the expression would double with each. Where it gets long, the chain stays.
// CHECK-LABEL: func.func @doubling
// CHECK-COUNT-2: affine.apply
// CHECK: return
func.func @doubling(%v0: index) -> index {
  %v1 = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(%v0, %v0)
  %v2 = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(%v1, %v1)
  %v3 = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(%v2, %v2)
  %v4 = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(%v3, %v3)
  %v5 = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(%v4, %v4)
  %v6 = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(%v5, %v5)
  %v7 = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(%v6, %v6)
  %v8 = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(%v7, %v7)
  %v9 = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(%v8, %v8)
  %v10 = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(%v9, %v9)
  %v11 = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(%v10, %v10)
  %v12 = affine.apply affine_map<(d0, d1) -> (d0 mod 7 + d1 floordiv 3)>(%v11, %v11)
  return %v12 : index
}
