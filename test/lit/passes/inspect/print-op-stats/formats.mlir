// RUN: mlc-opt %s --print-op-stats --allow-unregistered-dialect -o /dev/null 2>&1 | FileCheck %s --check-prefix=TABLE --strict-whitespace
// RUN: mlc-opt %s --print-op-stats=json=true --allow-unregistered-dialect -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON

//      TABLE:Operations encountered:
// TABLE-NEXT:-----------------------
// TABLE-NEXT:    arith.addi   , 2
// TABLE-NEXT:  builtin.module , 1
// TABLE-NEXT:     func.func   , 1
// TABLE-NEXT:     func.return , 1
// TABLE-NEXT:          plain  , 1

// JSON: {
// JSON-NEXT: "arith.addi" : 2,
// JSON: "plain" : 1
// JSON-NEXT: }
func.func @f(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %0, %x : i32
  "plain"() : () -> ()
  return %1 : i32
}
