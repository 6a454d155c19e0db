// RUN: split-file %s %t
// RUN: not mlc-translate --mlir-to-llvmir %t/argument.mlir 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not mlc-translate --mlir-to-llvmir %t/kind.mlir 2>&1 | FileCheck %s --check-prefix=KIND
// What LLVM's reader of metadata refuses, and what is no metadata of LLVM's.
// ARGUMENT: has metadata that LLVM does not take: {{.*}}value for 'arg' too large, limit is 65535
// KIND: has metadata of a kind that is not translated: 'llvm.di_null_type'

//--- argument.mlir
#file = #llvm.di_file<"a.c" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true, emissionKind = Full>
#sp = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, line = 1, scopeLine = 1, subprogramFlags = Definition>
#var = #llvm.di_local_variable<scope = #sp, name = "x", file = #file, line = 1, arg = 70000>
llvm.func @f(%x: i32) {
  llvm.intr.dbg.value #var = %x : i32 loc("a.c":1:1)
  llvm.return
} loc(fused<#sp>["a.c":1:1])

//--- kind.mlir
#file = #llvm.di_file<"a.c" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true, emissionKind = Full>
#type = #llvm.di_derived_type<tag = DW_TAG_member, name = "s", extraData = #llvm.di_null_type>
#sp = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, line = 1, scopeLine = 1, subprogramFlags = Definition>
#var = #llvm.di_local_variable<scope = #sp, name = "x", file = #file, line = 1, arg = 7, type = #type>
llvm.func @f(%x: i32) {
  llvm.intr.dbg.value #var = %x : i32 loc("a.c":1:1)
  llvm.return
} loc(fused<#sp>["a.c":1:1])
