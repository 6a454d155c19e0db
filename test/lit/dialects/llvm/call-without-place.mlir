// RUN: not mlc-opt %s 2>&1 | FileCheck %s
// Of two functions that the debugger knows, a call must say where it is: LLVM may inline it.
#file = #llvm.di_file<"a.c" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true, emissionKind = Full>
#callee = #llvm.di_subprogram<compileUnit = #unit, scope = #file, name = "callee", file = #file, subprogramFlags = "Definition">
#caller = #llvm.di_subprogram<compileUnit = #unit, scope = #file, name = "caller", file = #file, subprogramFlags = "Definition">
llvm.func @callee() {
  llvm.return
} loc(fused<#callee>["a.c":1:1])
llvm.func @outside()
// CHECK: error: inlinable function call in a function with a DISubprogram location must have a debug location
// CHECK-NOT: error:
llvm.func @caller() {
  llvm.call @callee() : () -> () loc(unknown)
  llvm.call @callee() : () -> () loc("a.c":3:1)
  llvm.call @outside() : () -> () loc(unknown)
  llvm.return
} loc(callsite(fused<#caller>["a.c":2:1] at "b.c":1:1))
llvm.func @unknown_to_the_debugger() {
  llvm.call @callee() : () -> () loc(unknown)
  llvm.return
}
