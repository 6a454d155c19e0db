irdl.dialect @regions {
  irdl.operation @each {
    %0 = irdl.any
    %1 = irdl.is i32
    %2 = irdl.region(%0, %1) with size 1
    %3 = irdl.region()
    %4 = irdl.region
    irdl.operands(%0)
    irdl.regions(%2, %3, %4)
  }
}
