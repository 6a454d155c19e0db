// RUN: mlc-translate --mlir-to-llvmir %s | FileCheck %s
// What attributes say of memory and loops becomes metadata of the instruction.
#dom = #llvm.alias_scope_domain<id = distinct[0]<>, description = "The domain">
#s0 = #llvm.alias_scope<id = distinct[1]<>, domain = #dom, description = "The \"first\" scope">
#s1 = #llvm.alias_scope<id = distinct[2]<>, domain = #dom>
#ag0 = #llvm.access_group<id = distinct[3]<>>
#ag1 = #llvm.access_group<id = distinct[4]<>>
#root = #llvm.tbaa_root<id = "root">
#char = #llvm.tbaa_type_desc<id = "char", members = {<#root, 0>}>
#int = #llvm.tbaa_type_desc<id = "int", members = {<#char, 0>}>
#pair = #llvm.tbaa_type_desc<id = "pair", members = {<#int, 0>, <#int, 4>}>
#second = #llvm.tbaa_tag<base_type = #pair, access_type = #int, offset = 4>
#constant = #llvm.tbaa_tag<base_type = #int, access_type = #int, offset = 0, constant = true>
#rest = #llvm.loop_annotation<disableNonforced = true>
#loop = #llvm.loop_annotation<mustProgress = true, isVectorized = true,
  vectorize = <disable = false, scalableEnable = false, width = 16 : i32, followupAll = #rest>,
  interleave = <count = 8 : i32>, unroll = <disable = true, count = 64 : i32, full = false>,
  unrollAndJam = <disable = false>, licm = <disable = true, versioningDisable = true>,
  distribute = <disable = true>, pipeline = <disable = false, initiationinterval = 1 : i32>,
  peeled = <count = 5 : i32>, unswitch = <partialDisable = true>, parallelAccesses = #ag0, #ag1>
// CHECK: load i32, ptr %0{{.*}}, !tbaa ![[SECOND:[0-9]+]], !alias.scope ![[SCOPES:[0-9]+]], !noalias ![[LIST:[0-9]+]], !llvm.access.group ![[AG0:[0-9]+]]
// CHECK: store i32 {{.*}}, !tbaa ![[CONSTANT:[0-9]+]], !llvm.access.group ![[GROUPS:[0-9]+]]
// CHECK: call void @llvm.experimental.noalias.scope.decl(metadata ![[DECL:[0-9]+]])
// CHECK: br i1 {{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
// CHECK: br label {{.*}}, !llvm.loop ![[LOOP]]
// CHECK-DAG: ![[SECOND]] = !{![[PAIR:[0-9]+]], ![[INT:[0-9]+]], i64 4}
// CHECK-DAG: ![[PAIR]] = !{!"pair", ![[INT]], i64 0, ![[INT]], i64 4}
// CHECK-DAG: ![[INT]] = !{!"int", ![[CHAR:[0-9]+]], i64 0}
// CHECK-DAG: ![[CHAR]] = !{!"char", ![[ROOT:[0-9]+]], i64 0}
// CHECK-DAG: ![[ROOT]] = !{!"root"}
// CHECK-DAG: ![[CONSTANT]] = !{![[INT]], ![[INT]], i64 0, i64 1}
// CHECK-DAG: ![[SCOPES]] = !{![[S0:[0-9]+]], ![[S1:[0-9]+]]}
// CHECK-DAG: ![[S0]] = distinct !{![[S0]], ![[DOM:[0-9]+]], !"The \22first\22 scope"}
// CHECK-DAG: ![[S1]] = distinct !{![[S1]], ![[DOM]]}
// CHECK-DAG: ![[DOM]] = distinct !{![[DOM]], !"The domain"}
// CHECK-DAG: ![[LIST]] = !{![[S1]]}
// CHECK-DAG: ![[DECL]] = !{![[S0]]}
// CHECK-DAG: ![[AG0]] = distinct !{}
// CHECK-DAG: ![[GROUPS]] = !{![[AG0]], ![[AG1:[0-9]+]]}
// CHECK-DAG: ![[LOOP]] = distinct !{![[LOOP]], ![[MUST:[0-9]+]]
// CHECK-DAG: ![[MUST]] = !{!"llvm.loop.mustprogress"}
// CHECK-DAG: !{!"llvm.loop.isvectorized", i32 1}
// CHECK-DAG: !{!"llvm.loop.vectorize.enable", i1 true}
// CHECK-DAG: !{!"llvm.loop.vectorize.scalable.enable", i1 false}
// CHECK-DAG: !{!"llvm.loop.vectorize.width", i32 16}
// CHECK-DAG: !{!"llvm.loop.vectorize.followup_all", ![[REST:[0-9]+]]}
// CHECK-DAG: ![[REST]] = distinct !{![[REST]], ![[NONFORCED:[0-9]+]]}
// CHECK-DAG: ![[NONFORCED]] = !{!"llvm.loop.disable_nonforced"}
// CHECK-DAG: !{!"llvm.loop.interleave.count", i32 8}
// CHECK-DAG: !{!"llvm.loop.unroll.disable"}
// CHECK-DAG: !{!"llvm.loop.unroll_and_jam.enable"}
// CHECK-DAG: !{!"llvm.licm.disable"}
// CHECK-DAG: !{!"llvm.loop.licm_versioning.disable"}
// CHECK-DAG: !{!"llvm.loop.distribute.enable", i1 false}
// CHECK-DAG: !{!"llvm.loop.pipeline.disable", i1 false}
// CHECK-DAG: !{!"llvm.loop.pipeline.initiationinterval", i32 1}
// CHECK-DAG: !{!"llvm.loop.peeled.count", i32 5}
// CHECK-DAG: !{!"llvm.loop.unswitch.partial.disable"}
// CHECK-DAG: !{!"llvm.loop.parallel_accesses", ![[AG0]], ![[AG1]]}
llvm.func @f(%p: !llvm.ptr, %c: i1) {
  %0 = llvm.load %p {alias_scopes = [#s0, #s1], noalias_scopes = [#s1], access_groups = [#ag0], tbaa = [#second]} : !llvm.ptr -> i32
  llvm.store %0, %p {access_groups = [#ag0, #ag1], tbaa = [#constant]} : i32, !llvm.ptr
  llvm.intr.experimental.noalias.scope.decl #s0
  llvm.cond_br %c, ^a, ^b {loop_annotation = #loop}
^a:
  llvm.br ^b {loop_annotation = #loop}
^b:
  llvm.return
}
