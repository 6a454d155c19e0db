// RUN: not mlc-cpu-runner %s -e nobody 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not mlc-cpu-runner %s -e declared -entry-point-result=void 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not mlc-cpu-runner %s -e whole -entry-point-result=void 2>&1 | FileCheck %s --check-prefix=VOID
// RUN: not mlc-cpu-runner %s -e whole -entry-point-result=f32 2>&1 | FileCheck %s --check-prefix=SINGLE
// RUN: not mlc-cpu-runner %s -e whole -entry-point-result=i8 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not mlc-cpu-runner %s -e takes -entry-point-result=void 2>&1 | FileCheck %s --check-prefix=INPUTS
// RUN: not mlc-cpu-runner %s -e whole -entry-point-result=i32 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: echo "llvm.func internal @main() -> f32 { %%0 = llvm.mlir.constant(1.0 : f32) : f32 llvm.return %%0 : f32 }" | not mlc-cpu-runner 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: not mlc-cpu-runner %s --vectorise 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not mlc-cpu-runner %s -matrix-default-layout=row-major 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not mlc-cpu-runner %s %s 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not mlc-cpu-runner %s -shared-libs=%t.none.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: not mlc-cpu-runner %t.none.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: echo 'llvm.func @main()' | not mlc-cpu-runner --no-implicit-module 2>&1 | FileCheck %s --check-prefix=TABLE
// RUN: echo 'func.func @main() { return }' | not mlc-cpu-runner -entry-point-result=void 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: echo 'llvm.func @main(' | not mlc-cpu-runner 2>&1 | FileCheck %s --check-prefix=PARSE
// What cannot be run is told, with mlir-cpu-runner's words where it has some; nothing is called.
// NOBODY: Error: entry point not found
// VOID: Error: expected void function
// SINGLE: Error: only single f32 function result supported
// KIND: Error: unsupported function type
// INPUTS: Error: function inputs not supported
// MISSING: [[@LINE+10]]:1: error: {{.*}}no library defines the function 'declared'
// INNER: error: {{.*}}no code for the function 'main'
// OPTION: mlc-cpu-runner: unknown option '--vectorise'
// LAYOUT: Error: matrices are column-major
// TWO: Error: only one input file at a time
// LIBRARY: Error: cannot open the shared library '{{.*}}none.so'
// FILE: Error: '{{.*}}none.mlir': No such file or directory
// TABLE: Error: top-level op must be a symbol table.
// PARSE: Error: could not parse the input IR

llvm.func @declared()
llvm.func @whole() -> i32 {
  llvm.call @declared() : () -> ()
  %0 = llvm.mlir.constant(1 : i32) : i32
  llvm.return %0 : i32
}
llvm.func @takes(%a: i32) {
  llvm.return
}
