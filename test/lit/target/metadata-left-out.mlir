// RUN: mlc-translate --mlir-to-llvmir -split-input-file -verify-diagnostics %s
// What LLVM or its C API cannot take is said at its place.
#root = #llvm.tbaa_root<id = "root">
#int = #llvm.tbaa_type_desc<id = "int", members = {<#root, 0>}>
#tag = #llvm.tbaa_tag<base_type = #int, access_type = #int, offset = 0>
llvm.func @tags(%p: !llvm.ptr) {
  // expected-warning@+1 {{TBAA access tags were not translated, because LLVM only supports a single tag per instruction}}
  %0 = llvm.load %p {tbaa = [#tag, #tag]} : !llvm.ptr -> i32
  llvm.return
}

// -----

#file = #llvm.di_file<"foo.mlir" in "/">
#sp = #llvm.di_subprogram<scope = #file, name = "f", file = #file>
#label = #llvm.di_label<scope = #sp, name = "l", file = #file, line = 42>
llvm.func @label() {
  // expected-warning@+1 {{labels are not translated, because LLVM's C API cannot make them}}
  llvm.intr.dbg.label #label
  llvm.return
}

// -----

#file = #llvm.di_file<"foo.mlir" in "/">
#sp = #llvm.di_subprogram<id = distinct[0]<>, scope = #file, name = "f", file = #file, subprogramFlags = Definition>
// expected-error@below {{its translation is not valid LLVM IR: subprogram definitions must have a compile unit}}
module {
  llvm.func @f() {
    llvm.return
  } loc(fused<#sp>["foo.mlir":1:1])
}
