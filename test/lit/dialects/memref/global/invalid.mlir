// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// expected-error @+1 {{type should be static shaped memref, but got 'memref<?xf32>'}}
memref.global @dynamic : memref<?xf32>
// -----
// expected-error @+1 {{initial value expected to be of type 'tensor<2xf32>', but was of type 'tensor<3xf32>'}}
"memref.global"() {sym_name = "g", type = memref<2xf32>, initial_value = dense<0.0> : tensor<3xf32>} : () -> ()
// -----
// expected-error @+1 {{alignment attribute value 24 is not a power of 2}}
memref.global @g : memref<2xf32> {alignment = 24 : i64}
// -----
// expected-error @+1 {{expected valid '@'-identifier for symbol name}}
memref.global "private" "g" : memref<2xf32>
// -----
func.func @unknown() {
  // expected-error @+1 {{'h' does not reference a valid global memref}}
  %m = memref.get_global @h : memref<2xf32>
  return
}
// -----
memref.global @g : memref<2xf32>
func.func @other_type() {
  // expected-error @+1 {{result type 'memref<3xf32>' does not match type 'memref<2xf32>' of the global memref @g}}
  %m = memref.get_global @g : memref<3xf32>
  return
}
