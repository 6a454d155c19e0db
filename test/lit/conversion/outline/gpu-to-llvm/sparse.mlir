// RUN: mlc-opt %s --gpu-to-llvm | FileCheck %s
// A row an op: handles, addresses of buffers, numbers of types as cuSPARSE has them, and the stream last.
// CHECK-LABEL: llvm.func @product(
func.func @product(%n: index, %i: memref<8xi32>, %v: memref<8xbf16>, %x: memref<8xbf16>, %b: memref<16xi8>) {
  // CHECK: %[[S:.*]] = llvm.call @mgpuStreamCreate()
  %t0 = gpu.wait async
  // CHECK: %[[INDEX:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: %[[DATA:.*]] = llvm.mlir.constant(14 : i32)
  // CHECK: %[[A:.*]] = llvm.call @mgpuCreateCooAoS(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[INDEX]], %[[DATA]], %[[S]])
  %a, %t1 = gpu.create_coo_aos async [%t0] %n, %n, %n, %i, %v : memref<8xi32>, memref<8xbf16>
  // CHECK: %[[X:.*]] = llvm.call @mgpuCreateDnVec(
  %y, %t2 = gpu.create_dn_tensor async [%t1] %x, %n : index into memref<8xbf16>
  // CHECK: %[[MODE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: %[[F32:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @mgpuSpMVBufferSize(%[[MODE]], %[[A]], %[[X]], %[[X]], %[[F32]], %[[S]])
  %size, %t3 = gpu.spmv_buffer_size async [%t2] %a{TRANSPOSE}, %y, %y into f32
  // CHECK: llvm.call @mgpuSpMV(
  %t4 = gpu.spmv async [%t3] %a{TRANSPOSE}, %y, %y, %b : memref<16xi8> into f32
  // CHECK: llvm.call @mgpuSpMatGetSize(%[[A]], %[[ROWS:.*]], %{{.*}}, %{{.*}}, %[[S]])
  // CHECK: llvm.load %[[ROWS]] : !llvm.ptr -> i64
  %r, %c, %nnz, %t5 = gpu.spmat_get_size async [%t4] %a
  // CHECK: llvm.call @mgpuDestroySpMat(%[[A]], %[[S]])
  %t6 = gpu.destroy_sp_mat async [%t5] %a
  // CHECK: llvm.call @mgpuDestroyDnVec(%[[X]], %[[S]])
  %t7 = gpu.destroy_dn_tensor async [%t6] %y
  gpu.wait [%t7]
  return
}

// Two of four elements kept: structs of the other library, on the stack, and three buffers.
// CHECK-LABEL: llvm.func @two_of_four(
// CHECK: %[[A:.*]] = llvm.alloca %{{.*}} x i8 {alignment = 16 : i64}
// CHECK: llvm.call @mgpuCusparseLtCreate2To4SpMat(%[[A]],
// CHECK: %[[D:.*]] = llvm.alloca %{{.*}} x i8 {alignment = 16 : i64}
// CHECK: llvm.call @mgpuCreateCuSparseLtDnMat(%[[D]],
// CHECK: llvm.call @mgpuCuSparseLtSpMMBufferSize(%{{.*}}, %{{.*}}, %{{.*}}, %[[A]], %[[D]], %[[D]],
// CHECK: llvm.call @mgpuCuSparseLtSpMM(%[[A]], %[[D]], %[[D]],
// CHECK: llvm.call @mgpuDestroyCuSparseLtSpMat(%[[A]],
// CHECK: llvm.call @mgpuDestroyCuSparseLtDnMat(%[[D]],
func.func @two_of_four(%n: index, %v: memref<16x16xf16>, %b: memref<16xi8>) {
  %t0 = gpu.wait async
  %a, %t1 = gpu.create_2to4_spmat async [%t0] {PRUNE_ONLY} %n, %n, %v : memref<16x16xf16>
  %d, %t2 = gpu.create_dn_tensor async [%t1] %v, %n, %n : index, index into memref<16x16xf16>
  %s0, %s1, %s2, %t3 = gpu.spmm_buffer_size async [%t2] %a, %d, %d : index, index, index into f16
  %t4 = gpu.spmm async [%t3] %a, %d, %d, %b, %b, %b : memref<16xi8>, memref<16xi8>, memref<16xi8> into f16
  %t5 = gpu.destroy_sp_mat async [%t4] %a
  %t6 = gpu.destroy_dn_tensor async [%t5] %d
  gpu.wait [%t6]
  return
}

// CHECK-LABEL: llvm.func @others(
// CHECK: llvm.call @mgpuCreateCsr(
// CHECK: llvm.call @mgpuCreateCsc(
// CHECK: llvm.call @mgpuCreateBsr(
// CHECK: llvm.call @mgpuCreateCoo(
// CHECK: llvm.call @mgpuCreateDnMat(
// CHECK: llvm.call @mgpuSpMMBufferSize(
// CHECK: llvm.call @mgpuSpMM(
// CHECK: llvm.call @mgpuSDDMMBufferSize(
// CHECK: llvm.call @mgpuSDDMM(
// CHECK: llvm.call @mgpuSetCsrPointers(
// CHECK: llvm.call @mgpuSpGEMMCreateDescr(
// CHECK: llvm.call @mgpuSpGEMMWorkEstimation(
// CHECK: llvm.call @mgpuSpGEMMCompute(
// CHECK: llvm.call @mgpuSpGEMMCopy(
// CHECK: llvm.call @mgpuSpGEMMDestroyDescr(
func.func @others(%n: index, %i: memref<8xindex>, %v: memref<8xcomplex<f32>>, %b: memref<16xi8>) {
  %t0 = gpu.wait async
  %a, %t1 = gpu.create_csr async [%t0] %n, %n, %n, %i, %i, %v : memref<8xindex>, memref<8xindex>, memref<8xcomplex<f32>>
  %c, %t2 = gpu.create_csc async [%t1] %n, %n, %n, %i, %i, %v : memref<8xindex>, memref<8xindex>, memref<8xcomplex<f32>>
  %e, %t3 = gpu.create_bsr async [%t2] %n, %n, %n, %n, %n, %i, %i, %v : memref<8xindex>, memref<8xindex>, memref<8xcomplex<f32>>
  %f, %t4 = gpu.create_coo async [%t3] %n, %n, %n, %i, %i, %v : memref<8xindex>, memref<8xindex>, memref<8xcomplex<f32>>
  %d, %t5 = gpu.create_dn_tensor async [%t4] %v, %n, %n : index, index into memref<8xcomplex<f32>>
  %s, %t6 = gpu.spmm_buffer_size async [%t5] %a, %d, %d : index into complex<f32>
  %t7 = gpu.spmm async [%t6] %a, %d, %d, %b : memref<16xi8> into complex<f32>
  %u, %t8 = gpu.sddmm_buffer_size async [%t7] %d, %d, %a into complex<f32>
  %t9 = gpu.sddmm async [%t8] %d, %d, %a, %b : memref<16xi8> into complex<f32>
  %t10 = gpu.set_csr_pointers async [%t9] %a, %i, %i, %v : memref<8xindex>, memref<8xindex>, memref<8xcomplex<f32>>
  %p, %t11 = gpu.spgemm_create_descr async [%t10]
  %w, %t12 = gpu.spgemm_work_estimation_or_compute async [%t11] {WORK_ESTIMATION} %a, %a, %a, %p, %n, %b : complex<f32> into memref<16xi8>
  %x, %t13 = gpu.spgemm_work_estimation_or_compute async [%t12] {COMPUTE} %a, %a, %a, %p, %n, %b : complex<f32> into memref<16xi8>
  %t14 = gpu.spgemm_copy async [%t13] %a, %a, %a, %p : complex<f32>
  %t15 = gpu.spgemm_destroy_descr async [%t14] %p
  gpu.wait [%t15]
  return
}
