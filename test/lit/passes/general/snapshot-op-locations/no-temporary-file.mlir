// RUN: env TMPDIR=/nowhere/at/all mlc-opt %s --snapshot-op-locations --verify-diagnostics
// expected-error @below {{failed to generate temporary file for location snapshot}}
module {
}
