// RUN: not env MLC_TARGET_LIBRARY=libm.so.6 mlc-translate --export-object %s 2>&1 | FileCheck %s
// CHECK: libmlc_target.so has no
llvm.func @f() {
  llvm.return
}
