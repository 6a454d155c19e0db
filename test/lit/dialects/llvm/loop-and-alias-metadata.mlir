// RUN: mlc-opt %s | FileCheck %s
// RUN: mlc-opt %s | mlc-opt | FileCheck %s
// What a loop may do, which memory an access touches: nested attributes are aliases too.

// CHECK-DAG: #[[GROUP:.*]] = #llvm.access_group<id = distinct[{{.*}}]<>>
#group = #llvm.access_group<id = distinct[0]<>>
// CHECK-DAG: #[[ROOT:.*]] = #llvm.tbaa_root<id = "root">
#root = #llvm.tbaa_root<id = "root">
// CHECK-DAG: #[[BYTE:.*]] = #llvm.tbaa_type_desc<id = "byte", members = {<#[[ROOT]], 0>}>
#byte = #llvm.tbaa_type_desc<id = "byte", members = {<#root, 0>}>
// CHECK-DAG: #[[PAIR:.*]] = #llvm.tbaa_type_desc<id = "pair", members = {<#[[BYTE]], 0>, <#[[BYTE]], 1>}>
#pair = #llvm.tbaa_type_desc<id = "pair", members = {<#byte, 0>, <#byte, 1>}>
// CHECK-DAG: #[[TAG:.*]] = #llvm.tbaa_tag<base_type = #[[PAIR]], access_type = #[[BYTE]], offset = 1>
#tag = #llvm.tbaa_tag<offset = 1, access_type = #byte, base_type = #pair>
// CHECK-DAG: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = false, count = 4 : i32>
// CHECK-DAG: #[[LOOP:.*]] = #llvm.loop_annotation<disableNonforced = true, unroll = #[[UNROLL]], parallelAccesses = #[[GROUP]]>
#loop = #llvm.loop_annotation<unroll = <disable = false, count = 4 : i32>, disableNonforced = true, parallelAccesses = #group>
llvm.func @spin(%p: !llvm.ptr) {
  llvm.br ^head
^head:
  // CHECK: llvm.load {{.*}} {access_groups = [#[[GROUP]]], tbaa = [#[[TAG]]]}
  %x = llvm.load %p {access_groups = [#group], tbaa = [#tag]} : !llvm.ptr -> i8
  // CHECK: llvm.br ^bb1 {loop_annotation = #[[LOOP]]}
  llvm.br ^head {loop_annotation = #loop}
}
