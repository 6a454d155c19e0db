// A NUL of a text does not end the name that it stands in.
// RUN: not mlc-opt --irdl-file=%s %s 2>&1 | FileCheck %s
irdl.dialect @pointers {
  irdl.operation @op {
    // CHECK: [[#@LINE+1]]:{{.*}}: error: 'irdl.base' op no type is registered under the name 'llvm.ptr
    %0 = irdl.base "!llvm.ptr\00\00\00\00\00\00\00\00\00\00"
    irdl.operands(%0)
  }
}
