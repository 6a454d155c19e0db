// RUN: mlc-opt %s --canonicalize=disable-patterns=EraseRedundantAssertions | FileCheck %s --check-prefix=WITHOUT
// RUN: mlc-opt %s --canonicalize=enable-patterns=EraseRedundantAssertions | FileCheck %s --check-prefix=ONLY
// RUN: mlc-opt %s --canonicalize="max-num-rewrites=1 max-iterations=1" | FileCheck %s --check-prefix=ONE
// RUN: not mlc-opt %s --canonicalize=region-simplify=some 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: 'region-simplify' is disabled, normal or aggressive, not 'some'
func.func @f(%x: i32) -> i32 {
  // WITHOUT: cf.assert
  // WITHOUT-NEXT: return
  // ONLY-NOT: cf.assert
  // ONLY: cf.br
  // ONE: cf.assert
  // ONE-NEXT: return
  %yes = arith.constant true
  cf.br ^b(%x : i32)
^b(%y: i32):
  cf.assert %yes, "goes"
  return %y : i32
}
