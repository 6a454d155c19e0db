// RUN: mlc-opt %s -allow-unregistered-dialect | FileCheck %s
// RUN: mlc-opt %s -allow-unregistered-dialect --emit-mlc-bytecode -o %t && mlc-opt %t -allow-unregistered-dialect | FileCheck %s
// Properties of an op that no dialect defines are whatever attribute they are.
func.func @f(%a: i32) {
  // CHECK: "test.op"(%{{.*}}) <7 : i32> {x = 1 : i32} : (i32) -> ()
  "test.op"(%a) <7 : i32> {x = 1 : i32} : (i32) -> ()
  return
}
