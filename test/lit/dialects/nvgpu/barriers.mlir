// RUN: mlc-opt %s | FileCheck %s
// RUN: mlc-opt %s --mlir-print-op-generic | mlc-opt | FileCheck %s
// Barriers in memory; a memory space among a type's parameters is an attribute as any other.
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-LABEL: func.func @barriers
func.func @barriers(%i: index, %p: i1) {
  // CHECK: %[[B:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
  %b = nvgpu.mbarrier.create -> !bar
  // CHECK: nvgpu.mbarrier.init %[[B]][%{{.*}}], %{{.*}}, predicate = %{{.*}} : <memorySpace
  nvgpu.mbarrier.init %b[%i], %i, predicate = %p : !bar
  // CHECK: %[[T:.*]] = nvgpu.mbarrier.arrive %[[B]][%{{.*}}] : <{{.*}}> -> !nvgpu.mbarrier.token
  %t = nvgpu.mbarrier.arrive %b[%i] : !bar -> !nvgpu.mbarrier.token
  // CHECK: nvgpu.mbarrier.arrive.nocomplete %[[B]]
  %u = nvgpu.mbarrier.arrive.nocomplete %b[%i], %i : !bar -> !nvgpu.mbarrier.token
  // CHECK: nvgpu.mbarrier.test.wait %[[B]][%{{.*}}], %[[T]]
  %w = nvgpu.mbarrier.test.wait %b[%i], %t : !bar, !nvgpu.mbarrier.token
  // CHECK: nvgpu.mbarrier.arrive.expect_tx %[[B]]
  nvgpu.mbarrier.arrive.expect_tx %b[%i], %i : !bar
  // CHECK: nvgpu.mbarrier.try_wait.parity %[[B]]
  nvgpu.mbarrier.try_wait.parity %b[%i], %p, %i : !bar
  return
}
