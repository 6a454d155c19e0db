// RUN: mlc-opt %s --inline="default-pipeline=" --mlir-print-local-scope | FileCheck %s
// The places of a loop in an inlined body say from where it was called, in the caller's subprogram.
#file = #llvm.di_file<"a.c" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = None>
#caller = #llvm.di_subprogram<compileUnit = #unit, scope = #file, name = "caller", file = #file, subprogramFlags = Definition>
#loop = #llvm.loop_annotation<mustProgress = true, startLoc = loc("a.c":1:2)>
llvm.func @callee(%c: i1) {
  llvm.br ^head
^head:
  llvm.cond_br %c, ^head, ^exit {loop_annotation = #loop}
^exit:
  llvm.return
}
// CHECK-LABEL: llvm.func @caller
// CHECK: llvm.cond_br
// CHECK-SAME: startLoc = loc(fused<#llvm.di_subprogram<{{.*}}name = "caller"{{.*}}>[callsite("a.c":1:2 at "a.c":9:9)])
llvm.func @caller(%c: i1) {
  llvm.call @callee(%c) : (i1) -> () loc("a.c":9:9)
  llvm.return
} loc(fused<#caller>["a.c":8:1])
