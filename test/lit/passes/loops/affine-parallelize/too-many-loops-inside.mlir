// More loops inside than are followed: the remark says that this is why.
// RUN: echo 'func.func @many(%%m: memref<64x300xf32>, %%c: f32) { affine.for %%i = 0 to 64 {' > %t
// RUN: seq -f 'affine.for %%%%j = 0 to %g { affine.store %%%%c, %%%%m[%%%%i, %%%%j] : memref<64x300xf32> }' 300 >> %t
// RUN: echo '} return }' >> %t
// RUN: mlc-opt %t --affine-parallelize 2>&1 | FileCheck %s
// CHECK: remark: not parallel: what 'affine.store' inside touches is not known, by more than 256 loop variables
