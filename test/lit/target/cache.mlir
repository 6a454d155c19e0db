// RUN: rm -rf %t.cache && env MLC_CACHE_DIR=%t.cache mlc-translate %s --export-object -o %t.1.o
// RUN: ls %t.cache | FileCheck %s
// RUN: env MLC_CACHE_DIR=%t.cache mlc-translate %s --export-object -o %t.2.o && cmp %t.1.o %t.2.o
// A damaged file is a miss; what it should have held is compiled again.
// RUN: sh -c 'for f in %t.cache/*.o; do echo damaged > $f; done'
// RUN: env MLC_CACHE_DIR=%t.cache mlc-translate %s --export-object -o %t.3.o && cmp %t.1.o %t.3.o
// A folder that cannot be made is no error.
// RUN: env MLC_CACHE_DIR=%s/nowhere mlc-translate %s --export-object -o %t.4.o && cmp %t.1.o %t.4.o
// CHECK: {{^[0-9a-f]+}}.o
llvm.func @f(%x: i32) -> i32 {
  llvm.return %x : i32
}
