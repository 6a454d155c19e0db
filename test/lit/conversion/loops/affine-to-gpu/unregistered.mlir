// RUN: mlc-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(convert-affine-for-to-gpu))' | FileCheck %s
// CHECK: gpu.launch
// CHECK: "use"(%{{.*}}, %{{.*}}) : (index, index) -> ()
func.func @f() {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      "use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}
