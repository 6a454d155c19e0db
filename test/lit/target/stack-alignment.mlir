// RUN: mlc-translate %s --export-llvmir | FileCheck %s
// RUN: mlc-translate %s --export-asm --target=x86-64-v3 | FileCheck %s --check-prefix=ASM
// Vectors wider than callers align the stack to lie within cache lines where they leave the registers.
// CHECK: define <8 x float> @wide({{.*}}) #[[WIDE:[0-9]+]]
// CHECK: define <4 x float> @narrow({{.*}}) #[[NARROW:[0-9]+]]
// CHECK: attributes #[[WIDE]] = { {{.*}}"stackrealign"
// CHECK-NOT: "stackrealign"
// ASM-LABEL: wide:
// ASM: andq $-32, %rsp
// ASM-LABEL: narrow:
// ASM-NOT: andq
llvm.func @other()
llvm.func @wide(%a: vector<8xf32>) -> vector<8xf32> {
  %0 = llvm.fadd %a, %a : vector<8xf32>
  llvm.call @other() : () -> ()
  llvm.return %0 : vector<8xf32>
}
llvm.func @narrow(%a: vector<4xf32>) -> vector<4xf32> {
  %0 = llvm.fadd %a, %a : vector<4xf32>
  llvm.call @other() : () -> ()
  llvm.return %0 : vector<4xf32>
}
