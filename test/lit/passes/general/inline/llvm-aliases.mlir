// RUN: mlc-opt %s --inline="default-pipeline=" | FileCheck %s
// Scopes of a copy are its own; arguments without aliases become scopes; what the call says of its
// accesses is said of the copy's.
// CHECK-DAG: #[[OWN_DOMAIN:.*]] = #llvm.alias_scope_domain<{{.*}}description = "d">
// CHECK-DAG: #[[DOMAIN:.*]] = #llvm.alias_scope_domain<{{.*}}description = "callee">
// CHECK-DAG: #[[GROUP:.*]] = #llvm.access_group<
#domain = #llvm.alias_scope_domain<id = distinct[0]<>, description = "d">
#scope = #llvm.alias_scope<id = distinct[1]<>, domain = #domain>
#group = #llvm.access_group<id = distinct[2]<>>
// CHECK-LABEL: llvm.func @callee
// CHECK: alias_scopes = [#[[BEFORE:.*]]]
llvm.func @callee(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr {llvm.noalias}, %other: !llvm.ptr, %c: i1) {
  %x = llvm.load %other {alias_scopes = [#scope]} : !llvm.ptr -> f32
  %i = llvm.mlir.constant(3 : i64) : i64
  %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %x, %at : f32, !llvm.ptr
  %either = llvm.select %c, %p, %q : i1, !llvm.ptr
  llvm.store %x, %either : f32, !llvm.ptr
  llvm.return
}
// CHECK-LABEL: llvm.func @caller
// CHECK-NEXT: llvm.intr.experimental.noalias.scope.decl #[[P:.*]]
// CHECK-NEXT: llvm.intr.experimental.noalias.scope.decl #[[Q:.*]]
// CHECK-NEXT: llvm.load %{{.*}} {access_groups = [#[[GROUP]]], alias_scopes = [#[[MINE:.*]]]}
// CHECK: llvm.store %{{.*}} {access_groups = [#[[GROUP]]], alias_scopes = [#[[P]]], noalias_scopes = [#[[Q]]]}
// CHECK: llvm.store %{{.*}} {access_groups = [#[[GROUP]]], alias_scopes = [#[[P]], #[[Q]]]}
// CHECK-NOT: ssa.copy
llvm.func @caller(%p: !llvm.ptr, %q: !llvm.ptr, %other: !llvm.ptr, %c: i1) {
  llvm.call @callee(%p, %q, %other, %c) {access_groups = [#group]} : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i1) -> ()
  llvm.return
}
