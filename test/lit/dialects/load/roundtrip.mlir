// RUN: mlc-opt --load-dialect=%S/Inputs/toy.yaml %s | mlc-opt --load-dialect=%S/Inputs/toy.yaml | FileCheck %s
// A dialect that no compiled code knows is read, named and printed by its records.
// CHECK-LABEL: func.func @f
// CHECK: %scaled = toy.scale %arg0 by 3 : f32
// CHECK: %scaled_0 = toy.scale %scaled by 2 mode <down> {note = "x"} : f32
// CHECK: %0 = toy.wrap %scaled_0 : f32 to !toy.box<f32>
func.func @f(%x: f32) -> !toy.box<f32> {
  %a = toy.scale %x by 3 : f32
  %b = toy.scale %a by 2 mode <down> {note = "x"} : f32
  %c = toy.wrap %b : f32 to !toy.box<f32>
  return %c : !toy.box<f32>
}
