// RUN: not mlc-opt --load-dialect=%S/Inputs/patterns_undefined.yaml %s 2>&1 | FileCheck %s
// Patterns are functions of the process: `fold_of_b` is the dialect's, a name with mlc_ is as it is.
// CHECK-DAG: error: no plugin defines 'mlc_undefined_fold_of_b', which the dialect names
// CHECK-DAG: error: 'mlc_nobody_folds_c' is no function of this dialect: their names begin with 'mlc_undefined_'
