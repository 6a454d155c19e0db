// RUN: mlc-opt %s --interpret --entry f --input call -split-input-file -verify-diagnostics
// The runtime's services, called with other arguments than they have.
llvm.func @f(%call: !llvm.ptr) {
  %table = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %entry = llvm.getelementptr %table[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %service = llvm.load %entry : !llvm.ptr -> !llvm.ptr
  // expected-error@+1 {{'llvm.call' op calls a service with 1 arguments}}
  llvm.call %service(%call) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @f(%call: !llvm.ptr) {
  %table = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %entry = llvm.getelementptr %table[4] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %service = llvm.load %entry : !llvm.ptr -> !llvm.ptr
  // expected-error@+1 {{'llvm.call' op calls a service with 1 arguments}}
  llvm.call %service(%call) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @f(%call: !llvm.ptr) {
  %table = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %entry = llvm.getelementptr %table[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %service = llvm.load %entry : !llvm.ptr -> !llvm.ptr
  %c4 = llvm.mlir.constant(4 : i64) : i64
  // expected-error@+1 {{'llvm.call' op hands over a task that is no function}}
  llvm.call %service(%call, %call, %call, %c4) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// -----

llvm.func @f(%call: !llvm.ptr) {
  %table = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %entry = llvm.getelementptr %table[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %service = llvm.load %entry : !llvm.ptr -> !llvm.ptr
  // expected-error@+1 {{'llvm.call' op calls what is no function}}
  llvm.call %table(%call) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.return
}
