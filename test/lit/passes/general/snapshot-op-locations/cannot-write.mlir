// RUN: mlc-opt %s --snapshot-op-locations=filename=/nowhere/at/all.mlir --verify-diagnostics
// expected-error @below {{cannot open output file '/nowhere/at/all.mlir'}}
module {
}
