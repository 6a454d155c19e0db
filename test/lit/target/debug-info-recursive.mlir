// RUN: mlc-translate --mlir-to-llvmir %s | FileCheck %s
// A type that points at itself, a loop's places, and a declaration that the debugger knows.
// CHECK: br label {{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
// CHECK: declare !dbg ![[DECLARED:[0-9]+]] void @declared()
// CHECK-DAG: ![[NODE:[0-9]+]] = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", {{.*}}elements: ![[ELEMENTS:[0-9]+]])
// CHECK-DAG: ![[ELEMENTS]] = !{![[NEXT:[0-9]+]]}
// CHECK-DAG: ![[NEXT]] = !DIDerivedType(tag: DW_TAG_member, name: "next", baseType: ![[PTR:[0-9]+]])
// CHECK-DAG: ![[PTR]] = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: ![[NODE]], size: 64)
// CHECK-DAG: ![[LOOP]] = distinct !{![[LOOP]], ![[START:[0-9]+]], ![[END:[0-9]+]], !{{[0-9]+}}}
// CHECK-DAG: ![[START]] = !DILocation(line: 3, column: 4, scope: !{{[0-9]+}})
// CHECK-DAG: ![[END]] = !DILocation(line: 5, column: 6, scope: !{{[0-9]+}})
// CHECK-DAG: ![[DECLARED]] = !DISubprogram(name: "declared", {{.*}}spFlags: 0)
#file = #llvm.di_file<"foo.mlir" in "/test/">
#decl = #llvm.di_subprogram<scope = #file, name = "declared", file = #file>
#cu = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, producer = "MLIR", isOptimized = true, emissionKind = Full>
#rec_self = #llvm.di_composite_type<tag = DW_TAG_null, recId = distinct[3]<>>
#ptr = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #rec_self, sizeInBits = 64>
#mem = #llvm.di_derived_type<tag = DW_TAG_member, name = "next", baseType = #ptr>
#rec = #llvm.di_composite_type<tag = DW_TAG_structure_type, recId = distinct[3]<>, name = "node", file = #file, line = 42, scope = #file, elements = #mem>
#spt = #llvm.di_subroutine_type<types = #rec>
#sp = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #cu, scope = #file, name = "func", file = #file, subprogramFlags = Definition, type = #spt>
#dom = #llvm.alias_scope_domain<id = distinct[10]<>>
#s0 = #llvm.alias_scope<id = distinct[11]<>, domain = #dom, description = "a\"b">
#la = #llvm.loop_annotation<mustProgress = true, startLoc = loc(fused<#sp>["foo.mlir":3:4]), endLoc = loc(fused<#sp>["foo.mlir":5:6])>
llvm.func @f(%p: !llvm.ptr, %n: i64) {
  llvm.intr.experimental.noalias.scope.decl #s0
  "llvm.intr.memcpy"(%p, %p, %n) <{isVolatile = false, alias_scopes = [#s0]}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.br ^a {loop_annotation = #la} loc("foo.mlir":9:9)
^a:
  llvm.br ^a loc("foo.mlir":9:9)
} loc(fused<#sp>["foo.mlir":1:1])
llvm.func @declared() loc(fused<#decl>["foo.mlir":1:1])
