// REQUIRES: mlc, not, split-file
// RUN: split-file %s %t
// RUN: not mlc compile %t/unknown.mlir -o %t/m.so 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not mlc inspect %t/late.mlir --level=import 2>&1 | FileCheck --check-prefix=LATE %s

//--- unknown.mlir
// UNKNOWN: unknown.mlir:2:1: error: 'builtin.module' op has 'mlc.level' that is no level: mlc inspect --level lists them
module attributes {mlc.level = "cellar"} {
}

//--- late.mlir
// LATE: mlc: the file begins at level 'scf', behind 'import'
module attributes {mlc.level = "scf"} {
}
