// RUN: mlc-opt %s "--llvm-call-by-pointers=function=f results=2" | FileCheck %s
// RUN: not mlc-opt %s --llvm-call-by-pointers=function=g 2>&1 | FileCheck %s --check-prefix=NONE
// Arguments are read from where their pointers say, results written; integers in whole bytes.
// CHECK: llvm.func @_mlc_call(%[[ARGS:.*]]: !llvm.ptr, %[[RESULTS:.*]]: !llvm.ptr)
// CHECK: %[[P0:.*]] = llvm.load %[[ARGS]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[BYTE:.*]] = llvm.load %[[P0]] {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK: %[[X:.*]] = llvm.trunc %[[BYTE]] : i8 to i1
// CHECK: llvm.getelementptr %[[ARGS]][1]
// CHECK: llvm.load {{.*}} : !llvm.ptr -> vector<3xf32>
// CHECK: llvm.getelementptr {{.*}}[12] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: llvm.load {{.*}} : !llvm.ptr -> vector<3xf32>
// CHECK: llvm.call @f(%[[X]], %{{.*}}) : (i1, !llvm.array<2 x vector<3xf32>>)
// CHECK: llvm.zext {{.*}} : i1 to i8
// NONE: error: {{.*}}has no function 'g' with a body in the llvm dialect
llvm.func internal @f(%a: i1, %b: !llvm.array<2 x vector<3xf32>>) -> !llvm.struct<(i1, array<2 x vector<3xf32>>)> {
  %0 = llvm.mlir.undef : !llvm.struct<(i1, array<2 x vector<3xf32>>)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(i1, array<2 x vector<3xf32>>)>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.struct<(i1, array<2 x vector<3xf32>>)>
  llvm.return %2 : !llvm.struct<(i1, array<2 x vector<3xf32>>)>
}
llvm.func @g()
