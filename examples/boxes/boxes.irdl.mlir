// A dialect in IRDL: boxes of floats, and an op whose result is what its box holds.
irdl.dialect @boxes {
  irdl.type @box {
    %0 = irdl.is f32
    %1 = irdl.is f64
    %2 = irdl.any_of(%0, %1)
    irdl.parameters(%2)
  }
  irdl.operation @open {
    %0 = irdl.any
    %1 = irdl.parametric @boxes::@box<%0>
    irdl.operands(%1)
    irdl.results(%0)
  }
}
