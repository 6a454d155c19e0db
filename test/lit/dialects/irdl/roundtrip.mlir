// RUN: mlc-opt %s | mlc-opt | FileCheck %s
// RUN: mlc-opt %s --mlir-print-op-generic | mlc-opt | FileCheck %s
// CHECK-LABEL: irdl.dialect @shapes {
irdl.dialect @shapes {
  // CHECK-NEXT: irdl.type @box {
  // CHECK-NEXT:   %[[F:.*]] = irdl.is f32
  // CHECK-NEXT:   %[[I:.*]] = irdl.base "!builtin.integer"
  // CHECK-NEXT:   %[[E:.*]] = irdl.any_of(%[[F]], %[[I]])
  // CHECK-NEXT:   irdl.parameters(%[[E]])
  irdl.type @box {
    %0 = irdl.is f32
    %1 = irdl.base "!builtin.integer"
    %2 = irdl.any_of(%0, %1)
    irdl.parameters(%2)
  }
  // CHECK: irdl.attribute @tag {
  // CHECK-NEXT:   %[[ANY:.*]] = irdl.any
  // CHECK-NEXT:   irdl.parameters(%[[ANY]])
  irdl.attribute @tag {
    %0 = irdl.any
    irdl.parameters(%0)
  }
  // CHECK: irdl.operation @open {
  // CHECK-NEXT:   %[[T:.*]] = irdl.any
  // CHECK-NEXT:   %[[B:.*]] = irdl.parametric @shapes::@box<%[[T]]>
  // CHECK-NEXT:   %[[N:.*]] = irdl.base @shapes::@tag
  // CHECK-NEXT:   %[[A:.*]] = irdl.all_of(%[[T]], %[[N]])
  // CHECK-NEXT:   %[[P:.*]] = irdl.c_pred "$_self"
  // CHECK-NEXT:   irdl.operands(%[[B]], optional %[[T]], variadic %[[T]])
  // CHECK-NEXT:   irdl.results(%[[T]])
  // CHECK-NEXT:   irdl.attributes {"tag" = %[[N]], "more" = %[[A]]}
  // CHECK-NEXT:   %[[R0:.*]] = irdl.region(%[[T]])
  // CHECK-NEXT:   %[[R1:.*]] = irdl.region() with size 1
  // CHECK-NEXT:   %[[R2:.*]] = irdl.region with size 3
  // CHECK-NEXT:   %[[R3:.*]] = irdl.region
  // CHECK-NEXT:   irdl.regions(%[[R0]], %[[R1]], %[[R2]], %[[R3]])
  irdl.operation @open {
    %0 = irdl.any
    %1 = irdl.parametric @shapes::@box<%0>
    %2 = irdl.base @shapes::@tag
    %3 = irdl.all_of(%0, %2)
    %4 = irdl.c_pred "$_self"
    irdl.operands(%1, optional %0, variadic %0)
    irdl.results(single %0)
    irdl.attributes {"tag" = %2, "more" = %3}
    %5 = irdl.region(%0)
    %6 = irdl.region() with size 1
    %7 = irdl.region with size 3
    %8 = irdl.region
    irdl.regions(%5, %6, %7, %8)
  }
  // CHECK: irdl.operation @empty{{ ?$}}
  irdl.operation @empty {
  }
  // CHECK-NEXT: irdl.operation @marked attributes {mark}
  irdl.operation @marked attributes {mark}
  // CHECK: irdl.operation @nothing {
  // CHECK-NEXT: irdl.operands()
  irdl.operation @nothing {
    irdl.operands()
  }
}
