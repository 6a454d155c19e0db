// RUN: mlc-translate --mlir-to-llvmir %s | FileCheck %s
// Locations and the scopes that they name become what a debugger reads.
// CHECK: @global = global i64 42, !dbg ![[GVE:[0-9]+]]
// CHECK: define void @func(i64 %0) !dbg ![[SP:[0-9]+]]
// CHECK: alloca i64, {{.*}}!dbg ![[L8:[0-9]+]]
// CHECK: #dbg_value(i64 %0, ![[VAR:[0-9]+]], !DIExpression(), ![[L9:[0-9]+]])
// CHECK: #dbg_declare(ptr %2, ![[VAR2:[0-9]+]], !DIExpression(), !{{[0-9]+}})
// CHECK: #dbg_value(i64 %0, ![[VAR]], !DIExpression(DW_OP_deref, DW_OP_LLVM_fragment, 16, 8), !{{[0-9]+}})
// CHECK: add i64 %0, %0, !dbg ![[INLINED:[0-9]+]]
// CHECK: mul i64 {{.*}}, !dbg ![[L12:[0-9]+]]
// CHECK: sub i64 {{.*}}, !dbg ![[L20:[0-9]+]]
// CHECK: store i64 {{.*}}, align 4{{$}}
// CHECK: !llvm.dbg.cu = !{![[CU:[0-9]+]]}
// CHECK-DAG: ![[GVE]] = !DIGlobalVariableExpression(var: ![[GV:[0-9]+]], expr: !DIExpression())
// CHECK-DAG: ![[GV]] = distinct !DIGlobalVariable(name: "global", linkageName: "gl", scope: ![[CU]], file: ![[FILE:[0-9]+]], line: 10, type: ![[I64:[0-9]+]], isLocal: true, isDefinition: true)
// CHECK-DAG: ![[CU]] = distinct !DICompileUnit(language: DW_LANG_C, file: ![[FILE]], producer: "MLIR", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: ![[GLOBALS:[0-9]+]])
// CHECK-DAG: ![[GLOBALS]] = !{![[GVE]]}
// CHECK-DAG: ![[FILE]] = !DIFile(filename: "foo.mlir", directory: "/test/")
// CHECK-DAG: ![[I64]] = !DIBasicType(name: "si64", size: 64, encoding: DW_ATE_signed)
// CHECK-DAG: ![[SP]] = distinct !DISubprogram(name: "func", linkageName: "func_l", scope: ![[NS:[0-9]+]], file: ![[FILE]], line: 3, type: ![[TYPE:[0-9]+]], scopeLine: 4, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: ![[CU]])
// CHECK-DAG: ![[NS]] = !DINamespace(name: "ns", scope: ![[FILE]], exportSymbols: true)
// CHECK-DAG: ![[TYPE]] = !DISubroutineType(cc: DW_CC_normal, types: ![[TYPES:[0-9]+]])
// CHECK-DAG: ![[TYPES]] = !{null, ![[I64]], ![[PTR:[0-9]+]], ![[COMP:[0-9]+]], ![[VEC:[0-9]+]]}
// CHECK-DAG: ![[PTR]] = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: ![[I64]], size: 64, align: 32, offset: 4)
// CHECK-DAG: ![[COMP]] = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "composite", scope: ![[FILE]], file: ![[FILE]], line: 42, baseType: ![[I64]], size: 64, align: 32, flags: DIFlagTypePassByReference | DIFlagNonTrivial, elements: !{{[0-9]+}})
// CHECK-DAG: ![[VEC]] = !DICompositeType(tag: DW_TAG_array_type, name: "array", baseType: ![[I64]], flags: DIFlagVector, elements: !{{[0-9]+}})
// CHECK-DAG: !DISubrange(count: 4)
// CHECK-DAG: ![[L8]] = !DILocation(line: 8, column: 3, scope: ![[SP]])
// CHECK-DAG: ![[VAR]] = !DILocalVariable(name: "arg", arg: 1, scope: ![[BLOCK:[0-9]+]], file: ![[FILE]], line: 6, type: ![[I64]])
// CHECK-DAG: ![[VAR2]] = !DILocalVariable(name: "alloc", scope: ![[BLOCK]], type: ![[I64]])
// CHECK-DAG: ![[BLOCK]] = distinct !DILexicalBlock(scope: ![[SP]], file: ![[FILE]], line: 7, column: 2)
// CHECK-DAG: ![[L9]] = !DILocation(line: 9, column: 4, scope: ![[BLOCK]])
// CHECK-DAG: ![[INLINED]] = !DILocation(line: 2, column: 4, scope: ![[CALLEE:[0-9]+]], inlinedAt: ![[AT:[0-9]+]])
// CHECK-DAG: ![[CALLEE]] = distinct !DISubprogram(name: "callee"
// CHECK-DAG: ![[AT]] = !DILocation(line: 3, column: 4, scope: ![[SP]])
// CHECK-DAG: ![[L12]] = !DILocation(line: 12, column: 1, scope: ![[SP]])
// CHECK-DAG: ![[L20]] = !DILocation(line: 20, column: 1, scope: ![[FILE_BLOCK:[0-9]+]])
// CHECK-DAG: ![[FILE_BLOCK]] = distinct !DILexicalBlockFile(scope: ![[BLOCK]], file: ![[FILE]], discriminator: 3)
#file = #llvm.di_file<"foo.mlir" in "/test/">
#cu = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, producer = "MLIR", isOptimized = true, emissionKind = Full>
#i64 = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "si64", sizeInBits = 64, encoding = DW_ATE_signed>
#void = #llvm.di_null_type
#ptr = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #i64, sizeInBits = 64, alignInBits = 32, offsetInBits = 4>
#mem = #llvm.di_derived_type<tag = DW_TAG_member, name = "x", baseType = #i64, sizeInBits = 64, offsetInBits = 8>
#comp = #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "composite", file = #file, line = 42, scope = #file, baseType = #i64, flags = "TypePassByReference|NonTrivial", sizeInBits = 64, alignInBits = 32, elements = #mem>
#vec = #llvm.di_composite_type<tag = DW_TAG_array_type, name = "array", baseType = #i64, flags = Vector, elements = #llvm.di_subrange<count = 4 : i64>>
#ns = #llvm.di_namespace<name = "ns", scope = #file, exportSymbols = true>
#spt = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #void, #i64, #ptr, #comp, #vec>
#sp = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #cu, scope = #ns, name = "func", linkageName = "func_l", file = #file, line = 3, scopeLine = 4, subprogramFlags = "Definition|Optimized", type = #spt>
#sp2 = #llvm.di_subprogram<id = distinct[2]<>, compileUnit = #cu, scope = #file, name = "callee", file = #file, subprogramFlags = "Definition", type = #spt>
#lb = #llvm.di_lexical_block<scope = #sp, file = #file, line = 7, column = 2>
#lbf = #llvm.di_lexical_block_file<scope = #lb, file = #file, discriminator = 3>
#var = #llvm.di_local_variable<scope = #lb, name = "arg", file = #file, line = 6, arg = 1, alignInBits = 0, type = #i64>
#var2 = #llvm.di_local_variable<scope = #lb, name = "alloc", type = #i64>
#gv = #llvm.di_global_variable<scope = #cu, name = "global", linkageName = "gl", file = #file, line = 10, type = #i64, isLocalToUnit = true, isDefined = true>
#gve = #llvm.di_global_variable_expression<var = #gv, expr = <>>
llvm.mlir.global @global(42 : i64) {dbg_expr = #gve} : i64
llvm.func @func(%arg: i64) {
  %c = llvm.mlir.constant(1 : i64) : i64
  %a = llvm.alloca %c x i64 : (i64) -> !llvm.ptr loc("foo.mlir":8:3)
  llvm.intr.dbg.value #var = %arg : i64 loc(fused<#lb>["foo.mlir":9:4])
  llvm.intr.dbg.declare #var2 = %a : !llvm.ptr loc(fused<#lb>["foo.mlir":10:4])
  llvm.intr.dbg.value #var #llvm.di_expression<[DW_OP_deref, DW_OP_LLVM_fragment(16, 8)]> = %arg : i64 loc(fused<#lb>["foo.mlir":9:5])
  %s = llvm.add %arg, %arg : i64 loc(callsite(fused<#sp2>["foo.mlir":2:4] at "foo.mlir":3:4))
  %t = llvm.mul %arg, %s : i64 loc("named"("foo.mlir":12:1))
  %u = llvm.sub %arg, %t : i64 loc(fused<#lbf>["foo.mlir":20:1])
  llvm.store %u, %a : i64, !llvm.ptr loc(unknown)
  llvm.return loc("foo.mlir":13:1)
} loc(fused<#sp>["foo.mlir":1:1])
llvm.func @callee(i64)
