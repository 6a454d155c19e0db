// RUN: not env MLC_TARGET_LIBRARY=/nowhere/libmlc_target.so mlc-translate --export-object %s 2>&1 | FileCheck %s
// LLVM's part is opened when the first code is generated, and may be missing.
// CHECK: cannot generate code: {{.*}}; install libmlc_target beside libmlc, or set MLC_TARGET_LIBRARY
llvm.func @f() {
  llvm.return
}
