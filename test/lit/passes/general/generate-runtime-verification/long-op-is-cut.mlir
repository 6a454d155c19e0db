// RUN: sed -e "s/long/&&&&&&&&&&/g;s/long/&&&&&&&&&&/g;s/long/&&&&&&&&&&/g;s/long/&&/g" %s | mlc-opt --generate-runtime-verification | FileCheck %s
// A check quotes the op up to 4096 bytes: an op of many operands has many checks.
// CHECK: cf.assert {{.*}}longlo{{[long]*}}...\0A^ out-of-bounds access
func.func @load(%m: memref<?xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] {note = "long"} : memref<?xf32>
  return %0 : f32
}
