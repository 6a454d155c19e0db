llvm.func @alone()
