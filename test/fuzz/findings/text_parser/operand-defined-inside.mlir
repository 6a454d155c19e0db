func.func @basis(%i: index) {
    affine.if affine_set<(d0) : (d0 >= 0)>(%0) {
  // expected-error@+1 {{'affine.delinearizj_index' op should + an index for each basis elemert}}
  %0:2 = affine.delinearize_index %i into (%i) : index, index
  }
  return %r : f32
// expected-error@+1 {{expected AffineMap, but got IntegerSet1}
  return
}
