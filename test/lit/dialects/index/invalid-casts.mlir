// RUN: mlc-opt --split-input-file --verify-diagnostics %s
// A cast has index on one side.
func.func @both(%x: index) {
  // expected-error @+1 {{'index.casts' op operand type 'index' and result type 'index' are cast incompatible}}
  %0 = index.casts %x : index to index
  return
}

// -----

func.func @neither(%x: i8) {
  // expected-error @+1 {{'index.castu' op operand type 'i8' and result type 'i16' are cast incompatible}}
  %0 = index.castu %x : i8 to i16
  return
}
