// RUN: mlc-opt %s --plan-memory | FileCheck %s
// A call marked run_once leaves the model function: what it fills is prepared once, when the model is loaded.
// CHECK: module attributes {{.*}}mlc.init = @main_prepare, {{.*}}mlc.prepared_bytes = 64 : i64
// CHECK: func.func @main(%{{.*}}: memref<0xi8>, %{{.*}}: memref<64xi8>, %[[PREPARED:.*]]: memref<64xi8>,
// CHECK: %[[W:.*]] = memref.view %[[PREPARED]][%{{.*}}][] : memref<64xi8> to memref<16xf32>
// CHECK-NOT: @fill
// CHECK: call @step(%{{.*}}, %[[W]], %{{.*}})
// CHECK: func.func private @main_prepare(%{{.*}}: memref<0xi8>, %[[CONSTANTS:.*]]: memref<64xi8>, %[[OUT:.*]]: memref<64xi8>)
// CHECK-DAG: memref.view %[[CONSTANTS]]
// CHECK-DAG: memref.view %[[OUT]]
// CHECK: call @fill
memref.global "private" constant @c : memref<16xf32> = dense<2.0>
func.func @main(%x: memref<16xf32> {mlc.name = "x"}, %y: memref<16xf32> {mlc.name = "y", mlc.result}) {
  %c = memref.get_global @c : memref<16xf32>
  %w = memref.alloc() : memref<16xf32>
  call @fill(%c, %w) {mlc.run_once} : (memref<16xf32>, memref<16xf32>) -> ()
  call @step(%x, %w, %y) : (memref<16xf32>, memref<16xf32>, memref<16xf32>) -> ()
  return
}
func.func private @fill(%in: memref<16xf32>, %out: memref<16xf32>) {
  memref.copy %in, %out : memref<16xf32> to memref<16xf32>
  return
}
func.func private @step(%x: memref<16xf32>, %w: memref<16xf32>, %out: memref<16xf32>) {
  memref.copy %w, %out : memref<16xf32> to memref<16xf32>
  return
}
