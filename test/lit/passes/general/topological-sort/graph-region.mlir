// RUN: mlc-opt %s --topological-sort --allow-unregistered-dialect | FileCheck %s
// RUN: mlc-opt %s --topological-sort --allow-unregistered-dialect | mlc-opt --topological-sort --allow-unregistered-dialect | FileCheck %s

// A module's ops have no order: each goes behind what it uses, also where the use is in a region; a circle stays.
// CHECK: "test.first"
// CHECK-NEXT: "test.second"
// CHECK-NEXT: "test.uses"
// CHECK: "test.round"
// CHECK-NEXT: "test.round"
"test.uses"() ({
  "test.inner"(%1) : (i32) -> ()
}) : () -> ()
%1 = "test.second"(%0) : (i32) -> i32
%0 = "test.first"() : () -> i32
%2 = "test.round"(%3) : (i32) -> i32
%3 = "test.round"(%2) : (i32) -> i32
