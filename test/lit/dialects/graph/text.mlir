// RUN: mlc-opt %s | FileCheck %s
// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s --check-prefix=LOWERED
// Strings are numbers (si64) up to here; what looks into them is a call for each element.
// CHECK: graph.text %arg0, %arg1 {what = "concat"} : (tensor<3xsi64>, tensor<3xsi64>) -> tensor<3xsi64>
// LOWERED-LABEL: func.func @join(%arg0: tensor<3xi64> {mlc.name = "a", mlc.type = si64}
// LOWERED: scf.for
// LOWERED: tensor.extract %arg0
// LOWERED: func.call @mlc_text
// LOWERED: tensor.insert
func.func private @mlc_text(i64, i64, i64, i64, i64) -> i64
func.func @join(%a: tensor<3xsi64> {mlc.name = "a"}, %b: tensor<3xsi64> {mlc.name = "b"}) -> (tensor<3xsi64> {mlc.name = "c"}) {
  %c = graph.text %a, %b {what = "concat"} : (tensor<3xsi64>, tensor<3xsi64>) -> tensor<3xsi64>
  return %c : tensor<3xsi64>
}
