// RUN: not mlc-opt %s --gpu-kernel-outlining=data-layout-str='7' 2>&1 | FileCheck %s
// CHECK: data-layout-str must be a #dlti.dl_spec
func.func @f() {
  return
}
