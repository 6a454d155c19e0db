// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// expected-error @below {{MMAMatrixType must have exactly two dimensions}}
func.func private @dims(!gpu.mma_matrix<16x16x16xf16, "AOp">)

// -----

// expected-error @below {{operand expected to be one of AOp, BOp or COp}}
func.func private @operand(!gpu.mma_matrix<16x16xf16, "DOp">)

// -----

// expected-error @below {{MMAMatrixType elements must be SI8, UI8, I32, F16, or F32}}
func.func private @element(!gpu.mma_matrix<16x16xf64, "AOp">)
