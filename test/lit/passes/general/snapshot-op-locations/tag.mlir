// RUN: mlc-opt %s '--snapshot-op-locations=filename=%t.new' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s -DFILE=%t.new
// RUN: FileCheck %s --check-prefix=WRITTEN --input-file=%t.new
// RUN: mlc-opt %s '--snapshot-op-locations=filename=%t.new tag=new' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s -DFILE=%t.new --check-prefix=TAG
// RUN: rm -rf %t.tmp && mkdir %t.tmp && env TMPDIR=%t.tmp mlc-opt %s --snapshot-op-locations -o /dev/null && ls %t.tmp | FileCheck %s --check-prefix=TEMPORARY
// TEMPORARY: mlir_snapshot-{{.+}}.mlir

// CHECK: return %arg0 : i32 loc("[[FILE]]":3:4)
// CHECK: } loc("[[FILE]]":2:2)
// CHECK: } loc("[[FILE]]":1:0)
// WRITTEN: return %arg0 : i32 loc("old":7:8)
// TAG: return %arg0 : i32 loc(fused["old":7:8, "new"("[[FILE]]":3:4)])
func.func @f(%x: i32) -> i32 {
  return %x : i32 loc("old":7:8)
}
