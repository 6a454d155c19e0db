// Boxes, and ops whose types depend on each other.
irdl.dialect @shapes {
  irdl.type @box {
    %0 = irdl.is f32
    %1 = irdl.base "!builtin.integer"
    %2 = irdl.any_of(%0, %1)
    irdl.parameters(%2)
  }
  irdl.type @unit
  irdl.attribute @pair {
    %0 = irdl.base "#builtin.string"
    %1 = irdl.any
    irdl.parameters(%0, %1)
  }
  irdl.operation @open {
    %0 = irdl.any
    %1 = irdl.parametric @shapes::@box<%0>
    irdl.operands(%1)
    irdl.results(%0)
  }
  irdl.operation @merge {
    %0 = irdl.any
    %1 = irdl.parametric @shapes::@box<%0>
    irdl.operands(%1, %1)
    irdl.results(%1)
  }
  irdl.operation @zip {
    %0 = irdl.any
    %1 = irdl.parametric @shapes::@box<%0>
    %2 = irdl.parametric @shapes::@box<%0>
    irdl.operands(%1, %2)
  }
  irdl.operation @groups {
    %0 = irdl.is i32
    %1 = irdl.base @shapes::@unit
    %2 = irdl.any
    %3 = irdl.base "!llvm.ptr"
    irdl.operands(%0, optional %1, variadic %2)
    irdl.results(%3)
  }
  irdl.operation @marked {
    %0 = irdl.is 4 : i32
    %1 = irdl.is f64
    %2 = irdl.any
    %3 = irdl.parametric @shapes::@pair<%0, %1>
    %4 = irdl.base @shapes::@pair
    irdl.attributes {"kind" = %0, "both" = %4, "type" = %2}
    irdl.results(%2)
  }
  irdl.operation @around {
    %0 = irdl.region() with size 1
    %1 = irdl.region()
    irdl.regions(%0, %1)
  }
}
