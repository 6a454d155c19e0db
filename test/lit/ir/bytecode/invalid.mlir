// Bytes that are no bytecode, or only the start of it, are refused at the byte.
// RUN: mlc-opt %s --emit-mlc-bytecode -o %t.bc
// RUN: head -c 40 %t.bc > %t.cut
// RUN: not mlc-opt %t.cut 2>&1 | FileCheck --check-prefix=CUT %s
// RUN: printf 'MLCb\377\000\000\000\010\000\000\000\000\000\000\000' > %t.version
// RUN: not mlc-opt %t.version 2>&1 | FileCheck --check-prefix=VERSION %s

// CUT: error: invalid bytecode at byte 0: the table of sections is broken
// VERSION: error: invalid bytecode at byte 0: version 255 is not the one that is read, 2
func.func @f() {
  return
}
